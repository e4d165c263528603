//! Scan on the wire. Its pages are written as those of Query.

use hashrange_types::Request;
use hashrange_types::limits::TOTAL_SEGMENTS_MAX;
use hashrange_types::operation::ScanRequest;

use super::capacity;
use super::query::Shared;
use crate::constraint::{self, Constraints, Place, Plane, Refusal};
use crate::members::Members;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let table = members.text("TableName")?;
    let limit = members.integer("Limit")?;
    if let Some(limit) = limit {
        constraints.range(limit, 1, i64::MAX, &Place::Root.member("Limit"));
    }
    let most = i64::from(TOTAL_SEGMENTS_MAX);
    let segment = members.integer("Segment")?;
    if let Some(segment) = segment {
        constraints.range(segment, 0, most - 1, &Place::Root.member("Segment"));
    }
    let total_segments = members.integer("TotalSegments")?;
    if let Some(total) = total_segments {
        constraints.range(total, 1, most, &Place::Root.member("TotalSegments"));
    }
    let shared = Shared { filter: "ScanFilter", limit, return_consumed_capacity };
    let read = shared.read(members, &mut constraints)?;
    let table = constraint::table(table, Plane::Data)?;
    constraints.finish()?;
    let number = |number: i64| u32::try_from(number).expect("the range was checked");
    Ok(Request::Scan(ScanRequest {
        read: read(table),
        segment: segment.map(number),
        total_segments: total_segments.map(number),
    }))
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::Scan;

    use super::*;
    use crate::expect::{accepted, refused};

    #[test]
    fn segments_are_read() {
        let text = r#"{"TableName": "T", "Segment": 0, "TotalSegments": 4,
            "ScanFilter": {"a": {"ComparisonOperator": "NOT_NULL"}}}"#;
        let Request::Scan(request) = accepted(Scan, text) else { panic!() };
        assert_eq!((request.segment, request.total_segments), (Some(0), Some(4)));
        assert_eq!(request.read.filter.unwrap().len(), 1);
    }

    #[test]
    fn a_limit_below_one_is_refused_in_scans_own_words() {
        assert_eq!(
            refused(Scan, r#"{"TableName": "T", "Limit": 0}"#),
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: \
             Member must have value greater than or equal to 1"
        );
    }

    #[test]
    fn segments_outside_their_range_are_refused() {
        let message =
            refused(Scan, r#"{"TableName": "T", "Segment": -1, "TotalSegments": 1000001}"#);
        assert!(message.contains("Value '-1' at 'segment'"), "{message}");
        assert!(message.contains("Member must have value less than or equal to 1000000"));
    }
}

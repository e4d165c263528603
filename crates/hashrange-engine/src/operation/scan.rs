//! Scan: read a table or index from end to end, or one segment of it.
//!
//! Invariant: the segments of a scan share the space of placement hashes evenly: together they hold every
//! item once, and one partition key is never in two.
//!
//! Not here: reading the page (`page`), rules shared with Query (`read_validation`).
//!
//! Source: facts 2.2, 3.4 and 4.10.1 row 42.

use hashrange_expressions::Substitutions;
use hashrange_storage::{KeyRange, Store};
use hashrange_types::operation::ScanRequest;
use hashrange_types::{ApiError, Timestamp, ValidationError};

use crate::outcome::Outcome;
use crate::page::PageRead;
use crate::read_validation::{
    INVALID_START_KEY, LegacyParts, ReadTree, check_key_paths, encode_start_key, select,
};
use crate::validation::ParameterStyles;

/// A checked Scan.
#[derive(Debug, Clone)]
pub struct Plan(pub(crate) PageRead);

/// One part of a parallel scan; `number` is below `total`.
#[derive(Debug, Clone, Copy)]
struct Segment {
    number: u32,
    total: u32,
}

/// Checks a Scan in DynamoDB's order.
pub(crate) fn plan(store: &Store, request: ScanRequest) -> Result<Plan, ApiError> {
    let segment = check_segment(&request)?;
    let read = request.read;
    ParameterStyles {
        expressions: &[
            ("ProjectionExpression", read.projection_expression.is_some()),
            ("FilterExpression", read.filter_expression.is_some()),
        ],
        legacy: &[
            ("AttributesToGet", read.attributes_to_get.is_some()),
            ("ScanFilter", read.filter.is_some()),
            ("ConditionalOperator", read.conditional_operator.is_some()),
        ],
        has_names: read.names.is_some(),
        has_values: read.values.is_some(),
    }
    .check()?;
    let legacy = LegacyParts::bind(&read)?;
    let mut substitutions = Substitutions::new(read.names.as_ref(), read.values.as_ref())?;
    let parts = legacy.with_expressions(&read, &mut substitutions)?;

    let tree = ReadTree::find(store, &read, true)?;
    let selection = select(tree, &read, parts.projection, parts.filter.as_ref(), true)?;
    let mut range = segment.map_or(KeyRange::all(), Segment::range);
    if let Some(start) = parts.start_key {
        let position = encode_start_key(tree, &start, true)?;
        if let Some(Segment { number, total }) = segment.filter(|_| !range.contains(&position)) {
            return Err(ValidationError::new(format!(
                "{INVALID_START_KEY}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with \
                 correct Segment. TotalSegments: {total} Segment: {number}"
            ))
            .at_member(&["ExclusiveStartKey"])
            .into());
        }
        range = range.resumed_after(position, true);
    }
    if let Some(filter) = &parts.filter {
        check_key_paths(filter.attributes(), tree.schema)?;
    }
    Ok(Plan(PageRead {
        table: read.table,
        index: selection.index,
        range,
        is_forward: true,
        limit: read.limit,
        is_consistent: read.consistent_read,
        filter: parts.filter,
        output: selection.output,
        pays_per_partition: true,
        shown: read.return_consumed_capacity,
    }))
}

/// Reads the page.
pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    plan.0.execute(store)
}

fn check_segment(request: &ScanRequest) -> Result<Option<Segment>, ValidationError> {
    let message = match (request.segment, request.total_segments) {
        (None, None) => return Ok(None),
        (Some(number), Some(total)) if number < total => {
            return Ok(Some(Segment { number, total }));
        }
        (Some(number), Some(total)) => format!(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
             Segment: {number} is not less than TotalSegments: {total}"
        ),
        (Some(_), None) => "The TotalSegments parameter is required but was not present in the \
                            request when Segment parameter is present"
            .to_owned(),
        (None, Some(_)) => "The Segment parameter is required but was not present in the request \
                            when parameter TotalSegments is present"
            .to_owned(),
    };
    Err(ValidationError::new(message).at_member(&["Segment"]))
}

impl Segment {
    /// The hashes of the segment.
    fn range(self) -> KeyRange {
        let begin = |number: u32| (u128::from(number) << 64) / u128::from(self.total);
        let hash = |hash: u128| u64::try_from(hash).expect("a share of 2^64 ends below 2^64");
        KeyRange::of_hashes(hash(begin(self.number)), hash(begin(self.number + 1) - 1))
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::Select;
    use hashrange_types::{CapacityUnits, Item, Projection, Request};

    use super::*;
    use crate::read_fixture::{
        Shelf, global, index, item, local, n, s, scan, schema, schema_with_key, with_values,
    };

    fn thing(pk: &str) -> Item {
        item([("pk", s(pk)), ("animal", s("cat"))])
    }

    fn things(n_items: usize, n_partitions: u32) -> Shelf {
        let items = (0..n_items).map(|number| thing(&number.to_string()));
        Shelf::with_items(schema_with_key("pk"), n_partitions, items)
    }

    #[test]
    fn a_scan_pays_for_every_partition_it_touches_empty_ones_included() {
        let shelf = things(1, 4);
        let mut request = scan();
        let page = shelf.scan(&request);
        assert_eq!((page.count, page.consumed.table), (1, CapacityUnits::whole(2)));
        request.read.consistent_read = true;
        assert_eq!(shelf.scan(&request).consumed.table, CapacityUnits::whole(4));
        let outcome = shelf.outcome(Request::Scan(request));
        assert_eq!(outcome.evaluated.n_partitions, 4);
    }

    #[test]
    fn a_page_pays_only_for_the_partitions_from_its_beginning_to_its_end() {
        let shelf = things(40, 4);
        let mut request = scan();
        request.read.limit = Some(1);
        let first = shelf.scan(&request);
        assert_eq!(first.consumed.table, CapacityUnits::halves(1));
        let mut n_pages = 1;
        let mut units = first.consumed.table;
        let mut last = first.last_evaluated_key;
        while let Some(key) = last {
            request.read.exclusive_start_key = Some(Ok(key));
            let page = shelf.scan(&request);
            n_pages += 1;
            units += page.consumed.table;
            last = page.last_evaluated_key;
        }
        // Forty pages of one item and the empty one; three of them reach over into the next partition.
        assert_eq!((n_pages, units), (41, CapacityUnits::halves(44)));
    }

    #[test]
    fn a_full_scan_costs_its_bytes_where_they_are_more_than_the_partitions() {
        let big =
            |number: usize| item([("pk", s(&number.to_string())), ("d", s(&"x".repeat(10_000)))]);
        let shelf = Shelf::with_items(schema_with_key("pk"), 4, (0..10).map(big));
        // 10 x 10,004 bytes are 24.4 times 4 KB.
        assert_eq!(shelf.scan(&scan()).consumed.table, CapacityUnits::halves(25));
    }

    #[test]
    fn a_scan_of_an_index_shows_only_what_is_in_it_and_pays_on_its_arm() {
        let schema = global(schema_with_key("id"), "g", "gp", Projection::KeysOnly);
        let items = [
            item([("id", s("1")), ("gp", s("x")), ("secret", s("v"))]),
            item([("id", s("2")), ("secret", s("v"))]),
        ];
        let shelf = Shelf::with_items(schema, 4, items);
        let mut request = scan();
        request.read.index = index("g");
        let page = shelf.scan(&request);
        assert_eq!(page.items, Some(vec![item([("id", s("1")), ("gp", s("x"))])]));
        assert!(page.consumed.table.is_zero());
        assert_eq!(page.consumed.global_indexes, [(index("g").unwrap(), CapacityUnits::whole(2))]);
        request.read = with_values(request.read, &[s("v")]);
        request.read.filter_expression = Some("secret = :a".to_owned());
        let page = shelf.scan(&request);
        assert_eq!(
            (page.count, page.scanned_count),
            (0, 1),
            "an index filter sees the entry alone"
        );
    }

    #[test]
    fn the_key_of_an_index_page_holds_index_and_table_key() {
        let schema = global(schema_with_key("dev | ts:N"), "g", "st", Projection::All);
        let job = |ts: i32| item([("dev", s("d1")), ("ts", n(ts)), ("st", s("open"))]);
        let shelf = Shelf::with_items(schema, 4, (0..7).map(job));
        let mut request = scan();
        request.read.index = index("g");
        request.read.limit = Some(2);
        assert_eq!(shelf.scan(&request).last_evaluated_key, Some(job(1)));
    }

    #[test]
    fn a_filter_of_a_scan_may_name_the_key() {
        let mut request = scan();
        request.read = with_values(request.read, &[s("1")]);
        request.read.filter_expression = Some("pk = :a".to_owned());
        assert_eq!(things(5, 4).scan(&request).count, 1);
    }

    #[test]
    fn a_local_index_is_scanned_and_fetches_what_it_lacks() {
        let schema = local(schema(), "byAlt", "pk | alt", Projection::KeysOnly);
        let one = item([("pk", s("a")), ("sk", s("1")), ("alt", s("x")), ("d", s("deep"))]);
        let shelf = Shelf::with_items(schema, 4, [one.clone()]);
        let mut request = scan();
        request.read.index = index("byAlt");
        request.read.select = Some(Select::AllAttributes);
        let page = shelf.scan(&request);
        assert_eq!(page.items, Some(vec![one]));
        assert_eq!(page.consumed.table, CapacityUnits::halves(1));
    }

    #[track_caller]
    fn refuses(change: impl FnOnce(&mut ScanRequest), message: &str) {
        let shelf = Shelf::new(global(schema(), "g", "gk", Projection::KeysOnly), 4);
        let mut request = scan();
        change(&mut request);
        assert_eq!(shelf.scan_refusal(&request), message);
    }

    #[test]
    fn segments_must_be_given_whole_and_below_their_total() {
        refuses(
            |request| (request.segment, request.total_segments) = (Some(5), Some(5)),
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
             Segment: 5 is not less than TotalSegments: 5",
        );
        refuses(
            |request| request.segment = Some(0),
            "The TotalSegments parameter is required but was not present in the request when Segment \
             parameter is present",
        );
        refuses(
            |request| request.total_segments = Some(2),
            "The Segment parameter is required but was not present in the request when parameter \
             TotalSegments is present",
        );
    }

    #[test]
    fn a_starting_key_of_the_wrong_shape_gets_its_own_sentence() {
        let schema_message = "The provided starting key is invalid: The provided key element does not match the schema";
        for start in
            [item([("bad", s("p"))]), item([("pk", s("a"))]), item([("pk", n(1)), ("sk", s("x"))])]
        {
            refuses(|request| request.read.exclusive_start_key = Some(Ok(start)), schema_message);
        }
        refuses(
            |request| {
                request.read.index = index("g");
                request.read.exclusive_start_key = Some(Ok(item([("pk", s("a")), ("sk", s("b"))])));
            },
            "The provided starting key is invalid",
        );
        refuses(
            |request| {
                let error = "Supplied AttributeValue is empty, must contain exactly one of the \
                             supported datatypes";
                request.read.exclusive_start_key = Some(Err(ValidationError::new(error)));
            },
            "The provided starting key is invalid: Supplied AttributeValue is empty, must contain \
             exactly one of the supported datatypes",
        );
    }

    #[test]
    fn an_unknown_index_is_a_validation_error() {
        refuses(
            |request| request.read.index = index("nope"),
            "The table does not have the specified index: nope",
        );
    }

    #[test]
    fn specific_attributes_of_nothing_are_refused_without_envelope() {
        refuses(
            |request| request.read.select = Some(Select::SpecificAttributes),
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get \
             SPECIFIC_ATTRIBUTES",
        );
    }

    #[test]
    fn a_starting_key_must_lie_in_its_segment() {
        let shelf = things(20, 4);
        let mut request = scan();
        (request.segment, request.total_segments) = (Some(1), Some(2));
        request.read.limit = Some(1);
        let start = shelf.scan(&request).last_evaluated_key.unwrap();
        request.segment = Some(0);
        request.read.exclusive_start_key = Some(Ok(start));
        assert_eq!(
            shelf.scan_refusal(&request),
            "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use \
             ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 0"
        );
    }

    #[test]
    fn a_segment_pays_for_its_own_partitions() {
        let shelf = things(0, 4);
        let mut request = scan();
        (request.segment, request.total_segments) = (Some(1), Some(2));
        assert_eq!(shelf.scan(&request).consumed.table, CapacityUnits::whole(1));
        (request.segment, request.total_segments) = (Some(1_234), Some(1_000_000));
        assert_eq!(shelf.scan(&request).consumed.table, CapacityUnits::halves(1));
    }
}

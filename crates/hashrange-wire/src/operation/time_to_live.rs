//! UpdateTimeToLive and DescribeTimeToLive on the wire.

use hashrange_types::operation::{
    DescribeTimeToLiveRequest, DescribeTimeToLiveResponse, TimeToLiveSpecification,
    UpdateTimeToLiveRequest,
};
use hashrange_types::{AttributeName, Request};

use crate::constraint::{self, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::Writer;

const ATTRIBUTE_LENGTH_MAX: usize = 255;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    let name = "TimeToLiveSpecification";
    let place = Place::Root.member(name);
    let specification = members.read_with(name, |json| {
        let mut members = Members::read(json, name)?;
        let enabled = members.boolean("Enabled")?;
        let is_enabled = constraints.required(enabled, &place.member("Enabled"));
        let attribute = members.text("AttributeName")?;
        let place = place.member("AttributeName");
        let attribute = constraints.required(attribute, &place);
        if let Some(attribute) = &attribute {
            let length = attribute.chars().count();
            let lengths = (1, ATTRIBUTE_LENGTH_MAX);
            constraints.length(length, lengths, &place, || attribute.to_string());
        }
        Ok(TimeToLiveSpecification {
            is_enabled: is_enabled.unwrap_or_default(),
            attribute: AttributeName::new(&attribute.unwrap_or_default()),
        })
    })?;
    let specification = constraints.required(specification, &place);
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    let specification = specification.expect("its absence was refused");
    Ok(Request::UpdateTimeToLive(UpdateTimeToLiveRequest { table, specification }))
}

pub(super) fn decode_describe(mut members: Members) -> Result<Request, Refusal> {
    let table = constraint::table(members.text("TableName")?, Plane::Control)?;
    Ok(Request::DescribeTimeToLive(DescribeTimeToLiveRequest { table }))
}

pub(super) fn encode(specification: &TimeToLiveSpecification, writer: &mut Writer) {
    writer.object(|object| {
        object.member("TimeToLiveSpecification").object(|object| {
            object.member("Enabled").boolean(specification.is_enabled);
            object.text("AttributeName", specification.attribute.as_str());
        });
    });
}

pub(super) fn encode_describe(response: &DescribeTimeToLiveResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("TimeToLiveDescription").object(|object| {
            let status = if response.attribute.is_some() { "ENABLED" } else { "DISABLED" };
            object.text("TimeToLiveStatus", status);
            if let Some(attribute) = &response.attribute {
                object.text("AttributeName", attribute.as_str());
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::UpdateTimeToLive;

    use crate::expect::{accepted, refused};

    #[test]
    fn both_members_of_the_specification_are_required() {
        let text = r#"{"TableName": "Orders", "TimeToLiveSpecification": {}}"#;
        assert!(refused(UpdateTimeToLive, text).starts_with("2 validation errors detected"));
        let text = r#"{"TableName": "Orders"}"#;
        assert!(refused(UpdateTimeToLive, text).contains("'timeToLiveSpecification'"));
        let text = r#"{"TableName": "Orders",
            "TimeToLiveSpecification": {"Enabled": true, "AttributeName": ""}}"#;
        assert!(refused(UpdateTimeToLive, text).ends_with("greater than or equal to 1"));
        accepted(UpdateTimeToLive, &text.replace("\"\"", "\"ttl\""));
    }
}

//! Kinesis streaming destinations on the wire.

use hashrange_types::Request;
use hashrange_types::operation::{
    DescribeKinesisRequest, DescribeKinesisResponse, KinesisRequest, KinesisResponse,
};
use smol_str::SmolStr;

use crate::constraint::{self, Choices, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::Writer;

const PRECISION: &Choices<&str> = &[("MILLISECOND", "MILLISECOND"), ("MICROSECOND", "MICROSECOND")];

pub(super) fn decode_enable(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::EnableKinesisStreamingDestination)
}

pub(super) fn decode_disable(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::DisableKinesisStreamingDestination)
}

pub(super) fn decode_update(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::UpdateKinesisStreamingDestination)
}

fn decode(mut members: Members) -> Result<KinesisRequest, Refusal> {
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    let place = Place::Root.member("StreamArn");
    let stream_arn = constraints.required(members.text("StreamArn")?, &place).unwrap_or_default();
    let mut precision = None;
    for name in ["EnableKinesisStreamingConfiguration", "UpdateKinesisStreamingConfiguration"] {
        let place = Place::Root.member(name);
        let found = members.read_with(name, |json| {
            let mut members = Members::read(json, name)?;
            let name = "ApproximateCreationDateTimePrecision";
            constraints.choice(&mut members, name, PRECISION, &place)
        })?;
        precision = precision.or(found.flatten());
    }
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    Ok(KinesisRequest {
        table,
        stream_arn: stream_arn.into(),
        precision: precision.map(SmolStr::new_static),
    })
}

pub(super) fn decode_describe(mut members: Members) -> Result<Request, Refusal> {
    let table = constraint::table(members.text("TableName")?, Plane::Control)?;
    Ok(Request::DescribeKinesisStreamingDestination(DescribeKinesisRequest { table }))
}

pub(super) fn encode(response: &KinesisResponse, writer: &mut Writer) {
    encode_as(response, "EnableKinesisStreamingConfiguration", writer);
}

pub(super) fn encode_updated(response: &KinesisResponse, writer: &mut Writer) {
    encode_as(response, "UpdateKinesisStreamingConfiguration", writer);
}

fn encode_as(response: &KinesisResponse, configuration: &str, writer: &mut Writer) {
    writer.object(|object| {
        object.text("TableName", response.table.as_str());
        object.text("StreamArn", &response.stream_arn);
        object.text("DestinationStatus", response.status);
        if let Some(precision) = &response.precision {
            object.member(configuration).object(|object| {
                object.text("ApproximateCreationDateTimePrecision", precision);
            });
        }
    });
}

pub(super) fn encode_describe(response: &DescribeKinesisResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.text("TableName", response.table.as_str());
        object.member("KinesisDataStreamDestinations").list(&response.destinations, |w, it| {
            w.object(|object| {
                object.text("StreamArn", &it.stream_arn);
                object.text("DestinationStatus", if it.is_active { "ACTIVE" } else { "DISABLED" });
                if let Some(precision) = &it.precision {
                    object.text("ApproximateCreationDateTimePrecision", precision);
                }
            });
        });
    });
}

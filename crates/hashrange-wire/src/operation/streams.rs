//! DynamoDB Streams on the wire.
//!
//! Source: facts 3.10, 8.2 and Appendix A.2.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    DescribeStreamRequest, DescribeStreamResponse, GetRecordsRequest, GetRecordsResponse,
    GetShardIteratorRequest, GetShardIteratorResponse, ListStreamsRequest, ListStreamsResponse,
    SequenceNumber, ShardIterator, ShardIteratorType, StreamName, StreamRecord,
};
use hashrange_types::{Request, TableName, Timestamp};
use smol_str::SmolStr;

use super::describe_table;
use super::tags::arn;
use crate::constraint::{Choices, Constraints, Place, Refusal};
use crate::json::Json;
use crate::members::{Members, Read, whole};
use crate::writer::{ObjectWriter, Writer};

/// Lengths of a stream's ARN, and of a shard's id.
const ARN_LENGTHS: (usize, usize) = (37, 1_024);
const SHARD_ID_LENGTHS: (usize, usize) = (28, 65);
const LIST_MAX: i64 = 100;
const RECORDS_MAX: i64 = 1_000;

pub(super) fn decode_list(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    if let Some(table) = &table {
        constraints.name(table, 3, &Place::Root.member("TableName"));
    }
    let limit = limit(&mut members, LIST_MAX, &mut constraints)?;
    let start = members.text("ExclusiveStartStreamArn")?.map(|given| Resource::new(&given));
    constraints.finish()?;
    let table_name = table.and_then(|table| TableName::new(&table));
    Ok(Request::ListStreams(ListStreamsRequest { table_name, limit, start }))
}

pub(super) fn decode_describe(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let stream = arn(&mut members, "StreamArn", ARN_LENGTHS, &mut constraints)?;
    let limit = limit(&mut members, LIST_MAX, &mut constraints)?;
    let start_shard = members.text("ExclusiveStartShardId")?.map(SmolStr::from);
    let children_of = members.read_with("ShardFilter", |json| {
        let mut members = Members::read(json, "ShardFilter")?;
        Ok(members.text("ShardId")?.map(SmolStr::from))
    })?;
    constraints.finish()?;
    Ok(Request::DescribeStream(DescribeStreamRequest {
        stream,
        limit,
        start_shard,
        children_of: children_of.flatten(),
    }))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IteratorType {
    TrimHorizon,
    Latest,
    At,
    After,
    AtTimestamp,
}

const ITERATOR_TYPE: &Choices<IteratorType> = &[
    ("TRIM_HORIZON", IteratorType::TrimHorizon),
    ("LATEST", IteratorType::Latest),
    ("AT_SEQUENCE_NUMBER", IteratorType::At),
    ("AFTER_SEQUENCE_NUMBER", IteratorType::After),
    ("AT_TIMESTAMP", IteratorType::AtTimestamp),
];

pub(super) fn decode_iterator(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let root = &Place::Root;
    let stream = arn(members, "StreamArn", ARN_LENGTHS, &mut constraints)?;
    let place = root.member("ShardId");
    let shard = constraints.required(members.text("ShardId")?, &place).map(SmolStr::from);
    if let Some(shard) = &shard {
        constraints.length(shard.len(), SHARD_ID_LENGTHS, &place, || shard.to_string());
    }
    let name = "ShardIteratorType";
    let is_given = members.has(name);
    let kind = constraints.choice(members, name, ITERATOR_TYPE, root)?;
    if !is_given {
        constraints.required(kind, &root.member(name));
    }
    let sequence = members.text("SequenceNumber")?.map(SmolStr::from);
    let timestamp = members.read_with("Timestamp", |json| time(&json))?;
    let (needed, is_there) = match kind {
        Some(IteratorType::At | IteratorType::After) => ("SequenceNumber", sequence.is_some()),
        Some(IteratorType::AtTimestamp) => ("Timestamp", timestamp.is_some()),
        _ => ("", true),
    };
    if !is_there {
        constraints.required(None::<()>, &root.member(needed));
    }
    constraints.finish()?;
    let sequence = sequence.unwrap_or_default();
    let start = match kind.expect("its absence was refused") {
        IteratorType::TrimHorizon => ShardIteratorType::TrimHorizon,
        IteratorType::Latest => ShardIteratorType::Latest,
        IteratorType::At => ShardIteratorType::AtSequenceNumber(sequence),
        IteratorType::After => ShardIteratorType::AfterSequenceNumber(sequence),
        IteratorType::AtTimestamp => ShardIteratorType::AtTimestamp(timestamp.unwrap_or_default()),
    };
    let shard = shard.unwrap_or_default();
    Ok(Request::GetShardIterator(GetShardIteratorRequest { stream, shard, start }))
}

pub(super) fn decode_records(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let place = Place::Root.member("ShardIterator");
    let text = constraints.required(members.text("ShardIterator")?, &place);
    let limit = limit(&mut members, RECORDS_MAX, &mut constraints)?;
    constraints.finish()?;
    let iterator = text.and_then(|text| parse_iterator(&text));
    Ok(Request::GetRecords(GetRecordsRequest { iterator, limit }))
}

/// Reads a moment: seconds since the epoch.
pub(super) fn time(json: &Json) -> Read<Timestamp> {
    if let Json::Decimal(seconds) = json {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "what a moment cannot hold saturates"
        )]
        return Ok(Timestamp((seconds * 1_000_000.0).round() as i64));
    }
    Ok(Timestamp(whole(json, "Long")?.saturating_mul(1_000_000)))
}

fn limit(members: &mut Members, most: i64, constraints: &mut Constraints) -> Read<Option<u32>> {
    let limit = members.integer("Limit")?;
    if let Some(limit) = limit {
        constraints.range(limit, 1, most, &Place::Root.member("Limit"));
    }
    Ok(limit.and_then(|limit| u32::try_from(limit).ok()))
}

/// The text of an iterator: base64, since clients must not read it.
fn iterator_text(iterator: &ShardIterator) -> String {
    let StreamName { table, label } = &iterator.stream;
    let (next, made_at) = (iterator.next.0, iterator.made_at.0);
    let mut text = format!("{table}|{label}|{next}|{made_at}");
    if iterator.shard > 0 {
        text.push('|');
        text.push_str(&iterator.shard.to_string());
    }
    STANDARD.encode(text)
}

fn parse_iterator(text: &str) -> Option<ShardIterator> {
    let text = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
    let mut parts = text.split('|');
    let iterator = ShardIterator {
        stream: StreamName {
            table: TableName::new(parts.next()?)?,
            label: SmolStr::new(parts.next()?),
        },
        next: SequenceNumber(parts.next()?.parse().ok()?),
        made_at: Timestamp(parts.next()?.parse().ok()?),
        shard: parts.next().map_or(Some(0), |shard| shard.parse().ok())?,
    };
    parts.next().is_none().then_some(iterator)
}

pub(super) fn encode_list(response: &ListStreamsResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("Streams").list(&response.streams, |w, stream| {
            w.object(|object| name(object, stream));
        });
        if let Some(last) = &response.last {
            object.arn("LastEvaluatedStreamArn", &path(last));
        }
    });
}

fn path(stream: &StreamName) -> String {
    format!("table/{}/stream/{}", stream.table, stream.label)
}

fn name(object: &mut ObjectWriter, stream: &StreamName) {
    object.arn("StreamArn", &path(stream));
    object.text("TableName", stream.table.as_str());
    object.text("StreamLabel", &stream.label);
}

pub(super) fn encode_describe(response: &DescribeStreamResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("StreamDescription").object(|object| {
            name(object, &response.name);
            object.text("StreamStatus", response.status);
            object.text("StreamViewType", response.view_type.name());
            object.time("CreationRequestDateTime", response.created_at);
            describe_table::key_schema(object, &response.key);
            object.member("Shards").list(&response.shards, |w, shard| {
                w.object(|object| {
                    object.text("ShardId", &shard.id);
                    if let Some(parent) = &shard.parent {
                        object.text("ParentShardId", parent);
                    }
                    object.member("SequenceNumberRange").object(|object| {
                        object.text("StartingSequenceNumber", &shard.first.to_string());
                        if let Some(last) = shard.last {
                            object.text("EndingSequenceNumber", &last.to_string());
                        }
                    });
                });
            });
            if let Some(last) = &response.last_shard {
                object.text("LastEvaluatedShardId", last);
            }
        });
    });
}

pub(super) fn encode_iterator(response: &GetShardIteratorResponse, writer: &mut Writer) {
    writer.object(|object| object.text("ShardIterator", &iterator_text(&response.iterator)));
}

pub(super) fn encode_records(response: &GetRecordsResponse, writer: &mut Writer) {
    writer.object(|object| {
        let region = object.voice().region.clone();
        object.member("Records").list(&response.records, |w, record| {
            w.object(|object| encode_record(object, record, &region));
        });
        if let Some(next) = &response.next {
            object.text("NextShardIterator", &iterator_text(next));
        }
    });
}

fn encode_record(object: &mut ObjectWriter, record: &StreamRecord, region: &str) {
    object.text("eventID", &format!("{:032x}", u128::from(record.sequence.0)));
    object.text("eventName", record.event_name);
    object.text("eventVersion", "1.1");
    object.text("eventSource", "aws:dynamodb");
    object.text("awsRegion", region);
    object.member("dynamodb").object(|object| {
        let seconds = u64::try_from(record.at.whole_seconds()).unwrap_or_default();
        object.member("ApproximateCreationDateTime").integer(seconds);
        object.item("Keys", Some(&record.keys));
        object.item("NewImage", record.new_image.as_ref());
        object.item("OldImage", record.old_image.as_ref());
        object.text("SequenceNumber", &record.sequence.to_string());
        object.member("SizeBytes").integer(record.size_bytes);
        object.text("StreamViewType", record.view_type.name());
    });
    if record.is_expiry {
        object.member("userIdentity").object(|object| {
            object.text("PrincipalId", "dynamodb.amazonaws.com");
            object.text("Type", "Service");
        });
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::{GetRecords, GetShardIterator};

    use super::*;
    use crate::expect::{accepted, refused, table};

    #[test]
    fn an_iterator_reads_back_as_it_was_and_other_text_is_none() {
        let mut iterator = ShardIterator {
            shard: 0,
            stream: StreamName { table: table("Orders"), label: "2026-01-01T00:00:00.000".into() },
            next: SequenceNumber(7),
            made_at: Timestamp(5),
        };
        for shard in [0, 12] {
            iterator.shard = shard;
            let text = format!(r#"{{"ShardIterator": "{}"}}"#, iterator_text(&iterator));
            let Request::GetRecords(request) = accepted(GetRecords, &text) else { panic!() };
            assert_eq!(request.iterator.as_ref(), Some(&iterator));
        }
        let request = accepted(GetRecords, r#"{"ShardIterator": "nonsense"}"#);
        assert_eq!(request, Request::GetRecords(GetRecordsRequest { iterator: None, limit: None }));
    }

    #[test]
    fn an_iterator_at_a_sequence_number_needs_one() {
        let text = r#"{"StreamArn": "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/x",
            "ShardId": "shardId-00000001767225600000-00000000",
            "ShardIteratorType": "AT_SEQUENCE_NUMBER"}"#;
        assert_eq!(
            refused(GetShardIterator, text),
            "1 validation error detected: Value null at 'sequenceNumber' failed to satisfy \
             constraint: Member must not be null"
        );
        accepted(GetShardIterator, &text.replace("AT_SEQUENCE_NUMBER", "LATEST"));
    }
}

//! DynamoDB Streams: ListStreams, DescribeStream, GetShardIterator and GetRecords.
//!
//! A stream has one shard here, so its records are in order over all keys, unless a driver divides it as it divides
//! partitions. Shards close when the stream is switched off or its table goes, and one that is divided.
//!
//! Source: facts 3.10 and 8.2.

use hashrange_storage::{Delays, LogRecord, Row, STREAM_RETENTION_MS, Store, Stream, StreamShard};
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    DescribeStreamRequest, DescribeStreamResponse, GetRecordsRequest, GetRecordsResponse,
    GetShardIteratorRequest, GetShardIteratorResponse, ListStreamsRequest, ListStreamsResponse,
    SequenceNumber, Shard, ShardIterator, ShardIteratorType, StreamName, StreamRecord,
};
use hashrange_types::table_state::StreamViewType;
use hashrange_types::{ApiError, Item, KeySchema, Response, TableName, Timestamp, ValidationError};
use smol_str::SmolStr;

use super::Answer;

/// Streams of one page of ListStreams, and shards of one of DescribeStream.
const LIST_MAX: u32 = 100;
const SHARDS_MAX: u32 = 100;
/// Records and bytes of one page of GetRecords.
const RECORDS_MAX: u32 = 1_000;
const RECORD_BYTES_MAX: u64 = 1_048_576;
/// Milliseconds an iterator lives.
const ITERATOR_MS: i64 = 15 * 60 * 1_000;

pub(super) fn list(store: &Store, request: &ListStreamsRequest, _now: Timestamp) -> Answer {
    let start =
        request.start.as_ref().map(|start| name_of(start).ok_or_else(|| invalid_arn(start)));
    let start = start.transpose()?.map(|name| (name.table, name.label));
    let limit = usize::try_from(request.limit.unwrap_or(LIST_MAX)).unwrap_or(usize::MAX);
    let is_wanted = |table: &TableName| request.table_name.as_ref().is_none_or(|it| it == table);
    let mut found = store
        .account()
        .streams
        .after(start.as_ref())
        .filter(|((table, _), _)| is_wanted(table))
        .map(|(_, stream)| stream.name.clone());
    let streams: Vec<StreamName> = found.by_ref().take(limit).collect();
    let last = found.next().and_then(|_| streams.last().cloned());
    Ok((Response::ListStreams(ListStreamsResponse { streams, last }), Vec::new()))
}

pub(super) fn describe(store: &Store, request: &DescribeStreamRequest, now: Timestamp) -> Answer {
    let stream = find(store, &request.stream)?;
    let mut shards = shards(stream);
    // What a closed shard held is trimmed with time, and so is the shard.
    let oldest = now.plus_millis(-STREAM_RETENTION_MS);
    let is_kept = |shard: &StreamShard| shard.closed.is_none_or(|(at, _)| at >= oldest);
    shards.retain(|(of, shard)| {
        of.is_none_or(is_kept)
            && request.start_shard.as_ref().is_none_or(|start| *start < shard.id)
            && request.children_of.as_ref().is_none_or(|id| shard.parent.as_ref() == Some(id))
    });
    let limit = usize::try_from(request.limit.unwrap_or(SHARDS_MAX)).unwrap_or(usize::MAX);
    let has_more = shards.len() > limit;
    shards.truncate(limit);
    let last_shard = shards.last().filter(|_| has_more).map(|(_, shard)| shard.id.clone());
    let response = DescribeStreamResponse {
        name: stream.name.clone(),
        status: status(stream, store.delays(), now),
        view_type: stream.view_type,
        created_at: stream.created_at,
        key: stream.key.clone(),
        shards: shards.into_iter().map(|(_, shard)| shard).collect(),
        last_shard,
    };
    Ok((Response::DescribeStream(response), Vec::new()))
}

pub(super) fn iterator(store: &Store, request: &GetShardIteratorRequest, now: Timestamp) -> Answer {
    let stream = find(store, &request.stream)?;
    let mut shards = shards(stream).into_iter();
    let (of, shard) = shards.find(|(_, shard)| shard.id == request.shard).ok_or_else(|| {
        not_found(&format!(
            "Shard: {} in Stream: {} not found",
            request.shard, request.stream.given
        ))
    })?;
    let end = SequenceNumber(store.sequence().0 + 1);
    let oldest = first_kept(stream, now, end);
    let of_number = |text: &SmolStr, step: u64| {
        let number = SequenceNumber::parse(text).ok_or_else(|| {
            ValidationError::new(format!(
                "Invalid SequenceNumber: {text} in StreamArn: {}",
                request.stream.given
            ))
        })?;
        if number < oldest && oldest > stream.first {
            return Err(trimmed());
        }
        Ok(SequenceNumber(number.0 + step))
    };
    let next = match &request.start {
        ShardIteratorType::TrimHorizon => shard.first,
        ShardIteratorType::Latest => end,
        ShardIteratorType::AtSequenceNumber(number) => of_number(number, 0)?,
        ShardIteratorType::AfterSequenceNumber(number) => of_number(number, 1)?,
        ShardIteratorType::AtTimestamp(at) => {
            let is_its = |record: &&LogRecord| of.is_none_or(|of| of.holds(record));
            let mut records = stream.log.iter().filter(is_its);
            records.find(|record| record.at >= *at).map_or(end, |record| record.sequence)
        }
    };
    let shard = of.map_or(0, |of| of.number);
    let iterator = ShardIterator { stream: stream.name.clone(), shard, next, made_at: now };
    Ok((Response::GetShardIterator(GetShardIteratorResponse { iterator }), Vec::new()))
}

pub(super) fn records(store: &Store, request: &GetRecordsRequest, now: Timestamp) -> Answer {
    let Some(iterator) = &request.iterator else {
        return Err(ValidationError::new("Invalid ShardIterator").into());
    };
    if iterator.made_at.plus_millis(ITERATOR_MS) < now {
        return Err(ApiError::exception(
            "ExpiredIteratorException",
            format!(
                "Iterator expired. The iterator was created at time {} while right now it is {}; it \
                 lives 15 minutes",
                iterator.made_at.to_iso(),
                now.to_iso()
            ),
        ));
    }
    let StreamName { table, label } = &iterator.stream;
    let stream = store
        .account()
        .streams
        .get(&(table.clone(), label.clone()))
        .ok_or_else(|| not_found(&format!("Stream: {table} {label} not found")))?;
    let limit = usize::try_from(request.limit.unwrap_or(RECORDS_MAX)).unwrap_or(usize::MAX);
    let oldest = now.plus_millis(-STREAM_RETENTION_MS);
    let mut records: Vec<StreamRecord> = Vec::new();
    let mut bytes = 0;
    let mut next = iterator.next;
    let shard = stream.shards.iter().find(|shard| shard.number == iterator.shard);
    let is_its = |record: &&LogRecord| shard.is_none_or(|shard| shard.holds(record));
    let its = |next: SequenceNumber| stream.log.since(next).filter(is_its);
    for record in its(iterator.next).filter(|record| record.at >= oldest) {
        let shown = shown(record, stream);
        if records.len() == limit || (bytes > 0 && bytes + shown.size_bytes > RECORD_BYTES_MAX) {
            break;
        }
        bytes += shown.size_bytes;
        next = SequenceNumber(record.sequence.0 + 1);
        records.push(shown);
    }
    let is_read = its(next).next().is_none();
    let is_closed = shard.is_some_and(|shard| shard.closed.is_some());
    let is_over = (stream.disabled_at.is_some() || is_closed) && is_read;
    let next = (!is_over).then(|| ShardIterator { next, made_at: now, ..iterator.clone() });
    Ok((Response::GetRecords(GetRecordsResponse { records, next }), Vec::new()))
}

/// What a stream shows of a record.
fn shown(record: &LogRecord, stream: &Stream) -> StreamRecord {
    use StreamViewType::{NewAndOldImages, NewImage, OldImage};
    let image = |row: &Option<Row>, is_shown: bool| {
        row.as_ref().filter(|_| is_shown).map(|row| row.item.clone())
    };
    let new_image = image(&record.after, matches!(stream.view_type, NewImage | NewAndOldImages));
    let old_image = image(&record.before, matches!(stream.view_type, OldImage | NewAndOldImages));
    let row = record.after.as_ref().or(record.before.as_ref());
    let keys = row.map(|row| keys_of(&stream.key, &row.item)).unwrap_or_default();
    let items = [Some(&keys), new_image.as_ref(), old_image.as_ref()];
    StreamRecord {
        sequence: record.sequence,
        event_name: match (&record.before, &record.after) {
            (None, _) => "INSERT",
            (Some(_), Some(_)) => "MODIFY",
            (Some(_), None) => "REMOVE",
        },
        at: record.at,
        size_bytes: items.into_iter().flatten().map(|item| u64::from(item.size_bytes())).sum(),
        keys,
        new_image,
        old_image,
        view_type: stream.view_type,
        is_expiry: record.is_expiry,
    }
}

fn keys_of(key: &KeySchema, item: &Item) -> Item {
    let attribute = |name: &str| item.get(name).cloned();
    key.attributes()
        .filter_map(|it| Some((it.name.clone(), attribute(it.name.as_str())?)))
        .collect()
}

/// The oldest record that is kept, or `end`, the next one to come.
fn first_kept(stream: &Stream, now: Timestamp, end: SequenceNumber) -> SequenceNumber {
    let oldest = now.plus_millis(-STREAM_RETENTION_MS);
    let record = stream.log.iter().find(|record| record.at >= oldest);
    record.map_or(end, |record| record.sequence)
}

/// The shards of a stream, in the order of their ids.
fn shards(stream: &Stream) -> Vec<(Option<&StreamShard>, Shard)> {
    let id = |opened_at: Timestamp, number: u64| {
        let ms = opened_at.0.div_euclid(1_000);
        SmolStr::from(format!("shardId-{ms:020}-{number:08x}"))
    };
    let newest = stream.log.last().map_or(stream.first, |record| record.sequence);
    let end = stream.disabled_at.map(|_| newest);
    if stream.shards.is_empty() {
        let id = id(stream.created_at, stream.first.0);
        return vec![(None, Shard { id, parent: None, first: stream.first, last: end })];
    }
    let id_of = |of: &StreamShard| id(of.opened_at, stream.first.0 + u64::from(of.number));
    let shown = |of: &StreamShard| Shard {
        id: id_of(of),
        parent: of
            .parent
            .and_then(|parent| stream.shards.iter().find(|of| of.number == parent))
            .map(id_of),
        first: of.first,
        last: of.closed.map(|(_, last)| last).or(end),
    };
    stream.shards.iter().map(|of| (Some(of), shown(of))).collect()
}

fn status(stream: &Stream, delays: &Delays, now: Timestamp) -> &'static str {
    let from = |at: Timestamp| at.plus_millis(delays.stream);
    match stream.disabled_at {
        None if from(stream.created_at) > now => "ENABLING",
        None => "ENABLED",
        Some(at) if from(at) > now => "DISABLING",
        Some(_) => "DISABLED",
    }
}

fn name_of(resource: &Resource) -> Option<StreamName> {
    let label = resource.below_table("stream")?;
    Some(StreamName { table: resource.table()?, label: label.into() })
}

fn find<'a>(store: &'a Store, resource: &Resource) -> Result<&'a Stream, ApiError> {
    let StreamName { table, label } = name_of(resource).ok_or_else(|| invalid_arn(resource))?;
    let stream = store.account().streams.get(&(table, label));
    stream
        .map(AsRef::as_ref)
        .ok_or_else(|| not_found(&format!("Stream: {} not found", resource.given)))
}

fn invalid_arn(resource: &Resource) -> ApiError {
    ValidationError::new(format!("Invalid StreamArn: {}", resource.given)).into()
}

fn not_found(rest: &str) -> ApiError {
    let message = format!("Requested resource not found: {rest}");
    ApiError::exception("ResourceNotFoundException", message)
}

fn trimmed() -> ApiError {
    ApiError::exception(
        "TrimmedDataAccessException",
        "The operation attempted to read past the oldest stream record in a shard.",
    )
}

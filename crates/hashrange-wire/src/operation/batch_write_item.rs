//! BatchWriteItem on the wire.
//!
//! Source: facts 3.5 and 4.10.1, 43.

use hashrange_types::limits::BATCH_WRITE_REQUESTS_MAX;
use hashrange_types::operation::{BatchWriteItemRequest, BatchWriteItemResponse, WriteRequest};
use hashrange_types::{Deferred, Item, Request, ValidationError};

use super::{batch, capacity};
use crate::constraint::{Constraints, Place, Refusal};
use crate::json::Json;
use crate::members::{self, Members, Read, Within};
use crate::value;
use crate::writer::Writer;

/// How the message about the number of requests for one table reads.
const LENGTH_RULE: &str = "Map value must satisfy constraint: [Member must have length less than \
                           or equal to 25, Member must have length greater than or equal to 1]";

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let return_consumed_capacity =
        capacity::return_consumed_capacity(&mut members, &mut constraints)?;
    let returns_collection_metrics =
        capacity::returns_collection_metrics(&mut members, &mut constraints)?;
    let mut tables = Vec::new();
    let mut structure_error = None;
    for (name, json) in batch::request_items(&mut members, "WriteRequest")? {
        let requests = write_requests(json, &name, &mut constraints)
            .within(&name)
            .within(batch::REQUEST_ITEMS)?;
        let mut sound = Vec::with_capacity(requests.len());
        for request in requests {
            match request {
                Ok(request) => sound.push(request),
                Err(error) => {
                    structure_error.get_or_insert(error);
                }
            }
        }
        tables.extend(batch::table(&name, &mut constraints).map(|table| (table, sound)));
    }
    if tables.is_empty() && constraints.is_empty() {
        return Err(batch::missing("BatchWriteItem").into());
    }
    constraints.finish()?;
    if let Some(error) = structure_error {
        return Err(error.into());
    }
    if tables.iter().map(|(_, requests)| requests.len()).sum::<usize>() > BATCH_WRITE_REQUESTS_MAX {
        let message = "Too many items requested for the BatchWriteItem call";
        return Err(ValidationError::new(message).at_member(&[batch::REQUEST_ITEMS]).into());
    }
    Ok(Request::BatchWriteItem(BatchWriteItemRequest {
        tables,
        return_consumed_capacity,
        returns_collection_metrics,
    }))
}

/// Reads the requests for one table. A request that is neither or both of put and delete is an error that
/// waits for the constraints.
fn write_requests(
    json: Json,
    table: &str,
    constraints: &mut Constraints,
) -> Read<Vec<Deferred<WriteRequest>>> {
    let parent = Place::Root.member(batch::REQUEST_ITEMS);
    let place = parent.entry(table);
    let elements = members::list(json)?;
    if !(1..=BATCH_WRITE_REQUESTS_MAX).contains(&elements.len()) {
        let shown: Vec<&str> = elements.iter().map(shown).collect();
        let shown = format!("{{{table}=[{}]}}", shown.join(", "));
        constraints.broken(Some(&shown), &parent, LENGTH_RULE);
    }
    elements
        .into_iter()
        .enumerate()
        .map(|(index, element)| {
            Members::read(element, "WriteRequest")
                .and_then(|members| {
                    write_request(members, table, index, &place.element(index), constraints)
                })
                .within_element(index)
        })
        .collect()
}

/// How one request prints in the message about their number.
fn shown(request: &Json) -> &'static str {
    match request {
        Json::Object(entries) if entries.iter().any(|(name, _)| name == "DeleteRequest") => {
            "DeleteRequest"
        }
        _ => "PutRequest",
    }
}

fn write_request(
    mut members: Members,
    table: &str,
    index: usize,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<Deferred<WriteRequest>> {
    let put = write(&mut members, "PutRequest", "Item", place, constraints)?;
    let delete = write(&mut members, "DeleteRequest", "Key", place, constraints)?;
    let inside = |deferred: Deferred<Item>| {
        let deferred = value::deferred_within(deferred, &index.to_string());
        batch::deferred_within_table(deferred, table)
    };
    let refused = |message: &str| {
        let index = index.to_string();
        Err(ValidationError::new(message).at_member(&[batch::REQUEST_ITEMS, table, &index]))
    };
    Ok(match (put, delete) {
        (Some(item), None) => Ok(WriteRequest::Put(inside(item))),
        (None, Some(key)) => Ok(WriteRequest::Delete(inside(key))),
        (None, None) => refused(value::EMPTY),
        (Some(_), Some(_)) => refused(value::SEVERAL),
    })
}

/// Reads the item or key of a PutRequest or DeleteRequest.
fn write(
    members: &mut Members,
    name: &str,
    content: &str,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<Option<Deferred<Item>>> {
    members.read_with(name, |json| {
        let item = Members::read(json, name)?.item(content)?;
        let item = constraints.required_item(item, &place.member(name).member(content));
        Ok(value::deferred_within(item, name))
    })
}

pub(super) fn encode(response: &BatchWriteItemResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("UnprocessedItems").object(|object| {
            for (table, requests) in &response.unprocessed {
                object.member(&table.given).list(requests, unprocessed);
            }
        });
        capacity::collection_metrics_by_table(object, response.item_collection_metrics.as_ref());
        capacity::consumed_list(object, &response.consumed);
    });
}

/// Writes a request that was not carried out as it was sent.
fn unprocessed(writer: &mut Writer, request: &WriteRequest) {
    let (name, content, item) = match request {
        WriteRequest::Put(item) => ("PutRequest", "Item", item),
        WriteRequest::Delete(key) => ("DeleteRequest", "Key", key),
    };
    writer.object(|object| {
        object.member(name).object(|object| object.item(content, item.as_ref().ok()));
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{ItemCollectionMetrics, ReturnConsumedCapacity};
    use hashrange_types::{Operation::BatchWriteItem, Response};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, refused};

    fn puts(n: usize) -> String {
        vec![r#"{"PutRequest": {"Item": {"pk": {"S": "a"}}}}"#; n].join(",")
    }

    #[test]
    fn requests_are_read_in_the_order_sent_and_written_back_the_same() {
        let tables = r#"{"B":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}"#;
        let text = format!(r#"{{"RequestItems":{tables}}}"#);
        let Request::BatchWriteItem(request) = accepted(BatchWriteItem, &text) else { panic!() };
        let metrics = ItemCollectionMetrics {
            item_collection_key: item(),
            size_estimate_range_gb: [0.0, 1.0],
        };
        let response = BatchWriteItemResponse {
            unprocessed: request.tables,
            item_collection_metrics: Some(vec![("B".into(), vec![metrics])]),
            consumed: vec![consumed(ReturnConsumedCapacity::None)],
        };
        assert_eq!(
            encoded(&Response::BatchWriteItem(response)),
            format!(
                r#"{{"UnprocessedItems":{tables},"ItemCollectionMetrics":{{"B":[{{"ItemCollectionKey":{{"pk":{{"S":"a"}},"n":{{"N":"1.5"}}}},"SizeEstimateRangeGB":[0.0,1.0]}}]}}}}"#
            )
        );
    }

    #[test]
    fn a_batch_of_nothing_is_refused() {
        assert_eq!(
            refused(BatchWriteItem, "{}"),
            "The requestItems parameter is required for BatchWriteItem"
        );
    }

    #[test]
    fn one_table_takes_1_to_25_requests_and_so_does_the_batch() {
        let one = |n| format!(r#"{{"RequestItems": {{"T": [{}]}}}}"#, puts(n));
        accepted(BatchWriteItem, &one(25));
        for n in [0, 26] {
            let message = refused(BatchWriteItem, &one(n));
            assert!(message.starts_with("1 validation error detected: Value '{T=["), "{message}");
            assert!(message.ends_with(LENGTH_RULE), "{message}");
        }
        let two = format!(r#"{{"RequestItems": {{"T": [{}], "U": [{}]}}}}"#, puts(20), puts(6));
        assert_eq!(
            refused(BatchWriteItem, &two),
            "Too many items requested for the BatchWriteItem call"
        );
    }

    #[test]
    fn a_request_is_one_of_put_and_delete() {
        let request = |json: &str| format!(r#"{{"RequestItems": {{"T": [{json}]}}}}"#);
        assert_eq!(refused(BatchWriteItem, &request("{}")), value::EMPTY);
        let both = r#"{"PutRequest": {"Item": {}}, "DeleteRequest": {"Key": {}}}"#;
        assert_eq!(refused(BatchWriteItem, &request(both)), value::SEVERAL);
        assert!(
            refused(BatchWriteItem, &request(r#"{"PutRequest": {}}"#))
                .contains("Value null at 'requestItems.T.member.1.member.putRequest.item'")
        );
    }

    #[test]
    fn an_item_that_is_wrong_is_found_in_the_text() {
        let text = r#"{"RequestItems": {"T": [{"PutRequest": {"Item": {"pk": {"N": "x"}}}}]}}"#;
        let Request::BatchWriteItem(request) = accepted(BatchWriteItem, text) else { panic!() };
        let WriteRequest::Put(Err(error)) = &request.tables[0].1[0] else { panic!() };
        let range = crate::locate(text, error.place.as_ref().unwrap()).unwrap();
        assert_eq!(&text[range], "\"x\"");
    }
}

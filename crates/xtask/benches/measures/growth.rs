//! What the size of a table does to the cost of a request: it should hardly show.

use hashrange_types::Operation;
use serde_json::json;

use crate::door::Door;
use crate::harness::{Row, compare};

/// Items in the small and in the large table.
const SMALL: u32 = 1_000;
const LARGE: u32 = 1_000_000;
/// Items of one collection.
const COLLECTION: u32 = 100;

/// GetItem from the large table against the small one.
pub(crate) fn get_item(name: &str) -> Row {
    grown(name, Operation::GetItem, |item| {
        json!({"TableName": "Orders", "Key": {"pk": {"S": pk(item)}, "sk": {"S": sk(item)}}})
            .to_string()
    })
}

/// Query of a collection of 100 items of 300 B in the large table against the small one.
pub(crate) fn query(name: &str) -> Row {
    grown(name, Operation::Query, |item| {
        json!({
            "TableName": "Orders",
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": pk(item)}},
        })
        .to_string()
    })
}

/// The same request at changing places of both tables.
fn grown(name: &str, operation: Operation, request: impl Fn(u32) -> String) -> Row {
    let (mut small, mut large) = (filled(SMALL), filled(LARGE));
    let places =
        |n: u32| -> Vec<String> { (0..997).map(|step| request(step * 7_919 % n)).collect() };
    let (small_places, large_places) = (places(SMALL), places(LARGE));
    let (mut at_small, mut at_large) = (0, 0);
    compare(
        name,
        || {
            at_large = (at_large + 1) % large_places.len();
            large.answer(operation, &large_places[at_large])
        },
        "the same from 1,000 items",
        || {
            at_small = (at_small + 1) % small_places.len();
            small.answer(operation, &small_places[at_small])
        },
    )
    .at_most(3.0)
}

fn filled(n_items: u32) -> Door {
    let mut door = Door::with_orders();
    for item in 0..n_items {
        let text = json!({
            "TableName": "Orders",
            "Item": {
                "pk": {"S": pk(item)},
                "sk": {"S": sk(item)},
                "n": {"N": item.to_string()},
                "note": {"S": "x".repeat(255)},
            }
        });
        door.answer(Operation::PutItem, &text.to_string());
    }
    door
}

fn pk(item: u32) -> String {
    format!("CUSTOMER#{:06}", item / COLLECTION)
}

fn sk(item: u32) -> String {
    format!("ORDER#{:03}", item % COLLECTION)
}

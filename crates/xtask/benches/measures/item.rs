//! What one item of 1 KB costs, through JSON.

use hashrange_types::Operation;
use serde_json::{Value, json};

use crate::door::Door;
use crate::harness::{Row, compare};

/// The yardstick itself: the same text parsed and written by `serde_json`, against itself.
///
/// Its ratio is 1. Where it strays further than its limit, the machine is too busy to measure on.
pub(crate) fn json_put_item(name: &str) -> Row {
    let text = put_item_text();
    compare(name, || parse_and_write(&text), "itself", || parse_and_write(&text)).at_most(1.25)
}

/// PutItem of the item through the JSON door: decode, plan, execute, apply, encode.
pub(crate) fn put_item(name: &str) -> Row {
    let text = put_item_text();
    let mut door = Door::with_orders();
    compare(
        name,
        || door.answer(Operation::PutItem, &text),
        "serde_json parse and write",
        || parse_and_write(&text),
    )
    .at_most(4.0)
}

/// GetItem of the same item through the JSON door.
pub(crate) fn get_item(name: &str) -> Row {
    let mut door = Door::with_orders();
    door.answer(Operation::PutItem, &put_item_text());
    let text = json!({
        "TableName": "Orders",
        "Key": {"pk": {"S": "CUSTOMER#000042"}, "sk": {"S": "ORDER#2026-11-30T09:15:27Z#000117"}}
    })
    .to_string();
    let reply = door.answer(Operation::GetItem, &text);
    compare(
        name,
        move || door.answer(Operation::GetItem, &text),
        "serde_json parse and write",
        move || parse_and_write(&reply),
    )
    .at_most(4.0)
}

/// Parses and writes a request with `serde_json`: the least that any JSON door has to do.
pub(crate) fn parse_and_write(text: &str) -> String {
    let value: Value = serde_json::from_str(text).expect("the text is ours and valid");
    value.to_string()
}

/// A PutItem request whose item weighs about 1 KB, of the mix a real table has.
pub(crate) fn put_item_text() -> String {
    let words = "A customer's note that is long enough to make the item weigh one kilobyte. ";
    json!({
        "TableName": "Orders",
        "Item": {
            "pk": {"S": "CUSTOMER#000042"},
            "sk": {"S": "ORDER#2026-11-30T09:15:27Z#000117"},
            "status": {"S": "shipped"},
            "total": {"N": "129.95"},
            "isGift": {"BOOL": true},
            "tags": {"SS": ["books", "express", "gift"]},
            "address": {"M": {
                "street": {"S": "12 Example Street"},
                "city": {"S": "Leeds"},
                "postcode": {"S": "LS1 4AP"}
            }},
            "lines": {"L": [
                {"M": {"sku": {"S": "B-1009"}, "quantity": {"N": "2"}, "price": {"N": "24.50"}}},
                {"M": {"sku": {"S": "B-2044"}, "quantity": {"N": "1"}, "price": {"N": "80.95"}}}
            ]},
            "note": {"S": words.repeat(8)}
        }
    })
    .to_string()
}

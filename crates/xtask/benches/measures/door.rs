//! The engine behind its JSON door, as `@hashrange/engine` and the HTTP server put it together.

use hashrange_engine::Database;
use hashrange_types::{Operation, Timestamp};
use hashrange_wire::{decode, encode};
use serde_json::json;

/// A database that is spoken to in JSON.
pub(crate) struct Door(Database);

impl Door {
    /// A database with an empty on-demand table `Orders`, keyed by `pk` and `sk`.
    pub(crate) fn with_orders() -> Self {
        let mut door = Self(Database::default());
        let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
        let definition = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
        let request = json!({
            "TableName": "Orders",
            "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
            "AttributeDefinitions": [definition("pk"), definition("sk")],
            "BillingMode": "PAY_PER_REQUEST",
        });
        door.answer(Operation::CreateTable, &request.to_string());
        door
    }

    /// Answers one request; a refusal is a mistake of the measure and ends it.
    pub(crate) fn answer(&mut self, operation: Operation, text: &str) -> String {
        let request = decode(operation, text).expect("the measure's request is well formed");
        let reply = self.0.call(request, Timestamp(0)).reply;
        encode(&reply.expect("the measure's request is answered"))
    }
}

//! Requests for the tests of writes, and short texts to compare their outcomes with.

use hashrange_types::operation::{
    ConsumedCapacity, DeleteItemRequest, ExpressionNames, ExpressionValues, PutItemRequest,
    ReturnConsumedCapacity, ReturnValues, UpdateItemRequest,
};
use hashrange_types::{
    AttributeValue, EncodedKey, Item, Request, Response, TableSchema, Timestamp,
};

use crate::database::Database;
use crate::outcome::Outcome;
use crate::read_fixture::{Shelf, table_reference};

/// A database with one empty table called `T`.
pub(crate) fn database(schema: TableSchema) -> Database {
    Database::from_store(Shelf::new(schema, 4).store)
}

pub(crate) fn put(item: Item) -> PutItemRequest {
    let request = PutItemRequest::new(table_reference(), item);
    PutItemRequest { return_consumed_capacity: ReturnConsumedCapacity::Indexes, ..request }
}

pub(crate) fn delete(key: Item) -> DeleteItemRequest {
    let request = DeleteItemRequest::new(table_reference(), key);
    DeleteItemRequest { return_consumed_capacity: ReturnConsumedCapacity::Indexes, ..request }
}

/// An UpdateItem with values for `:a`, `:b` and so on, in this order.
pub(crate) fn update(key: Item, expression: &str, values: &[AttributeValue]) -> UpdateItemRequest {
    UpdateItemRequest {
        table: table_reference(),
        key: Ok(key),
        update_expression: Some(expression.to_owned()),
        condition_expression: None,
        names: None,
        values: named(values),
        attribute_updates: None,
        expected: None,
        conditional_operator: None,
        return_values: ReturnValues::None,
        returns_item_on_failure: false,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
        returns_collection_metrics: false,
    }
}

pub(crate) fn named(values: &[AttributeValue]) -> Option<ExpressionValues> {
    let letters = "abcdefgh".chars();
    let named =
        letters.zip(values).map(|(letter, value)| (format!(":{letter}").into(), Ok(value.clone())));
    (!values.is_empty()).then(|| named.collect())
}

pub(crate) fn names(names: &[(&str, &str)]) -> ExpressionNames {
    names.iter().map(|(key, name)| ((*key).into(), (*name).into())).collect()
}

impl Database {
    /// Calls and expects no refusal.
    pub(crate) fn run(&mut self, request: Request) -> Outcome {
        let outcome = self.call(request, Timestamp(0));
        assert!(outcome.reply.is_ok(), "{:?}", outcome.reply);
        outcome
    }

    /// The attributes a write returns.
    pub(crate) fn attributes(&mut self, request: Request) -> Option<Item> {
        match self.run(request).reply {
            Ok(Response::PutItem(response)) => response.attributes,
            Ok(Response::UpdateItem(response)) => response.attributes,
            Ok(Response::DeleteItem(response)) => response.attributes,
            reply => panic!("not the reply of a write of one item: {reply:?}"),
        }
    }

    /// The message of the refusal.
    pub(crate) fn refusal(&mut self, request: Request) -> String {
        match self.call(request, Timestamp(0)).reply {
            Err(error) => error.to_string(),
            Ok(response) => panic!("nothing was refused: {response:?}"),
        }
    }

    /// What the request consumed, as [`units`] writes it.
    pub(crate) fn units(&mut self, request: Request) -> String {
        units(&self.run(request).consumed)
    }

    /// The item of table `T` with this key.
    pub(crate) fn item(&self, key: &Item) -> Option<&Item> {
        let table = self.store().table("T").unwrap();
        let key: EncodedKey = table.schema().key.encode(key).unwrap();
        table.get(&key).map(|row| &row.item)
    }
}

/// What was consumed in the form `table 1, gsi 2, failed 1`; tables are separated by semicolons.
pub(crate) fn units(consumed: &[ConsumedCapacity]) -> String {
    let of_table = |consumed: &ConsumedCapacity| {
        let mut arms = vec![format!("table {}", consumed.table)];
        let indexes = consumed.local_indexes.iter().chain(&consumed.global_indexes);
        arms.extend(indexes.map(|(name, units)| format!("{name} {units}")));
        if !consumed.failed.is_zero() {
            arms.push(format!("failed {}", consumed.failed));
        }
        arms.join(", ")
    };
    consumed.iter().map(of_table).collect::<Vec<_>>().join("; ")
}

/// An item with the key `pk` and a text attribute `d` that together count `size_bytes`.
pub(crate) fn sized(pk: &str, size_bytes: usize) -> Item {
    let fill = "x".repeat(size_bytes - 3 - pk.len());
    crate::read_fixture::item([
        ("pk", crate::read_fixture::s(pk)),
        ("d", crate::read_fixture::s(&fill)),
    ])
}

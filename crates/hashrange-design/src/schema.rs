//! A design's tables as typed requests: CreateTable JSON to keys.
//!
//! Invariant: what is read here is what the engine would read, because the wire reads it.

use hashrange_types::operation::{CreateTableRequest, KeyType};
use hashrange_types::{AttributeName, KeyAttribute, KeySchema, Operation, Request};
use serde_json::Value;

use crate::document::DesignError;

/// The CreateTable request kept as `table`.
pub(crate) fn create_table_request(
    table: &Value,
    place: &str,
) -> Result<CreateTableRequest, DesignError> {
    let refuse = |message: String| DesignError::Table { place: place.to_owned(), message };
    match hashrange_wire::decode(Operation::CreateTable, &table.to_string()) {
        Ok(Request::CreateTable(request)) => Ok(request),
        Ok(_) => Err(refuse("this is not a CreateTable request".to_owned())),
        Err(error) => Err(refuse(error.to_string())),
    }
}

/// The primary key a CreateTable request asks for.
pub(crate) fn key_schema(
    request: &CreateTableRequest,
    place: &str,
) -> Result<KeySchema, DesignError> {
    let mut key = KeySchema { partition: Vec::new(), sort: Vec::new() };
    for element in &request.key_schema {
        let definition = request
            .attribute_definitions
            .iter()
            .find(|definition| definition.attribute == element.attribute)
            .ok_or_else(|| DesignError::Table {
                place: place.to_owned(),
                message: format!("the key attribute {} has no type", element.attribute),
            })?;
        let attribute = KeyAttribute {
            name: AttributeName::new(&element.attribute),
            scalar: definition.scalar,
        };
        match element.key_type {
            KeyType::Hash => key.partition.push(attribute),
            KeyType::Range => key.sort.push(attribute),
        }
    }
    if key.partition.is_empty() {
        return Err(DesignError::Table {
            place: place.to_owned(),
            message: "the table has no partition key".to_owned(),
        });
    }
    Ok(key)
}

//! Rules that several operations share, each with DynamoDB's message.
//!
//! Invariant: a rule here decides from its arguments alone; the operation's plan calls the rules in
//! DynamoDB's order (facts 4.10.3).
//!
//! Not here: rules of Query and Scan (`read_validation`).

use hashrange_storage::{Store, Table};
use hashrange_types::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};
use hashrange_types::{
    ApiError, AttributeValue, EncodedKey, Item, KeyAttribute, KeySchema, Rule, TableReference,
    TableStatus, ValidationError,
};

/// The table a request names. One that is being made or removed cannot be read or written.
///
/// # Errors
/// [`ApiError::ResourceNotFound`], as the data plane says it.
pub(crate) fn find_table<'a>(
    store: &'a Store,
    reference: &TableReference,
) -> Result<&'a Table, ApiError> {
    let table = store.table(reference.name.as_str()).filter(|table| is_there(table));
    table.ok_or(ApiError::ResourceNotFound)
}

/// True unless the table is being made or removed.
pub(crate) fn is_there(table: &Table) -> bool {
    !matches!(table.state().status, TableStatus::Creating | TableStatus::Deleting)
}

/// Which parameters of the two styles a request gives: `(name, is given)`, in DynamoDB's order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParameterStyles<'a> {
    /// Expression parameters.
    pub(crate) expressions: &'a [(&'static str, bool)],
    /// Parameters from before expressions.
    pub(crate) legacy: &'a [(&'static str, bool)],
    /// True if ExpressionAttributeNames is given.
    pub(crate) has_names: bool,
    /// True if ExpressionAttributeValues is given.
    pub(crate) has_values: bool,
}

impl ParameterStyles<'_> {
    /// Refuses a mix of both styles, and names or values that no expression could use.
    ///
    /// # Errors
    /// Messages 15 and 16 of facts 4.10.1.
    pub(crate) fn check(self) -> Result<(), ValidationError> {
        self.check_given().map_err(|error| error.of(Rule::Styles))
    }

    fn check_given(self) -> Result<(), ValidationError> {
        let expressions = given(self.expressions);
        let legacy = given(self.legacy);
        if !expressions.is_empty() && !legacy.is_empty() {
            return Err(ValidationError::new(format!(
                "Can not use both expression and non-expression parameters in the same request: \
                 Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
                legacy.join(", "),
                expressions.join(", ")
            )));
        }
        if self.has_names && expressions.is_empty() {
            return Err(ValidationError::new(
                "ExpressionAttributeNames can only be specified when using expressions",
            )
            .at_member(&["ExpressionAttributeNames"]));
        }
        let takes_values = |(name, _): &&(&'static str, bool)| *name != "ProjectionExpression";
        let with_values: Vec<_> = self.expressions.iter().filter(takes_values).collect();
        if self.has_values && with_values.iter().all(|(_, is_given)| !is_given) {
            let names: Vec<_> = with_values.iter().map(|(name, _)| *name).collect();
            let verb = if names.len() > 1 { "are" } else { "is" };
            return Err(ValidationError::new(format!(
                "ExpressionAttributeValues can only be specified when using expressions: {} {verb} null",
                names.join(" and ")
            ))
            .at_member(&["ExpressionAttributeValues"]));
        }
        Ok(())
    }
}

fn given(parameters: &[(&'static str, bool)]) -> Vec<&'static str> {
    parameters.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect()
}

/// The bytes of a key that names an item: exactly the key's attributes, of the right types, neither empty nor
/// too long.
///
/// # Errors
/// Messages 34, 32 and 35 of facts 4.10.1, in this order.
pub(crate) fn encode_key(schema: &KeySchema, key: &Item) -> Result<EncodedKey, ValidationError> {
    let mismatch = || ValidationError::new("The provided key element does not match the schema");
    if key.len() != schema.attributes().count() {
        return Err(mismatch());
    }
    // A key that can be encoded has the right attributes and types.
    let encoded = schema.encode(key).ok_or_else(mismatch)?;
    // Values that are small together, and none of them empty, break no rule.
    let mut size_bytes = 0;
    let mut sizes = key.iter().map(|(_, value)| value.size_bytes());
    if !sizes.all(|bytes| bytes > 0 && take_up(&mut size_bytes, bytes) <= SORT_KEY_BYTES_MAX) {
        check_key_values(schema, key)?;
    }
    Ok(encoded)
}

/// Refuses key values that are empty or too long. Attributes the item lacks are passed over.
///
/// # Errors
/// Messages 32 and 35 of facts 4.10.1.
pub(crate) fn check_key_values(schema: &KeySchema, item: &Item) -> Result<(), ValidationError> {
    for attribute in schema.attributes() {
        refuse_empty(attribute, item.get(attribute.name.as_str()))?;
    }
    check_key_value_sizes(schema, item)
}

/// Refuses key values that are too long. Attributes the item lacks are passed over.
///
/// # Errors
/// Message 35 of facts 4.10.1.
pub(crate) fn check_key_value_sizes(
    schema: &KeySchema,
    item: &Item,
) -> Result<(), ValidationError> {
    if size_bytes(&schema.partition, item) > PARTITION_KEY_BYTES_MAX {
        return Err(ValidationError::new(
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size \
             limit of2048 bytes",
        ));
    }
    if size_bytes(&schema.sort, item) > SORT_KEY_BYTES_MAX {
        return Err(ValidationError::new(
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded \
             the size limit of 1024 bytes",
        ));
    }
    Ok(())
}

/// Adds to a sum, and tells it.
const fn take_up(sum: &mut u32, bytes: u32) -> u32 {
    *sum = sum.saturating_add(bytes);
    *sum
}

fn refuse_empty(
    attribute: &KeyAttribute,
    value: Option<&AttributeValue>,
) -> Result<(), ValidationError> {
    let kind = match value {
        Some(AttributeValue::S(text)) if text.is_empty() => "string",
        Some(AttributeValue::B(bytes)) if bytes.is_empty() => "binary",
        _ => return Ok(()),
    };
    Err(ValidationError::new(format!(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot \
         contain an empty {kind} value. Key: {}",
        attribute.name
    )))
}

fn size_bytes(attributes: &[KeyAttribute], item: &Item) -> u32 {
    let values = attributes.iter().filter_map(|attribute| item.get(attribute.name.as_str()));
    values.map(AttributeValue::size_bytes).sum()
}

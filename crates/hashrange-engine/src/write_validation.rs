//! Rules of writes: what an item must be like to be stored in a table.
//!
//! Invariant: a rule decides from its arguments alone. Messages of key and index rules are never enveloped
//! (facts 4.10.2); whoever plans PutItem and UpdateItem envelopes the others.
//!
//! Not here: rules that reads share ([`crate::validation`]).

use hashrange_types::limits::{ITEM_BYTES_MAX, NESTING_LEVELS_MAX};
use hashrange_types::operation::ExpressionValues;
use hashrange_types::schema::IndexSchema;
use hashrange_types::{
    AttributeValue, DocumentPath, EncodedKey, Item, KeyAttribute, Projection, TableSchema,
    ValidationError,
};

use crate::validation::{check_key_value_sizes, check_key_values};

/// Whose message a rule speaks with: a whole item put, or an update of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// An item as the request gives it.
    Put,
    /// What an update makes of the stored item.
    Update,
}

/// Refuses values that nest deeper than 32 levels.
///
/// # Errors
/// Message 30 of facts 4.10.1.
pub(crate) fn check_nesting(item: &Item) -> Result<(), ValidationError> {
    for (name, value) in item {
        if value.depth() > NESTING_LEVELS_MAX {
            return Err(too_deep().at_member(&["Item", name.as_str()]));
        }
    }
    Ok(())
}

/// Refuses values of an expression that nest deeper than 32 levels.
///
/// # Errors
/// Message 30 of facts 4.10.1.
pub(crate) fn check_nesting_of_values(values: &ExpressionValues) -> Result<(), ValidationError> {
    for (key, value) in values {
        if matches!(value, Ok(value) if value.depth() > NESTING_LEVELS_MAX) {
            return Err(too_deep().at_member(&["ExpressionAttributeValues", key]));
        }
    }
    Ok(())
}

fn too_deep() -> ValidationError {
    ValidationError::new(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels \
         beyond supported limit",
    )
}

/// Refuses an item of more than 400 KB; for an item of a table with local indexes, `size_bytes` includes its
/// entries in them.
///
/// # Errors
/// Message 30 of facts 4.10.1, worded for the source.
pub(crate) fn check_size(size_bytes: u32, source: Source) -> Result<(), ValidationError> {
    if size_bytes <= ITEM_BYTES_MAX {
        return Ok(());
    }
    Err(ValidationError::new(match source {
        Source::Put => "Item size has exceeded the maximum allowed size",
        Source::Update => "Item size to update has exceeded the maximum allowed size",
    }))
}

/// Refuses an item that with its entries in local indexes exceeds 400 KB.
///
/// # Errors
/// As [`check_size`].
pub(crate) fn check_size_with_local_indexes(
    schema: &TableSchema,
    item: &Item,
    size_bytes: u32,
    source: Source,
) -> Result<(), ValidationError> {
    let local = schema.indexes().filter(|index| index.is_local);
    let entries: u32 = local.map(|index| entry_size_bytes(schema, index, item, size_bytes)).sum();
    check_size(size_bytes.saturating_add(entries), source)
}

/// Bytes of the entry an index keeps for an item of `size_bytes`; 0 where it keeps none.
fn entry_size_bytes(
    schema: &TableSchema,
    index: IndexSchema<'_>,
    item: &Item,
    size_bytes: u32,
) -> u32 {
    match index.projection {
        _ if !index.key.matches(item) => 0,
        Projection::All => size_bytes,
        _ => index.entry(schema, item).map_or(0, |entry| entry.size_bytes()),
    }
}

/// The bytes of the key inside an item that is put: all key attributes there, of the right types, neither
/// empty nor too long. With `is_named` the messages say which attribute is wrong, as PutItem does; batches
/// give the general message.
///
/// # Errors
/// Messages 31 or 34, then 32 and 35 of facts 4.10.1.
pub(crate) fn encode_key_of_item(
    schema: &TableSchema,
    item: &Item,
    is_named: bool,
) -> Result<EncodedKey, ValidationError> {
    let key = &schema.key;
    let encoded = key.encode(item);
    if encoded.is_none() {
        if !is_named {
            return Err(ValidationError::new("The provided key element does not match the schema"));
        }
        for attribute in key.attributes() {
            if !item.contains(attribute.name.as_str()) {
                return Err(missing_key(attribute));
            }
        }
        for attribute in key.attributes() {
            if let Some(value) = mismatched(attribute, item) {
                return Err(ValidationError::new(format!(
                    "One or more parameter values were invalid: Type mismatch for key {} expected: {} \
                     actual: {}",
                    attribute.name,
                    attribute.scalar.letter(),
                    value.tag()
                ))
                .at_member(&["Item", attribute.name.as_str()]));
            }
        }
    }
    check_key_values(key, item)?;
    Ok(encoded.expect("what an item without a key lacks was just named"))
}

fn missing_key(attribute: &KeyAttribute) -> ValidationError {
    ValidationError::new(format!(
        "One or more parameter values were invalid: Missing the key {} in the item",
        attribute.name
    ))
    .at_member(&["Item"])
}

/// The value of a key attribute that has another type than the key's; none where it is right or absent.
fn mismatched<'a>(attribute: &KeyAttribute, item: &'a Item) -> Option<&'a AttributeValue> {
    item.get(attribute.name.as_str()).filter(|value| value.scalar_type() != Some(attribute.scalar))
}

/// Refuses an item with an index key attribute of the wrong type, empty or too long. An absent one is fine:
/// the item is not in that index.
///
/// `touched` limits the check to attributes an update touched, since DynamoDB leaves others alone.
///
/// # Errors
/// Message 33 of facts 4.10.1. Where several indexes are violated the alphabetically first is named.
pub(crate) fn check_index_keys(
    schema: &TableSchema,
    item: &Item,
    touched: Option<&[DocumentPath]>,
) -> Result<(), ValidationError> {
    let mut first: Option<(&str, ValidationError)> = None;
    for index in schema.indexes() {
        if first.as_ref().is_some_and(|(name, _)| *name < index.name.as_str()) {
            continue;
        }
        if let Err(error) = check_index_key(index, item, touched) {
            first = Some((index.name.as_str(), error));
        }
    }
    first.map_or(Ok(()), |(_, error)| Err(error))
}

fn check_index_key(
    index: IndexSchema<'_>,
    item: &Item,
    touched: Option<&[DocumentPath]>,
) -> Result<(), ValidationError> {
    let is_checked = |attribute: &&KeyAttribute| {
        touched.is_none_or(|paths| paths.iter().any(|path| path.attribute == attribute.name))
    };
    if touched.is_some() && !index.key.attributes().any(|attribute| is_checked(&attribute)) {
        return Ok(());
    }
    for attribute in index.key.attributes().filter(is_checked) {
        if let Some(value) = mismatched(attribute, item) {
            return Err(ValidationError::new(format!(
                "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} \
                 Actual: {} IndexName: {}",
                attribute.name,
                attribute.scalar.letter(),
                value.tag(),
                index.name
            ))
            .at_member(&["Item", attribute.name.as_str()]));
        }
    }
    for attribute in index.key.attributes().filter(is_checked) {
        if let Some(kind) = item.get(attribute.name.as_str()).and_then(empty_kind) {
            return Err(empty_index_key(index, attribute, kind, touched.is_some()));
        }
    }
    check_key_value_sizes(index.key, item)
}

/// What kind of value is empty: `string` or `binary`.
fn empty_kind(value: &AttributeValue) -> Option<&'static str> {
    match value {
        AttributeValue::S(text) if text.is_empty() => Some("string"),
        AttributeValue::B(bytes) if bytes.is_empty() => Some("binary"),
        _ => None,
    }
}

fn empty_index_key(
    index: IndexSchema<'_>,
    attribute: &KeyAttribute,
    kind: &str,
    is_update: bool,
) -> ValidationError {
    let message = if is_update {
        format!(
            "One or more parameter values are not valid. The update expression attempted to update a \
             secondary index key to a value that is not supported. The AttributeValue for a key \
             attribute cannot contain an empty {kind} value."
        )
    } else {
        format!(
            "One or more parameter values are not valid. A value specified for a secondary index key is \
             not supported. The AttributeValue for a key attribute cannot contain an empty {kind} value. \
             IndexName: {}, IndexKey: {}",
            index.name, attribute.name
        )
    };
    ValidationError::new(message).at_member(&["Item", attribute.name.as_str()])
}

/// Refuses an update that touches an attribute of the table's key.
///
/// # Errors
/// Message 27 of facts 4.10.1.
pub(crate) fn check_update_spares_key(
    schema: &TableSchema,
    touched: &[DocumentPath],
) -> Result<(), ValidationError> {
    match touched.iter().find(|path| schema.key.contains(path.attribute.as_str())) {
        None => Ok(()),
        Some(path) => Err(ValidationError::new(format!(
            "One or more parameter values were invalid: Cannot update attribute {}. This attribute is \
             part of the key",
            path.attribute
        ))),
    }
}

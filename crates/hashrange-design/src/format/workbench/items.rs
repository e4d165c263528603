//! The items of a table: those of the table itself and those of its facets.
//!
//! Invariant: an item that comes out can be put into its table; the others are named in a repair.

use hashrange_types::limits::{
    ITEM_BYTES_MAX, NESTING_LEVELS_MAX, PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX,
};
use hashrange_types::{
    AttributeName, AttributeValue, EncodedKey, Item, KeySchema, Number, ScalarType, TableSchema,
};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::list;
use super::repair::Repairs;
use super::value::ValueReader;

/// Longest attribute name in bytes.
const NAME_BYTES_MAX: usize = 65_535;

/// An item and the facet it came from.
#[derive(Debug, Clone)]
pub(super) struct ImportedItem {
    pub(super) item: Item,
    pub(super) facet: Option<usize>,
}

/// Reads all items of a table, each key once.
pub(super) fn read(
    source: &Map<String, Value>,
    schema: &TableSchema,
    place: &str,
    repairs: &mut Repairs,
) -> Vec<ImportedItem> {
    let mut lists = vec![(format!("{place}.TableData"), None, list(source, "TableData"))];
    for (index, facet) in list(source, "TableFacets").iter().enumerate() {
        if let Some(facet) = facet.as_object() {
            let place = format!("{place}.TableFacets[{index}].TableData");
            lists.push((place, Some(index), list(facet, "TableData")));
        }
    }
    let mut items: Vec<ImportedItem> = Vec::new();
    let mut by_key: IndexMap<EncodedKey, usize> = IndexMap::new();
    for (place, facet, values) in lists {
        for (index, value) in values.iter().enumerate() {
            let place = format!("{place}[{index}]");
            let Some(item) = read_item(value, schema, &place, repairs) else { continue };
            let Some(key) = schema.key.encode(&item) else { continue };
            if let Some(earlier) = by_key.get(&key) {
                let found = if items[*earlier].item == item {
                    "the same item once more"
                } else {
                    "an item with the key of an earlier one"
                };
                repairs.note(&place, found, "the earlier one was kept");
                continue;
            }
            by_key.insert(key, items.len());
            items.push(ImportedItem { item, facet });
        }
    }
    items
}

fn read_item(
    value: &Value,
    schema: &TableSchema,
    place: &str,
    repairs: &mut Repairs,
) -> Option<Item> {
    let Some(attributes) = value.as_object() else {
        repairs.note(place, "an item that is not an object", "it was left out");
        return None;
    };
    let mut item = Item::with_capacity(attributes.len());
    for (name, value) in attributes {
        if name.is_empty() || name.len() > NAME_BYTES_MAX {
            repairs.note(place, "an attribute whose name is empty or too long", "it was left out");
            continue;
        }
        let attribute_place = format!("{place}.{name}");
        let mut reader = ValueReader { place: &attribute_place, repairs };
        if let Some(value) = reader.attribute(value) {
            item.insert(AttributeName::new(name), value);
        }
    }
    let refusal = fit_key(&mut item, &schema.key, place, repairs).err();
    if let Some(why) = refusal.or_else(|| beyond_limits(&item)) {
        repairs.note(place, why, "the item was left out");
        return None;
    }
    for index in schema.indexes() {
        fit_index_key(&mut item, index.key, &schema.key, place, repairs);
    }
    Some(item)
}

/// Brings the attributes of the table's key to their types, or says why it cannot.
fn fit_key(
    item: &mut Item,
    key: &KeySchema,
    place: &str,
    repairs: &mut Repairs,
) -> Result<(), String> {
    for (attribute, bytes_max) in with_limits(key) {
        let name = attribute.name.as_str();
        let Some(value) = item.get(name) else {
            return Err(format!("an item without its key attribute {name}"));
        };
        let Some(fitted) = fit(value, attribute.scalar) else {
            return Err(format!(
                "the key attribute {name} of type {} instead of {}",
                value.tag(),
                attribute.scalar.letter()
            ));
        };
        if let Some(why) = refused_as_key(&fitted, bytes_max) {
            return Err(format!("the key attribute {name}, which is {why}"));
        }
        note_and_set(item, name, fitted, place, repairs);
    }
    Ok(())
}

/// Brings attributes of an index's key to their types; takes out those that cannot be there.
fn fit_index_key(
    item: &mut Item,
    key: &KeySchema,
    table_key: &KeySchema,
    place: &str,
    repairs: &mut Repairs,
) {
    for (attribute, bytes_max) in with_limits(key) {
        let name = attribute.name.as_str();
        let Some(value) = item.get(name).filter(|_| !table_key.contains(name)) else { continue };
        let fitted = fit(value, attribute.scalar)
            .filter(|fitted| refused_as_key(fitted, bytes_max).is_none());
        if let Some(fitted) = fitted {
            note_and_set(item, name, fitted, place, repairs);
        } else {
            let letter = attribute.scalar.letter();
            repairs.note(
                &format!("{place}.{name}"),
                format!("a value that no index key of type {letter} may have"),
                "the attribute was left out",
            );
            item.remove(name);
        }
    }
}

fn with_limits(key: &KeySchema) -> impl Iterator<Item = (&hashrange_types::KeyAttribute, u32)> {
    let partition = key.partition.iter().map(|attribute| (attribute, PARTITION_KEY_BYTES_MAX));
    partition.chain(key.sort.iter().map(|attribute| (attribute, SORT_KEY_BYTES_MAX)))
}

/// The value as the scalar type, where nothing is lost by that.
fn fit(value: &AttributeValue, scalar: ScalarType) -> Option<AttributeValue> {
    match (value, scalar) {
        (value, scalar) if value.scalar_type() == Some(scalar) => Some(value.clone()),
        (AttributeValue::N(number), ScalarType::S) => {
            Some(AttributeValue::S(number.to_string().into()))
        }
        (AttributeValue::Bool(truth), ScalarType::S) => {
            Some(AttributeValue::S(truth.to_string().into()))
        }
        (AttributeValue::S(text), ScalarType::N) => {
            Number::parse(text.trim()).ok().map(AttributeValue::N)
        }
        _ => None,
    }
}

fn refused_as_key(value: &AttributeValue, bytes_max: u32) -> Option<String> {
    match value.size_bytes() {
        0 => Some("empty".to_owned()),
        n if n > bytes_max => Some(format!("longer than {bytes_max} bytes")),
        _ => None,
    }
}

fn note_and_set(
    item: &mut Item,
    name: &str,
    fitted: AttributeValue,
    place: &str,
    repairs: &mut Repairs,
) {
    let Some(value) = item.get_mut(name) else { return };
    if value.tag() != fitted.tag() {
        repairs.note(
            &format!("{place}.{name}"),
            format!("a key of type {} instead of {}", value.tag(), fitted.tag()),
            "its type was changed",
        );
        *value = fitted;
    }
}

fn beyond_limits(item: &Item) -> Option<String> {
    if item.size_bytes() > ITEM_BYTES_MAX {
        return Some("an item larger than 400 KB".to_owned());
    }
    item.iter()
        .find(|(_, value)| value.depth() > NESTING_LEVELS_MAX)
        .map(|(name, _)| format!("the attribute {name} nested in more than 32 levels"))
}

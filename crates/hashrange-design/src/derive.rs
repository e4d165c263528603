//! Entities for items that came without any: from a `type` attribute, or from what their keys start with.
//!
//! Invariant: every entity made here matches at least one of the items; at most 24 for a table.

use hashrange_types::letter_case::{self, lowercase};
use hashrange_types::{AttributeValue, Item, KeySchema, SortedMap, SortedSet, TableName};
use indexmap::{IndexMap, IndexSet};

use crate::document::Entity;
use crate::entity::tags;
use crate::numbered::numbered;

/// Attributes that name the kind of an item, as designs commonly call them.
pub const TYPE_ATTRIBUTES: &[&str] = &[
    "type",
    "Type",
    "entityType",
    "EntityType",
    "entity",
    "Entity",
    "_type",
    "_et",
    "itemType",
    "kind",
];

/// Most entities made for one table.
const ENTITIES_MAX: usize = 24;
/// Most kinds a `type` attribute may tell apart; with more it is taken for an attribute like others.
const TYPES_MAX: usize = 16;
/// Most different whole keys taken for constants such as `PROFILE`.
const CONSTANTS_MAX: usize = 6;

/// What a key says about the kind of its item.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Shape {
    /// Starts with this, up to a `#`.
    Prefix(String),
    /// Is this.
    Constant(String),
    /// Nothing.
    Any,
}

/// Makes entities for the items of these tables, with tags.
///
/// ```
/// # use hashrange_design::{derive_entities, Design};
/// # use hashrange_types::{AttributeValue, TableName};
/// # let design = Design::from_json(r#"{"format": 1, "tables": [{"TableName": "Directory",
/// #   "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
/// #   "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
/// #   "BillingMode": "PAY_PER_REQUEST"}]}"#).unwrap();
/// let keys = design.key_schemas().unwrap();
/// let org = [("PK".into(), AttributeValue::S("ORG#1".into()))].into_iter().collect();
/// let entities = derive_entities(&keys, &[(TableName::new("Directory").unwrap(), org)]);
/// assert_eq!((entities[0].name.as_str(), entities[0].keys["PK"].as_str()), ("Org", "ORG#{org}"));
/// ```
pub fn derive_entities<'a>(
    tables: impl IntoIterator<Item = (&'a TableName, &'a KeySchema)>,
    items: &[(TableName, Item)],
) -> Vec<Entity> {
    let mut entities: Vec<Entity> = Vec::new();
    for (table, key) in tables {
        let items: Vec<&Item> =
            items.iter().filter(|(name, _)| name == table).map(|(_, item)| item).collect();
        if items.is_empty() {
            continue;
        }
        let found = by_type(&items).unwrap_or_else(|| by_key(key, &items, table));
        for (wanted, keys) in found {
            let name = free_name(&wanted, &entities);
            entities.push(Entity { name, table: table.to_string(), keys, ..Entity::default() });
        }
    }
    let tags = tags(entities.iter().map(|entity| entity.name.as_str()));
    for (entity, tag) in entities.iter_mut().zip(tags) {
        entity.tag = tag;
    }
    entities
}

/// Candidate names of an entity, the best first, and its templates.
type Found = Vec<(Vec<String>, IndexMap<String, String>)>;

fn free_name(wanted: &[String], entities: &[Entity]) -> String {
    let is_free = |name: &str| entities.iter().all(|entity| entity.name != name);
    wanted.iter().find(|name| is_free(name)).cloned().unwrap_or_else(|| {
        let stem = wanted.first().map_or("Item", String::as_str);
        numbered(stem, " ", is_free)
    })
}

/// Entities by an attribute such as `type`, if nearly all items have it and it tells few kinds apart.
fn by_type(items: &[&Item]) -> Option<Found> {
    TYPE_ATTRIBUTES.iter().find_map(|attribute| {
        let mut kinds: IndexSet<&str> = IndexSet::new();
        let mut n_typed = 0;
        for item in items {
            if let Some(AttributeValue::S(kind)) = item.get(attribute) {
                n_typed += 1;
                if !kind.is_empty() && !kind.contains(['{', '}']) {
                    kinds.insert(kind);
                }
            }
        }
        let is_telling = n_typed * 10 >= items.len() * 9 && (2..=TYPES_MAX).contains(&kinds.len());
        is_telling.then(|| {
            kinds
                .into_iter()
                .map(|kind| {
                    let keys = IndexMap::from_iter([((*attribute).to_owned(), kind.to_owned())]);
                    (vec![readable(kind)], keys)
                })
                .collect()
        })
    })
}

/// Entities by what the keys start with.
fn by_key(key: &KeySchema, items: &[&Item], table: &TableName) -> Found {
    let names: Vec<&str> = key.attributes().map(|attribute| attribute.name.as_str()).collect();
    let mut constants: SortedMap<&str, SortedSet<String>> = SortedMap::new();
    let mut prefixes: SortedMap<&str, SortedSet<String>> = SortedMap::new();
    for item in items {
        for name in &names {
            match shape(item.get(name)) {
                Shape::Constant(text) => {
                    constants.get_or_insert_with(name, Default::default).insert(text)
                }
                Shape::Prefix(text) => {
                    prefixes.get_or_insert_with(name, Default::default).insert(text)
                }
                Shape::Any => false,
            };
        }
    }
    let is_few = |sets: &SortedMap<&str, SortedSet<String>>, name: &str, max: usize| {
        sets.get(name).is_none_or(|set| set.len() <= max)
    };
    let mut groups: IndexSet<Vec<Shape>> = IndexSet::new();
    for item in items {
        let shapes = names
            .iter()
            .map(|name| match shape(item.get(name)) {
                Shape::Constant(_) if !is_few(&constants, name, CONSTANTS_MAX) => Shape::Any,
                Shape::Prefix(_) if !is_few(&prefixes, name, ENTITIES_MAX) => Shape::Any,
                shape => shape,
            })
            .collect();
        groups.insert(shapes);
        if groups.len() > ENTITIES_MAX {
            groups.pop();
        }
    }
    groups
        .into_iter()
        .map(|shapes| {
            let keys = names
                .iter()
                .zip(&shapes)
                .map(|(name, shape)| ((*name).to_owned(), shape.template(name)))
                .collect();
            (candidate_names(&shapes, table), keys)
        })
        .collect()
}

/// The sort key names an item best, then the partition key, then both, then the table.
fn candidate_names(shapes: &[Shape], table: &TableName) -> Vec<String> {
    let words: Vec<String> = shapes.iter().filter_map(Shape::word).collect();
    let mut names: Vec<String> = words.iter().rev().map(|word| readable(word)).collect();
    if let [partition, sort] = words.as_slice() {
        names.insert(1, format!("{} {}", readable(partition), lowercase(&readable(sort))));
    }
    names.truncate(2);
    if names.is_empty() {
        names.push(readable(table.as_str()));
    }
    names
}

fn shape(value: Option<&AttributeValue>) -> Shape {
    let Some(AttributeValue::S(text)) = value else { return Shape::Any };
    if let Some(end) = text.char_indices().skip(1).find(|(_, c)| *c == '#').map(|(at, _)| at) {
        let word = text[..end].trim_start_matches('#');
        let is_word = !word.is_empty()
            && word.len() <= 40
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '_' | '-' | ' '));
        if is_word && text.len() > end + 1 {
            return Shape::Prefix(text[..=end].to_owned());
        }
    }
    if is_constant_word(text.trim_matches('#')) && !text.contains(['{', '}']) {
        return Shape::Constant(text.to_string());
    }
    Shape::Any
}

impl Shape {
    fn template(&self, attribute: &str) -> String {
        match self {
            Self::Prefix(prefix) => format!("{prefix}{{{}}}", slot_name(&lowercase(prefix))),
            Self::Constant(text) => text.clone(),
            Self::Any => format!("{{{}}}", slot_name(attribute)),
        }
    }

    fn word(&self) -> Option<String> {
        match self {
            Self::Prefix(text) | Self::Constant(text) => Some(text.trim_matches('#').to_owned()),
            Self::Any => None,
        }
    }
}

/// True for a word that stands for itself in keys: two or more capitals, such as `PROFILE` or `META_DATA`.
pub(crate) fn is_constant_word(text: &str) -> bool {
    text.len() >= 2
        && text.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_' | '-'))
        && text.chars().any(|c| c.is_ascii_uppercase())
}

/// A name that can stand in the braces of a template.
pub(crate) fn slot_name(text: &str) -> String {
    let name: String = text
        .chars()
        .map(|c| if matches!(c, '{' | '}' | ':' | '#') { ' ' } else { c })
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("_");
    if name.is_empty() { "value".to_owned() } else { name }
}

/// `EMPLOYEE` or `order_item` as a name to read: `Employee`, `Order item`.
fn readable(word: &str) -> String {
    let word = word.replace(['_', '-'], " ");
    let is_shouted = !word.chars().any(letter_case::is_small);
    let mut letters = word.trim().chars();
    match letters.next() {
        None => "Item".to_owned(),
        Some(first) => {
            let rest = letters.as_str();
            let rest = if is_shouted { lowercase(rest) } else { rest.to_owned() };
            String::from(letter_case::capital(first)) + &rest
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashrange_types::{KeyAttribute, ScalarType};

    fn derive(items: &[&[(&str, &str)]]) -> Vec<(String, Vec<String>)> {
        let attribute = |name: &str| KeyAttribute { name: name.into(), scalar: ScalarType::S };
        let key = KeySchema { partition: vec![attribute("PK")], sort: vec![attribute("SK")] };
        let table = TableName::new("Mixed_things").unwrap();
        let items: Vec<(TableName, Item)> = items
            .iter()
            .map(|item| {
                let attributes = item
                    .iter()
                    .map(|(name, text)| ((*name).into(), AttributeValue::S((*text).into())));
                (table.clone(), attributes.collect())
            })
            .collect();
        derive_entities([(&table, &key)], &items)
            .into_iter()
            .map(|entity| (entity.name, entity.keys.into_values().collect()))
            .collect()
    }

    fn names(found: &[(String, Vec<String>)]) -> Vec<&str> {
        found.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn a_type_attribute_names_entities_before_keys_do() {
        let found = derive(&[
            &[("PK", "A#1"), ("SK", "A#1"), ("type", "order_line")],
            &[("PK", "A#1"), ("SK", "A#2"), ("type", "order")],
        ]);
        assert_eq!(names(&found), ["Order line", "Order"]);
        assert_eq!(found[0].1, ["order_line"]);
    }

    #[test]
    fn a_type_attribute_that_few_items_have_is_an_attribute_like_others() {
        let found = derive(&[
            &[("PK", "USER#1"), ("SK", "PROFILE"), ("type", "x")],
            &[("PK", "USER#1"), ("SK", "ORDER#1")],
            &[("PK", "SHOP#1"), ("SK", "ORDER#1")],
        ]);
        assert_eq!(names(&found), ["Profile", "Order", "Shop order"]);
        assert_eq!(found[0].1, ["USER#{user}", "PROFILE"]);
    }

    #[test]
    fn keys_that_say_nothing_give_one_entity_named_after_the_table() {
        let found = derive(&[&[("PK", "1"), ("SK", "2026-01-01")], &[("PK", "x"), ("SK", "y")]]);
        assert_eq!(names(&found), ["Mixed things"]);
        assert_eq!(found[0].1, ["{PK}", "{SK}"]);
    }

    #[test]
    fn many_different_constants_are_data() {
        let codes = ["SFO", "JFK", "LHR", "CDG", "FRA", "AMS", "VIE"];
        let items: Vec<Vec<(&str, &str)>> =
            codes.iter().map(|code| vec![("PK", *code), ("SK", "GATE#1")]).collect();
        let items: Vec<&[(&str, &str)]> = items.iter().map(Vec::as_slice).collect();
        assert_eq!(names(&derive(&items)), ["Gate"]);
    }

    #[test]
    fn braces_in_keys_do_not_become_slots() {
        let found = derive(&[&[("PK", "{A}#1"), ("SK", "A{B")]]);
        assert_eq!(found[0].1, ["{PK}", "{SK}"]);
    }
}

//! `Recognition`: which entity an item is, how entities look, and where a key's prefix ends.
//!
//! Invariant: made from a design, and from the keys of the tables it does not have; the entity's index in the design is
//! its identity and its colour.

use hashrange_design::Design;
use hashrange_design::entity::{EntityMatcher, colour_slot};
use hashrange_design::template::KeyTemplate;
use hashrange_storage::Store;
use hashrange_types::{AttributeValue, Item, KeyAttribute, SortedMap, TableSchema};

use crate::format;
use crate::view::KeyText;

/// An entity's index in its design.
pub(crate) type EntityIndex = u16;

/// How an entity looks.
#[derive(Debug, Clone, Default)]
pub(crate) struct EntityFace {
    pub(crate) name: String,
    pub(crate) letter: String,
    pub(crate) slot: u8,
    pub(crate) table: String,
    /// Attribute name to the literal text its values start with; empty ones left out.
    prefixes: SortedMap<String, String>,
}

/// Everything a design says about entities.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recognition {
    faces: Vec<EntityFace>,
    matchers: SortedMap<String, EntityMatcher>,
    /// Tables the design does not have, with the table of the design that each seems to be a copy of.
    copies: SortedMap<String, String>,
}

impl Recognition {
    pub(crate) fn of(design: &Design) -> Self {
        let faces: Vec<EntityFace> = design
            .entities
            .iter()
            .enumerate()
            .map(|(index, entity)| EntityFace {
                name: entity.name.clone(),
                letter: entity.tag.clone(),
                slot: u8::try_from(colour_slot(index)).unwrap_or(0),
                table: entity.table.clone(),
                prefixes: entity
                    .keys
                    .iter()
                    .filter_map(|(name, text)| {
                        let template = KeyTemplate::parse(text).ok()?;
                        Some((name.clone(), template.prefix().to_owned()))
                    })
                    .filter(|(_, prefix)| !prefix.is_empty())
                    .collect(),
            })
            .collect();
        let mut matchers = SortedMap::new();
        for entity in &design.entities {
            if !matchers.contains_key(&entity.table) {
                let matcher = EntityMatcher::new(&entity.table, &design.entities);
                matchers.insert(entity.table.clone(), matcher);
            }
        }
        Self { faces, matchers, copies: SortedMap::new() }
    }

    /// Looks for copies of the design's tables among those it does not have, such as restored ones: a copy has the
    /// same primary key, and where several tables have it, the name of its original begins its own.
    pub(crate) fn find_copies(&mut self, design: &Design, store: &Store) {
        self.copies = SortedMap::new();
        for table in store.tables() {
            let name = table.schema().name.as_str();
            if design.table_names().any(|known| known == name) {
                continue;
            }
            let mut originals: Vec<&str> = Vec::new();
            for known in design.table_names().filter(|known| self.matchers.contains_key(*known)) {
                let original = store.table(known);
                if original.is_some_and(|it| it.schema().key == table.schema().key) {
                    originals.push(known);
                }
            }
            if originals.len() > 1 {
                originals.retain(|known| name.starts_with(known));
            }
            if let Some(original) = originals.into_iter().max_by_key(|known| known.len()) {
                self.copies.insert(name.to_owned(), original.to_owned());
            }
        }
    }

    pub(crate) fn faces(&self) -> &[EntityFace] {
        &self.faces
    }

    pub(crate) fn face(&self, entity: Option<EntityIndex>) -> Option<&EntityFace> {
        self.faces.get(usize::from(entity?))
    }

    /// What recognises the items of one table.
    pub(crate) fn matcher(&self, table: &str) -> Option<&EntityMatcher> {
        let original = self.copies.get(table).map_or(table, String::as_str);
        self.matchers.get(original)
    }

    /// The entity an item of `table` belongs to.
    pub(crate) fn entity_of(&self, table: &str, item: &Item) -> Option<EntityIndex> {
        let index = self.matcher(table)?.entity_of(item)?;
        EntityIndex::try_from(index).ok()
    }
}

impl EntityFace {
    /// What its sort key, else its partition key, starts with.
    pub(crate) fn main_prefix(&self, schema: Option<&TableSchema>) -> String {
        let Some(schema) = schema else { return String::new() };
        let mut attributes = schema.key.sort.iter().chain(&schema.key.partition);
        attributes
            .find_map(|attribute| self.prefixes.get(attribute.name.as_str()))
            .cloned()
            .unwrap_or_default()
    }

    /// What the values of `attribute` start with, if its template says.
    pub(crate) fn prefix(&self, attribute: &str) -> Option<&str> {
        self.prefixes.get(attribute).map(String::as_str)
    }
}

/// The part of an item's key made of `attributes`, with its prefix apart. Several attributes are joined.
pub(crate) fn key_text(
    item: &Item,
    attributes: &[KeyAttribute],
    face: Option<&EntityFace>,
) -> KeyText {
    match attributes {
        [] => KeyText::default(),
        [attribute] => {
            let name = attribute.name.as_str();
            let Some(value) = item.get(name) else { return KeyText::default() };
            let text = format::key_value(value);
            let prefix = face.and_then(|face| face.prefix(name)).filter(|it| text.starts_with(*it));
            let at = match (prefix, value) {
                (Some(prefix), _) => prefix.len(),
                (None, AttributeValue::S(_)) => guessed_prefix(&text),
                _ => 0,
            };
            // A key that is nothing but its prefix has no rest to show: then it is all rest.
            let at = if at == text.len() { 0 } else { at };
            let (prefix, rest) = text.split_at(at);
            KeyText { prefix: prefix.to_owned(), rest: rest.to_owned() }
        }
        several => {
            let texts: Vec<String> = several
                .iter()
                .filter_map(|attribute| item.get(attribute.name.as_str()))
                .map(format::key_value)
                .collect();
            KeyText { prefix: String::new(), rest: texts.join(" · ") }
        }
    }
}

/// Where a prefix such as `ORG#` ends in a key nobody described: after the first `#` that follows a word.
fn guessed_prefix(text: &str) -> usize {
    match text.find('#') {
        Some(at) if at > 0 && text[..at].bytes().all(is_word) => at + 1,
        _ => 0,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}

/// Prefix and rest as one text.
pub(crate) fn whole(key: &KeyText) -> String {
    format!("{}{}", key.prefix, key.rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_guessed_only_where_a_word_ends_in_a_hash_sign() {
        for (text, at) in [("ORG#1", 4), ("#1", 0), ("12#3", 0), ("plain", 0), ("ORDER#", 6)] {
            assert_eq!(guessed_prefix(text), at, "{text}");
        }
    }
}

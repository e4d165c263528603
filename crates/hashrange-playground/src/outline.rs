//! The left column: tables, indexes with a word on their kind, entities and access patterns.
//!
//! Invariant: tables of the design come first and in its order, then those that requests created.

use hashrange_design::Design;
use hashrange_storage::{Store, Table, TreeRef};
use hashrange_types::TableSchema;
use hashrange_types::letter_case;
use hashrange_types::schema::IndexSchema;

use crate::census::Census;
use crate::recognition::{EntityIndex, Recognition};
use crate::view::{Outline, OutlineEntity, OutlineIndex, OutlinePattern, OutlineTable, Target};

/// The outline; `units_of_pattern` gives the units of a pattern's latest run.
pub(crate) fn outline(
    design: &Design,
    store: &Store,
    census: &Census,
    recognition: &Recognition,
    title: String,
    units_of_pattern: impl Fn(u32) -> Option<String>,
) -> Outline {
    Outline {
        title,
        tables: tables(design, store)
            .map(|table| OutlineTable {
                name: table.schema().name.to_string(),
                n_items: table.items().n_rows(),
                indexes: indexes(table, census),
            })
            .collect(),
        entities: recognition
            .faces()
            .iter()
            .enumerate()
            .map(|(at, face)| OutlineEntity {
                name: face.name.clone(),
                letter: face.letter.clone(),
                slot: face.slot,
                table: face.table.clone(),
                prefix: face.main_prefix(store.table(&face.table).map(Table::schema)),
                n_items: EntityIndex::try_from(at)
                    .map_or(0, |entity| census.n_items(&face.table, entity)),
            })
            .collect(),
        patterns: design
            .patterns
            .iter()
            .zip(1..)
            .map(|(pattern, number)| OutlinePattern {
                number,
                words: pattern.words.clone(),
                operation: pattern.operation.clone(),
                glyph: "",
                status: "",
                units_text: units_of_pattern(number),
            })
            .collect(),
    }
}

/// Every table followed by its indexes.
pub(crate) fn targets(design: &Design, store: &Store) -> Vec<Target> {
    tables(design, store)
        .flat_map(|table| {
            let name = table.schema().name.to_string();
            let indexes = table.schema().indexes().map(|index| Some(index.name.to_string()));
            std::iter::once(None)
                .chain(indexes)
                .map(move |index| Target { table: name.clone(), index })
                .collect::<Vec<_>>()
        })
        .collect()
}

fn tables<'a>(design: &'a Design, store: &'a Store) -> impl Iterator<Item = &'a Table> {
    let named: Vec<&str> = design.table_names().collect();
    let designed: Vec<&Table> = named.iter().filter_map(|name| store.table(name)).collect();
    let others = store.tables().filter(move |table| !named.contains(&table.schema().name.as_str()));
    designed.into_iter().chain(others)
}

fn indexes(table: &Table, census: &Census) -> Vec<OutlineIndex> {
    let schema = table.schema();
    schema
        .indexes()
        .zip(chips(schema))
        .map(|(index, chip)| {
            let n_entries = table.index(index.name.as_str()).map_or(0, TreeRef::n_rows);
            let entities = census.entities_in(schema.name.as_str(), index.name.as_str());
            OutlineIndex {
                name: index.name.to_string(),
                kind: kind(schema, index, n_entries, table.items().n_rows(), entities.len()),
                n_entries,
                chip,
            }
        })
        .collect()
}

/// The word on an index's kind.
fn kind(
    schema: &TableSchema,
    index: IndexSchema<'_>,
    n_entries: u64,
    n_items: u64,
    n_entities: usize,
) -> &'static str {
    let names = |attributes: &[hashrange_types::KeyAttribute]| -> Vec<String> {
        attributes.iter().map(|attribute| attribute.name.to_string()).collect()
    };
    let is_inverted = !schema.key.sort.is_empty()
        && names(&index.key.partition) == names(&schema.key.sort)
        && names(&index.key.sort) == names(&schema.key.partition);
    if index.is_local {
        "local"
    } else if is_inverted {
        "inverted"
    } else if n_entities > 1 {
        "overloaded"
    } else if n_entries < n_items {
        "sparse"
    } else {
        "global"
    }
}

/// Short letters for each index of a table, all different: `GSI1` is `G1`, `isOnHold` is `OH`.
pub(crate) fn chips(schema: &TableSchema) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for index in schema.indexes() {
        let short = letters(index.name.as_str());
        let chip = if taken.contains(&short) {
            let first: String = short.chars().take(1).collect();
            (2_u32..=1_000)
                .map(|n| format!("{first}{n}"))
                .find(|chip| !taken.contains(chip))
                .expect("a table has fewer indexes than that")
        } else {
            short
        };
        taken.push(chip);
    }
    taken
}

/// Two or three letters for a name: initials of its words, or its first two letters.
fn letters(name: &str) -> String {
    let mut initials = String::new();
    let mut capitals = String::new();
    let mut before = ' ';
    for character in name.chars() {
        let begins_word = character.is_alphanumeric()
            && (!before.is_alphanumeric()
                || (letter_case::is_capital(character) && !letter_case::is_capital(before))
                || (character.is_ascii_digit() && !before.is_ascii_digit()));
        if begins_word {
            initials.push(character.to_ascii_uppercase());
            if !letter_case::is_small(character) {
                capitals.push(character);
            }
        }
        before = character;
    }
    // Of `isOnHold` the capitals say more than the verb.
    let chosen = if capitals.chars().count() > 1 { capitals } else { initials };
    let chosen = if chosen.chars().count() < 2 {
        name.chars().filter(|letter| letter.is_alphanumeric()).take(2).collect::<String>()
    } else {
        chosen
    };
    chosen.chars().take(3).map(letter_case::capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_are_initials() {
        for (name, chip) in [
            ("GSI1", "G1"),
            ("isOnHold", "OH"),
            ("nameIndex", "NI"),
            ("byName", "BN"),
            ("status", "ST"),
            ("status-by-date", "SBD"),
            ("gsi_12", "G1"),
        ] {
            assert_eq!(letters(name), chip, "{name}");
        }
    }
}

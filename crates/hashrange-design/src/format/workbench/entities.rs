//! Entities a model states: OneTable models first, facets otherwise.
//!
//! Invariant: a template made here matches every item its entity came from, or is a bare slot.

use hashrange_types::{AttributeValue, Item, KeySchema};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{Table, list, names, text};
use crate::derive::{TYPE_ATTRIBUTES, is_constant_word, slot_name};
use crate::document::Entity;
use crate::numbered::numbered;
use crate::template::KeyTemplate;

/// The entities the file states for a table.
pub(super) fn read(model: &Map<String, Value>, table: &Table<'_>) -> Vec<Entity> {
    let schema = table.source.get("ModelSchema").or_else(|| model.get("ModelSchema"));
    if let Some(models) = schema.and_then(|schema| schema.get("models")).and_then(Value::as_object)
    {
        let entities = from_models(models, table);
        if !entities.is_empty() {
            return entities;
        }
    }
    from_facets(table)
}

/// OneTable models: a constant `type`, and templates such as `${date}#${id}`.
fn from_models(models: &Map<String, Value>, table: &Table<'_>) -> Vec<Entity> {
    let mut entities = Vec::new();
    for (name, fields) in models {
        let Some(fields) = fields.as_object().filter(|_| !name.starts_with('~')) else { continue };
        let type_name = TYPE_ATTRIBUTES.iter().find(|attribute| fields.contains_key(**attribute));
        let Some(type_name) = type_name.filter(|_| !name.contains(['{', '}']) && !name.is_empty())
        else {
            continue;
        };
        let items: Vec<&Item> = table
            .items
            .iter()
            .map(|imported| &imported.item)
            .filter(|item| key_text(item, type_name).as_deref() == Some(name))
            .collect();
        let mut keys = IndexMap::from_iter([((*type_name).to_owned(), name.clone())]);
        for attribute in table.schema.key.attributes() {
            let attribute = attribute.name.as_str();
            let stated = fields.get(attribute).and_then(Value::as_object);
            let template = stated
                .and_then(|field| text(field, "value"))
                .map(|value| value.replace("${", "{"))
                .filter(|template| matches_all(template, attribute, &items))
                .unwrap_or_else(|| format!("{{{}}}", slot_name(attribute)));
            keys.insert(attribute.to_owned(), template);
        }
        entities.push(entity(name, table, keys, &entities));
    }
    entities
}

/// Facets: a name and aliases of the keys, which hint at templates.
fn from_facets(table: &Table<'_>) -> Vec<Entity> {
    let mut entities = Vec::new();
    for (index, facet) in list(table.source, "TableFacets").iter().enumerate() {
        let Some(facet) = facet.as_object() else { continue };
        let fallback = format!("Facet {}", index + 1);
        let name = text(facet, "FacetName").unwrap_or(&fallback);
        let items: Vec<&Item> = table
            .items
            .iter()
            .filter(|imported| imported.facet == Some(index))
            .map(|imported| &imported.item)
            .collect();
        let aliases = facet.get("KeyAttributeAlias").and_then(Value::as_object);
        let alias = |name: &str| aliases.and_then(|aliases| text(aliases, name));
        let keys = facet_keys(
            &table.schema.key,
            [alias("PartitionKeyAlias"), alias("SortKeyAlias")],
            &items,
        );
        entities.push(entity(name, table, keys, &entities));
    }
    entities
}

fn facet_keys(
    key: &KeySchema,
    aliases: [Option<&str>; 2],
    items: &[&Item],
) -> IndexMap<String, String> {
    let mut keys = IndexMap::new();
    for (attribute, alias) in key.attributes().zip(aliases) {
        let name = attribute.name.as_str();
        let alias = alias.unwrap_or(name);
        let values: Vec<String> = items.iter().filter_map(|item| key_text(item, name)).collect();
        let template =
            if values.is_empty() { Some(from_alias(alias)) } else { from_values(&values, alias) };
        let template = template
            .filter(|template| matches_all(template, name, items))
            .unwrap_or_else(|| format!("{{{}}}", slot_name(alias)));
        keys.insert(name.to_owned(), template);
    }
    keys
}

fn entity(
    name: &str,
    table: &Table<'_>,
    keys: IndexMap<String, String>,
    earlier: &[Entity],
) -> Entity {
    let name = names::free(name, |name| earlier.iter().any(|entity| entity.name == name));
    Entity { name, table: table.schema.name.to_string(), keys, ..Entity::default() }
}

/// An attribute as the text templates see.
fn key_text(item: &Item, name: &str) -> Option<String> {
    match item.get(name)? {
        AttributeValue::S(text) => Some(text.to_string()),
        AttributeValue::N(number) => Some(number.to_string()),
        _ => None,
    }
}

fn matches_all(template: &str, attribute: &str, items: &[&Item]) -> bool {
    KeyTemplate::parse(template).is_ok_and(|template| {
        items
            .iter()
            .all(|item| key_text(item, attribute).is_some_and(|text| template.is_match(&text)))
    })
}

/// `FRIENDS#playerID` to `FRIENDS#{playerID}`: words in capitals are text, the others slots.
fn from_alias(alias: &str) -> String {
    let segments: Vec<String> = alias
        .split('#')
        .map(|segment| {
            if segment.is_empty() || (alias.contains('#') && is_constant_word(segment)) {
                segment.to_owned()
            } else {
                format!("{{{}}}", slot_name(segment))
            }
        })
        .collect();
    segments.join("#")
}

/// The template of values cut at `#`: segments all share and that hold no digit are text.
fn from_values(values: &[String], alias: &str) -> Option<String> {
    let rows: Vec<Vec<&str>> = values.iter().map(|value| value.split('#').collect()).collect();
    let first = rows.first()?;
    if rows.iter().any(|row| row.len() != first.len()) {
        let last = alias.rsplit('#').next().unwrap_or(alias);
        return common_prefix(values).map(|prefix| format!("{prefix}{{{}}}", slot_name(last)));
    }
    let is_text: Vec<bool> = (0..first.len())
        .map(|index| {
            let segment = first[index];
            let is_shared = rows.iter().all(|row| row[index] == segment);
            let is_last = index + 1 == first.len();
            is_shared
                && !segment.contains(['{', '}'])
                && (segment.is_empty()
                    || is_constant_word(segment)
                    || (!is_last && !segment.chars().any(|c| c.is_ascii_digit())))
        })
        .collect();
    let mut names = slot_names(alias, &is_text).into_iter();
    let segments: Vec<String> = first
        .iter()
        .zip(&is_text)
        .map(|(segment, is_text)| match is_text {
            true => (*segment).to_owned(),
            false => format!("{{{}}}", names.next().unwrap_or_default()),
        })
        .collect();
    Some(segments.join("#"))
}

/// Names for the segments that are slots: the alias's own words where they line up, else its last word.
fn slot_names(alias: &str, is_text: &[bool]) -> Vec<String> {
    let words: Vec<&str> = alias.split('#').collect();
    let n_slots = is_text.iter().filter(|is_text| !**is_text).count();
    let chosen: Vec<&str> = if words.len() == is_text.len() {
        words.iter().zip(is_text).filter(|(_, is_text)| !**is_text).map(|(word, _)| *word).collect()
    } else if words.len() == n_slots {
        words
    } else {
        vec![words.last().copied().unwrap_or(alias); n_slots]
    };
    let mut names: Vec<String> = Vec::new();
    for word in chosen {
        let name = slot_name(word);
        let is_free = |name: &str| names.iter().all(|known| known != name);
        names.push(if is_free(&name) { name } else { numbered(&name, "", is_free) });
    }
    names
}

/// What all values start with, up to a `#`.
pub(super) fn common_prefix(values: &[String]) -> Option<&str> {
    let first = values.first()?;
    let ends = first.match_indices('#').map(|(at, _)| at + 1);
    ends.rev()
        .map(|end| &first[..end])
        .find(|prefix| {
            values.iter().all(|value| value.len() > prefix.len() && value.starts_with(prefix))
        })
        .filter(|prefix| !prefix.contains(['{', '}']))
}

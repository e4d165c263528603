//! Trying key templates: values to keys in the table and every index, and a pasted key back to values.
//!
//! Invariant: what is shown as a key is what an item filled from these values would have.
//!
//! Not here: warnings about templates themselves ([`crate::lint`]).

use hashrange_types::letter_case::capitalised;
use hashrange_types::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};
use hashrange_types::{KeyAttribute, KeySchema, TableSchema};

use crate::document::Entity;
use crate::survey::EntitySurvey;
use crate::template::{KeyTemplate, Slots};
use crate::words;

/// What a key attribute of an entity comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyTried {
    /// The template filled.
    Text(String),
    /// The template cannot be filled; one sentence says why.
    Problem(String),
    /// There is no template: items carry the attribute as they like.
    Attribute,
    /// There is no template, and no item of the sample has the attribute: it is not in this index.
    Absent,
}

/// One key attribute of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedAttribute {
    /// The attribute.
    pub attribute: String,
    /// Its template, if the entity has one.
    pub template: Option<String>,
    /// What it comes to.
    pub tried: KeyTried,
}

/// The keys of an entity in its table or one of its indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedKeys {
    /// The index; none for the table itself.
    pub index: Option<String>,
    /// Partition attributes, then sort attributes.
    pub attributes: Vec<TriedAttribute>,
    /// True if the entity's items are in it.
    pub is_member: bool,
}

/// The slots of an entity's templates, each once, in order.
pub fn slots(entity: &Entity) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for text in entity.keys.values() {
        let Ok(template) = KeyTemplate::parse(text) else { continue };
        for name in template.slot_names() {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// The keys that `values` give an entity in its table and each index. `seen` tells which attributes items carry.
pub fn try_values(
    entity: &Entity,
    schema: &TableSchema,
    seen: Option<&EntitySurvey>,
    values: &Slots,
) -> Vec<TriedKeys> {
    let place = |index: Option<String>, key: &KeySchema| {
        let partition = key.partition.iter().map(|it| (it, PARTITION_KEY_BYTES_MAX));
        let sort = key.sort.iter().map(|it| (it, SORT_KEY_BYTES_MAX));
        let attributes: Vec<TriedAttribute> = partition
            .chain(sort)
            .map(|(attribute, bytes_max)| attribute_of(entity, seen, values, attribute, bytes_max))
            .collect();
        let is_member = attributes.iter().all(|it| it.tried != KeyTried::Absent);
        TriedKeys { index, attributes, is_member }
    };
    let mut places = vec![place(None, &schema.key)];
    places.extend(schema.indexes().map(|it| place(Some(it.name.to_string()), it.key)));
    places
}

fn attribute_of(
    entity: &Entity,
    seen: Option<&EntitySurvey>,
    values: &Slots,
    attribute: &KeyAttribute,
    bytes_max: u32,
) -> TriedAttribute {
    let name = attribute.name.as_str();
    let template = entity.keys.get(name).cloned();
    let tried = match &template {
        Some(text) => fill(text, values, bytes_max),
        None if seen.is_some_and(|seen| seen.attributes.contains_key(name)) => KeyTried::Attribute,
        None => KeyTried::Absent,
    };
    TriedAttribute { attribute: name.to_owned(), template, tried }
}

fn fill(text: &str, values: &Slots, bytes_max: u32) -> KeyTried {
    let filled = KeyTemplate::parse(text)
        .map_err(|error| error.to_string())
        .and_then(|template| template.fill(values).map_err(|error| error.to_string()));
    match filled {
        Ok(key) if key.len() > bytes_max as usize => KeyTried::Problem(format!(
            "The key has {}, and {} is the most.",
            words::size(key.len() as u64),
            words::size(u64::from(bytes_max))
        )),
        Ok(key) => KeyTried::Text(key),
        Err(reason) => KeyTried::Problem(format!("{}.", capitalised(&reason))),
    }
}

/// The values of the slots in a pasted key.
///
/// # Errors
/// One sentence on how the text differs from the template.
pub fn try_key(template: &str, pasted: &str) -> Result<Slots, String> {
    let parsed = KeyTemplate::parse(template)
        .map_err(|error| format!("{}.", capitalised(&error.to_string())))?;
    let text = pasted.trim();
    if let Some(slots) = parsed.matches(text) {
        return Ok(slots);
    }
    let prefix = parsed.prefix();
    Err(if text.starts_with(prefix) {
        format!("{text} does not have the shape {template}.")
    } else {
        format!("{text} does not have the shape {template}: it should begin with {prefix}.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashrange_types::{
        BillingMode, GlobalSecondaryIndex, IndexName, Projection, ScalarType, TableName,
    };

    fn key(partition: &str, sort: &str) -> KeySchema {
        let attribute = |name: &str| KeyAttribute { name: name.into(), scalar: ScalarType::S };
        KeySchema { partition: vec![attribute(partition)], sort: vec![attribute(sort)] }
    }

    fn schema() -> TableSchema {
        let index = |name: &str, partition: &str, sort: &str| GlobalSecondaryIndex {
            name: IndexName::new(name).unwrap(),
            key: key(partition, sort),
            projection: Projection::All,
            throughput: None,
        };
        TableSchema {
            name: TableName::new("Orders").unwrap(),
            key: key("PK", "SK"),
            local_indexes: Vec::new(),
            global_indexes: vec![index("GSI1", "SK", "PK"), index("byStatus", "PK", "status")],
            billing: BillingMode::PayPerRequest,
        }
    }

    fn entity() -> Entity {
        Entity {
            keys: [("PK", "CUSTOMER#{c}"), ("SK", "ORDER#{n:04}")]
                .into_iter()
                .map(|(name, text)| (name.to_owned(), text.to_owned()))
                .collect(),
            ..Entity::default()
        }
    }

    fn values(c: &str, n: &str) -> Slots {
        vec![("c".to_owned(), c.to_owned()), ("n".to_owned(), n.to_owned())]
    }

    #[test]
    fn values_become_the_keys_of_table_and_indexes() {
        assert_eq!(slots(&entity()), ["c", "n"]);
        let places = try_values(&entity(), &schema(), None, &values("42", "7"));
        let texts: Vec<&KeyTried> =
            places.iter().flat_map(|place| &place.attributes).map(|it| &it.tried).collect();
        let text = |text: &str| KeyTried::Text(text.to_owned());
        let (pk, sk) = (text("CUSTOMER#42"), text("ORDER#0007"));
        assert_eq!(texts, [&pk, &sk, &sk, &pk, &pk, &KeyTried::Absent]);
        assert_eq!(places.iter().map(|it| it.is_member).collect::<Vec<_>>(), [true, true, false]);
        let mut seen = EntitySurvey::default();
        seen.attributes.insert("status".to_owned(), 1);
        let places = try_values(&entity(), &schema(), Some(&seen), &values("42", "7"));
        assert!(places[2].is_member);
    }

    #[test]
    fn values_that_do_not_fit_say_why() {
        let problem = |c: &str, n: &str| {
            let places = try_values(&entity(), &schema(), None, &values(c, n));
            let mut found = places[0].attributes.iter().filter_map(|it| match &it.tried {
                KeyTried::Problem(sentence) => Some(sentence.replace('\u{a0}', " ")),
                _ => None,
            });
            found.next().unwrap()
        };
        assert_eq!(problem("42", "x"), "The slot {n} takes digits, not \"x\".");
        assert_eq!(problem("", "7"), "The slot {c} has no value.");
        assert_eq!(problem(&"c".repeat(2_100), "7"), "The key has 2.1 KB, and 2.0 KB is the most.");
    }

    #[test]
    fn a_pasted_key_gives_its_values_or_says_what_is_different() {
        assert_eq!(try_key("ORDER#{n:04}", " ORDER#0007 ").unwrap()[0].1, "0007");
        assert_eq!(
            try_key("ORDER#{n:04}", "order#7").unwrap_err(),
            "order#7 does not have the shape ORDER#{n:04}: it should begin with ORDER#."
        );
        assert_eq!(
            try_key("ORDER#{n:04}", "ORDER#7").unwrap_err(),
            "ORDER#7 does not have the shape ORDER#{n:04}."
        );
        assert!(try_key("{", "x").is_err());
    }
}

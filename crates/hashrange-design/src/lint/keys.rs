//! Rules about entities and their key templates.
//!
//! Not here: reading and filling templates ([`crate::template`]), counting values ([`crate::survey`]).

use hashrange_types::{KeySchema, TableSchema};

use super::{Finding, LintRule, Seriousness, Subject};
use crate::document::{Design, Entity};
use crate::fix::Fix;
use crate::pattern::PatternSuite;
use crate::survey::{SlotSurvey, Survey};
use crate::template::KeyTemplate;
use crate::words::{count, counted};

/// Fewer items say nothing about how many keys there will be.
const ITEMS_MIN: u64 = 20;

/// As many keys, or more, are many.
const KEYS_MAX: u64 = 10;

pub(super) fn find(design: &Design, suite: &PatternSuite, found: &mut Vec<Finding>) {
    for (at, entity) in design.entities.iter().enumerate() {
        let Some(survey) = suite.survey(&entity.table) else { continue };
        found.extend(of_entity(design, at, survey));
        for other in &design.entities[at + 1..] {
            if other.table == entity.table {
                found.extend(overlap(at, entity, other));
            }
        }
    }
    for survey in suite.surveys() {
        low_cardinality(design, survey, found);
    }
}

/// What is wrong with one entity's own templates.
fn of_entity(design: &Design, at: usize, survey: &Survey) -> Vec<Finding> {
    let Some(entity) = design.entities.get(at) else { return Vec::new() };
    let schema = survey.table().schema();
    let mut found = Vec::new();
    found.extend(missing_template(at, entity, &schema.key));
    found.extend(missing_slot(at, entity, &schema.key));
    for slot in survey.entity(at).into_iter().flat_map(|seen| &seen.slots) {
        found.extend(unpadded(at, entity, schema, slot));
        found.extend(time_ordered(at, entity, schema, slot));
    }
    found
}

/// What is wrong with the key templates of the entity at this index of the design, overlaps with any other entity of its
/// table included; `survey` is of that table and of the design's entities.
pub fn entity_findings(design: &Design, at: usize, survey: &Survey) -> Vec<Finding> {
    let mut found = of_entity(design, at, survey);
    let Some(entity) = design.entities.get(at) else { return found };
    for (index, other) in design.entities.iter().enumerate() {
        if index != at && other.table == entity.table {
            let (at, first, second) =
                if index < at { (index, other, entity) } else { (at, entity, other) };
            found.extend(overlap(at, first, second));
        }
    }
    found
}

fn missing_template(at: usize, entity: &Entity, key: &KeySchema) -> Option<Finding> {
    let lacking: Vec<String> = key
        .attributes()
        .map(|attribute| attribute.name.to_string())
        .filter(|name| !entity.keys.contains_key(name))
        .collect();
    if lacking.is_empty() {
        return None;
    }
    let sentence = format!(
        "{} has no template for {}, which every item of {} has, so nothing says how its key is made.",
        entity.name,
        lacking.join(" and "),
        entity.table
    );
    let rule = LintRule::MissingKeyTemplate;
    Some(Finding::new(rule, Seriousness::Warning, Subject::Entity(at), sentence).with(lacking))
}

fn missing_slot(at: usize, entity: &Entity, key: &KeySchema) -> Option<Finding> {
    let mut texts = Vec::new();
    for attribute in key.attributes() {
        let text = entity.keys.get(attribute.name.as_str())?;
        if !KeyTemplate::parse(text).ok()?.is_constant() {
            return None;
        }
        texts.push(format!("{} = {text}", attribute.name));
    }
    let sentence = format!(
        "Every {} gets the key {}, so there can be one alone: the second takes the place of the first.",
        entity.name,
        texts.join(", ")
    );
    let rule = LintRule::MissingSlot;
    Some(Finding::new(rule, Seriousness::Warning, Subject::Entity(at), sentence).with(texts))
}

fn unpadded(
    at: usize,
    entity: &Entity,
    schema: &TableSchema,
    slot: &SlotSurvey,
) -> Option<Finding> {
    let sorts = schema.indexes().map(|index| index.key).chain([&schema.key]);
    let is_sorted =
        sorts.flat_map(|key| &key.sort).any(|attribute| attribute.name.as_str() == slot.attribute);
    if !is_sorted || !slot.is_unpadded() {
        return None;
    }
    let text = entity.keys.get(&slot.attribute)?;
    let width = slot.longest.len();
    let padded = KeyTemplate::parse(text).ok()?.padded(&slot.slot, width)?.to_string();
    let sentence = format!(
        "{{{}}} of {} holds numbers of different lengths, and keys sort as text: {} comes before {}.",
        slot.slot, slot.attribute, slot.longest, slot.shortest
    );
    let fix = Fix::SetTemplate { entity: at, attribute: slot.attribute.clone(), template: padded };
    let rule = LintRule::UnpaddedNumber;
    Some(
        Finding::new(rule, Seriousness::Warning, Subject::Entity(at), sentence)
            .with([slot.shortest.clone(), slot.longest.clone()])
            .fixed_by(Some(fix)),
    )
}

fn time_ordered(
    at: usize,
    entity: &Entity,
    schema: &TableSchema,
    slot: &SlotSurvey,
) -> Option<Finding> {
    let partitions = schema.indexes().filter(|index| !index.is_local).map(|index| index.key);
    let is_partition = partitions
        .chain([&schema.key])
        .any(|key| key.partition.first().is_some_and(|it| it.name.as_str() == slot.attribute));
    let template = KeyTemplate::parse(entity.keys.get(&slot.attribute)?).ok()?;
    let is_alone = template.slot_names().count() == 1;
    if !is_partition || !is_alone || slot.values.is_empty() || !slot.values.iter().all(is_date) {
        return None;
    }
    let sentence = format!(
        "{} starts {} keys with a date, so all writes of one day meet in one key. A second part, or a suffix, spreads \
         them.",
        slot.attribute, entity.name
    );
    let rule = LintRule::TimeOrderedKey;
    Some(
        Finding::new(rule, Seriousness::Warning, Subject::Entity(at), sentence)
            .with(slot.values.iter().take(3).cloned()),
    )
}

/// True for `2026-03`, `2026-03-02` and what begins so.
fn is_date(text: &String) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 7
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes[5..7].iter().all(u8::is_ascii_digit)
        && (bytes.len() == 7 || !bytes[7].is_ascii_alphanumeric())
}

fn overlap(at: usize, entity: &Entity, other: &Entity) -> Option<Finding> {
    let mut shared = Vec::new();
    let mut bytes = [0_usize, 0];
    for (name, text) in &entity.keys {
        let template = KeyTemplate::parse(text).ok()?;
        bytes[0] += template.literal_bytes();
        let Some(theirs) = other.keys.get(name) else { continue };
        if !template.overlaps(&KeyTemplate::parse(theirs).ok()?) {
            return None;
        }
        shared.push(format!("{name}: {text} and {theirs}"));
    }
    for text in other.keys.values() {
        bytes[1] += KeyTemplate::parse(text).ok()?.literal_bytes();
    }
    if shared.is_empty() {
        return None;
    }
    // The one that says more wins, so that only equals are a matter of order.
    let is_settled = bytes[0] != bytes[1] || entity.keys.len() != other.keys.len();
    let (seriousness, who) = if is_settled {
        let more = if bytes[0] > bytes[1] { entity } else { other };
        (Seriousness::Note, format!("is taken for {}, whose templates say more", more.name))
    } else {
        (Seriousness::Warning, format!("is taken for {}, which comes first", entity.name))
    };
    let sentence =
        format!("One key can be both {} and {}: such an item {who}.", entity.name, other.name);
    let rule = LintRule::OverlappingEntities;
    Some(Finding::new(rule, seriousness, Subject::Entity(at), sentence).with(shared))
}

fn low_cardinality(design: &Design, survey: &Survey, found: &mut Vec<Finding>) {
    let schema = survey.table().schema();
    for tree in survey.trees() {
        let keys = &tree.all;
        if keys.n_items < ITEMS_MIN || keys.n_keys > KEYS_MAX || keys.n_keys * 10 > keys.n_items {
            continue;
        }
        let subject = match &tree.index {
            Some(index) => {
                Subject::Index { table: schema.name.to_string(), index: index.to_string() }
            }
            None => Subject::Table(schema.name.to_string()),
        };
        let key = match &tree.index {
            Some(index) => schema.index(index.as_str()).map(|index| index.key),
            None => Some(&schema.key),
        };
        let names: Vec<&str> = key
            .into_iter()
            .flat_map(|key| &key.partition)
            .map(|attribute| attribute.name.as_str())
            .collect();
        let place = tree.index.as_ref().map_or(schema.name.as_str(), |index| index.as_str());
        let sentence = format!(
            "{} of {place} share {}: each key takes 1,000 writes and 3,000 reads a second, whatever the table could \
             take.",
            counted(keys.n_items, "item"),
            counted(keys.n_keys, "partition key")
        );
        // A slot shows which part of the key has so few values.
        let slots = design.entities.iter().enumerate().filter_map(|(at, _)| survey.entity(at));
        let slots = slots
            .flat_map(|seen| &seen.slots)
            .filter(|slot| names.contains(&slot.attribute.as_str()));
        let slots: Vec<String> = slots
            .map(|slot| {
                format!("{{{}}}: {}", slot.slot, counted(slot.values.len() as u64, "value"))
            })
            .collect();
        found.push(
            Finding::new(LintRule::LowCardinalityKey, Seriousness::Warning, subject, sentence)
                .with([format!("{}: {}", keys.largest_key, count(keys.n_largest))])
                .with(slots),
        );
    }
}

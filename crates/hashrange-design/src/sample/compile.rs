//! Entities' samples to one recipe.
//!
//! Invariant: an entity's numbers are its parent's and one of its own, each from 1; identifiers made of them are
//! unique. A slot of a key takes the entity's own attribute of that name, else the identifier of the related entity it
//! names, else an attribute of a parent.
//!
//! Not here: reading the recipe and making items ([`crate::recipe`]).

use hashrange_types::letter_case::lowercase;
use serde_json::{Map, Value, json};

use super::{EntitySample, Make, RelationKind, SampleAttribute, words};
use crate::document::{Design, Entity};
use crate::table_form::{KeyField, TableForm};
use crate::template::KeyTemplate;

/// Names of the numbers, parent first.
const NUMBERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
/// Attributes of one entity that only some items have.
const SPARSE_MAX: usize = 4;

/// Why sample data cannot be made, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SampleError(String);

/// The recipe, as the JSON of `data.json`, for the entities that have a sample.
///
/// # Errors
/// A slot that nothing fills, a circle of relations, too many levels or sparse attributes.
///
/// ```
/// # use hashrange_design::{Budget, Design, Recipe, sample::recipe_of};
/// let design = Design::from_json(r#"{"format": 1, "title": "Shop", "tables": [{"TableName": "Shop",
///   "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
///   "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"},
///     {"AttributeName": "SK", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}],
///  "entities": [
///   {"name": "Customer", "table": "Shop", "tag": "C", "keys": {"PK": "CUSTOMER#{customer}", "SK": "PROFILE"},
///    "sample": {"count": 2}},
///   {"name": "Order", "table": "Shop", "tag": "O", "keys": {"PK": "CUSTOMER#{customer}", "SK": "ORDER#{order}"},
///    "sample": {"count": 3}}],
///  "relations": [{"from": "Customer", "to": "Order"}]}"#).unwrap();
/// let recipe = Recipe::from_json(&recipe_of(&design, 1).unwrap().to_string()).unwrap();
/// let items = recipe.items(Budget::default(), design.key_schemas().unwrap()).unwrap();
/// assert_eq!(items.len(), 8);
/// ```
pub fn recipe_of(design: &Design, seed: u64) -> Result<Value, SampleError> {
    let mut groups = Vec::new();
    for entity in &design.entities {
        if let Some(sample) = &entity.sample {
            Making::of(design, entity, sample)?.push_groups(&mut groups)?;
        }
    }
    let mut lists = json!({
        "first": words::FIRST, "last": words::LAST, "before": words::BEFORE, "noun": words::NOUN,
    });
    for group in &mut groups {
        let own = group.as_object_mut().and_then(|group| group.shift_remove("lists"));
        if let (Some(Value::Object(own)), Some(lists)) = (own, lists.as_object_mut()) {
            lists.extend(own);
        }
    }
    Ok(json!({"seed": seed, "lists": lists, "groups": groups}))
}

/// Items that the samples make of one entity, in all; 0 where its relations form a circle.
pub fn n_items_of(design: &Design, entity: &Entity) -> u64 {
    chain(design, entity).map_or(0, |chain| n_items_of_chain(&chain))
}

/// Items that a design's samples make in all.
pub fn n_items(design: &Design) -> u64 {
    design.entities.iter().map(|entity| n_items_of(design, entity)).sum()
}

/// The product of the counts along a chain of parents.
fn n_items_of_chain(chain: &[Level<'_>]) -> u64 {
    chain.iter().fold(1, |n: u64, level| n.saturating_mul(u64::from(level.count)))
}

/// An entity with its parents, the farthest first.
struct Making<'a> {
    design: &'a Design,
    entity: &'a Entity,
    sample: &'a EntitySample,
    chain: Vec<Level<'a>>,
}

/// One entity of a chain.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    entity: &'a Entity,
    count: u32,
}

impl<'a> Making<'a> {
    fn of(
        design: &'a Design,
        entity: &'a Entity,
        sample: &'a EntitySample,
    ) -> Result<Self, SampleError> {
        let chain = chain(design, entity)?;
        if n_items_of_chain(&chain) > 1_000_000 {
            let name = &entity.name;
            return Err(SampleError(format!(
                "{name} would have more than 1,000,000 items. Lower its count or its parents'."
            )));
        }
        Ok(Self { design, entity, sample, chain })
    }

    /// Groups of all combinations of sparse attributes.
    fn push_groups(&self, groups: &mut Vec<Value>) -> Result<(), SampleError> {
        let sparse: Vec<(usize, u32)> = self
            .sample
            .attributes
            .iter()
            .enumerate()
            .filter_map(|(at, attribute)| Some((at, attribute.every?)))
            .collect();
        if sparse.len() > SPARSE_MAX {
            return Err(SampleError(format!(
                "{} has {} attributes that only some items have; {SPARSE_MAX} are possible.",
                self.entity.name,
                sparse.len()
            )));
        }
        let own = NUMBERS[self.chain.len() - 1];
        for combination in 0..1_usize << sparse.len() {
            let mut conditions = Map::new();
            let mut left_out = Vec::new();
            for (bit, (at, every)) in sparse.iter().enumerate() {
                let is_there = combination >> bit & 1 == 1;
                let rule = if is_there { "every" } else { "not_every" };
                // Several conditions on one number need different texts.
                conditions.insert(format!("{own}+{bit}*0"), json!({rule: every}));
                if !is_there {
                    left_out.push(*at);
                }
            }
            if self.sample.is_skewed && self.chain.len() > 1 {
                let parent = NUMBERS[self.chain.len() - 2];
                conditions.insert(format!("{own}*{parent}"), json!({"to": self.sample.count}));
            }
            groups.push(self.group(&conditions, &left_out)?);
        }
        Ok(())
    }

    fn group(
        &self,
        conditions: &Map<String, Value>,
        left_out: &[usize],
    ) -> Result<Value, SampleError> {
        let mut numbers = Map::new();
        for (level, name) in self.chain.iter().zip(NUMBERS) {
            numbers.insert(name.to_owned(), json!([1, level.count]));
        }
        let mut lists = Map::new();
        let mut item = Map::new();
        let fields = self.key_fields();
        for (attribute, template) in &self.entity.keys {
            let text = self.filled(attribute, template)?;
            let scalar = fields.iter().find(|field| field.name == *attribute);
            let scalar = scalar.map_or("S", |field| field.scalar.as_str());
            item.insert(attribute.clone(), json!({scalar: text}));
        }
        for (at, attribute) in self.sample.attributes.iter().enumerate() {
            if left_out.contains(&at) || item.contains_key(&attribute.name) {
                continue;
            }
            if let Some(value) = self.value(attribute, &mut lists)? {
                item.insert(attribute.name.clone(), value);
            }
        }
        let mut group = json!({
            "table": self.entity.table, "entity": self.entity.name,
            "for": numbers, "where": conditions, "item": item, "lists": lists,
        });
        if let Some((low, high)) = self.sample.bytes {
            let own = NUMBERS[self.chain.len() - 1];
            let filler = self.sample.attributes.iter().find(|it| it.make == Make::Filler);
            group["size"] = json!(format!("{low}+{own}*7919%{}", high - low + 1));
            group["pad"] = json!(filler.map_or("note", |filler| filler.name.as_str()));
        }
        Ok(group)
    }

    fn key_fields(&self) -> Vec<KeyField> {
        let form = self.design.table(&self.entity.table).map(TableForm::of).unwrap_or_default();
        form.key_fields().map(|fields| fields.into_iter().cloned().collect()).unwrap_or_default()
    }

    /// A key's template as a text of the recipe's language.
    fn filled(&self, attribute: &str, template: &str) -> Result<String, SampleError> {
        let template = KeyTemplate::parse(template).map_err(|reason| {
            let name = &self.entity.name;
            SampleError(format!("The template of {attribute} of {name} cannot be read: {reason}."))
        })?;
        template.expand(|slot, n_digits| {
            self.slot(slot, n_digits).ok_or_else(|| {
                SampleError(format!(
                    "The slot {{{slot}}} in {attribute} of {} has no value: give the entity an attribute {slot}, or \
                     relate it to the entity whose identifier that is.",
                    self.entity.name
                ))
            })
        })
    }

    /// The recipe's text for a slot.
    fn slot(&self, slot: &str, n_digits: Option<usize>) -> Option<String> {
        let own_number = NUMBERS[self.chain.len() - 1];
        if let Some(width) = n_digits {
            // Digits alone: the number of the entity the slot names, or the entity's own.
            let at = self.chain.iter().position(|level| names(level.entity, slot));
            let number = at.map_or(own_number, |at| NUMBERS[at]);
            return Some(format!("{{{number}:0{width}}}"));
        }
        let own = self.sample.attributes.iter().find(|it| it.name == slot && it.make != Make::Id);
        if let Some(own) = own {
            if own.make == Make::Pick {
                // The list comes with the attribute itself.
                return Some(format!("{{cycle:{}-{}:{own_number}}}", self.entity.name, own.name));
            }
            return plain_text(own, own_number);
        }
        if is_own(self.design, self.entity, slot) {
            return Some(id_text(&self.chain, &NUMBERS.map(str::to_owned)));
        }
        if let Some(at) = self.chain.iter().position(|level| names(level.entity, slot)) {
            return Some(id_text(&self.chain[..=at], &NUMBERS.map(str::to_owned)));
        }
        if let Some(joined) = self.joined(slot) {
            return Some(joined);
        }
        self.chain.iter().zip(NUMBERS).rev().find_map(|(level, number)| {
            let sample = level.entity.sample.as_ref()?;
            let attribute = sample.attributes.iter().find(|it| it.name == slot)?;
            plain_text(attribute, number)
        })
    }

    /// The identifier of the entity on the other side of a junction: one of those that share its first parent, chosen
    /// so that one parent's items differ.
    fn joined(&self, slot: &str) -> Option<String> {
        let parents = parents(self.design, self.entity);
        let other = parents.into_iter().skip(1).find(|entity| names(entity, slot))?;
        let other = chain(self.design, other).ok()?;
        let mut numbers: Vec<String> = Vec::new();
        for (at, level) in other.iter().enumerate() {
            let shares = self.chain.get(at).is_some_and(|own| own.entity.name == level.entity.name);
            numbers.push(match self.chain.len() {
                _ if shares => NUMBERS[at].to_owned(),
                0 | 1 => format!("({}-1)%{}+1", NUMBERS[0], level.count),
                n => {
                    let (parent, own) = (NUMBERS[n - 2], NUMBERS[n - 1]);
                    let each = self.sample.count;
                    format!("(({parent}-1)*{each}+{own}-1)%{}+1", level.count)
                }
            });
        }
        Some(id_text(&other, &numbers))
    }

    /// An attribute's value in DynamoDB JSON; none for one that only fills.
    fn value(
        &self,
        attribute: &SampleAttribute,
        lists: &mut Map<String, Value>,
    ) -> Result<Option<Value>, SampleError> {
        let number = NUMBERS[self.chain.len() - 1];
        let refuse = |expected: &str| {
            SampleError(format!(
                "{} of {} needs {expected}, not \"{}\".",
                attribute.name, self.entity.name, attribute.with
            ))
        };
        Ok(Some(match attribute.make {
            Make::Id => json!({"S": id_text(&self.chain, &NUMBERS.map(str::to_owned))}),
            Make::Pick => {
                let texts: Vec<&str> =
                    attribute.with.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
                if texts.is_empty() {
                    return Err(refuse("texts, separated by commas"));
                }
                let list = format!("{}-{}", self.entity.name, attribute.name);
                lists.insert(list.clone(), json!(texts));
                json!({"S": format!("{{cycle:{list}:{number}}}")})
            }
            Make::Number => {
                let (low, high) = bounds(&attribute.with)
                    .ok_or_else(|| refuse("two whole numbers, such as 1 to 99"))?;
                json!({"N": format!("{{int:{low}:{high}}}")})
            }
            // Every second one, by the parity of its number.
            Make::Flag => {
                json!({"N": format!("{{{number}%2}}")})
            }
            Make::Filler => return Ok(None),
            _ => {
                json!({"S": plain_text(attribute, number).ok_or_else(|| refuse("another value"))?})
            }
        }))
    }
}

/// An attribute's text in the recipe's language; none for kinds that are no text.
fn plain_text(attribute: &SampleAttribute, number: &str) -> Option<String> {
    let with = attribute.with.trim();
    Some(match attribute.make {
        Make::Text => with.replace(['{', '}'], ""),
        Make::Person => format!("{{cycle:first:{number}}} {{cycle:last:{number}}}"),
        Make::Email => format!("{{cycle:first:{number}}}.{{cycle:last:{number}}}@example.com"),
        Make::Title => format!("{{cycle:before:{number}}} {{cycle:noun:{number}}}"),
        Make::Date => {
            format!("{{date:{}:{number}}}", if with.is_empty() { "2026-01-01" } else { with })
        }
        Make::Time => {
            let first = if with.is_empty() { "2026-01-01T08:00:00Z" } else { with };
            format!("{{time:{first}:{number}*60}}")
        }
        Make::Hex => format!("{{hex:{}}}", if with.is_empty() { "8" } else { with }),
        Make::Number => {
            let (low, high) = bounds(with)?;
            format!("{{int:{low}:{high}}}")
        }
        Make::Id | Make::Pick | Make::Flag | Make::Filler => return None,
    })
}

/// `1 to 99`.
fn bounds(with: &str) -> Option<(i64, i64)> {
    let (low, high) = with.split_once("to")?;
    let both = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (both.0 <= both.1).then_some(both)
}

/// True if a slot names the entity: by its identifier's attribute, its name, or the beginning of it.
pub(crate) fn names(entity: &Entity, slot: &str) -> bool {
    let id = entity
        .sample
        .as_ref()
        .and_then(|sample| sample.attributes.iter().find(|attribute| attribute.make == Make::Id));
    if let Some(id) = id {
        return id.name == slot;
    }
    let stem = slot.strip_suffix("Id").or_else(|| slot.strip_suffix("_id")).unwrap_or(slot);
    let stem = lowercase(stem);
    stem.len() > 1 && lowercase(&entity.name).replace(' ', "").starts_with(&stem)
}

/// True if a slot names the entity and none of its parents: `project` is no slot of a `ProjectEmployee`'s own.
pub(crate) fn is_own(design: &Design, entity: &Entity, slot: &str) -> bool {
    let is_whole = lowercase(&entity.name).replace(' ', "") == lowercase(slot);
    let is_parents = || parents(design, entity).into_iter().any(|parent| names(parent, slot));
    names(entity, slot) && (is_whole || !is_parents())
}

/// Identifier of the last entity of a chain: `o1-p04`, numbers as wide as the counts.
fn id_text(chain: &[Level<'_>], numbers: &[String]) -> String {
    let parts: Vec<String> = chain
        .iter()
        .zip(numbers)
        .map(|(level, number)| {
            let letter = lowercase(&level.entity.tag);
            let width = level.count.to_string().len();
            format!("{letter}{{{number}:0{width}}}")
        })
        .collect();
    parts.join("-")
}

/// Entities that this one is a child of, in the order of the relations.
fn parents<'a>(design: &'a Design, entity: &Entity) -> Vec<&'a Entity> {
    design
        .relations
        .iter()
        .filter(|it| it.kind == RelationKind::OneToMany && it.to == entity.name && it.from != it.to)
        .filter_map(|it| design.entities.iter().find(|parent| parent.name == it.from))
        .collect()
}

/// The entity with its first parents, the farthest first.
fn chain<'a>(design: &'a Design, entity: &'a Entity) -> Result<Vec<Level<'a>>, SampleError> {
    let mut levels = Vec::new();
    let mut next = Some(entity);
    while let Some(entity) = next {
        if levels.len() == NUMBERS.len() {
            return Err(SampleError(format!(
                "{} has more than {} parents above it, or is its own: relations must not form a circle.",
                entity.name,
                NUMBERS.len() - 1
            )));
        }
        let count = entity.sample.as_ref().map_or(1, |sample| sample.count);
        levels.push(Level { entity, count });
        next = parents(design, entity).first().copied();
    }
    levels.reverse();
    Ok(levels)
}

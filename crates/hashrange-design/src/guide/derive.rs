//! The request a question has under the present keys and indexes: by key, else by index, else with a filter, else a
//! Scan.
//!
//! Invariant: of all ways that return the items asked for, the one that reads least comes out, the table before an
//! index; where no key holds what the question knows, a Scan with a filter does.

use serde_json::{Map, Value, json};

use super::request::{Condition, Request};
use super::{
    Question, QuestionKind, Samples, ancestors, children, entity, id_of, junction, plain_id,
    sorted_by_rank,
};
use crate::document::{Design, Entity};
use crate::pattern::Served;
use crate::sample::{is_own, names};
use crate::table_form::{KeyField, TableForm};
use crate::template::KeyTemplate;

/// A question's request.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The operation.
    pub operation: &'static str,
    /// Its request.
    pub request: Value,
    /// How it finds its items.
    pub served: Served,
    /// The index it asks; none for the table itself.
    pub index: Option<String>,
}

/// Gives every pattern that has a question the request that goes with it.
pub fn follow(design: &mut Design, samples: &Samples) {
    let mut derived = Vec::new();
    for (at, pattern) in design.patterns.iter().enumerate() {
        let found = pattern.question.as_ref().and_then(|it| derive(design, it, samples));
        derived.extend(found.map(|found| (at, found)));
    }
    for (at, found) in derived {
        let pattern = &mut design.patterns[at];
        found.operation.clone_into(&mut pattern.operation);
        pattern.request = found.request;
    }
}

/// The request of a question; none where the design lacks what it is about.
pub fn derive(design: &Design, question: &Question, samples: &Samples) -> Option<Derived> {
    let asking = Asking::of(design, question, samples)?;
    match question.kind {
        QuestionKind::Add | QuestionKind::Change => Some(asking.write()),
        QuestionKind::Under => Some(asking.under()),
        _ => Some(asking.read()),
    }
}

/// What a question knows and wants.
struct Asking<'a> {
    design: &'a Design,
    question: &'a Question,
    samples: &'a Samples,
    table: TableForm,
    /// Whose items are wanted.
    target: &'a Entity,
    /// Whose identifiers are known.
    known: Vec<&'a Entity>,
    /// Whose samples give values, first to last.
    order: Vec<&'a Entity>,
}

/// What is known of a key attribute: its text as far as that goes, and the slots in it.
struct Part {
    text: String,
    is_whole: bool,
    slots: Vec<String>,
}

/// The key of a table or index.
struct KeyOf {
    index: Option<String>,
    partition: KeyField,
    sort: Option<KeyField>,
}

impl<'a> Asking<'a> {
    fn of(design: &'a Design, question: &'a Question, samples: &'a Samples) -> Option<Self> {
        let own = entity(design, &question.entity)?;
        let of = entity(design, &question.of);
        let target = match question.kind {
            QuestionKind::Related => junction(design, &question.of, &question.entity)?,
            _ => own,
        };
        let from = match question.kind {
            QuestionKind::One | QuestionKind::Under => Some(own),
            _ => of,
        };
        let mut known: Vec<&Entity> = Vec::new();
        if let Some(from) = from {
            known.push(from);
            known.extend(ancestors(design, &from.name));
        }
        let mut order = vec![target, own];
        order.extend(of);
        if question.kind == QuestionKind::Under {
            order = children(design, &own.name);
            order.push(own);
        }
        order.extend(known.iter().copied());
        let above = ancestors(design, &target.name);
        order.extend(above);
        let table = design.table(&target.table)?;
        Some(Self { design, question, samples, table: TableForm::of(table), target, known, order })
    }

    fn knows(&self, slot: &str) -> bool {
        self.question.is_write()
            || self.known.iter().any(|it| names(it, slot))
            || (slot == self.question.attribute && self.compares())
    }

    /// True if the question is about an attribute.
    const fn compares(&self) -> bool {
        matches!(self.question.kind, QuestionKind::Value | QuestionKind::Flagged)
    }

    fn text(&self, slot: &str) -> String {
        self.samples.text(&self.order, slot)
    }

    /// What is known of an attribute of an entity; none if its items do not have it.
    fn part(&self, entity: &Entity, attribute: &str) -> Option<Part> {
        if let Some(template) = entity.keys.get(attribute) {
            let template = KeyTemplate::parse(template).ok()?;
            let mut slots = Vec::new();
            let (text, is_whole) = template.fill_known(|slot| {
                self.knows(slot).then(|| {
                    slots.push(slot.to_owned());
                    self.text(slot)
                })
            });
            return Some(Part { text, is_whole, slots });
        }
        if !has_attribute(entity, attribute) {
            return None;
        }
        let is_whole = self.knows(attribute);
        let text = if is_whole { self.text(attribute) } else { String::new() };
        let slots = if is_whole { vec![attribute.to_owned()] } else { Vec::new() };
        Some(Part { text, is_whole, slots })
    }

    /// The identifier that what is found must have, if the question asks for one.
    fn wanted(&self) -> Option<&'a Entity> {
        match self.question.kind {
            QuestionKind::One => Some(self.target),
            QuestionKind::Under => entity(self.design, &self.question.entity),
            _ => entity(self.design, &self.question.of),
        }
    }

    fn read(&self) -> Derived {
        if self.question.kind == QuestionKind::One
            && let Some(key) = self.key(|slot| self.text(slot))
        {
            let request = Request::of(&self.table.name).with("Key", key);
            return derived("GetItem", request, Served::ByKey, None);
        }
        let mut ways = Vec::new();
        for key in keys(&self.table) {
            if let Some((rank, way)) = self.query(&key) {
                ways.push((rank, way));
            }
        }
        sorted_by_rank(ways).unwrap_or_else(|| self.scan())
    }

    /// The table's key, if all of it is known and it tells one item.
    fn key(&self, fill: impl Fn(&str) -> String) -> Option<Value> {
        let mut key = Map::new();
        let mut slots: Vec<String> = Vec::new();
        for field in std::iter::once(&self.table.partition).chain(&self.table.sort) {
            let part = self.part(self.target, &field.name)?;
            if !part.is_whole {
                return None;
            }
            let template = self.target.keys.get(&field.name);
            let template = template.and_then(|it| KeyTemplate::parse(it).ok());
            let text = match template {
                Some(template) => template.fill_known(|slot| Some(fill(slot))).0,
                None => part.text,
            };
            key.insert(field.name.clone(), typed(field, &text));
            slots.extend(part.slots);
        }
        let is_one =
            self.question.is_write() || slots.iter().any(|it| is_own(self.design, self.target, it));
        is_one.then_some(Value::Object(key))
    }

    /// A Query of one key, with how good it is; none where its partition is not known.
    fn query(&self, key: &KeyOf) -> Option<(u32, Derived)> {
        let partition = self.part(self.target, &key.partition.name)?;
        if !partition.is_whole || partition.text.is_empty() {
            return None;
        }
        let is_flag = |name: &str| {
            self.question.kind == QuestionKind::Flagged && name == self.question.attribute
        };
        let value = typed(&key.partition, &partition.text);
        let mut conditions = vec![Condition::Equal(key.partition.name.clone(), value)];
        let mut slots = partition.slots;
        let mut is_flagged = is_flag(&key.partition.name);
        if let Some(sort) = &key.sort {
            let part = self.part(self.target, &sort.name)?;
            if is_flag(&sort.name) {
                is_flagged = true;
            } else if part.is_whole && !part.text.is_empty() {
                let value = typed(sort, &part.text);
                conditions.push(Condition::Equal(sort.name.clone(), value));
                slots.extend(part.slots);
            } else if !part.text.is_empty() {
                conditions.push(Condition::Begins(sort.name.clone(), part.text));
                slots.extend(part.slots);
            }
        }
        let mut filter = self.unmet(&slots, is_flagged);
        if self.has_others(key, &conditions) {
            filter.push(Condition::Exists(self.mark()));
        }
        let is_key = |it: &Condition| {
            let name = it.attribute();
            name == key.partition.name || key.sort.as_ref().is_some_and(|sort| sort.name == name)
        };
        if filter.iter().any(is_key) {
            return None;
        }
        let mut request = Request::of(&self.table.name);
        if let Some(index) = &key.index {
            request = request.with("IndexName", index.as_str().into());
        }
        let served = if filter.is_empty() { Served::ByKey } else { Served::Filtered };
        let rank = 2 * u32::from(!filter.is_empty()) + u32::from(key.index.is_some());
        let request = request
            .expression("KeyConditionExpression", &conditions)
            .expression("FilterExpression", &filter);
        Some((rank, derived("Query", request, served, key.index.clone())))
    }

    /// What the question asks and these slots do not hold.
    fn unmet(&self, slots: &[String], is_flagged: bool) -> Vec<Condition> {
        let mut filter = Vec::new();
        if let Some(wanted) = self.wanted()
            && !slots.iter().any(|slot| names(wanted, slot))
        {
            filter.push(self.id_condition(wanted));
        }
        let attribute = &self.question.attribute;
        match self.question.kind {
            QuestionKind::Value if !slots.contains(attribute) => {
                let value = self.samples.value(self.target, attribute);
                filter.push(Condition::Equal(attribute.clone(), value));
            }
            QuestionKind::Flagged if !is_flagged => {
                filter.push(Condition::Exists(attribute.clone()));
            }
            _ => {}
        }
        filter
    }

    /// An entity's identifier as an attribute of the items wanted.
    fn id_condition(&self, wanted: &Entity) -> Condition {
        for attribute in self.target.keys.keys() {
            let is_key = self.table.partition.name == *attribute
                || self.table.sort.as_ref().is_some_and(|it| it.name == *attribute);
            if !is_key
                && let Some(part) = self.part(self.target, attribute)
                && part.is_whole
                && part.slots.iter().any(|slot| names(wanted, slot))
            {
                return Condition::Equal(attribute.clone(), json!({"S": part.text}));
            }
        }
        let id = id_of(wanted).map_or_else(|| plain_id(&wanted.name), str::to_owned);
        let text = self.text(&id);
        Condition::Equal(id, json!({"S": text}))
    }

    /// An attribute by which the target's items are told from others.
    fn mark(&self) -> String {
        id_of(self.target).map_or_else(|| plain_id(&self.target.name), str::to_owned)
    }

    /// True if items of other entities can stand under the same key and meet the same conditions.
    fn has_others(&self, key: &KeyOf, conditions: &[Condition]) -> bool {
        let meets = |entity: &Entity, condition: &Condition| {
            let template = entity.keys.get(condition.attribute());
            let Some(template) = template.and_then(|it| KeyTemplate::parse(it).ok()) else {
                return false;
            };
            match condition {
                Condition::Equal(_, value) => {
                    let text = value["S"].as_str().or_else(|| value["N"].as_str());
                    text.is_some_and(|text| template.is_match(text))
                }
                Condition::Begins(_, text) => {
                    template.prefix().starts_with(text.as_str())
                        || text.starts_with(template.prefix())
                }
                Condition::Exists(_) => true,
            }
        };
        let is_in = |entity: &Entity| {
            let sort = key.sort.as_ref();
            let has = |name: &str| entity.keys.contains_key(name) || has_attribute(entity, name);
            sort.is_none_or(|sort| has(&sort.name))
        };
        let others = self.design.entities.iter();
        others
            .filter(|it| it.name != self.target.name && it.table == self.target.table)
            .any(|it| is_in(it) && conditions.iter().all(|condition| meets(it, condition)))
    }

    fn under(&self) -> Derived {
        let below = children(self.design, &self.target.name);
        for key in keys(&self.table) {
            let whole = |entity: &&Entity| {
                let part = self.part(entity, &key.partition.name)?;
                let is_its = part.slots.iter().any(|slot| names(self.target, slot));
                (part.is_whole && is_its).then_some(part.text)
            };
            let mut texts = below.iter().map(whole);
            let Some(Some(first)) = texts.next() else { continue };
            if texts.all(|text| text.as_ref() == Some(&first)) {
                let value = typed(&key.partition, &first);
                let condition = Condition::Equal(key.partition.name.clone(), value);
                let mut request = Request::of(&self.table.name);
                if let Some(index) = &key.index {
                    request = request.with("IndexName", index.as_str().into());
                }
                let request = request.expression("KeyConditionExpression", &[condition]);
                return derived("Query", request, Served::ByKey, key.index);
            }
        }
        let condition = self.id_condition(self.target);
        let request = Request::of(&self.table.name).expression("FilterExpression", &[condition]);
        derived("Scan", request, Served::Scan, None)
    }

    fn scan(&self) -> Derived {
        let mut conditions = Vec::new();
        let mut slots = Vec::new();
        for attribute in self.target.keys.keys() {
            let Some(part) = self.part(self.target, attribute) else { continue };
            if part.text.is_empty() {
                continue;
            }
            conditions.push(if part.is_whole {
                let fields = self.table.key_fields().unwrap_or_default();
                let field = fields.into_iter().find(|it| it.name == *attribute).cloned();
                let value = typed(&field.unwrap_or_else(|| KeyField::text(attribute)), &part.text);
                Condition::Equal(attribute.clone(), value)
            } else {
                Condition::Begins(attribute.clone(), part.text)
            });
            slots.extend(part.slots);
        }
        for condition in self.unmet(&slots, false) {
            if conditions.iter().all(|it: &Condition| it.attribute() != condition.attribute()) {
                conditions.push(condition);
            }
        }
        let request = Request::of(&self.table.name).expression("FilterExpression", &conditions);
        derived("Scan", request, Served::Scan, None)
    }

    fn write(&self) -> Derived {
        let is_new = self.question.kind == QuestionKind::Add;
        let operation = if is_new { "PutItem" } else { "UpdateItem" };
        // A new item of a junction is a new pair: of its parents the last is another one.
        let parents = super::parents(self.design, &self.target.name);
        let is_own = |slot: &str| is_own(self.design, self.target, slot);
        let has_own = |slots: &KeyTemplate| slots.slot_names().any(is_own);
        let templates = self.target.keys.values().filter_map(|it| KeyTemplate::parse(it).ok());
        let renamed = if templates.into_iter().any(|it| has_own(&it)) {
            Some(self.target)
        } else {
            parents.last().copied()
        };
        let fill = |slot: &str| {
            let text = self.text(slot);
            let is_new = is_new && renamed.is_some_and(|it| names(it, slot));
            if is_new { format!("{text}-new") } else { text }
        };
        let request = Request::of(&self.table.name);
        let Some(key) = self.key(fill) else {
            return derived(operation, request, Served::Refused, None);
        };
        if !is_new {
            let (attribute, value) = self.changed();
            let request = request.with("Key", key).update(&attribute, value);
            return derived(operation, request, Served::ByKey, None);
        }
        let Value::Object(mut item) = key else {
            return derived(operation, request, Served::Refused, None);
        };
        for (attribute, template) in &self.target.keys {
            if let Ok(template) = KeyTemplate::parse(template)
                && !item.contains_key(attribute)
            {
                let text = template.fill_known(|slot| Some(fill(slot))).0;
                item.insert(attribute.clone(), json!({"S": text}));
            }
        }
        for attribute in self.target.sample.iter().flat_map(|sample| &sample.attributes) {
            let name = &attribute.name;
            if attribute.every.is_none() && !item.contains_key(name) {
                let value = match attribute.make {
                    crate::sample::Make::Id => json!({"S": fill(name)}),
                    _ => self.samples.value(self.target, name),
                };
                item.insert(name.clone(), value);
            }
        }
        derived(operation, request.with("Item", Value::Object(item)), Served::ByKey, None)
    }

    /// The attribute an update sets, and another value for it.
    fn changed(&self) -> (String, Value) {
        let attributes = self.target.sample.iter().flat_map(|sample| &sample.attributes);
        let is_free = |name: &str| !self.target.keys.contains_key(name);
        let mut plain = attributes
            .filter(|it| it.make != crate::sample::Make::Id && it.every.is_none())
            .map(|it| it.name.clone())
            .filter(|it| is_free(it));
        let asked = Some(self.question.attribute.clone()).filter(|it| !it.is_empty());
        let name = asked.or_else(|| plain.next()).unwrap_or_else(|| "note".to_owned());
        let value = match self.samples.value(self.target, &name) {
            value if value["N"].is_string() => json!({"N": "20500"}),
            value => {
                let text = value["S"].as_str().unwrap_or("changed");
                json!({"S": format!("{text}, changed")})
            }
        };
        (name, value)
    }
}

fn derived(
    operation: &'static str,
    request: Request,
    served: Served,
    index: Option<String>,
) -> Derived {
    Derived { operation, request: request.finish(), served, index }
}

fn typed(field: &KeyField, text: &str) -> Value {
    let scalar = if field.scalar.is_empty() { "S" } else { field.scalar.as_str() };
    json!({scalar: text})
}

pub(super) fn has_attribute(entity: &Entity, name: &str) -> bool {
    entity.sample.iter().flat_map(|sample| &sample.attributes).any(|it| it.name == name)
}

/// The table's key, then those of its indexes that have one partition attribute.
fn keys(table: &TableForm) -> Vec<KeyOf> {
    let own = KeyOf { index: None, partition: table.partition.clone(), sort: table.sort.clone() };
    let mut all = vec![own];
    for index in &table.indexes {
        if let [partition] = index.partition.as_slice()
            && index.sort.len() < 2
        {
            all.push(KeyOf {
                index: Some(index.name.clone()),
                partition: partition.clone(),
                sort: index.sort.first().cloned(),
            });
        }
    }
    all
}

//! Indexes proposed for the questions that keys leave open: inverted, by name for several entities, sparse, by parent.
//!
//! Invariant: a proposal was tried: with it, the questions it names are served by key.

use hashrange_types::letter_case::{capitalised, lowercase};
use hashrange_types::{Projection, ScalarType};

use super::derive::has_attribute;
use super::{Question, QuestionKind, Samples, children, derive, entity, id_of, junction, plain_id};
use crate::document::{Design, Entity};
use crate::fix::IndexPlan;
use crate::pattern::Served;
use crate::table_form::TableForm;
use crate::template::KeyTemplate;

/// An index that serves questions left open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexProposal {
    /// What kind it is, such as `inverted index`.
    pub kind: &'static str,
    /// What it does, in a sentence.
    pub because: String,
    /// The table.
    pub table: String,
    /// The index; none where one that is there gets items of another entity.
    pub index: Option<IndexPlan>,
    /// Attributes that items get for it: the entity's name, attribute and template.
    pub templates: Vec<(String, String, String)>,
    /// Numbers, from 1, of the patterns it serves.
    pub serves: Vec<u32>,
    /// Names of the entities whose items are in it.
    pub holds: Vec<String>,
}

impl IndexProposal {
    /// The design with the index and the attributes; requests do not follow yet.
    #[must_use]
    pub fn apply(&self, design: &Design) -> Design {
        let mut changed = design.clone();
        for (name, attribute, template) in &self.templates {
            if let Some(entity) = changed.entities.iter_mut().find(|it| it.name == *name) {
                entity.keys.insert(attribute.clone(), template.clone());
            }
        }
        let table = changed.tables.iter_mut().find(|it| it["TableName"] == self.table.as_str());
        if let (Some(table), Some(index)) = (table, &self.index) {
            let mut form = TableForm::of(table);
            form.indexes.push(index.form());
            if let Ok(written) = form.write_into(table) {
                *table = written;
            }
        }
        changed
    }
}

/// A proposal for each question left open, one for all that it serves.
pub fn propose_indexes(design: &Design, samples: &Samples) -> Vec<IndexProposal> {
    let mut proposals: Vec<IndexProposal> = Vec::new();
    for (number, pattern) in (1..).zip(&design.patterns) {
        let Some(question) = &pattern.question else { continue };
        let is_open = |design: &Design, question: &Question| {
            let found = derive(design, question, samples);
            found.is_some_and(|it| matches!(it.served, Served::Scan | Served::Filtered))
        };
        let is_taken = proposals.iter().any(|it| it.serves.contains(&number));
        if question.is_write() || is_taken || !is_open(design, question) {
            continue;
        }
        let Some(mut proposal) = propose(design, question) else { continue };
        let with = proposal.apply(design);
        for (number, pattern) in (1..).zip(&design.patterns) {
            if let Some(question) = &pattern.question
                && !question.is_write()
                && is_open(design, question)
                && !is_open(&with, question)
            {
                proposal.serves.push(number);
            }
        }
        if proposal.serves.contains(&number) {
            proposals.push(proposal);
        }
    }
    proposals
}

fn propose(design: &Design, question: &Question) -> Option<IndexProposal> {
    let own = entity(design, &question.entity)?;
    match question.kind {
        QuestionKind::Related => inverted(design, question),
        QuestionKind::Value => by_value(design, question, own),
        QuestionKind::Flagged => Some(sparse(design, question, own)),
        QuestionKind::Children => by_parent(design, entity(design, &question.of)?, &[own]),
        QuestionKind::Under => by_parent(design, own, &children(design, &own.name)),
        QuestionKind::One => {
            let id = id_of(own)?;
            let plan = plan(design, own, &format!("by-{id}"), id, None);
            let because = format!("Each {} is found by {id} alone.", lowercase(&own.name));
            Some(proposal("index by id", because, own, plan, &[own]))
        }
        QuestionKind::Add | QuestionKind::Change => None,
    }
}

/// The table's keys the other way round.
fn inverted(design: &Design, question: &Question) -> Option<IndexProposal> {
    let between = junction(design, &question.of, &question.entity)?;
    let form = form(design, between);
    let sort = form.sort?;
    let (of, other) = (lowercase(&question.of), lowercase(&question.entity));
    let because = format!(
        "The keys swapped: the same {} items are read from the {of}’s side, though they stand under the {other}.",
        lowercase(&between.name)
    );
    let partition = form.partition.name;
    let plan = plan(design, between, "inverted", &sort.name, Some(&partition));
    let is_in = |it: &&Entity| it.table == between.table;
    let held: Vec<&Entity> = design.entities.iter().filter(is_in).collect();
    Some(proposal("inverted index", because, between, plan, &held))
}

/// The parent's key with one attribute for names of every kind behind it; by the attribute alone without a parent.
fn by_value(design: &Design, question: &Question, own: &Entity) -> Option<IndexProposal> {
    let attribute = question.attribute.as_str();
    let form = form(design, own);
    if question.of.is_empty() || !carries(own, &form.partition.name, entity(design, &question.of)?)
    {
        let plan = plan(design, own, &format!("by-{attribute}"), attribute, None);
        let because = format!("Items are found by {attribute}, whoever they belong to.");
        return Some(proposal("index by value", because, own, plan, &[own]));
    }
    let generic = format!("filter{}", capitalised(attribute));
    let name = format!("{attribute}Index");
    // Every entity that is asked by this attribute under the same key shares the index.
    let asked: Vec<&Entity> = design
        .patterns
        .iter()
        .filter_map(|it| it.question.as_ref())
        .filter(|it| it.kind == QuestionKind::Value && it.attribute == attribute)
        .filter_map(|it| {
            let of = entity(design, &it.of)?;
            entity(design, &it.entity).filter(|it| carries(it, &form.partition.name, of))
        })
        .filter(|it| it.table == own.table)
        .collect();
    let is_there = form.index(&name).is_some();
    let plan = plan(design, own, &name, &form.partition.name, Some(&generic));
    let because = format!(
        "One index for names of every kind: items carry {generic}, and each entity’s prefix keeps its names together."
    );
    let kind = if is_there { "entity for the name index" } else { "overloaded name index" };
    let mut found = proposal(kind, because, own, plan, &asked);
    if is_there {
        found.index = None;
    }
    for entity in asked {
        let prefix = entity.keys.values().filter_map(|it| KeyTemplate::parse(it).ok()).next_back();
        let prefix = prefix.map_or_else(String::new, |it| it.prefix().to_owned());
        let template = format!("{prefix}{{{attribute}}}");
        if !entity.keys.contains_key(&generic) {
            found.templates.push((entity.name.clone(), generic.clone(), template));
        }
    }
    found.holds.dedup();
    Some(found)
}

/// What only some items have: only those are in it.
fn sparse(design: &Design, question: &Question, own: &Entity) -> IndexProposal {
    let flag = question.attribute.as_str();
    let form = form(design, own);
    let of = entity(design, &question.of);
    let many = crate::words::plural(&lowercase(&own.name));
    let because = format!("Only the {many} that have {flag} are in it, so it stays small.");
    let plan = match of {
        Some(of) if carries(own, &form.partition.name, of) => {
            plan(design, own, flag, &form.partition.name, Some(flag))
        }
        _ => plan(design, own, flag, flag, None),
    };
    proposal("sparse index", because, own, plan, &[own])
}

/// The parent's identifier as an attribute of its own, and an index on it.
fn by_parent(design: &Design, of: &Entity, below: &[&Entity]) -> Option<IndexProposal> {
    let own = below.first()?;
    let id = id_of(of).map_or_else(|| plain_id(&of.name), str::to_owned);
    let name = lowercase(&of.name);
    let because = format!("Items carry {id}, and are found by it.");
    let form = form(design, own);
    let is_free = !has_attribute(own, &id) && form.partition.name != id;
    let attribute = if is_free { id.clone() } else { format!("{id}Key") };
    let sort = Some(form.partition.name.as_str()).filter(|it| *it != attribute);
    let plan = plan(design, own, &format!("by-{name}"), &attribute, sort);
    let mut found = proposal("index by parent", because, own, plan, below);
    for entity in below {
        found.templates.push((entity.name.clone(), attribute.clone(), format!("{{{id}}}")));
    }
    Some(found)
}

fn proposal(
    kind: &'static str,
    because: String,
    own: &Entity,
    index: IndexPlan,
    holds: &[&Entity],
) -> IndexProposal {
    let mut names: Vec<String> = Vec::new();
    for it in holds {
        if !names.contains(&it.name) {
            names.push(it.name.clone());
        }
    }
    IndexProposal {
        kind,
        because,
        table: own.table.clone(),
        index: Some(index),
        templates: Vec::new(),
        serves: Vec::new(),
        holds: names,
    }
}

/// True if an attribute of the entity is made of the other's identifier and of nothing less far up.
fn carries(own: &Entity, attribute: &str, of: &Entity) -> bool {
    let template = own.keys.get(attribute).and_then(|it| KeyTemplate::parse(it).ok());
    template.is_some_and(|it| {
        let mut slots = it.slot_names();
        slots.any(|slot| crate::sample::names(of, slot))
            && it.slot_names().all(|slot| !crate::sample::names(own, slot))
    })
}

fn form(design: &Design, entity: &Entity) -> TableForm {
    let table = design.table(&entity.table);
    table.map(TableForm::of).unwrap_or_default()
}

fn plan(
    design: &Design,
    own: &Entity,
    name: &str,
    partition: &str,
    sort: Option<&str>,
) -> IndexPlan {
    let form = form(design, own);
    let fields = form.key_fields().unwrap_or_default();
    let scalar = |name: &str| {
        let known = fields.iter().find(|it| it.name == name).map(|it| it.scalar.as_str());
        let attributes = own.sample.iter().flat_map(|sample| &sample.attributes);
        let made = attributes.into_iter().find(|it| it.name == name).map(|it| it.make);
        match (known, made) {
            (Some("N"), _)
            | (None, Some(crate::sample::Make::Number | crate::sample::Make::Flag)) => {
                ScalarType::N
            }
            (Some("B"), _) => ScalarType::B,
            _ => ScalarType::S,
        }
    };
    let mut free: String =
        name.chars().filter(|it| it.is_ascii_alphanumeric() || "_-.".contains(*it)).collect();
    while free.len() < 3 {
        free.push('x');
    }
    if form.index(&free).is_some() {
        free = crate::numbered::numbered(&free, "", |it| form.index(it).is_none());
    }
    IndexPlan {
        name: free,
        is_local: false,
        projection: Projection::All,
        partition: vec![(partition.to_owned(), scalar(partition))],
        sort: sort.map(|sort| (sort.to_owned(), scalar(sort))),
    }
}

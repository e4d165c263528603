//! The guided way to a design: questions in words before keys, keys that are proposed, requests derived from both.
//!
//! Invariant: everything is derived from the design and, for the values that requests ask for, its items; a pattern
//! with a [`Question`] has the request its question has under the present keys.
//!
//! Not here: changing a design step by step and what a person sees of it (`hashrange-playground`).

mod attributes;
mod derive;
mod indexes;
mod keys;
mod question;
mod request;
mod samples;

pub use attributes::{attribute_of, attributes_of_line, line_of, plain_id};
pub use derive::{Derived, derive, follow};
pub use indexes::{IndexProposal, propose_indexes};
pub use keys::{KeyProposal, other_keys, propose_keys};
pub(crate) use question::read_question;
pub use question::{KINDS, Question, QuestionKind, offered};
pub use samples::Samples;

use hashrange_types::sorted;

use crate::document::{Design, Entity};
use crate::sample::RelationKind;

/// The entities one to many above an entity: its parents, theirs, and so on, each once.
pub fn ancestors<'a>(design: &'a Design, name: &str) -> Vec<&'a Entity> {
    let mut found: Vec<&Entity> = Vec::new();
    let mut left = vec![name.to_owned()];
    while let Some(name) = left.pop() {
        for parent in parents(design, &name) {
            if found.iter().all(|it| it.name != parent.name) {
                found.push(parent);
                left.push(parent.name.clone());
            }
        }
    }
    found
}

/// The entities that an entity belongs to, in the order of the relations.
pub fn parents<'a>(design: &'a Design, name: &str) -> Vec<&'a Entity> {
    let up = design.relations.iter().filter(|it| it.to == name && is_one_to_many(it.kind));
    up.filter_map(|it| entity(design, &it.from)).collect()
}

/// The entities that belong to an entity, in the order of the relations.
pub fn children<'a>(design: &'a Design, name: &str) -> Vec<&'a Entity> {
    let down = design.relations.iter().filter(|it| it.from == name && is_one_to_many(it.kind));
    down.filter_map(|it| entity(design, &it.to)).collect()
}

/// The entity between two others, which each have many of it.
pub fn junction<'a>(design: &'a Design, one: &str, other: &str) -> Option<&'a Entity> {
    let is_below = |it: &&Entity| parents(design, &it.name).iter().any(|up| up.name == other);
    children(design, one).into_iter().find(is_below)
}

/// The entity of this name.
pub fn entity<'a>(design: &'a Design, name: &str) -> Option<&'a Entity> {
    design.entities.iter().find(|it| it.name == name)
}

/// The attribute that tells an entity's items apart, if it has one.
pub fn id_of(entity: &Entity) -> Option<&str> {
    let attributes = &entity.sample.as_ref()?.attributes;
    let id = attributes.iter().find(|it| it.make == crate::sample::Make::Id)?;
    Some(&id.name)
}

fn is_one_to_many(kind: RelationKind) -> bool {
    kind == RelationKind::OneToMany
}

fn sorted_by_rank<T>(mut list: Vec<(u32, T)>) -> Option<T> {
    sorted::sort_by(&mut list, |a, b| a.0.cmp(&b.0));
    list.into_iter().next().map(|(_, it)| it)
}

//! `Question`: an access pattern before there is a key: what is asked, of which entity, from where.
//!
//! Invariant: a question of a kind this build does not know stays in the file as it was.

use hashrange_types::letter_case::{capitalised, lowercase, small};
use serde::Serialize;
use serde_json::Value;

use super::{children, entity, id_of, junction, parents};
use crate::document::Design;
use crate::sample::{Make, RelationKind};
use crate::words::plural;

/// What is asked. `entity`, `of` and `attribute` name parts of the design.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Question {
    /// Its kind.
    pub kind: QuestionKind,
    /// The entity that is wanted or written.
    pub entity: String,
    /// The entity one starts from; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// The attribute that is compared, set, or changed; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub attribute: String,
}

/// The kinds of questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuestionKind {
    /// One item by its identifier.
    #[default]
    One,
    /// All items of a parent.
    Children,
    /// Everything under an item, whatever it is.
    Under,
    /// What is related to an item through the junction between them.
    Related,
    /// Items by the value of an attribute.
    Value,
    /// Items that have an attribute only some have.
    Flagged,
    /// A new item.
    Add,
    /// Another value for an attribute of an item.
    Change,
}

/// Every kind: its word in files and what a list of kinds says.
pub const KINDS: [(QuestionKind, &str, &str); 8] = [
    (QuestionKind::One, "one", "One by its id"),
    (QuestionKind::Children, "children", "All of a parent"),
    (QuestionKind::Under, "under", "Everything under one"),
    (QuestionKind::Related, "related", "Related through a junction"),
    (QuestionKind::Value, "value", "By an attribute's value"),
    (QuestionKind::Flagged, "flagged", "Those with a flag set"),
    (QuestionKind::Add, "add", "Write a new one"),
    (QuestionKind::Change, "change", "Change one"),
];

/// Reads a pattern's `question`; gives the value back where it is of a kind not known here.
pub(crate) fn read_question(value: Value) -> Result<Question, Value> {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let kind = KINDS.iter().find(|(_, word, _)| value["kind"] == *word);
    match kind {
        Some((kind, _, _)) if value["entity"].is_string() => Ok(Question {
            kind: *kind,
            entity: text("entity"),
            of: text("of"),
            attribute: text("attribute"),
        }),
        _ => Err(value),
    }
}

impl Question {
    /// True if it writes.
    pub const fn is_write(&self) -> bool {
        matches!(self.kind, QuestionKind::Add | QuestionKind::Change)
    }

    /// The question in words, such as `Projects of an organisation`.
    pub fn words(&self) -> String {
        let name = lowercase(&self.entity);
        let one = with_article(&name);
        let many = capitalised(&plural(&name));
        let of = match self.of.as_str() {
            "" => String::new(),
            of => format!(" of {}", with_article(&lowercase(of))),
        };
        match self.kind {
            QuestionKind::One => format!("Get {one}"),
            QuestionKind::Children | QuestionKind::Related => format!("{many}{of}"),
            QuestionKind::Under => format!("Everything under {one}"),
            QuestionKind::Value => format!("{many}{of} by {}", self.attribute),
            QuestionKind::Flagged => format!("{many}{of} {}", flag_words(&self.attribute)),
            QuestionKind::Add => format!("Record {one}"),
            QuestionKind::Change => format!("Change {one}"),
        }
    }

    /// What is missing of it, in a sentence.
    ///
    /// # Errors
    /// An entity, a relation or an attribute that the design does not have.
    pub fn check(&self, design: &Design) -> Result<(), String> {
        let own = entity(design, &self.entity)
            .ok_or_else(|| "Choose the entity that is asked for.".to_owned())?;
        let has = |name: &str| {
            let attributes = own.sample.iter().flat_map(|sample| &sample.attributes);
            attributes.into_iter().any(|it| it.name == name)
        };
        let (name, of) = (&self.entity, &self.of);
        match self.kind {
            QuestionKind::Children if parents(design, name).iter().all(|it| it.name != *of) => {
                Err(format!("Choose what {name} belongs to; step 2 relates entities."))
            }
            QuestionKind::Under if children(design, name).is_empty() => {
                Err(format!("Nothing belongs to {name}; step 2 relates entities."))
            }
            QuestionKind::Related if junction(design, of, name).is_none() => {
                Err(format!("Choose an entity that {name} has a junction with; step 2 makes one."))
            }
            QuestionKind::Value | QuestionKind::Flagged if !has(&self.attribute) => {
                Err(format!("Choose an attribute of {name}; step 1 lists them."))
            }
            _ => Ok(()),
        }
    }
}

/// Questions that follow from entities and relations, those asked already left out.
pub fn offered(design: &Design) -> Vec<Question> {
    let mut all = Vec::new();
    let mut push = |kind, entity: &str, of: &str, attribute: &str| {
        all.push(Question {
            kind,
            entity: entity.to_owned(),
            of: of.to_owned(),
            attribute: attribute.to_owned(),
        });
    };
    for it in &design.entities {
        if id_of(it).is_some() {
            push(QuestionKind::One, &it.name, "", "");
        }
    }
    for relation in design.relations.iter().filter(|it| it.kind == RelationKind::OneToMany) {
        let others = parents(design, &relation.to);
        match others.iter().find(|it| it.name != relation.from) {
            Some(other) => push(QuestionKind::Related, &other.name, &relation.from, ""),
            None => push(QuestionKind::Children, &relation.to, &relation.from, ""),
        }
    }
    for it in &design.entities {
        if children(design, &it.name).len() > 1 && parents(design, &it.name).is_empty() {
            push(QuestionKind::Under, &it.name, "", "");
        }
    }
    for it in &design.entities {
        let of = parents(design, &it.name).first().map_or("", |it| it.name.as_str()).to_owned();
        for attribute in it.sample.iter().flat_map(|sample| &sample.attributes) {
            if attribute.every.is_some() {
                push(QuestionKind::Flagged, &it.name, &of, &attribute.name);
            } else if matches!(attribute.make, Make::Title | Make::Person | Make::Email) {
                push(QuestionKind::Value, &it.name, &of, &attribute.name);
            }
        }
        if id_of(it).is_some() {
            push(QuestionKind::Change, &it.name, "", "");
        }
        push(QuestionKind::Add, &it.name, "", "");
    }
    let is_asked = |it: &Question| design.patterns.iter().any(|p| p.question.as_ref() == Some(it));
    all.retain(|it| !is_asked(it));
    all
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// `isOnHold` as `on hold`.
fn flag_words(attribute: &str) -> String {
    let stem = attribute.strip_prefix("is").or_else(|| attribute.strip_prefix("has"));
    let mut words = String::new();
    for letter in stem.unwrap_or(attribute).chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(small(letter));
    }
    if stem.is_some() { words } else { format!("with {words}") }
}

//! Entities: which kind of thing an item is, its letter and its colour.
//!
//! Invariant: recognition is a pure function of entities and item; of several entities that match, the one
//! with the most literal text wins, then the one that names more attributes, then the earlier one.
//!
//! Not here: how entities are made up for a file that has none ([`crate::derive`]).

use hashrange_types::{AttributeValue, Item, letter_case, sorted};

use crate::document::Entity;
use crate::numbered::numbered;
use crate::template::{KeyTemplate, Slots};

/// Colours the page has for entities; the ninth entity shares the first one's.
pub const COLOUR_SLOTS: usize = 8;

/// The colour slot, 0 to 7, of the entity at `index` of its design.
pub const fn colour_slot(index: usize) -> usize {
    index % COLOUR_SLOTS
}

/// A short tag for each name, all different: its first letter, else another of its letters, else a letter
/// and a number.
///
/// ```
/// # use hashrange_design::entity::tags;
/// assert_eq!(tags(["Organisation", "Order", "Project", "Person"]), ["O", "R", "P", "E"]);
/// ```
pub fn tags<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let letters: Vec<String> = name
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .map(|letter| letter_case::capital(letter).to_string())
            .collect();
        let free = letters.iter().find(|letter| !taken.contains(letter)).cloned();
        let tag = free.unwrap_or_else(|| {
            let first = letters.first().map_or("X", String::as_str);
            numbered(first, "", |tag| taken.iter().all(|known| known != tag))
        });
        taken.push(tag);
    }
    taken
}

/// What a text or a number puts into a slot; none for values of other types.
pub fn slot_text(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) => Some(text.to_string()),
        AttributeValue::N(number) => Some(number.to_string()),
        _ => None,
    }
}

impl Entity {
    /// The values of the slots of its templates in an item of it, as far as the item has the attributes.
    pub fn slots_of(&self, item: &Item) -> Slots {
        let of_key = |(attribute, template): (&String, &String)| {
            let text = item.get(attribute).and_then(slot_text)?;
            KeyTemplate::parse(template).ok()?.matches(&text)
        };
        self.keys.iter().filter_map(of_key).flatten().collect()
    }
}

/// Recognises the entities of one table.
#[derive(Debug, Clone)]
pub struct EntityMatcher {
    /// Most specific first.
    candidates: Vec<Candidate>,
}

#[derive(Debug, Clone)]
struct Candidate {
    index: usize,
    templates: Vec<(String, KeyTemplate)>,
}

impl EntityMatcher {
    /// A matcher for the items of `table`. Entities of other tables, without templates or with a template
    /// that cannot be read are passed over.
    pub fn new(table: &str, entities: &[Entity]) -> Self {
        let mut candidates: Vec<Candidate> = entities
            .iter()
            .enumerate()
            .filter(|(_, entity)| entity.table == table && !entity.keys.is_empty())
            .filter_map(|(index, entity)| {
                let templates: Option<Vec<_>> = entity
                    .keys
                    .iter()
                    .map(|(name, text)| Some((name.clone(), KeyTemplate::parse(text).ok()?)))
                    .collect();
                Some(Candidate { index, templates: templates? })
            })
            .collect();
        let exactness = |candidate: &Candidate| {
            let n_literal_bytes: usize =
                candidate.templates.iter().map(|(_, template)| template.literal_bytes()).sum();
            (n_literal_bytes, candidate.templates.len())
        };
        sorted::sort_by(&mut candidates, |a, b| exactness(b).cmp(&exactness(a)));
        Self { candidates }
    }

    /// The index in its design of the entity `item` belongs to.
    pub fn entity_of(&self, item: &Item) -> Option<usize> {
        self.candidates
            .iter()
            .find(|candidate| candidate.has_prefixes(item) && candidate.matches(item))
            .map(|candidate| candidate.index)
    }
}

impl Candidate {
    /// The cheap half of a match: text attributes start with their templates' prefixes.
    fn has_prefixes(&self, item: &Item) -> bool {
        self.templates.iter().all(|(name, template)| match item.get(name) {
            Some(AttributeValue::S(text)) => text.starts_with(template.prefix()),
            Some(_) => true,
            None => false,
        })
    }

    fn matches(&self, item: &Item) -> bool {
        self.templates.iter().all(|(name, template)| match item.get(name) {
            Some(AttributeValue::S(text)) => template.is_match(text),
            Some(AttributeValue::N(number)) => template.is_match(&number.to_string()),
            Some(_) => template.literal_bytes() == 0,
            None => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(name: &str, keys: &[(&str, &str)]) -> Entity {
        Entity {
            name: name.to_owned(),
            table: "T".to_owned(),
            keys: keys.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            ..Entity::default()
        }
    }

    fn item(pk: &str, sk: &str) -> Item {
        [("PK", pk), ("SK", sk)]
            .into_iter()
            .map(|(name, value)| (name.into(), AttributeValue::S(value.into())))
            .collect()
    }

    #[test]
    fn the_most_specific_template_wins_whatever_the_order() {
        let entities = [
            entity("Anything", &[("PK", "{pk}"), ("SK", "{sk}")]),
            entity("Member", &[("PK", "ORG#{org}"), ("SK", "{sk}")]),
            entity("Project", &[("PK", "ORG#{org}"), ("SK", "PROJECT#{p}")]),
        ];
        let matcher = EntityMatcher::new("T", &entities);
        assert_eq!(matcher.entity_of(&item("ORG#1", "PROJECT#2")), Some(2));
        assert_eq!(matcher.entity_of(&item("ORG#1", "EMPLOYEE#2")), Some(1));
        assert_eq!(matcher.entity_of(&item("x", "y")), Some(0));
        assert_eq!(EntityMatcher::new("Other", &entities).entity_of(&item("x", "y")), None);
    }

    #[test]
    fn numbers_match_their_text_and_bytes_match_a_bare_slot() {
        let entities = [entity("Version", &[("PK", "{id}"), ("SK", "{version}")])];
        let mut version = item("a", "b");
        version
            .insert("SK".into(), AttributeValue::N(hashrange_types::Number::parse("3").unwrap()));
        assert_eq!(EntityMatcher::new("T", &entities).entity_of(&version), Some(0));
        version.insert("SK".into(), AttributeValue::B(vec![1].into()));
        assert_eq!(EntityMatcher::new("T", &entities).entity_of(&version), Some(0));
        version.remove("SK");
        assert_eq!(EntityMatcher::new("T", &entities).entity_of(&version), None);
    }

    #[test]
    fn tags_stay_different_when_letters_run_out() {
        assert_eq!(tags(["A", "A", "A", "#"]), ["A", "A2", "A3", "X2"]);
    }

    #[test]
    fn the_ninth_entity_shares_a_colour() {
        assert_eq!((colour_slot(0), colour_slot(7), colour_slot(8)), (0, 7, 0));
    }
}

//! `SlotSurvey`: what the values of a key template's slot look like.
//!
//! Invariant: at most 500 different values are told apart; beyond that there are just many.

use hashrange_types::{AttributeValue, Item, SortedSet};

use crate::template::KeyTemplate;

/// Different values of a slot that are told apart.
pub(crate) const VALUES_MAX: usize = 500;

/// The values of one slot of one attribute.
#[derive(Debug, Clone, Default)]
pub struct SlotSurvey {
    /// The key attribute.
    pub attribute: String,
    /// The slot's name.
    pub slot: String,
    /// Items looked at.
    pub n_items: u64,
    /// The different values, as many as are told apart.
    pub values: SortedSet<String>,
    /// Items whose value is digits alone.
    pub n_digits: u64,
    /// The shortest value of digits.
    pub shortest: String,
    /// The longest value of digits.
    pub longest: String,
}

impl SlotSurvey {
    /// True if all values are digits and some are longer than others, so that text sorts them wrongly.
    pub fn is_unpadded(&self) -> bool {
        self.n_items > 0
            && self.n_digits == self.n_items
            && self.shortest.len() < self.longest.len()
    }
}

/// Takes the slots of an item's keys into the survey.
pub(super) fn note(slots: &mut Vec<SlotSurvey>, templates: &[(String, KeyTemplate)], item: &Item) {
    for (attribute, template) in templates {
        let Some(AttributeValue::S(text)) = item.get(attribute) else { continue };
        for (slot, value) in template.matches(text).unwrap_or_default() {
            let at = slots.iter().position(|it| it.attribute == *attribute && it.slot == slot);
            let at = at.unwrap_or_else(|| {
                let attribute = attribute.clone();
                slots.push(SlotSurvey { attribute, slot, ..SlotSurvey::default() });
                slots.len() - 1
            });
            slots[at].add(value);
        }
    }
}

impl SlotSurvey {
    fn add(&mut self, value: String) {
        self.n_items += 1;
        if value.bytes().all(|byte| byte.is_ascii_digit()) {
            self.n_digits += 1;
            if self.shortest.is_empty() || value.len() < self.shortest.len() {
                self.shortest.clone_from(&value);
            }
            if value.len() > self.longest.len() {
                self.longest.clone_from(&value);
            }
        }
        if self.values.len() < VALUES_MAX {
            self.values.insert(value);
        }
    }
}

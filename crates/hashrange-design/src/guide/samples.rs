//! `Samples`: one item of each entity, for the values that derived requests ask for.
//!
//! Invariant: of the first items looked at, an entity's sample is the first that has most attributes, so that a flag
//! that few have is set; values of one request belong together, because those of the entity asked for come first.

use hashrange_storage::{KeyRange, Store};
use hashrange_types::Item;
use serde_json::{Value, json};

use crate::document::{Design, Entity};
use crate::entity::{EntityMatcher, slot_text};
use crate::sample::names;
use crate::template::Slots;

/// Items of a table that are looked at.
const ROWS_MAX: usize = 3_000;

/// One item of each entity that has items.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    found: Vec<(String, Slots, Item)>,
}

impl Samples {
    /// The samples among the items of a store.
    pub fn of(design: &Design, store: &Store) -> Self {
        let mut found: Vec<(String, Slots, Item)> = Vec::new();
        for name in design.table_names() {
            let Some(table) = store.table(name) else { continue };
            let matcher = EntityMatcher::new(name, &design.entities);
            let mut best: Vec<Option<&Item>> = vec![None; design.entities.len()];
            for (_, row) in table.items().range(&KeyRange::all(), true).take(ROWS_MAX) {
                let Some(at) = matcher.entity_of(&row.item) else { continue };
                if best[at].is_none_or(|it| it.iter().count() < row.item.iter().count()) {
                    best[at] = Some(&row.item);
                }
            }
            for (entity, item) in design.entities.iter().zip(best) {
                if let Some(item) = item {
                    found.push((entity.name.clone(), entity.slots_of(item), item.clone()));
                }
            }
        }
        Self { found }
    }

    /// The item of an entity.
    pub(super) fn item(&self, entity: &Entity) -> Option<&Item> {
        self.found.iter().find(|it| it.0 == entity.name).map(|it| &it.2)
    }

    /// An attribute of the entity's sample as text.
    pub fn key(&self, entity: &Entity, attribute: &str) -> Option<String> {
        Some(crate::words::value(self.item(entity)?.get(attribute)?))
    }

    /// The value of a slot or attribute, asked of each of these entities in turn.
    pub(super) fn text(&self, of: &[&Entity], slot: &str) -> String {
        let owners: Vec<&&Entity> = of.iter().filter(|it| names(it, slot)).collect();
        for entity in of {
            let Some((_, slots, item)) = self.found.iter().find(|it| it.0 == entity.name) else {
                continue;
            };
            let is_it = |name: &str| name == slot || owners.iter().any(|it| names(it, name));
            if let Some((_, value)) = slots.iter().find(|(name, _)| is_it(name)) {
                return value.clone();
            }
            if let Some(text) = item.get(slot).and_then(slot_text) {
                return text;
            }
        }
        format!("{slot}-1")
    }

    /// The value of an attribute in DynamoDB JSON.
    pub(super) fn value(&self, entity: &Entity, attribute: &str) -> Value {
        let item = self.item(entity).filter(|item| item.get(attribute).is_some());
        let value = item.map(|item| hashrange_wire::item_to_json(item)[attribute].clone());
        value.unwrap_or_else(|| json!({"S": "yes"}))
    }
}

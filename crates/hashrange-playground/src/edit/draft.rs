//! A new item on its way: an entity's slots make its keys, and it is kept once it has them.
//!
//! Invariant: a draft is a value of its own; nothing of the session changes before it is put.

use hashrange_design::{Entity, KeyTemplate};
use hashrange_storage::{KeyRange, Table};
use hashrange_types::Item;

use super::{Edited, item};
use crate::session::Session;
use crate::view::{AttributeField, DraftField, DraftView, ItemDraft, Refusal};

/// Items that are looked at for the attributes an entity has.
const LOOKED_AT_MAX: usize = 5_000;

impl Session {
    /// Entities of a table, whose templates can make a new item's keys.
    pub fn entities_of(&self, table: &str) -> Vec<String> {
        let entities = self.design().entities.iter();
        entities.filter(|entity| entity.table == table).map(|entity| entity.name.clone()).collect()
    }

    /// A new item of a table, as an entity has them if one is named; in the collection of the item with the key
    /// `beside`, if one is given.
    pub fn draft_item(&self, table: &str, entity: Option<&str>, beside: Option<&str>) -> ItemDraft {
        let mut draft = ItemDraft { table: table.to_owned(), ..ItemDraft::default() };
        let Some(stored) = self.data().store.table(table) else { return draft };
        let beside = beside.and_then(|key| self.stored(table, key));
        let entity = entity.and_then(|name| self.entity(table, name));
        draft.entity = entity.map(|entity| entity.name.clone());
        let key = &stored.schema().key;
        for attribute in key.attributes() {
            let name = attribute.name.as_str();
            let is_partition = key.partition.iter().any(|known| known.name == attribute.name);
            let text = beside.filter(|_| is_partition).and_then(|item| item.get(name));
            let text = text.map(|value| item::field_of(value).1).unwrap_or_default();
            let template = entity.and_then(|entity| template(entity, name));
            let known = template.as_ref().and_then(|template| template.matches(&text));
            for slot in template.iter().flat_map(KeyTemplate::slot_names) {
                add_slot(&mut draft.slots, slot, known.as_deref());
            }
            let text = if template.is_some() { String::new() } else { text };
            let kind = attribute.scalar.letter().to_owned();
            draft.fields.push(AttributeField { name: name.to_owned(), kind, text });
        }
        if let Some(entity) = entity {
            self.add_others(&mut draft, stored, entity);
        }
        draft
    }

    /// How far a draft is.
    pub fn draft_view(&self, draft: &ItemDraft) -> DraftView {
        let Some(stored) = self.data().store.table(&draft.table) else {
            let missing = format!("There is no table {} any more.", draft.table);
            return DraftView { fields: Vec::new(), missing };
        };
        let entity = draft.entity.as_deref().and_then(|name| self.entity(&draft.table, name));
        let mut missing: Vec<String> = Vec::new();
        let mut need = |name: &str| {
            if missing.iter().all(|known| known != name) {
                missing.push(name.to_owned());
            }
        };
        let mut fields = Vec::new();
        for field in &draft.fields {
            let is_key = stored.schema().key.contains(&field.name);
            let template = entity.and_then(|entity| template(entity, &field.name));
            let made = template.as_ref().map(|template| {
                let made = template.expand(|slot, n_digits| {
                    let text = slot_text(&draft.slots, slot);
                    Ok::<_, ()>(match (text, n_digits) {
                        ("", _) => "…".to_owned(),
                        (text, Some(width)) => format!("{text:0>width$}"),
                        (text, None) => text.to_owned(),
                    })
                });
                made.unwrap_or_default()
            });
            if is_key {
                match &template {
                    Some(template) => {
                        let empty = template
                            .slot_names()
                            .filter(|slot| slot_text(&draft.slots, slot).is_empty());
                        empty.for_each(&mut need);
                    }
                    None if field.text.is_empty() => need(&field.name),
                    None => {}
                }
            }
            fields.push(DraftField { is_key, made });
        }
        let missing = match missing.as_slice() {
            [] => String::new(),
            names => format!("It needs {} before it can be kept.", crate::edit::listed(names)),
        };
        DraftView { fields, missing }
    }

    /// Puts a complete draft and returns its item's key, as one step.
    ///
    /// # Errors
    /// What the draft needs, or as [`Session::put_item`].
    pub fn put_draft(&mut self, draft: &ItemDraft, now: i64) -> Edited {
        let view = self.draft_view(draft);
        if !view.missing.is_empty() {
            return Err(Refusal::ours(view.missing));
        }
        let entity = draft.entity.as_deref().and_then(|name| self.entity(&draft.table, name));
        let mut fields = Vec::new();
        for (field, known) in draft.fields.iter().zip(&view.fields) {
            let template = entity.and_then(|entity| template(entity, &field.name));
            let mut field = field.clone();
            match template.map(|template| template.fill(&draft.slots)) {
                Some(Ok(text)) => field.text = text,
                // A template for an index that lacks its slots leaves the item out of the index.
                Some(Err(_)) if !known.is_key => continue,
                Some(Err(reason)) => {
                    return Err(Refusal::ours(format!("{} cannot be made: {reason}.", field.name)));
                }
                None => {}
            }
            // What was left empty is left out, as it is not there rather than an empty text.
            if known.is_key || !field.text.is_empty() || field.kind == "NULL" {
                fields.push(field);
            }
        }
        self.put_item(&draft.table, &fields, None, now)
    }

    /// Adds what items of an entity have beside the table's key: attributes of other templates, and those that the
    /// first such item has.
    fn add_others(&self, draft: &mut ItemDraft, stored: &Table, entity: &Entity) {
        let others = entity.keys.keys().filter(|name| !stored.schema().key.contains(name));
        for name in others {
            for slot in template(entity, name).iter().flat_map(KeyTemplate::slot_names) {
                add_slot(&mut draft.slots, slot, None);
            }
            let (name, kind) = (name.clone(), "S".to_owned());
            draft.fields.push(AttributeField { name, kind, text: String::new() });
        }
        for (name, value) in self.model(stored, entity).iter().flat_map(Item::iter) {
            if draft.fields.iter().all(|field| field.name != name.as_str()) {
                let kind = value.tag().to_owned();
                let text = super::tree::first_text(&kind).to_owned();
                draft.fields.push(AttributeField { name: name.to_string(), kind, text });
            }
        }
    }

    fn entity(&self, table: &str, name: &str) -> Option<&Entity> {
        self.design().entities.iter().find(|entity| entity.table == table && entity.name == name)
    }

    /// The first item of an entity.
    fn model(&self, table: &Table, entity: &Entity) -> Option<Item> {
        let name = table.schema().name.as_str();
        let recognition = &self.work.recognition;
        let mut rows = table.items().range(&KeyRange::all(), true).take(LOOKED_AT_MAX);
        let is_one = |item: &Item| {
            let face = recognition.face(recognition.entity_of(name, item));
            face.is_some_and(|face| face.name == entity.name)
        };
        rows.find(|(_, row)| is_one(&row.item)).map(|(_, row)| row.item.clone())
    }
}

fn template(entity: &Entity, attribute: &str) -> Option<KeyTemplate> {
    KeyTemplate::parse(entity.keys.get(attribute)?).ok()
}

fn add_slot(slots: &mut Vec<(String, String)>, name: &str, known: Option<&[(String, String)]>) {
    let text = known.map(|known| slot_text(known, name)).unwrap_or_default().to_owned();
    match slots.iter_mut().find(|(slot, _)| slot == name) {
        Some((_, value)) if value.is_empty() => *value = text,
        Some(_) => {}
        None => slots.push((name.to_owned(), text)),
    }
}

fn slot_text<'a>(slots: &'a [(String, String)], name: &str) -> &'a str {
    slots.iter().find(|(slot, _)| slot == name).map_or("", |(_, text)| text.as_str())
}

//! Items given an attribute they lack, as the templates of their entities say.
//!
//! Invariant: an attribute that is there stays; an item of whose slots one has no value stays as it is.

use hashrange_design::KeyTemplate;
use hashrange_design::entity::slot_text;
use hashrange_types::{AttributeValue, Item};

use crate::session::{Session, Work};
use crate::{format, load};

/// Entity by its place, attribute and template.
pub(crate) type Filling = (usize, String, String);

/// Gives entities templates for attributes, and the items of `table` those attributes.
pub(crate) fn with_templates(session: &mut Session, table: &str, fillings: &[Filling]) {
    let mut design = session.design().clone();
    for (at, attribute, template) in fillings {
        if let Some(entity) = design.entities.get_mut(*at) {
            entity.keys.insert(attribute.clone(), template.clone());
        }
    }
    let mut store = session.data().store.clone();
    let Some(of_table) = session.data().store.table(table) else { return };
    let name = of_table.schema().name.clone();
    for (_, row) in of_table.items().range(&hashrange_storage::KeyRange::all(), true) {
        let item = filled(&row.item, session, table, fillings);
        if !item.is_shared_with(&row.item) && load::put(&mut store, &name, item).is_err() {
            return;
        }
    }
    session.work = Work::over(design, store);
    session.data_version += 1;
}

/// The item with what `fillings` give it. Its slots have their values from the keys it has, or from its attributes of
/// their names.
pub(crate) fn filled(item: &Item, session: &Session, table: &str, fillings: &[Filling]) -> Item {
    let mut filled = item.clone();
    if fillings.is_empty() {
        return filled;
    }
    let Some(entity) = session.work.recognition.entity_of(table, item) else { return filled };
    let Some(of) = session.design().entities.get(usize::from(entity)) else { return filled };
    for (_, attribute, template) in fillings.iter().filter(|it| it.0 == usize::from(entity)) {
        let Ok(template) = KeyTemplate::parse(template) else { continue };
        if item.contains(attribute) {
            continue;
        }
        let mut slots = of.slots_of(item);
        for slot in template.slot_names() {
            if let Some(value) = item.get(slot)
                && !slots.iter().any(|(known, _)| known == slot)
            {
                let text = slot_text(value).unwrap_or_else(|| format::key_value(value));
                slots.push((slot.to_owned(), text));
            }
        }
        if let Ok(text) = template.fill(&slots) {
            filled.insert(attribute.as_str().into(), AttributeValue::S(text.as_str().into()));
        }
    }
    filled
}

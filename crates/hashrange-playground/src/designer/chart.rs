//! The entity chart: key templates of each entity in the table and its indexes, tried with values.

use hashrange_design::KeyTemplate;
use hashrange_design::key_check::{self, KeyTried, TriedAttribute};
use hashrange_design::template::Slots;
use hashrange_storage::Table;

use crate::format::counted;
use crate::recognition::EntityIndex;
use crate::session::Session;
use crate::view::{ChartCellView, ChartKeyView, ChartRowView};

impl Session {
    /// The chart of a table's entities. `tried` gives values for the slots of one entity; the others show those of the
    /// sample.
    pub fn entity_chart(&self, table: &str, tried: Option<(usize, &Slots)>) -> Vec<ChartRowView> {
        let Some(schema) = self.data().store.table(table).map(Table::schema) else {
            return Vec::new();
        };
        let survey = self.survey(table);
        let entities = self.design().entities.iter().enumerate();
        let rows = entities.filter(|(_, entity)| entity.table == table).map(|(at, entity)| {
            let seen = survey.and_then(|survey| survey.entity(at));
            let sample = |slot: String| {
                let slots = seen.into_iter().flat_map(|seen| &seen.slots);
                let value = slots
                    .filter(|it| it.slot == slot)
                    .find_map(|it| it.values.iter().next().cloned());
                (slot, value.unwrap_or_default())
            };
            let of_sample: Slots = key_check::slots(entity).into_iter().map(sample).collect();
            let values = tried.filter(|(of, _)| *of == at).map_or(&of_sample, |(_, values)| values);
            let places = key_check::try_values(entity, schema, seen, values);
            let face = EntityIndex::try_from(at).ok();
            let face = self.work.recognition.face(face);
            ChartRowView {
                entity: at,
                name: entity.name.clone(),
                letter: entity.tag.clone(),
                slot: face.map_or(0, |face| face.slot),
                items_text: counted(seen.map_or(0, |seen| seen.n_items), "item"),
                slots: values.clone(),
                cells: places
                    .into_iter()
                    .map(|place| ChartCellView {
                        index: place.index.unwrap_or_default(),
                        is_member: place.is_member,
                        keys: place.attributes.into_iter().map(key).collect(),
                    })
                    .collect(),
            }
        });
        rows.collect()
    }

    /// An entity's row of the chart with values tried in its slots; those not given are of the sample. A whole key given
    /// as a value is taken apart. Where the table has no such entity it is the row of its first one.
    pub fn tried_row(&self, table: &str, entity: usize, given: &Slots) -> Option<ChartRowView> {
        let mut rows = self.entity_chart(table, None);
        let at = rows.iter().position(|row| row.entity == entity).unwrap_or(0);
        if rows.is_empty() {
            return None;
        }
        let ChartRowView { entity, slots: mut values, .. } = rows.swap_remove(at);
        let templates = &self.design().entities.get(entity)?.keys;
        for (slot, text) in given.iter().filter(|(_, text)| !text.trim().is_empty()) {
            // Of a template without text of its own, every value has the shape.
            let tells = |it: &&String| {
                KeyTemplate::parse(it).is_ok_and(|template| template.literal_bytes() > 0)
            };
            let mut telling = templates.values().filter(tells);
            let whole = telling.find_map(|it| key_check::try_key(it, text).ok());
            let found = whole.unwrap_or_else(|| vec![(slot.clone(), text.trim().to_owned())]);
            for (slot, value) in found {
                if let Some((_, now)) = values.iter_mut().find(|(known, _)| *known == slot) {
                    *now = value;
                }
            }
        }
        let rows = self.entity_chart(table, Some((entity, &values)));
        rows.into_iter().find(|row| row.entity == entity)
    }

    /// Values of an entity's slots out of a pasted key.
    ///
    /// # Errors
    /// One sentence on how the text differs from the template.
    pub fn try_key(&self, entity: usize, attribute: &str, pasted: &str) -> Result<Slots, String> {
        let entity = self.design().entities.get(entity);
        let template = entity.and_then(|entity| entity.keys.get(attribute));
        let template = template.ok_or_else(|| format!("{attribute} has no template here."))?;
        key_check::try_key(template, pasted)
    }
}

fn key(tried: TriedAttribute) -> ChartKeyView {
    let (text, problem) = match tried.tried {
        KeyTried::Text(text) => (text, String::new()),
        KeyTried::Problem(problem) => (String::new(), problem),
        KeyTried::Attribute => (String::new(), String::new()),
        KeyTried::Absent => (String::new(), "Not in this index.".to_owned()),
    };
    ChartKeyView {
        attribute: tried.attribute,
        template: tried.template.unwrap_or_default(),
        text,
        problem,
    }
}

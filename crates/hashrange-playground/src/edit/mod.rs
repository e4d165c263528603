//! Edits of a design and its contents: each is one step that undo takes back, and a refused one changes nothing.
//!
//! Invariant: an edit either happens whole, tables and items following the design, or leaves the session as it was.
//!
//! Not here: requests somebody runs ([`crate::session`]); what DynamoDB refuses (`hashrange-engine`).

mod draft;
pub(crate) mod fill;
mod follow;
mod item;
mod rebuild;
mod rows;
mod tree;

use std::sync::Arc;

use hashrange_design::{AccessPattern, Design, Entity, KeyTemplate};
use hashrange_storage::Store;
use hashrange_types::letter_case;

use crate::census::Census;
use crate::recognition::Recognition;
use crate::run;
use crate::session::{Session, Work, put_by};
use crate::view::{EntityForm, Refusal};

pub use hashrange_design::sample::{
    EntitySample, MAKES, Make, Relation, RelationKind, SampleAttribute,
};
pub use hashrange_design::table_form::{IndexForm, KeyField, ProjectionForm, TableForm};

pub(crate) use item::{KINDS, cell_text, value_json};
pub(crate) use rebuild::empty;

/// The outcome of an edit.
pub(crate) type Edited<T = ()> = Result<T, Refusal>;

impl Session {
    /// Renames the design.
    pub fn rename(&mut self, title: &str) {
        let design = Design { title: title.trim().to_owned(), ..self.design().clone() };
        self.describe(design, "the title".to_owned());
    }

    /// The form of a table of the design.
    pub fn table_form(&self, name: &str) -> Option<TableForm> {
        let table = self.design().table(name)?;
        Some(TableForm::of(table))
    }

    /// Adds a table, or changes the one called `name`. Global indexes, capacity and streams are changed at once; another
    /// key or local index waits for [`Session::rebuild`]. A new name takes the items along.
    ///
    /// # Errors
    /// DynamoDB's refusal of the table.
    pub fn put_table(&mut self, name: Option<&str>, form: &TableForm, now: i64) -> Edited {
        let mut design = self.design().clone();
        let at = name.and_then(|name| design.tables.iter().position(|it| it["TableName"] == name));
        let so_far = at.map_or(&serde_json::Value::Null, |at| &design.tables[at]);
        let table = form.write_into(so_far).map_err(Refusal::ours)?;
        follow::check(&table)?;
        let label = match at {
            None => {
                if design.table_names().any(|known| known == form.name) {
                    let name = &form.name;
                    return Err(Refusal::ours(format!(
                        "The design has a table called {name} already. Choose another name."
                    )));
                }
                design.tables.push(table);
                format!("table {}", form.name)
            }
            Some(at) => {
                design.tables[at] = table;
                let old = name.unwrap_or_default();
                if old != form.name {
                    follow::rename(&mut design, old, &form.name);
                    return self.adopt_renamed(design, old, &form.name, now);
                }
                format!("the table {old}")
            }
        };
        self.adopt(design, label, now)
    }

    /// Removes a table with its items, its entities and the patterns that ask it.
    ///
    /// # Errors
    /// DynamoDB's, where deletion protection is on.
    pub fn remove_table(&mut self, name: &str, now: i64) -> Edited {
        let mut design = self.design().clone();
        design.tables.retain(|table| table["TableName"] != name);
        design.entities.retain(|entity| entity.table != name);
        design.patterns.retain(|pattern| pattern.request["TableName"] != name);
        self.adopt(design, format!("removing {name}"), now)
    }

    /// The form of entity `at`, from 0.
    pub fn entity_form(&self, at: usize) -> Option<EntityForm> {
        let entity = self.design().entities.get(at)?;
        let keys = entity.keys.iter().map(|(name, text)| (name.clone(), text.clone())).collect();
        Some(EntityForm {
            name: entity.name.clone(),
            table: entity.table.clone(),
            letter: entity.tag.clone(),
            keys,
            sample: entity.sample.clone(),
        })
    }

    /// Adds an entity, or changes the one at `at`, from 0.
    ///
    /// # Errors
    /// One sentence where its name is empty or taken, its table is unknown or a template cannot be read.
    pub fn put_entity(&mut self, at: Option<usize>, form: &EntityForm) -> Edited {
        let mut design = self.design().clone();
        let name = form.name.trim();
        if name.is_empty() {
            return Err(Refusal::ours("An entity needs a name, such as Order.".to_owned()));
        }
        let is_taken = |(index, entity): (usize, &Entity)| Some(index) != at && entity.name == name;
        if design.entities.iter().enumerate().any(is_taken) {
            let reason = format!("The design has an entity called {name} already.");
            return Err(Refusal::ours(format!("{reason} Choose another name.")));
        }
        if !design.table_names().any(|table| table == form.table) {
            let table = &form.table;
            return Err(Refusal::ours(format!("The design has no table called {table}.")));
        }
        let mut keys = indexmap::IndexMap::new();
        for (attribute, text) in form.keys.iter().filter(|(_, text)| !text.trim().is_empty()) {
            KeyTemplate::parse(text).map_err(|reason| {
                Refusal::ours(format!("The template of {attribute} cannot be read: {reason}."))
            })?;
            keys.insert(attribute.clone(), text.clone());
        }
        let letter = match form.letter.trim() {
            "" => name.chars().take(1).map(letter_case::capital).collect(),
            letter => letter.chars().take(2).collect(),
        };
        let known = at.and_then(|at| design.entities.get(at)).cloned().unwrap_or_default();
        if known.name != name {
            for question in design.patterns.iter_mut().filter_map(|it| it.question.as_mut()) {
                for end in [&mut question.entity, &mut question.of] {
                    if *end == known.name {
                        name.clone_into(end);
                    }
                }
            }
            for relation in &mut design.relations {
                for end in [&mut relation.from, &mut relation.to] {
                    if *end == known.name {
                        name.clone_into(end);
                    }
                }
            }
        }
        let entity = Entity {
            name: name.to_owned(),
            table: form.table.clone(),
            tag: letter,
            keys,
            sample: form.sample.clone(),
            unknown: known.unknown,
        };
        match at.and_then(|at| design.entities.get_mut(at)) {
            Some(known) => *known = entity,
            None => design.entities.push(entity),
        }
        self.describe(design, format!("the entity {name}"));
        Ok(())
    }

    /// Removes the entity at `at`, from 0; its items stay.
    pub fn remove_entity(&mut self, at: usize) {
        let mut design = self.design().clone();
        if at >= design.entities.len() {
            return;
        }
        let entity = design.entities.remove(at);
        design.relations.retain(|it| it.from != entity.name && it.to != entity.name);
        self.describe(design, format!("removing {}", entity.name));
    }

    /// Which entities belong together.
    pub fn relations(&self) -> Vec<Relation> {
        self.design().relations.clone()
    }

    /// Says anew which entities belong together.
    ///
    /// # Errors
    /// One sentence where an entity does not exist or belongs to itself.
    pub fn set_relations(&mut self, relations: &[Relation]) -> Edited {
        let mut design = self.design().clone();
        for Relation { from, to, .. } in relations {
            let exists = |name: &String| design.entities.iter().any(|entity| entity.name == *name);
            if let Some(name) = [from, to].into_iter().find(|name| !exists(name)) {
                return Err(Refusal::ours(format!("The design has no entity called {name}.")));
            }
            if from == to {
                return Err(Refusal::ours(format!(
                    "{from} cannot belong to itself. Use an attribute that names the other item."
                )));
            }
        }
        design.relations = relations.to_vec();
        self.describe(design, "the relations".to_owned());
        Ok(())
    }

    /// Splits relation `at`, from 0, where it is many to many: a new entity stands between its ends, and each end has
    /// many of it. Returns the new entity's number, from 0.
    ///
    /// # Errors
    /// One sentence where there is no such relation or the name is taken.
    pub fn split_relation(&mut self, at: usize, name: &str) -> Edited<usize> {
        let mut design = self.design().clone();
        let relation = design.relations.get(at).filter(|it| it.kind == RelationKind::ManyToMany);
        let Some(relation) = relation.cloned() else {
            return Err(Refusal::ours("Only a relation of many to many is split.".to_owned()));
        };
        let name = name.trim();
        if name.is_empty() || design.entities.iter().any(|entity| entity.name == name) {
            return Err(Refusal::ours(format!(
                "The entity between {} and {} needs a name of its own, such as Assignment.",
                relation.from, relation.to
            )));
        }
        let table = design.entities.iter().find(|entity| entity.name == relation.from);
        let table = table.map(|entity| entity.table.clone()).unwrap_or_default();
        let names: Vec<&str> =
            design.entities.iter().map(|it| it.name.as_str()).chain([name]).collect();
        let tag = hashrange_design::entity::tags(names).pop().unwrap_or_default();
        let sample = Some(EntitySample { count: 6, ..EntitySample::default() });
        let entity = Entity { name: name.to_owned(), table, tag, sample, ..Entity::default() };
        design.entities.push(entity);
        let one =
            |from: String| Relation { from, to: name.to_owned(), kind: RelationKind::OneToMany };
        design.relations.splice(at..=at, [one(relation.from), one(relation.to)]);
        let number = design.entities.len() - 1;
        self.describe(design, format!("the entity {name}"));
        Ok(number)
    }

    /// Adds an access pattern, or puts it in place of the one at `at`, from 0.
    ///
    /// # Errors
    /// One sentence where it has no words.
    pub fn put_pattern(&mut self, at: Option<usize>, mut pattern: AccessPattern) -> Edited {
        if pattern.words.trim().is_empty() {
            let reason =
                "An access pattern needs its question in words, such as Orders of a customer.";
            return Err(Refusal::ours(reason.to_owned()));
        }
        let mut design = self.design().clone();
        let label = format!("the pattern {}", pattern.words);
        match at.and_then(|at| design.patterns.get_mut(at)) {
            Some(known) => {
                // Other words, or another rate, are still the same question.
                if known.operation == pattern.operation && known.request == pattern.request {
                    pattern.question = pattern.question.or_else(|| known.question.clone());
                }
                *known = pattern;
            }
            None => design.patterns.push(pattern),
        }
        self.describe(design, label);
        Ok(())
    }

    /// Removes the pattern at `at`, from 0.
    pub fn remove_pattern(&mut self, at: usize) {
        let mut design = self.design().clone();
        if at >= design.patterns.len() {
            return;
        }
        let pattern = design.patterns.remove(at);
        self.describe(design, format!("removing {}", pattern.words));
    }

    /// Moves the pattern at `from` to `to`, both from 0.
    pub fn move_pattern(&mut self, from: usize, to: usize) {
        let mut design = self.design().clone();
        if from >= design.patterns.len() || to >= design.patterns.len() || from == to {
            return;
        }
        let pattern = design.patterns.remove(from);
        design.patterns.insert(to, pattern);
        self.describe(design, "the order of patterns".to_owned());
    }

    /// A copy to try edits on: the same design and contents, no history.
    #[must_use]
    pub fn draft(&self) -> Self {
        Self::of_work(Work { written: Default::default(), ..self.work.clone() })
    }

    /// Takes design and contents of a draft over, as one step.
    pub fn keep(&mut self, draft: &Self, label: &str) {
        self.replace_work(draft.work.clone(), label.to_owned());
    }

    /// Takes a design over; tables follow as far as DynamoDB lets them.
    pub(crate) fn adopt(&mut self, design: Design, label: String, now: i64) -> Edited {
        if design == *self.design() {
            return Ok(());
        }
        let mut store = self.data().store.clone();
        follow::follow(&mut store, self.design(), &design, now)?;
        self.put_in_place(design, store, label);
        Ok(())
    }

    /// Takes over a design with the same tables.
    pub(crate) fn describe(&mut self, design: Design, label: String) {
        if design != *self.design() {
            let store = self.data().store.clone();
            self.put_in_place(design, store, label);
        }
    }

    fn adopt_renamed(&mut self, design: Design, old: &str, new: &str, now: i64) -> Edited {
        let mut store = self.data().store.clone();
        rebuild::copy(&mut store, &design, old, new, now)?;
        self.put_in_place(design, store, format!("renaming {old}"));
        Ok(())
    }

    pub(crate) fn put_in_place(&mut self, mut design: Design, store: Store, label: String) {
        crate::guide::follow(&mut design, &store);
        self.replace_work(Work::over(design, store), label);
    }

    /// Runs requests that make up one edit; `label` names it.
    pub(crate) fn write(&mut self, requests: &[(&str, String)], label: String, now: i64) -> Edited {
        let mut work = self.work.clone();
        let mut changes = Vec::new();
        for (operation, text) in requests {
            let exchange = run::exchange(&mut work.data.store, operation, text, now);
            if let Some(error) = exchange.refusal() {
                return Err(Refusal::of(error));
            }
            work.data.census.apply(&work.data.store, &work.recognition, &exchange.changes);
            changes.extend(exchange.changes);
        }
        work.written = put_by(&changes);
        self.replace_work(work, label);
        Ok(())
    }
}

/// `a`, `a and b` or `a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl Work {
    pub(crate) fn over(design: Design, store: Store) -> Self {
        let mut recognition = Recognition::of(&design);
        recognition.find_copies(&design, &store);
        let recognition = Arc::new(recognition);
        let census = Census::of(&store, &recognition);
        Self {
            design: Arc::new(design),
            recognition,
            data: crate::session::Tables { store, census },
            written: Default::default(),
        }
    }
}

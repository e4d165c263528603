//! Sample data of a design, made in small steps that can be stopped.
//!
//! Invariant: nothing of the session changes until the whole is made and taken.
//!
//! Not here: what is made (`hashrange-design`).

use hashrange_design::sample::recipe_of;
use hashrange_design::{Budget, Design, Generator, Recipe};
use hashrange_storage::Store;
use hashrange_types::limits::ITEM_BYTES_MAX;

use crate::edit::{self, Edited};
use crate::format;
use crate::load;
use crate::session::Session;
use crate::view::Refusal;

/// Most sample items in a page.
pub(crate) const ITEMS_MAX: usize = 100_000;

/// Sample data being made.
#[derive(Debug, Clone)]
pub struct Sampling {
    generator: Generator,
    store: Store,
    n_items: usize,
    n_bytes: u64,
    is_done: bool,
    seed: u32,
}

impl Session {
    /// Begins to make the sample data that the design's entities describe, from `seed`. Items of tables with such
    /// entities will be replaced.
    ///
    /// # Errors
    /// One sentence where no entity has a sample, or what it says cannot be made.
    pub fn sampling(&self, seed: u64, now: i64) -> Edited<Sampling> {
        let design = self.design();
        let sampled = |name: &str| {
            design.entities.iter().any(|entity| entity.table == name && entity.sample.is_some())
        };
        if !design.table_names().any(sampled) {
            return Err(Refusal::ours(
                "No entity says how many items it has. Give one a count first.".to_owned(),
            ));
        }
        let ours = |error: String| Refusal::ours(error);
        let recipe = recipe_of(design, seed).map_err(|error| ours(error.to_string()))?;
        let recipe = Recipe::from_json(&recipe.to_string()).map_err(|it| ours(it.to_string()))?;
        let keys = design.key_schemas().map_err(|error| ours(error.to_string()))?;
        let mut store = self.data().store.clone();
        for table in &design.tables {
            let name = table["TableName"].as_str().unwrap_or_default();
            if sampled(name) {
                edit::empty(&mut store, table, now)?;
            }
        }
        let budget =
            Budget { n_items: ITEMS_MAX, n_bytes: ITEMS_MAX as u64 * u64::from(ITEM_BYTES_MAX) };
        let generator = recipe.generate(budget, keys);
        Ok(Sampling {
            generator,
            store,
            n_items: 0,
            n_bytes: 0,
            is_done: false,
            seed: u32::try_from(seed).unwrap_or(0),
        })
    }

    /// Takes finished sample data over, as one step.
    ///
    /// # Errors
    /// One sentence where it is not finished.
    pub fn take_sample(&mut self, sampling: Sampling) -> Edited {
        if !sampling.is_done {
            return Err(Refusal::ours("The sample data is not finished.".to_owned()));
        }
        let label = format!("the sample of {}", format::counted(sampling.n_items as u64, "item"));
        let design = Design { seed: Some(sampling.seed), ..self.design().clone() };
        self.put_in_place(design, sampling.store, label);
        Ok(())
    }
}

impl Sampling {
    /// Tries the next `n` combinations; true when nothing is left to make.
    ///
    /// # Errors
    /// One sentence where an item cannot be made; nothing was changed.
    pub fn step(&mut self, n: usize) -> Edited<bool> {
        let progress = self.generator.step(n).map_err(|error| Refusal::ours(error.to_string()))?;
        for (table, item) in progress.items {
            load::put(&mut self.store, &table, item).map_err(Refusal::ours)?;
        }
        (self.n_items, self.n_bytes) = (progress.n_items, progress.n_bytes);
        self.is_done = progress.is_done;
        Ok(self.is_done)
    }

    /// `1,200 items, 340.2 KB`.
    pub fn text(&self) -> String {
        let items = format::counted(self.n_items as u64, "item");
        format!("{items}, {}", format::size(self.n_bytes))
    }
}

//! `Census`: how many items each entity has, and how many entries in each index.
//!
//! Invariant: equals a count of the store it goes with; kept up change by change, never by reading tables.

use hashrange_storage::{Change, KeyRange, Store, Table};
use hashrange_types::{Item, SortedMap};

use crate::recognition::{EntityIndex, Recognition};

/// Counts by table. Cheap to clone: as many numbers as entities times indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Census {
    tables: SortedMap<String, TableCensus>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct TableCensus {
    items: Counts,
    indexes: SortedMap<String, Counts>,
}

type Counts = SortedMap<EntityIndex, u64>;

impl Census {
    /// Counts everything.
    pub(crate) fn of(store: &Store, recognition: &Recognition) -> Self {
        let mut census = Self::default();
        for table in store.tables() {
            census.count_table(table, recognition);
        }
        census
    }

    fn count_table(&mut self, table: &Table, recognition: &Recognition) {
        let name = table.schema().name.as_str();
        if recognition.matcher(name).is_none() {
            return;
        }
        let counted = self.tables.get_or_insert_with(name.to_owned(), Default::default);
        *counted = TableCensus::default();
        for (_, row) in table.items().range(&KeyRange::all(), true) {
            let Some(entity) = recognition.entity_of(name, &row.item) else { continue };
            *counted.items.get_or_insert_with(entity, Default::default) += 1;
            for index in table.schema().indexes().filter(|index| index.key.matches(&row.item)) {
                let entries = counted
                    .indexes
                    .get_or_insert_with(index.name.as_str().to_owned(), Default::default);
                *entries.get_or_insert_with(entity, Default::default) += 1;
            }
        }
    }

    /// Takes note of what was just applied to `store`.
    pub(crate) fn apply(&mut self, store: &Store, recognition: &Recognition, changes: &[Change]) {
        for change in changes {
            if let Change::Item(change) = change {
                let Some(table) = store.table(change.table.as_str()) else { continue };
                for (row, by) in [(&change.before, Step::Down), (&change.after, Step::Up)] {
                    if let Some(row) = row {
                        self.step(table, recognition, &row.item, by);
                    }
                }
            } else if let Change::Table(change) = change {
                self.tables.remove(change.name.as_str());
                if let Some(table) = &change.after {
                    self.count_table(table, recognition);
                }
            }
        }
    }

    fn step(&mut self, table: &Table, recognition: &Recognition, item: &Item, by: Step) {
        let name = table.schema().name.as_str();
        let Some(entity) = recognition.entity_of(name, item) else { return };
        let counted = self.tables.get_or_insert_with(name.to_owned(), Default::default);
        by.take(&mut counted.items, entity);
        for index in table.schema().indexes().filter(|index| index.key.matches(item)) {
            let entries = counted
                .indexes
                .get_or_insert_with(index.name.as_str().to_owned(), Default::default);
            by.take(entries, entity);
        }
    }

    /// Items of an entity in its table.
    pub(crate) fn n_items(&self, table: &str, entity: EntityIndex) -> u64 {
        let counted = self.tables.get(table).and_then(|table| table.items.get(&entity));
        counted.copied().unwrap_or(0)
    }

    /// Entities that have entries in an index.
    pub(crate) fn entities_in(&self, table: &str, index: &str) -> Vec<EntityIndex> {
        let counted = self.tables.get(table).and_then(|table| table.indexes.get(index));
        counted.map(|counts| counts.keys().copied().collect()).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Up,
    Down,
}

impl Step {
    fn take(self, counts: &mut Counts, entity: EntityIndex) {
        let n = counts.get_or_insert_with(entity, Default::default);
        match self {
            Self::Up => *n += 1,
            Self::Down => *n = n.saturating_sub(1),
        }
        if *n == 0 {
            counts.remove(&entity);
        }
    }
}

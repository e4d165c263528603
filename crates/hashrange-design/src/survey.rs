//! `Survey`: what the sample items say about keys: how many there are, how uneven they are, how large items get.
//!
//! Invariant: equals a count of the table it was made of; made in steps, in the order of keys, each row once.
//!
//! Not here: judging what was counted ([`crate::lint`], [`crate::pattern`]).

use std::sync::Arc;

use hashrange_storage::{KeyRange, Table, TreeRef};
use hashrange_types::{EncodedKey, IndexName, Item, KeySchema, SortedMap};

use crate::document::Entity;
use crate::entity::EntityMatcher;
use crate::template::KeyTemplate;
use crate::words;

mod slots;

pub use slots::SlotSurvey;

/// Items of an entity whose key slots are looked at.
const SLOT_ITEMS_MAX: u64 = 2_000;

/// How items spread over partition keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyCount {
    /// Items or entries counted.
    pub n_items: u64,
    /// Different partition keys among them.
    pub n_keys: u64,
    /// Items of the key that has most.
    pub n_largest: u64,
    /// That key's value.
    pub largest_key: String,
}

/// What was counted of a table or one of its global indexes.
#[derive(Debug, Clone, Default)]
pub struct TreeSurvey {
    /// The index; none for the table itself.
    pub index: Option<IndexName>,
    /// Keys of all items.
    pub all: KeyCount,
    /// Keys of the items of each entity, by its index in the design.
    pub by_entity: SortedMap<usize, KeyCount>,
    /// Bytes of the largest item collection, local indexes included.
    pub largest_collection_bytes: u64,
    /// The partition key of that collection.
    pub largest_collection_key: String,
}

/// What was seen of an entity's items.
#[derive(Debug, Clone, Default)]
pub struct EntitySurvey {
    /// Items.
    pub n_items: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes of the largest.
    pub bytes_max: u32,
    /// Key of the largest.
    pub largest_key: String,
    /// Names of attributes with how many items have them.
    pub attributes: SortedMap<String, u64>,
    /// The slots of its key templates, by attribute and slot; made of the first items alone.
    pub slots: Vec<SlotSurvey>,
}

/// The survey of one table.
#[derive(Debug, Clone)]
pub struct Survey {
    table: Arc<Table>,
    matcher: EntityMatcher,
    templates: Vec<(usize, Vec<(String, KeyTemplate)>)>,
    /// The table, then its global indexes in schema order.
    trees: Vec<TreeSurvey>,
    entities: SortedMap<usize, EntitySurvey>,
    /// Items no entity was recognised for.
    pub n_unrecognised: u64,
    /// The tree being counted.
    tree_index: usize,
    last: Option<EncodedKey>,
    group: Group,
}

/// The rows of one partition key, as far as they were met.
#[derive(Debug, Clone, Default)]
struct Group {
    key: Item,
    n_items: u64,
    bytes: u64,
    by_entity: Vec<(usize, u64)>,
}

impl Survey {
    /// A survey of `table` that has not begun.
    pub fn new(table: Arc<Table>, entities: &[Entity]) -> Self {
        let schema = table.schema();
        let name = schema.name.as_str();
        let global = schema.global_indexes.iter();
        let trees = std::iter::once(None)
            .chain(global.map(|index| Some(index.name.clone())))
            .map(|index| TreeSurvey { index, ..TreeSurvey::default() })
            .collect();
        let templates = entities
            .iter()
            .enumerate()
            .filter(|(_, entity)| entity.table == name)
            .map(|(at, entity)| {
                let keys = entity.keys.iter();
                let parsed = keys.filter_map(|(name, text)| {
                    Some((name.clone(), KeyTemplate::parse(text).ok()?))
                });
                (at, parsed.collect())
            })
            .collect();
        Self {
            matcher: EntityMatcher::new(name, entities),
            templates,
            trees,
            entities: SortedMap::new(),
            n_unrecognised: 0,
            tree_index: 0,
            last: None,
            group: Group::default(),
            table,
        }
    }

    /// Counts the next `n_rows` rows; true when nothing is left to count.
    pub fn step(&mut self, n_rows: usize) -> bool {
        let table = Arc::clone(&self.table);
        let Some((tree, key)) = tree_at(&table, self.tree_index) else { return true };
        let mut range = KeyRange::all();
        if let Some(last) = self.last.take() {
            range = range.resumed_after(last, true);
        }
        let mut n_counted = 0;
        for (at, row) in tree.range(&range, true).take(n_rows) {
            n_counted += 1;
            self.last = Some(at.clone());
            self.count(&table, key, &row.item, row.size_bytes);
        }
        if n_counted < n_rows {
            self.fold();
            self.last = None;
            self.tree_index += 1;
        }
        self.is_done()
    }

    /// True when everything was counted.
    pub fn is_done(&self) -> bool {
        self.tree_index >= self.trees.len()
    }

    /// The table as it was when it was counted.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// What was counted of the table, or of a global index.
    pub fn tree(&self, index: Option<&str>) -> Option<&TreeSurvey> {
        self.trees.iter().find(|tree| tree.index.as_ref().map(IndexName::as_str) == index)
    }

    /// The table and its global indexes.
    pub fn trees(&self) -> &[TreeSurvey] {
        &self.trees
    }

    /// What was seen of the items of the entity at this index of the design.
    pub fn entity(&self, entity: usize) -> Option<&EntitySurvey> {
        self.entities.get(&entity)
    }

    /// Every entity that has items.
    pub fn entities(&self) -> impl Iterator<Item = (usize, &EntitySurvey)> {
        self.entities.iter().map(|(entity, survey)| (*entity, survey))
    }

    /// Keys of an entity's items in the table or an index, or of all items where it is not known.
    pub fn keys(&self, index: Option<&str>, entity: Option<usize>) -> Option<&KeyCount> {
        let tree = self.tree(index)?;
        match entity {
            Some(entity) => tree.by_entity.get(&entity),
            None => Some(&tree.all),
        }
    }

    /// The entity of an item of the table.
    pub fn entity_of(&self, item: &Item) -> Option<usize> {
        self.matcher.entity_of(item)
    }

    fn count(&mut self, table: &Table, key: &KeySchema, row: &Item, size_bytes: u32) {
        let is_same_key = key.partition.iter().all(|attribute| {
            let name = attribute.name.as_str();
            self.group.key.get(name) == row.get(name)
        });
        if !is_same_key || self.group.n_items == 0 {
            self.fold();
            let partition = KeySchema { partition: key.partition.clone(), sort: Vec::new() };
            self.group.key = partition.key_of(row);
        }
        let is_base = self.tree_index == 0;
        let entity = if is_base {
            self.matcher.entity_of(row)
        } else {
            let schema = table.schema();
            let base = schema.key.encode(row).and_then(|key| table.get(&key));
            base.and_then(|base| self.matcher.entity_of(&base.item))
        };
        let mut bytes = u64::from(size_bytes);
        if is_base {
            let local = table.schema().indexes().filter(|index| index.is_local);
            let entries = local.filter_map(|index| index.entry(table.schema(), row));
            bytes += entries.map(|entry| u64::from(entry.size_bytes())).sum::<u64>();
            self.note_item(table, entity, row, size_bytes);
        }
        self.group.n_items += 1;
        self.group.bytes += bytes;
        if let Some(entity) = entity {
            match self.group.by_entity.iter_mut().find(|(it, _)| *it == entity) {
                Some((_, n)) => *n += 1,
                None => self.group.by_entity.push((entity, 1)),
            }
        }
    }

    fn note_item(&mut self, table: &Table, entity: Option<usize>, item: &Item, size_bytes: u32) {
        let Some(entity) = entity else {
            self.n_unrecognised += 1;
            return;
        };
        let seen = self.entities.get_or_insert_with(entity, EntitySurvey::default);
        seen.n_items += 1;
        seen.bytes += u64::from(size_bytes);
        if size_bytes > seen.bytes_max {
            seen.bytes_max = size_bytes;
            seen.largest_key = words::key(&table.schema().key.key_of(item));
        }
        for (name, _) in item {
            *seen.attributes.get_or_insert_with(name.to_string(), || 0) += 1;
        }
        if seen.n_items <= SLOT_ITEMS_MAX
            && let Some((_, templates)) = self.templates.iter().find(|(at, _)| *at == entity)
        {
            slots::note(&mut seen.slots, templates, item);
        }
    }

    /// Takes the finished group into the counts.
    fn fold(&mut self) {
        let group = std::mem::take(&mut self.group);
        let Some(tree) = self.trees.get_mut(self.tree_index) else { return };
        if group.n_items == 0 {
            return;
        }
        let key: Vec<String> = group.key.iter().map(|(_, value)| words::value(value)).collect();
        let key = key.join(" · ");
        if group.bytes > tree.largest_collection_bytes {
            tree.largest_collection_bytes = group.bytes;
            tree.largest_collection_key.clone_from(&key);
        }
        tree.all.add(group.n_items, &key);
        for (entity, n_items) in group.by_entity {
            tree.by_entity.get_or_insert_with(entity, KeyCount::default).add(n_items, &key);
        }
    }
}

impl KeyCount {
    fn add(&mut self, n_items: u64, key: &str) {
        self.n_items += n_items;
        self.n_keys += 1;
        if n_items > self.n_largest {
            self.n_largest = n_items;
            key.clone_into(&mut self.largest_key);
        }
    }
}

/// The table itself, then its global indexes.
fn tree_at(table: &Table, at: usize) -> Option<(TreeRef<'_>, &KeySchema)> {
    let Some(at) = at.checked_sub(1) else {
        return Some((table.items(), &table.schema().key));
    };
    let index = table.schema().global_indexes.get(at)?;
    Some((table.index(index.name.as_str())?, &index.key))
}

//! From a tree to rows: collections in the order a Scan meets them, runs of one entity, headings, page ends.
//!
//! Invariant: one pass over the tree; what is kept grows with runs and collections, not with items.

use std::sync::Arc;

use hashrange_storage::{KeyRange, Row, Table, TreeRef};
use hashrange_types::{EncodedKey, KeyAttribute, KeySchema, sorted};

use super::{
    BREAK_HEIGHT, Break, CHECKPOINT_ITEMS, GridShape, HEADING_HEIGHT, ITEM_HEIGHT, ReadShown, Run,
    Shape, entity_of_row, key_schema, tree,
};
use crate::format;
use crate::outline::chips;
use crate::recognition::{EntityIndex, Recognition, key_text};
use crate::view::{CollectionCell, GridLayout, Target};

/// What of a target is lit, and what is hidden.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    /// What a read read.
    pub(crate) read: Option<Arc<ReadShown>>,
    /// Keys that the latest write put, ascending.
    pub(crate) written: Arc<Vec<EncodedKey>>,
    /// Items without this text are hidden; nothing is if it is empty.
    pub(crate) filter: String,
}

/// The layout of one target; empty where the table or index does not exist.
pub(crate) fn layout(
    table: Option<Arc<Table>>,
    recognition: &Arc<Recognition>,
    target: &Target,
    shown: Shown,
) -> GridLayout {
    let Shown { read, written, filter } = shown;
    let filter = Some(filter).filter(|filter| !filter.is_empty());
    let empty = || GridLayout { target: target.clone(), tops: vec![0], ..GridLayout::default() };
    let Some(table) = table else { return empty() };
    let index = target.index.as_deref();
    let (Some(tree), Some(key)) = (tree(&table, index), key_schema(&table, index)) else {
        return empty();
    };
    let mut pass = Pass::new(&table, recognition, key, index.is_some(), read.as_deref());
    if filter.is_some() {
        pass.checkpoint_items = 1;
    }
    let mut n_shown = 0;
    for (row_key, row) in tree.range(&KeyRange::all(), true) {
        if filter.as_ref().is_none_or(|text| super::find::has(&row.item, text)) {
            n_shown += 1;
            pass.visit(tree, row_key, row);
        }
    }
    pass.end_collection();
    let names = |attributes: &[KeyAttribute]| -> Vec<String> {
        attributes.iter().map(|attribute| attribute.name.to_string()).collect()
    };
    let chips = if index.is_some() { Vec::new() } else { chips(table.schema()) };
    let (partition_key, sort_key) = (names(&key.partition), names(&key.sort));
    let n_items = tree.n_rows();
    let Pass { tops, collections, runs, checkpoints, breaks, n_rows, .. } = pass;
    GridLayout {
        target: target.clone(),
        partition_key: partition_key.join(", "),
        sort_key: Some(sort_key.join(", ")).filter(|name| !name.is_empty()),
        key_names: (partition_key, sort_key),
        order_text: super::order::order_text(&key.sort),
        chips,
        n_items,
        n_shown: filter.is_some().then_some(n_shown),
        tops,
        collections,
        shape: GridShape(Some(Arc::new(Shape {
            index: target.index.clone(),
            n_rows,
            runs,
            checkpoints,
            breaks,
            read,
            filter,
            written,
            recognition: Arc::clone(recognition),
            table,
        }))),
    }
}

/// The one pass over a tree.
struct Pass<'a> {
    table: &'a Table,
    recognition: &'a Recognition,
    key: &'a KeySchema,
    is_index: bool,
    read: Option<&'a ReadShown>,
    next_break: usize,
    /// The read's page ends by ascending key.
    page_ends: Vec<&'a super::PageEndShown>,
    /// Encoded partition key of the collection being built.
    prefix: Vec<u8>,
    entity: Option<EntityIndex>,
    /// Every so many items of a run have a checkpoint.
    checkpoint_items: u32,
    n_collection_items: u32,
    collection_bytes: u64,
    n_rows: u32,
    tops: Vec<u32>,
    collections: Vec<CollectionCell>,
    runs: Vec<Run>,
    checkpoints: Vec<EncodedKey>,
    breaks: Vec<Break>,
}

impl<'a> Pass<'a> {
    fn new(
        table: &'a Table,
        recognition: &'a Recognition,
        key: &'a KeySchema,
        is_index: bool,
        read: Option<&'a ReadShown>,
    ) -> Self {
        let mut page_ends: Vec<_> =
            read.map(|read| read.page_ends.iter().collect()).unwrap_or_default();
        sorted::sort_by(&mut page_ends, |a: &&super::PageEndShown, b| a.key.cmp(&b.key));
        Self {
            table,
            recognition,
            key,
            is_index,
            read,
            next_break: 0,
            page_ends,
            prefix: Vec::new(),
            entity: None,
            checkpoint_items: CHECKPOINT_ITEMS,
            n_collection_items: 0,
            collection_bytes: 0,
            n_rows: 0,
            tops: vec![0],
            collections: Vec::new(),
            runs: Vec::new(),
            checkpoints: Vec::new(),
            breaks: Vec::new(),
        }
    }

    fn visit(&mut self, tree: TreeRef<'_>, key: &EncodedKey, row: &Row) {
        let entity = entity_of_row(self.recognition, self.table, self.is_index, &row.item);
        let is_new = self.collections.is_empty() || !key.as_bytes().starts_with(&self.prefix);
        if is_new {
            self.end_collection();
            self.begin_collection(tree, key, row, entity);
        }
        // Without a sort key every item is a collection of its own: there a run goes on across them.
        let breaks_run = is_new && (self.is_index || !self.key.sort.is_empty());
        if breaks_run || self.runs.is_empty() || entity != self.entity {
            self.begin_run(entity);
        }
        let page_end = self.page_end_at(key);
        if let Some(end) = page_end.filter(|end| !end.is_forward) {
            self.push_break(&end.text);
        }
        self.push_item(key);
        self.n_collection_items += 1;
        self.collection_bytes += u64::from(row.size_bytes);
        if let Some(end) = page_end.filter(|end| end.is_forward) {
            self.push_break(&end.text);
        }
    }

    fn begin_collection(
        &mut self,
        tree: TreeRef<'_>,
        key: &EncodedKey,
        row: &Row,
        entity: Option<EntityIndex>,
    ) {
        // Every row of a tree has its key; an empty prefix would merely merge the collections.
        self.prefix = self.key.encode_partition(&row.item).unwrap_or_default();
        let face = self.recognition.face(entity);
        self.collections.push(CollectionCell {
            first_row: self.n_rows,
            n_rows: 0,
            key: key_text(&row.item, &self.key.partition, face),
            items_text: String::new(),
            size_text: String::new(),
            partition_text: format!("P{}", tree.partition_position(key) + 1),
        });
        (self.n_collection_items, self.collection_bytes) = (0, 0);
    }

    fn end_collection(&mut self) {
        let noun = if self.is_index { "entry" } else { "item" };
        if let Some(collection) = self.collections.last_mut() {
            collection.n_rows = self.n_rows - collection.first_row;
            collection.items_text = format::counted(u64::from(self.n_collection_items), noun);
            collection.size_text = format::size(self.collection_bytes);
        }
    }

    fn begin_run(&mut self, entity: Option<EntityIndex>) {
        self.entity = entity;
        self.runs.push(Run {
            first_row: self.n_rows,
            n_items: 0,
            entity,
            first_checkpoint: position(self.checkpoints.len()),
        });
        self.push_row(HEADING_HEIGHT);
    }

    fn push_item(&mut self, key: &EncodedKey) {
        let run = self.runs.last_mut().expect("a run was begun for the first item");
        if run.n_items.is_multiple_of(self.checkpoint_items) {
            self.checkpoints.push(key.clone());
        }
        run.n_items += 1;
        self.push_row(ITEM_HEIGHT);
    }

    fn push_break(&mut self, text: &str) {
        self.breaks.push(Break { row: self.n_rows, text: text.to_owned() });
        self.push_row(BREAK_HEIGHT);
    }

    fn push_row(&mut self, height: u32) {
        let top = self.tops.last().copied().unwrap_or(0);
        self.tops.push(top.saturating_add(height));
        self.n_rows += 1;
    }

    /// The page end at this key. Keys of page ends whose item is gone are passed over.
    fn page_end_at(&mut self, key: &EncodedKey) -> Option<&'a super::PageEndShown> {
        self.read?;
        while let Some(end) = self.page_ends.get(self.next_break) {
            match end.key.cmp(key) {
                std::cmp::Ordering::Less => self.next_break += 1,
                std::cmp::Ordering::Equal => {
                    self.next_break += 1;
                    return Some(end);
                }
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}

pub(super) fn position(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

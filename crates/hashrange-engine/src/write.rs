//! `Write`: the conditional write of one item that Put, Update, Delete and batches share.
//!
//! Invariant: a write that leaves the item equal makes no change and charges no index, but costs the table;
//! a write that its condition refused costs what it looked at.
//!
//! Not here: how a request becomes a `Write` ([`crate::write_plan`]), what its reply shows (the operations).
//!
//! Source: facts 2.2, 2.3, 3.2 and 4.7.

use hashrange_expressions::{Condition, Update};
use hashrange_storage::{Change, IndexEntryChange, ItemChange, Row, Store, Table, index_changes};
use hashrange_types::operation::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, IndexName, Item, Response, TableReference, TableSchema,
    ValidationError,
};

use crate::capacity::write_units;
use crate::item_collection::{Growth, collection_metrics};
use crate::outcome::Outcome;
use crate::validation::encode_key;
use crate::write_validation::{
    Source, check_index_keys, check_size, check_size_with_local_indexes,
};

/// A checked write of one item.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    /// The table written.
    pub(crate) table: TableReference,
    /// The item's key.
    pub(crate) key: EncodedKey,
    /// What must hold of the item before.
    pub(crate) condition: Option<Condition>,
    /// What happens to the item.
    pub(crate) action: Action,
}

/// What a write does to the item.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// Puts this item in its place.
    Put(Row),
    /// Changes attributes; none leaves them as they are. A missing item starts as its key.
    Update {
        /// The key's attributes.
        key: Item,
        /// The changes.
        update: Option<Update>,
    },
    /// Removes it.
    Delete {
        /// The key's attributes.
        key: Item,
    },
    /// Leaves it as it is: the condition is all there is to it.
    Check {
        /// The key's attributes.
        key: Item,
    },
}

impl Action {
    /// Attributes that hold the item's key.
    fn key(&self) -> &Item {
        match self {
            Self::Put(row) => &row.item,
            Self::Update { key, .. } | Self::Delete { key } | Self::Check { key } => key,
        }
    }
}

/// What a write brought.
#[derive(Debug)]
pub(crate) struct Written {
    /// The item as it was.
    pub(crate) before: Option<Row>,
    /// The item as it is now.
    pub(crate) after: Option<Row>,
    /// The change, unless the item stayed equal.
    pub(crate) change: Option<ItemChange>,
    /// What follows for index entries.
    pub(crate) index_entries: Vec<IndexEntryChange>,
    /// Units the table consumed, indexes not included.
    pub(crate) table_units: CapacityUnits,
}

/// Why reading the item refused the write.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The condition was false.
    ConditionFailed {
        /// The item that failed it.
        item: Option<Row>,
        /// What the attempt cost.
        table_units: CapacityUnits,
    },
    /// The update does not fit the item.
    Invalid(ValidationError),
}

impl Written {
    /// Bytes of the larger image of the item, before or after.
    pub(crate) fn image_bytes(&self) -> u32 {
        size_of(self.before.as_ref()).max(size_of(self.after.as_ref()))
    }
}

impl Refusal {
    /// The error the caller sees; with `returns_item` it carries the item that failed the condition.
    pub(crate) fn into_error(self, returns_item: bool) -> ApiError {
        match self {
            Self::ConditionFailed { item, .. } => ApiError::ConditionalCheckFailed(
                item.filter(|_| returns_item).map(|row| Box::new(row.item.clone())),
            ),
            Self::Invalid(error) => error.into(),
        }
    }

    /// What the attempt cost the table; none where the request was invalid.
    pub(crate) const fn table_units(&self) -> Option<CapacityUnits> {
        match self {
            Self::ConditionFailed { table_units, .. } => Some(*table_units),
            Self::Invalid(_) => None,
        }
    }
}

impl Write {
    /// Makes it the same write of the item with another key.
    ///
    /// # Errors
    /// The key is none of the table's.
    pub(crate) fn fit_key(
        &mut self,
        schema: &TableSchema,
        item: &Item,
    ) -> Result<(), ValidationError> {
        self.key = encode_key(&schema.key, item)?;
        if let Action::Update { key, .. } | Action::Delete { key } = &mut self.action {
            *key = item.clone();
        }
        Ok(())
    }

    /// Finds out what the write does to the table as it is now.
    ///
    /// # Errors
    /// [`Refusal`] where the condition is false or the update cannot be applied.
    pub(crate) fn run(&self, table: &Table) -> Result<Written, Refusal> {
        let before = table.get(&self.key);
        if let Some(condition) = &self.condition {
            let nothing = Item::new();
            let item = before.map_or(&nothing, |row| &row.item);
            if !condition.holds(item) {
                let table_units = self.refused_units(before);
                return Err(Refusal::ConditionFailed { item: before.cloned(), table_units });
            }
        }
        let after = match &self.action {
            Action::Put(row) => Some(row.clone()),
            Action::Delete { .. } => None,
            Action::Check { .. } => before.cloned(),
            Action::Update { key, update } => {
                updated(table.schema(), before, key, update.as_ref()).map_err(Refusal::Invalid)?
            }
        };
        Ok(self.written(table.schema(), before, after))
    }

    /// Size of the item collection written, for a table with local indexes; none where nothing is written.
    pub(crate) fn collection_metrics(&self, table: &Table) -> Option<ItemCollectionMetrics> {
        match &self.action {
            Action::Check { .. } => None,
            action => collection_metrics(table, action.key()),
        }
    }

    /// One unit where there was no item, else by the larger of the stored item and the one offered: the
    /// conservative reading of a point the facts (2.2) leave open.
    pub(crate) fn refused_units(&self, before: Option<&Row>) -> CapacityUnits {
        let Some(before) = before else { return write_units(0) };
        let offered = match &self.action {
            Action::Put(row) => row.size_bytes,
            Action::Update { .. } | Action::Delete { .. } | Action::Check { .. } => 0,
        };
        write_units(before.size_bytes.max(offered))
    }

    fn written(&self, schema: &TableSchema, before: Option<&Row>, after: Option<Row>) -> Written {
        let table_units = write_units(size_of(before).max(size_of(after.as_ref())));
        let before = before.cloned();
        if is_equal(before.as_ref(), after.as_ref()) {
            return Written { before, after, change: None, index_entries: Vec::new(), table_units };
        }
        let change = ItemChange {
            table: self.table.name.clone(),
            key: self.key.clone(),
            before: before.clone(),
            after: after.clone(),
        };
        let index_entries = index_changes(schema, &change);
        Written { before, after, change: Some(change), index_entries, table_units }
    }
}

/// Bytes of an image; none where there is no item.
pub(crate) fn size_of(row: Option<&Row>) -> u32 {
    row.map_or(0, |row| row.size_bytes)
}

/// Equality as DynamoDB means it: set order, map order and number spelling do not matter.
fn is_equal(before: Option<&Row>, after: Option<&Row>) -> bool {
    match (before, after) {
        (None, None) => true,
        (Some(before), Some(after)) => {
            before.size_bytes == after.size_bytes && before.item == after.item
        }
        _ => false,
    }
}

/// The item an update leaves; none where there was none and the update creates none.
fn updated(
    schema: &TableSchema,
    before: Option<&Row>,
    key: &Item,
    update: Option<&Update>,
) -> Result<Option<Row>, ValidationError> {
    let Some(update) = update else {
        return Ok(Some(before.cloned().unwrap_or_else(|| Row::new(key.clone()))));
    };
    if before.is_none() && !update.creates_item() {
        return Ok(None);
    }
    let item = match before {
        Some(row) => update.apply(&row.item)?,
        // A missing item has no attributes, its key included: the key joins what the update made.
        None => key.clone().into_iter().chain(update.apply(&Item::new())?).collect(),
    };
    let row = Row::new(item);
    check_index_keys(schema, &row.item, Some(update.touched_paths()))?;
    if schema.local_indexes.is_empty() {
        check_size(row.size_bytes, Source::Update)?;
    } else {
        check_size_with_local_indexes(schema, &row.item, row.size_bytes, Source::Update)?;
    }
    Ok(Some(row))
}

/// How a write of one item replies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReplyOptions {
    /// True if a false condition returns the item.
    pub(crate) returns_item_on_failure: bool,
    /// How much of the consumed capacity is shown.
    pub(crate) shown: ReturnConsumedCapacity,
    /// ReturnItemCollectionMetrics=SIZE.
    pub(crate) returns_collection_metrics: bool,
}

/// Executes a write that is a request of its own; `reply` makes the response of what it brought.
pub(crate) fn execute_single(
    store: &Store,
    write: &Write,
    options: ReplyOptions,
    reply: impl FnOnce(&Written, ConsumedCapacity, Option<ItemCollectionMetrics>) -> Response,
) -> Outcome {
    let Some(table) = store.table(write.table.name.as_str()) else {
        return Outcome::free(Err(ApiError::ResourceNotFound));
    };
    match write.run(table) {
        Ok(written) if !Growth::default().admits(store, &written) => {
            Outcome::free(Err(ApiError::ItemCollectionSizeLimitExceeded))
        }
        Ok(written) => {
            let consumed = consumed_by(
                &write.table,
                table.schema(),
                written.table_units,
                &written.index_entries,
                options.shown,
            );
            let metrics = options
                .returns_collection_metrics
                .then(|| write.collection_metrics(table))
                .flatten();
            let mut outcome = Outcome::free(Ok(reply(&written, consumed.clone(), metrics)));
            outcome.changes.extend(written.change.map(Change::Item));
            outcome.index_entries = written.index_entries;
            outcome.consumed = vec![consumed];
            outcome
        }
        Err(refusal) => {
            let units = refusal.table_units();
            let mut outcome =
                Outcome::free(Err(refusal.into_error(options.returns_item_on_failure)));
            outcome.consumed.extend(
                units.map(|units| {
                    consumed_by(&write.table, table.schema(), units, &[], options.shown)
                }),
            );
            outcome
        }
    }
}

/// What writes of one table consumed: `table_units` and the units of the index entries they changed.
///
/// A changed entry costs the larger of its two images; an entry that moves is removed and put, and both are
/// charged, each rounded alone.
pub(crate) fn consumed_by(
    table: &TableReference,
    schema: &TableSchema,
    table_units: CapacityUnits,
    entries: &[IndexEntryChange],
    shown: ReturnConsumedCapacity,
) -> ConsumedCapacity {
    let charge = |name: &IndexName| -> Option<(IndexName, CapacityUnits)> {
        let of_index = entries.iter().filter(|entry| entry.index == *name);
        let units: CapacityUnits = of_index
            .map(|entry| {
                write_units(size_of(entry.before.as_ref()).max(size_of(entry.after.as_ref())))
            })
            .sum();
        (!units.is_zero()).then(|| (name.clone(), units))
    };
    let (local_indexes, global_indexes) = if entries.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        (
            schema.local_indexes.iter().filter_map(|index| charge(&index.name)).collect(),
            schema.global_indexes.iter().filter_map(|index| charge(&index.name)).collect(),
        )
    };
    ConsumedCapacity {
        table_name: table.given.clone(),
        table: table_units,
        local_indexes,
        global_indexes,
        failed: CapacityUnits::ZERO,
        is_write: true,
        shown,
    }
}

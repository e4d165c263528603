//! `Element`: one write of a transaction, from its parameters to what it finds out about its item.
//!
//! Invariant: a key that fits its table is known before anything is read; other faults of the element wait
//! until the transaction runs, because they cancel it.

use hashrange_expressions::Condition;
use hashrange_storage::{Row, Store};
use hashrange_types::operation::{TransactAction, TransactWriteItem};
use hashrange_types::{
    ApiError, CancellationReason, CapacityUnits, Deferred, EncodedKey, Item, TableReference,
    TableSchema, ValidationError,
};

use crate::transaction::{at_element, is_about_empty_key};
use crate::validation::{encode_key, find_table};
use crate::write::{Action, Refusal, Write, Written};
use crate::write_plan::WriteParameters;
use crate::write_validation::{
    Source, check_index_keys, check_nesting, check_nesting_of_values, check_size,
    check_size_with_local_indexes, check_update_spares_key, encode_key_of_item,
};

/// One write of a transaction.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) write: Write,
    /// Its position in the request.
    index: usize,
    /// The name of its action.
    name: &'static str,
    returns_item_on_failure: bool,
    /// A fault that cancels the transaction whatever the item holds.
    fault: Option<ValidationError>,
}

/// An element whose values are valid and whose expressions are bound.
pub(super) struct Settled {
    pub(super) table: TableReference,
    index: usize,
    name: &'static str,
    action: Action,
    condition: Option<Condition>,
    returns_item_on_failure: bool,
    fault: Option<ValidationError>,
}

/// Bytes an element sends: its item or key, and the values of its expressions.
pub(super) fn payload_bytes(item: &TransactWriteItem) -> u64 {
    let content = item.action.item().as_ref().map_or(0, Item::size_bytes);
    let values = item.values.iter().flatten().filter_map(|(_, value)| value.as_ref().ok());
    u64::from(content) + values.map(|value| u64::from(value.size_bytes())).sum::<u64>()
}

impl Settled {
    /// Steps 4 to 9 of facts 4.10.3 for element `index`.
    pub(super) fn settle(index: usize, item: TransactWriteItem) -> Result<Self, ValidationError> {
        let name = item.action.name();
        settle(index, item).map_err(|error| at_element(error, index, name))
    }

    /// Checks the element against its table. A fault other than one of the key, or of an empty index key, is
    /// kept.
    pub(super) fn settle_key(
        &mut self,
        schema: &TableSchema,
    ) -> Result<EncodedKey, ValidationError> {
        let checked = self.check_schema(schema).and_then(|(key, checked)| match checked {
            Err(error) if is_about_empty_key(&error) => Err(error),
            checked => Ok((key, checked.err())),
        });
        let (key, fault) = checked.map_err(|error| at_element(error, self.index, self.name))?;
        self.fault = self.fault.take().or(fault);
        Ok(key)
    }

    /// The key, and whether what is written fits the table.
    fn check_schema(
        &self,
        schema: &TableSchema,
    ) -> Result<(EncodedKey, Result<(), ValidationError>), ValidationError> {
        match &self.action {
            Action::Put(row) => {
                let key = encode_key_of_item(schema, &row.item, true)?;
                let size_bytes = row.size_bytes;
                let checked = check_index_keys(schema, &row.item, None).and_then(|()| {
                    check_size_with_local_indexes(schema, &row.item, size_bytes, Source::Put)
                });
                Ok((key, checked))
            }
            Action::Update { key, update } => {
                let touched = update.as_ref().map_or(&[][..], |update| update.touched_paths());
                let key = encode_key(&schema.key, key)?;
                Ok((key, check_update_spares_key(schema, touched)))
            }
            Action::Delete { key } | Action::Check { key } => {
                Ok((encode_key(&schema.key, key)?, Ok(())))
            }
        }
    }

    pub(super) fn into_element(self, key: EncodedKey) -> Element {
        let Self { table, index, name, action, condition, returns_item_on_failure, fault } = self;
        let write = Write { table, key, condition, action };
        Element { write, index, name, returns_item_on_failure, fault }
    }
}

fn settle(index: usize, item: TransactWriteItem) -> Result<Settled, ValidationError> {
    let name = item.action.name();
    let update_expression = match &item.action {
        TransactAction::Update { update_expression, .. } => Some(update_expression.clone()),
        _ => None,
    };
    let is_update = update_expression.is_some();
    let is_check = matches!(item.action, TransactAction::ConditionCheck { .. });
    // Deep values cancel an Update and do not matter to a ConditionCheck (facts 1.1).
    let values = item.values.as_ref();
    let fault = values.filter(|_| is_update).map_or(Ok(()), check_nesting_of_values).err();
    let parameters = WriteParameters {
        update_expression,
        condition_expression: item.condition_expression,
        names: item.names,
        values: item.values,
        takes_deep_values: is_update || is_check,
        ..WriteParameters::default()
    };
    let settle_key = |key: Deferred<Item>| {
        parameters.check_styles(is_update)?;
        key
    };
    let mut action = match item.action {
        TransactAction::Put { item } => Action::Put(settle_put(item, &parameters)?),
        TransactAction::Update { key, .. } => {
            Action::Update { key: settle_key(key)?, update: None }
        }
        TransactAction::Delete { key } => Action::Delete { key: settle_key(key)? },
        TransactAction::ConditionCheck { key } => Action::Check { key: settle_key(key)? },
    };
    let bound = parameters.bind()?;
    if let Action::Update { update, .. } = &mut action {
        *update = bound.update;
    }
    Ok(Settled {
        table: item.table,
        index,
        name,
        action,
        condition: bound.condition,
        returns_item_on_failure: item.returns_item_on_failure,
        fault,
    })
}

/// The item of a Put: its values come before the styles of its parameters, as in PutItem.
fn settle_put(item: Deferred<Item>, parameters: &WriteParameters) -> Result<Row, ValidationError> {
    let item = item?;
    check_nesting(&item)?;
    parameters.check_styles(false)?;
    let row = Row::new(item);
    check_size(row.size_bytes, Source::Put)?;
    Ok(row)
}

/// What an element found out about its item.
pub(super) struct Examined<'a> {
    pub(super) element: &'a Element,
    pub(super) result: Result<Written, Refusal>,
    /// What the element costs its table, index entries not included.
    pub(super) table_units: CapacityUnits,
}

impl Element {
    /// A write that was checked elsewhere: statement `index` of an ExecuteTransaction.
    pub(crate) const fn of_statement(
        write: Write,
        index: usize,
        returns_item_on_failure: bool,
    ) -> Self {
        Self { write, index, name: "Statement", returns_item_on_failure, fault: None }
    }

    /// Finds out what the element does to its item as it is now.
    ///
    /// # Errors
    /// [`ApiError::ResourceNotFound`]: the table is gone since the plan.
    pub(super) fn examine(&self, store: &Store) -> Result<Examined<'_>, ApiError> {
        let table = find_table(store, &self.write.table)?;
        let result = match &self.fault {
            Some(fault) => Err(Refusal::Invalid(fault.clone())),
            None => self.write.run(table),
        };
        let units = match &result {
            Ok(written) => written.table_units,
            Err(Refusal::ConditionFailed { table_units, .. }) => *table_units,
            Err(Refusal::Invalid(_)) => self.write.refused_units(table.get(&self.write.key)),
        };
        Ok(Examined { element: self, result, table_units: units.times(2) })
    }
}

impl Examined<'_> {
    /// Why the element cannot be carried out on its item, whatever its condition.
    pub(super) fn invalid(&self) -> Option<ValidationError> {
        match &self.result {
            Err(Refusal::Invalid(error)) => {
                Some(at_element(error.clone(), self.element.index, self.element.name))
            }
            _ => None,
        }
    }

    /// The element's reason where all elements are valid.
    pub(super) fn reason(&self) -> CancellationReason {
        match &self.result {
            Err(Refusal::ConditionFailed { item, .. }) => {
                let item = item.as_ref().filter(|_| self.element.returns_item_on_failure);
                let item = item.map(|row| Box::new(row.item.clone()));
                CancellationReason::ConditionalCheckFailed(item)
            }
            _ => CancellationReason::None,
        }
    }
}

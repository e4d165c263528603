//! INSERT, UPDATE, DELETE and EXISTS: writes of one item.
//!
//! INSERT puts an item where none is, UPDATE changes one that is there, DELETE of none is done. What WHERE says
//! besides the key is a condition of the write.

use hashrange_expressions::Condition;
use hashrange_expressions::partiql::{Returning, Select, Statement};
use hashrange_storage::{Row, Table};
use hashrange_types::{
    ApiError, AttributeName, AttributeValue, DocumentPath, Item, KeySchema, TableReference,
    TableSchema, ValidationError,
};

use super::access::{equality, joined};
use crate::validation::encode_key;
use crate::write::{Action, Refusal, Write, Written};
use crate::write_validation::{
    Source, check_index_keys, check_nesting, check_size, check_size_with_local_indexes,
    check_update_spares_key, encode_key_of_item,
};

/// A checked write of a statement.
#[derive(Debug, Clone)]
pub(crate) struct StatementWrite {
    pub(crate) write: Write,
    /// True for INSERT, whose refusal has a name of its own.
    pub(crate) is_insert: bool,
    /// What is returned, if anything.
    returning: Option<Returning>,
}

/// Checks a statement that writes against its table.
///
/// # Errors
/// The statement does not name one item, or what it writes does not fit the table.
pub(crate) fn plan(
    schema: &TableSchema,
    table: &TableReference,
    statement: Statement,
) -> Result<StatementWrite, ValidationError> {
    let exists = DocumentPath::top(schema.key.partition[0].name.clone());
    let planned = |key: Item, condition, action: Action, returning| {
        let key = encode_key(&schema.key, &key)?;
        let write = Write { table: table.clone(), key, condition, action };
        Ok(StatementWrite { write, is_insert: false, returning })
    };
    match statement {
        Statement::Insert { item, .. } => {
            check_nesting(&item)?;
            let row = Row::new(item);
            check_size(row.size_bytes, Source::Put)?;
            let key = encode_key_of_item(schema, &row.item, true)?;
            check_index_keys(schema, &row.item, None)?;
            check_size_with_local_indexes(schema, &row.item, row.size_bytes, Source::Put)?;
            let condition = Some(Condition::AttributeNotExists(exists));
            let write = Write { table: table.clone(), key, condition, action: Action::Put(row) };
            Ok(StatementWrite { write, is_insert: true, returning: None })
        }
        Statement::Update { update, condition, returning, .. } => {
            let (key, mut rest) = key_of(&schema.key, condition, false)?;
            check_update_spares_key(schema, update.touched_paths())?;
            rest.insert(0, Condition::AttributeExists(exists));
            let action = Action::Update { key: key.clone(), update: Some(update) };
            planned(key, joined(rest), action, returning)
        }
        Statement::Delete { condition, returns_old, .. } => {
            let (key, rest) = key_of(&schema.key, condition, false)?;
            let missing = Condition::AttributeNotExists(exists);
            let condition = joined(rest).map(|rest| Condition::Any(vec![missing, rest]));
            let returning = returns_old.then_some(Returning { is_modified: false, is_new: false });
            planned(key.clone(), condition, Action::Delete { key }, returning)
        }
        Statement::Select(Select { condition, .. })
        | Statement::Exists(Select { condition, .. }) => {
            let whole = || ValidationError::new(EXISTS_NEEDS_MORE);
            let (key, mut rest) = key_of(&schema.key, condition, true).map_err(|_| whole())?;
            if rest.is_empty() {
                return Err(whole());
            }
            rest.insert(0, Condition::AttributeExists(exists));
            planned(key.clone(), joined(rest), Action::Check { key }, None)
        }
    }
}

/// What DynamoDB says of an EXISTS that does not name one item, or nothing but it.
pub(crate) const EXISTS_NEEDS_MORE: &str =
    "EXISTS() must contain a single item read with additional condition";
/// What DynamoDB says of a write whose WHERE does not name one item.
pub(crate) const KEY_IS_MANDATORY: &str =
    "Where clause does not contain a mandatory equality on all key attributes";

/// The key that a condition names, and what else it says. Of two values for one attribute the first counts if
/// `takes_first`; the other is then part of the rest.
fn key_of(
    schema: &KeySchema,
    condition: Option<Condition>,
    takes_first: bool,
) -> Result<(Item, Vec<Condition>), ValidationError> {
    let mut parts = Vec::new();
    if let Some(condition) = condition {
        push_parts(condition, &mut parts);
    }
    let mut key = Item::new();
    let mut rest = Vec::new();
    for part in parts {
        match equality(&part).filter(|(name, _)| schema.contains(name.as_str())) {
            Some((name, value)) => match key.get(name.as_str()) {
                None => {
                    let (name, value): (AttributeName, AttributeValue) =
                        (name.clone(), value.clone());
                    key.insert(name, value);
                }
                Some(known) if known == value => {}
                Some(_) if takes_first => rest.push(part),
                Some(_) => {
                    return Err(ValidationError::new(format!(
                        "Multiple conditions on same key {name}. Only single item \
                         Update/Insert/Delete are supported"
                    )));
                }
            },
            None => rest.push(part),
        }
    }
    if key.len() < schema.attributes().count() {
        return Err(ValidationError::new(KEY_IS_MANDATORY));
    }
    Ok((key, rest))
}

fn push_parts(condition: Condition, parts: &mut Vec<Condition>) {
    match condition {
        Condition::All(conditions) => {
            for condition in conditions {
                push_parts(condition, parts);
            }
        }
        other => parts.push(other),
    }
}

impl StatementWrite {
    /// Finds out what the write does to the table as it is now.
    ///
    /// # Errors
    /// [`Refusal`] where its condition is false or its update cannot be applied.
    pub(crate) fn run(&self, table: &Table) -> Result<Written, Refusal> {
        self.write.run(table).map_err(|refusal| match refusal {
            // The same fault as in UpdateItem, in fewer words.
            Refusal::Invalid(error) if error.message.starts_with(NESTING) => {
                Refusal::Invalid(ValidationError::new(NESTING))
            }
            refusal => refusal,
        })
    }

    /// The error of a refusal; with `returns_item` it carries the item that failed the condition.
    pub(crate) fn error(&self, refusal: Refusal, returns_item: bool) -> ApiError {
        match refusal {
            Refusal::ConditionFailed { .. } if self.is_insert => ApiError::DuplicateItem,
            refusal => refusal.into_error(returns_item),
        }
    }

    /// What RETURNING asks for of an item written, if there is anything.
    pub(crate) fn returned(&self, written: &Written) -> Option<Item> {
        let returning = self.returning?;
        let row = if returning.is_new { written.after.as_ref() } else { written.before.as_ref() };
        let item = &row?.item;
        match &self.write.action {
            Action::Update { update: Some(update), .. } if returning.is_modified => {
                update.fragment(item)
            }
            _ => Some(item.clone()),
        }
    }

    /// True if the statement has a RETURNING clause.
    pub(crate) const fn has_returning(&self) -> bool {
        self.returning.is_some()
    }
}

const NESTING: &str = "Nesting Levels have exceeded supported limits";

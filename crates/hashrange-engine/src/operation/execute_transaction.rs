//! ExecuteTransaction: up to 100 PartiQL statements on distinct items, all reads or all writes, all or none.
//!
//! Invariant: once planned, a transaction of statements is one of the classic operations' and runs as such.
//!
//! Order of checks: each statement's parameters, then its text; reads beside writes; for statements whose table is
//! there, what a transaction does not allow; then tables and keys, whose faults cancel the transaction, each with a
//! reason of its own; duplicates last.
//!
//! Source: facts 2.2, 3.6 and 3.7; the order as captured from the service by floci.

use hashrange_expressions::partiql::{self, Column, Select, Statement};
use hashrange_storage::{Store, TokenKey};
use hashrange_types::operation::{ExecuteTransactionRequest, ExecuteTransactionResponse};
use hashrange_types::{
    ApiError, CancellationReason, EncodedKey, Operation, Response, TableReference, TableSchema,
    Timestamp, ValidationError,
};

use super::transact_write_items::Element;
use super::{transact_get_items, transact_write_items};
use crate::fingerprint::statements_fingerprint;
use crate::outcome::Outcome;
use crate::partiql::access::{KEY_TYPE, only_key};
use crate::partiql::write::{self, EXISTS_NEEDS_MORE, KEY_IS_MANDATORY, StatementWrite};
use crate::partiql::{settle_parameters, table_of, table_reference};
use crate::transaction::{check_distinct, is_about_empty_key};
use crate::validation::{encode_key, find_table};

/// A checked ExecuteTransaction.
#[derive(Debug, Clone)]
pub enum Plan {
    /// Of reads, and the columns of each.
    Reads(transact_get_items::Plan, Vec<Option<Vec<Column>>>),
    /// Of writes, and which of them are INSERTs.
    Writes(transact_write_items::Plan, Vec<bool>),
}

/// One statement, checked.
enum Checked {
    Read(TableReference, EncodedKey, Option<Vec<Column>>),
    Write(Box<StatementWrite>),
}

/// Why a statement is not part of a transaction that runs.
enum Fault {
    /// The request is refused.
    Refused(ValidationError),
    /// The transaction is cancelled.
    Reason(CancellationReason),
}

/// Checks the statements.
pub(crate) fn plan(store: &Store, request: ExecuteTransactionRequest) -> Result<Plan, ApiError> {
    let statements = &request.statements;
    let mut parameters = Vec::with_capacity(statements.len());
    for statement in statements {
        parameters.push(settle_parameters(&statement.parameters)?);
    }
    let mut parsed = Vec::with_capacity(statements.len());
    for (index, (statement, parameters)) in statements.iter().zip(&parameters).enumerate() {
        let statement = partiql::parse(&statement.statement, parameters);
        parsed.push(statement.map_err(|error| refused(&error, index))?);
    }
    let n_reads =
        parsed.iter().filter(|statement| matches!(statement, Statement::Select(_))).count();
    if n_reads > 0 && n_reads < parsed.len() {
        let message = "ExecuteTransaction API does not support both read and write operations in the same request.";
        return Err(ValidationError::new(message).at_member(&["TransactStatements"]).into());
    }
    let checked = check_all(store, parsed)?;
    check_distinct(checked.iter().map(|checked| match checked {
        Checked::Read(table, key, _) => (table, key),
        Checked::Write(write) => (&write.write.table, &write.write.key),
    }))?;
    let shown = request.return_consumed_capacity;
    if n_reads > 0 {
        let mut keys = Vec::with_capacity(checked.len());
        let mut columns_of = Vec::with_capacity(checked.len());
        for one in checked {
            if let Checked::Read(table, key, columns) = one {
                keys.push((table, key));
                columns_of.push(columns);
            }
        }
        return Ok(Plan::Reads(transact_get_items::Plan::of_keys(keys, shown), columns_of));
    }
    let token = request.client_request_token.map(|token| {
        let operation = Operation::ExecuteTransaction;
        (TokenKey { operation, token: token.as_str().into() }, statements_fingerprint(statements))
    });
    let mut elements = Vec::with_capacity(checked.len());
    let mut inserts = Vec::with_capacity(checked.len());
    for (index, one) in checked.into_iter().enumerate() {
        if let Checked::Write(write) = one {
            let returns_item = statements[index].returns_item_on_failure;
            inserts.push(write.is_insert);
            elements.push(Element::of_statement(write.write, index, returns_item));
        }
    }
    let plan = transact_write_items::Plan::of_elements(elements, token, shown);
    Ok(Plan::Writes(plan, inserts))
}

/// The error of a statement that a transaction does not take.
fn refused(error: &ValidationError, index: usize) -> ValidationError {
    let index = index.to_string();
    let message = format!("Validation failed in TransactStatements[{index}]: {}", error.message);
    ValidationError::new(message).at_member(&["TransactStatements", &index, "Statement"])
}

fn check_all(store: &Store, parsed: Vec<Statement>) -> Result<Vec<Checked>, ApiError> {
    let mut reasons = Vec::with_capacity(parsed.len());
    let mut checked = Vec::with_capacity(parsed.len());
    for (index, statement) in parsed.into_iter().enumerate() {
        match check(store, statement) {
            Ok(one) => {
                checked.push(one);
                reasons.push(CancellationReason::None);
            }
            Err(Fault::Reason(reason)) => reasons.push(reason),
            Err(Fault::Refused(error)) => return Err(refused(&error, index).into()),
        }
    }
    if checked.len() < reasons.len() {
        return Err(ApiError::TransactionCanceled(reasons));
    }
    Ok(checked)
}

fn check(store: &Store, statement: Statement) -> Result<Checked, Fault> {
    let missing = |_| Fault::Reason(CancellationReason::ResourceNotFound);
    let table = table_reference(table_of(&statement)).map_err(missing)?;
    let schema = find_table(store, &table).map_err(missing)?.schema();
    match statement {
        Statement::Select(select) => check_read(schema, table, select),
        Statement::Exists(Select { source, .. }) if source.index.is_some() => {
            Err(Fault::Refused(ValidationError::new(INDEX_READ)))
        }
        statement => {
            let write = write::plan(schema, &table, statement).map_err(write_fault)?;
            if write.has_returning() {
                return Err(Fault::Refused(ValidationError::new(RETURNING)));
            }
            Ok(Checked::Write(Box::new(write)))
        }
    }
}

const INDEX_READ: &str = "Reads on indices are not supported within transactions.";
const RETURNING: &str = "RETURNING clause is not supported in ExecuteTransaction.";
const KEY_MISMATCH: &str = "The provided key element does not match the schema";

/// A write that does not name one item, or one that does not fit its table, cancels. An EXISTS is refused, and as in
/// TransactWriteItems an empty key and an item that is too large are.
fn write_fault(error: ValidationError) -> Fault {
    let is_too_large = error.message.starts_with("Item size has exceeded");
    if error.message == EXISTS_NEEDS_MORE || is_too_large || is_about_empty_key(&error) {
        return Fault::Refused(error);
    }
    let error =
        if error.message == KEY_IS_MANDATORY { ValidationError::new(KEY_MISMATCH) } else { error };
    Fault::Reason(CancellationReason::ValidationError(error))
}

fn check_read(
    schema: &TableSchema,
    table: TableReference,
    select: Select,
) -> Result<Checked, Fault> {
    if select.source.index.is_some() {
        return Err(Fault::Refused(ValidationError::new(INDEX_READ)));
    }
    let canceled = |error| Fault::Reason(CancellationReason::ValidationError(error));
    let key = only_key(&schema.key, select.condition.as_ref()).map_err(|error| {
        if error.message.starts_with(KEY_TYPE) {
            return canceled(ValidationError::new(KEY_MISMATCH));
        }
        Fault::Refused(error)
    })?;
    let key = key.ok_or_else(|| {
        Fault::Refused(ValidationError::new(
            "Select statements within ExecuteTransaction must specify the primary key in the where \
             clause.",
        ))
    })?;
    let key = encode_key(&schema.key, &key).map_err(canceled)?;
    Ok(Checked::Read(table, key, select.columns))
}

/// Runs the transaction.
pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
    match plan {
        Plan::Reads(plan, columns) => {
            let mut outcome = transact_get_items::execute(store, plan, now);
            outcome.reply = outcome.reply.map(|response| answer(response, columns));
            outcome
        }
        Plan::Writes(plan, inserts) => {
            let mut outcome = transact_write_items::execute(store, plan, now);
            outcome.reply = outcome.reply.map(|response| answer(response, &[]));
            if let Err(ApiError::TransactionCanceled(reasons)) = &mut outcome.reply {
                name_duplicates(reasons, inserts);
            }
            outcome
        }
    }
}

/// The reply of a classic transaction as this operation gives it.
fn answer(response: Response, columns: &[Option<Vec<Column>>]) -> Response {
    let (found, consumed) = match response {
        Response::TransactGetItems(response) => (response.responses, response.consumed),
        Response::TransactWriteItems(response) => (Vec::new(), response.consumed),
        other => return other,
    };
    let responses = found.into_iter().zip(columns).map(|(item, columns)| match columns {
        Some(columns) => Some(Column::project(columns, &item?)).filter(|item| !item.is_empty()),
        None => item,
    });
    let responses = responses.collect();
    Response::ExecuteTransaction(ExecuteTransactionResponse { responses, consumed })
}

/// The false condition of an INSERT has a reason of its own.
fn name_duplicates(reasons: &mut [CancellationReason], inserts: &[bool]) {
    for (reason, is_insert) in reasons.iter_mut().zip(inserts) {
        if *is_insert && matches!(reason, CancellationReason::ConditionalCheckFailed(_)) {
            *reason = CancellationReason::DuplicateItem;
        }
    }
}

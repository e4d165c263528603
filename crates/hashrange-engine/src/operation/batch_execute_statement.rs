//! BatchExecuteStatement: up to 25 PartiQL statements, all reads or all writes, each answered for itself.
//!
//! Invariant: the statements are about distinct items, so all of them may look at the store as it was. One that fails
//! does not stop the others.
//!
//! Source: facts 2.2 and 3.7.

use hashrange_expressions::partiql::{Column, Select, Statement};
use hashrange_storage::{Change, IndexEntryChange, Store};
use hashrange_types::operation::{
    BatchExecuteStatementRequest, BatchExecuteStatementResponse, BatchStatementResponse,
    ConsumedCapacity, ParameterizedStatement, ReturnConsumedCapacity,
};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, Operation, Response, SortedSet, TableName, TableReference,
    Timestamp, ValidationError,
};

use crate::capacity::{read_units, write_units};
use crate::item_collection::Growth;
use crate::outcome::{Evaluated, Outcome};
use crate::partiql::access::only_key;
use crate::partiql::select::check_index_key;
use crate::partiql::write::{self, StatementWrite};
use crate::partiql::{EXISTS_OUTSIDE_TRANSACTION, parse, table_of, table_reference};
use crate::transaction::ByTable;
use crate::validation::{encode_key, find_table};
use crate::write::{Action, Refusal, consumed_by};

/// A checked BatchExecuteStatement.
#[derive(Debug, Clone)]
pub struct Plan {
    /// One for each statement: what it does, or why it is refused before it runs.
    pub(crate) members: Vec<Result<Member, ApiError>>,
    shown: ReturnConsumedCapacity,
}

/// One statement of a batch.
#[derive(Debug, Clone)]
pub(crate) enum Member {
    Read(MemberRead),
    /// A write, and true if a false condition tells the item.
    Write(Box<StatementWrite>, bool),
}

/// A read of one item by its key.
#[derive(Debug, Clone)]
pub(crate) struct MemberRead {
    pub(crate) table: TableReference,
    pub(crate) key: EncodedKey,
    pub(crate) is_consistent: bool,
    columns: Option<Vec<Column>>,
}

impl Member {
    /// The item it is about.
    pub(crate) const fn item(&self) -> (&TableReference, &EncodedKey) {
        match self {
            Self::Read(read) => (&read.table, &read.key),
            Self::Write(write, _) => (&write.write.table, &write.write.key),
        }
    }
}

/// Checks the statements. A fault of one is its own; mixing reads and writes, and naming an item twice, refuse all.
pub(crate) fn plan(store: &Store, request: BatchExecuteStatementRequest) -> Result<Plan, ApiError> {
    let BatchExecuteStatementRequest { statements, return_consumed_capacity: shown } = request;
    let parsed: Vec<Result<Statement, ValidationError>> =
        statements.iter().map(|statement| parse(statement).map_err(unplaced)).collect();
    let is_read = |statement: &&Statement| matches!(statement, Statement::Select(_));
    let n_reads = parsed.iter().flatten().filter(is_read).count();
    if n_reads > 0 && n_reads < parsed.iter().flatten().count() {
        let message = "Read and write requests together in the same batch is not supported.";
        return Err(ValidationError::new(message).at_member(&["Statements"]).into());
    }
    let members: Vec<Result<Member, ApiError>> = parsed
        .into_iter()
        .zip(&statements)
        .map(|(parsed, statement)| plan_member(store, parsed?, statement))
        .collect();
    let mut items: SortedSet<(&TableName, &EncodedKey)> = SortedSet::new();
    for (table, key) in members.iter().flatten().map(Member::item) {
        if !items.insert((&table.name, key)) {
            let message = "Provided list of item keys contains duplicates";
            return Err(ValidationError::new(message).at_member(&["Statements"]).into());
        }
    }
    Ok(Plan { members, shown })
}

/// A place in a statement would be looked for in the first one of the request.
fn unplaced(error: ValidationError) -> ValidationError {
    error.unplaced()
}

fn plan_member(
    store: &Store,
    parsed: Statement,
    statement: &ParameterizedStatement,
) -> Result<Member, ApiError> {
    if matches!(parsed, Statement::Exists(_)) {
        return Err(ValidationError::new(EXISTS_OUTSIDE_TRANSACTION).into());
    }
    let table = table_reference(table_of(&parsed))?;
    let schema = find_table(store, &table)?.schema();
    let Statement::Select(Select { columns, source, condition, .. }) = parsed else {
        let write = Box::new(write::plan(schema, &table, parsed)?);
        return Ok(Member::Write(write, statement.returns_item_on_failure));
    };
    let index = source.index.as_deref().and_then(|name| schema.index(name));
    index.map_or(Ok(()), check_index_key)?;
    let key = match source.index {
        None => only_key(&schema.key, condition.as_ref())?,
        Some(_) => None,
    };
    let key = key.ok_or_else(|| {
        ValidationError::new(
            "Select statements within BatchExecuteStatement must specify the primary key in the \
             where clause.",
        )
    })?;
    let key = encode_key(&schema.key, &key)?;
    let is_consistent = statement.consistent_read;
    Ok(Member::Read(MemberRead { table, key, is_consistent, columns }))
}

/// What the batch does to one table.
#[derive(Debug, Default)]
struct Share {
    units: CapacityUnits,
    /// Of statements that failed.
    failed_units: CapacityUnits,
    entries: Vec<IndexEntryChange>,
    is_write: bool,
}

/// Runs the statements.
pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    let mut run = Run::default();
    let responses: Vec<BatchStatementResponse> =
        plan.members.iter().map(|member| run.member(store, member)).collect();
    let is_any_done = responses.iter().any(|response| response.error.is_none());
    let consumed: Vec<ConsumedCapacity> = run
        .shares
        .into_shares()
        .filter_map(|(table, share)| {
            let schema = find_table(store, &table).ok()?.schema();
            let mut consumed = consumed_by(&table, schema, share.units, &share.entries, plan.shown);
            consumed.failed = share.failed_units;
            consumed.is_write = share.is_write;
            run.index_entries.extend(share.entries);
            Some(consumed)
        })
        .collect();
    let shown = if is_any_done { consumed.clone() } else { Vec::new() };
    let response = BatchExecuteStatementResponse { responses, consumed: shown };
    Outcome {
        changes: run.changes,
        index_entries: run.index_entries,
        consumed,
        evaluated: run.evaluated,
        ..Outcome::free(Ok(Response::BatchExecuteStatement(response)))
    }
}

/// A batch being run.
#[derive(Debug)]
struct Run {
    changes: Vec<Change>,
    index_entries: Vec<IndexEntryChange>,
    shares: ByTable<Share>,
    growth: Growth,
    evaluated: Evaluated,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            changes: Vec::new(),
            index_entries: Vec::new(),
            shares: ByTable::default(),
            growth: Growth::default(),
            evaluated: Evaluated::NOTHING,
        }
    }
}

impl Run {
    fn member(
        &mut self,
        store: &Store,
        member: &Result<Member, ApiError>,
    ) -> BatchStatementResponse {
        let failed = |error| BatchStatementResponse { error: Some(error), ..Default::default() };
        let mut response = match member {
            Err(error) => failed(error.clone()),
            Ok(Member::Read(read)) => self.read(store, read).unwrap_or_else(failed),
            Ok(Member::Write(write, tells_item)) => {
                self.write(store, write, *tells_item).unwrap_or_else(failed)
            }
        };
        response.error = response.error.map(|error| error.within(Operation::BatchExecuteStatement));
        response
    }

    fn read(
        &mut self,
        store: &Store,
        read: &MemberRead,
    ) -> Result<BatchStatementResponse, ApiError> {
        let row = find_table(store, &read.table)?.get(&read.key);
        let size_bytes = row.map_or(0, |row| u64::from(row.size_bytes));
        self.shares.share(&read.table).units += read_units(size_bytes, read.is_consistent);
        if let Some(row) = row {
            self.evaluated.add_returned(&read.key, row);
        }
        self.evaluated.n_partitions += 1;
        let item = row.map(|row| match &read.columns {
            Some(columns) => Column::project(columns, &row.item),
            None => row.item.clone(),
        });
        let table_name = Some(read.table.given.clone());
        Ok(BatchStatementResponse { error: None, table_name, item })
    }

    fn write(
        &mut self,
        store: &Store,
        write: &StatementWrite,
        tells_item: bool,
    ) -> Result<BatchStatementResponse, ApiError> {
        let reference = &write.write.table;
        let table = find_table(store, reference)?;
        let share = self.shares.share(reference);
        share.is_write = true;
        let mut response = BatchStatementResponse {
            table_name: Some(reference.given.clone()),
            ..Default::default()
        };
        match write.run(table) {
            Ok(written) if !self.growth.admits(store, &written) => {
                response.error = Some(ApiError::ItemCollectionSizeLimitExceeded);
            }
            Ok(written) => {
                response.item = write.returned(&written);
                share.units += written.table_units;
                share.entries.extend(written.index_entries);
                self.changes.extend(written.change.map(Change::Item));
            }
            Err(refusal) => {
                share.failed_units += attempted_units(write, &refusal);
                // The table is not named beside a ValidationError (facts 3.7).
                if matches!(refusal, Refusal::Invalid(_)) {
                    response.table_name = None;
                }
                response.error = Some(write.error(refusal, tells_item));
            }
        }
        Ok(response)
    }
}

/// What a statement that failed while running costs: an INSERT its item, others one unit (facts 2.2).
fn attempted_units(write: &StatementWrite, refusal: &Refusal) -> CapacityUnits {
    match (&write.write.action, refusal) {
        (Action::Put(row), Refusal::ConditionFailed { .. }) => write_units(row.size_bytes),
        _ => write_units(0),
    }
}

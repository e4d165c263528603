//! ExecuteStatement: run one PartiQL statement.
//!
//! Source: facts 2.2 and 3.7.

use hashrange_expressions::partiql::Statement;
use hashrange_storage::{Change, Store};
use hashrange_types::operation::{
    ConsumedCapacity, ExecuteStatementRequest, ExecuteStatementResponse, ReturnConsumedCapacity,
};
use hashrange_types::{ApiError, Response, Timestamp, ValidationError};

use crate::fingerprint::statements_fingerprint;
use crate::item_collection::Growth;
use crate::outcome::Outcome;
use crate::partiql::select::{self, SelectOptions, SelectPlan};
use crate::partiql::write::{self, StatementWrite};
use crate::partiql::{EXISTS_OUTSIDE_TRANSACTION, parse, table_of, table_reference};
use crate::validation::find_table;
use crate::write::consumed_by;

/// A checked ExecuteStatement.
#[derive(Debug, Clone)]
pub struct Plan(pub(crate) StatementPlan);

/// What a statement does.
#[derive(Debug, Clone)]
pub(crate) enum StatementPlan {
    /// Reads a page of items.
    Select(SelectPlan),
    /// Writes one item.
    Write {
        write: Box<StatementWrite>,
        returns_item_on_failure: bool,
        shown: ReturnConsumedCapacity,
    },
}

/// Checks a statement: its parameters, its text, its table, then what it asks of that.
pub(crate) fn plan(store: &Store, request: ExecuteStatementRequest) -> Result<Plan, ApiError> {
    let ExecuteStatementRequest { statement, next_token, limit, return_consumed_capacity: shown } =
        request;
    match parse(&statement)? {
        Statement::Exists(_) => Err(ValidationError::new(EXISTS_OUTSIDE_TRANSACTION).into()),
        Statement::Select(select) => {
            let options = SelectOptions {
                limit,
                next_token: next_token.as_deref(),
                fingerprint: statements_fingerprint(std::slice::from_ref(&statement)),
                is_consistent: statement.consistent_read,
                shown,
            };
            Ok(Plan(StatementPlan::Select(select::plan(store, select, options)?)))
        }
        parsed => {
            let table = table_reference(table_of(&parsed))?;
            let schema = find_table(store, &table)?.schema();
            let write = Box::new(write::plan(schema, &table, parsed)?);
            if next_token.is_some() {
                return Err(ValidationError::new("NextToken does not match request")
                    .at_member(&["NextToken"])
                    .into());
            }
            let returns_item_on_failure = statement.returns_item_on_failure;
            Ok(Plan(StatementPlan::Write { write, returns_item_on_failure, shown }))
        }
    }
}

/// Runs the statement.
pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    match &plan.0 {
        StatementPlan::Select(select) => execute_select(store, select),
        StatementPlan::Write { write, returns_item_on_failure, shown } => {
            execute_write(store, write, *returns_item_on_failure, *shown)
        }
    }
}

fn execute_select(store: &Store, select: &SelectPlan) -> Outcome {
    let page = match select.execute(store) {
        Ok(page) => page,
        Err(error) => return Outcome::free(Err(error)),
    };
    let response = Response::ExecuteStatement(ExecuteStatementResponse {
        items: page.items,
        next_token: page.next_token.map(Into::into),
        last_evaluated_key: page.last_evaluated_key,
        consumed: page.consumed.clone(),
    });
    Outcome {
        consumed: vec![page.consumed],
        evaluated: page.evaluated,
        ..Outcome::free(Ok(response))
    }
}

fn execute_write(
    store: &Store,
    write: &StatementWrite,
    returns_item: bool,
    shown: ReturnConsumedCapacity,
) -> Outcome {
    let reference = &write.write.table;
    let table = match find_table(store, reference) {
        Ok(table) => table,
        Err(error) => return Outcome::free(Err(error)),
    };
    let schema = table.schema();
    match write.run(table) {
        Ok(written) if !Growth::default().admits(store, &written) => {
            Outcome::free(Err(ApiError::ItemCollectionSizeLimitExceeded))
        }
        Ok(written) => {
            let entries = &written.index_entries;
            let consumed: ConsumedCapacity =
                consumed_by(reference, schema, written.table_units, entries, shown);
            let response = ExecuteStatementResponse {
                items: write.returned(&written).into_iter().collect(),
                next_token: None,
                last_evaluated_key: None,
                consumed: consumed.clone(),
            };
            Outcome {
                changes: written.change.map(Change::Item).into_iter().collect(),
                index_entries: written.index_entries,
                consumed: vec![consumed],
                ..Outcome::free(Ok(Response::ExecuteStatement(response)))
            }
        }
        Err(refusal) => {
            let units = refusal.table_units();
            let consumed = units.map(|units| consumed_by(reference, schema, units, &[], shown));
            let error = write.error(refusal, returns_item);
            Outcome { consumed: consumed.into_iter().collect(), ..Outcome::free(Err(error)) }
        }
    }
}

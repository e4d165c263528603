//! `PatternRun`: one access pattern run page by page on a snapshot.
//!
//! Invariant: the snapshot is not changed; whatever the pattern says, the run ends, after at most [`PAGES_MAX`]
//! pages.
//!
//! Not here: which patterns need to run ([`super::suite`]), heat, the pattern's expectations.

use std::ops::Bound::Included;
use std::sync::Arc;

use hashrange_engine::{Outcome, Plan, Target, execute, plan};
use hashrange_storage::{Change, KeyRange, Store, Table};
use hashrange_types::arn::Resource;
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{
    ApiError, CapacityUnits, IndexName, Item, Operation, Request, Response, TableName, Timestamp,
};
use serde_json::Value;

use super::expect::TestResult;
use super::result::{PatternPage, PatternResult, Served, UnitsOf};
use super::shape::PatternShape;
use crate::document::AccessPattern;

/// Pages read of one pattern; what is behind them is only said to be there.
pub(crate) const PAGES_MAX: usize = 1_000;

/// The moment patterns run at: nothing a pattern may do depends on it.
const NOW: Timestamp = Timestamp::from_millis(0);

/// A pattern being run.
#[derive(Debug, Clone)]
pub(crate) struct PatternRun {
    operation: Option<Operation>,
    request: Value,
    is_followed: bool,
    keeps_items: bool,
    pub(crate) result: PatternResult,
    /// Items returned, where the pattern's expectations ask for them.
    pub(crate) items: Vec<Item>,
    /// The tables it read or wrote; none where it was refused, since anything might change that.
    pub(crate) tables: Option<Vec<Arc<Table>>>,
    /// The first item it met, with its table: it tells which entity the pattern is about.
    pub(crate) subject: Option<(TableName, Item)>,
}

impl PatternRun {
    /// The run of a pattern, not begun yet.
    pub(crate) fn new(pattern: &AccessPattern, number: u32) -> Self {
        let states_pages = pattern.expect.keys().any(|name| name.starts_with("page"));
        Self {
            operation: Operation::from_name(&pattern.operation),
            request: pattern.request.clone(),
            is_followed: states_pages || pattern.request.get("Limit").is_none(),
            keeps_items: pattern.expect.contains_key("order"),
            result: PatternResult {
                number,
                words: pattern.words.clone(),
                operation: pattern.operation.clone(),
                shape: PatternShape::default(),
                per_second: pattern.per_second,
                entity: None,
                is_write: false,
                served: Served::ByKey,
                pages: Vec::new(),
                has_more: false,
                n_written: 0,
                bytes_returned: 0,
                units: Vec::new(),
                refusal: None,
                is_condition_false: false,
                heat: Vec::new(),
                test: TestResult::NotStated,
            },
            items: Vec::new(),
            tables: None,
            subject: None,
        }
    }

    /// Runs one page; true when it was the last.
    pub(crate) fn page(&mut self, store: &Store) -> bool {
        let is_first = self.result.pages.is_empty();
        let Some(operation) = self.operation else {
            let name = self.result.operation.clone();
            return self.refuse(format!("There is no operation {name}."));
        };
        let request = match hashrange_wire::decode(operation, &self.request.to_string()) {
            Ok(request) => request,
            Err(error) => return self.refuse(refusal(&error)),
        };
        let has_filter = has_filter(&request);
        if is_first {
            self.result.shape = PatternShape::of(&request, store);
        }
        let plan = match plan(store, request) {
            Ok(plan) => plan,
            Err(error) => return self.refuse(refusal(&error)),
        };
        let targets = plan.targets();
        if is_first {
            if targets.is_empty() {
                return self.refuse(format!(
                    "{} reads and writes no items, so it cannot be an access pattern.",
                    self.result.operation
                ));
            }
            self.begin(store, &plan, &targets, has_filter);
        }
        let outcome = execute(store, &plan, NOW);
        if is_first {
            self.subject = subject(store, &targets, &outcome);
        }
        self.take(outcome)
    }

    fn refuse(&mut self, sentence: String) -> bool {
        self.result.served = Served::Refused;
        self.result.refusal = Some(sentence);
        self.tables = None;
        true
    }

    fn begin(&mut self, store: &Store, plan: &Plan, targets: &[Target], has_filter: bool) {
        let mut tables: Vec<Arc<Table>> = Vec::new();
        for target in targets {
            let is_known = |table: &Arc<Table>| table.schema().name == target.table;
            if !tables.iter().any(is_known) {
                tables.extend(store.shared_table(target.table.as_str()));
            }
        }
        self.tables = Some(tables);
        self.result.is_write = plan.is_write();
        let is_scan = targets.iter().any(|target| target.range == KeyRange::all())
            || self.operation == Some(Operation::Scan);
        self.result.served = match (is_scan, has_filter) {
            (true, _) => Served::Scan,
            (false, true) => Served::Filtered,
            (false, false) => Served::ByKey,
        };
        let shape = &mut self.result.shape;
        if let (None, Some(target)) = (&shape.table, targets.first()) {
            shape.table = Some(target.table.clone());
            shape.index.clone_from(&target.index);
        }
    }

    /// Takes the outcome of a page; true when it was the last.
    fn take(&mut self, outcome: Outcome) -> bool {
        let result = &mut self.result;
        let evaluated = &outcome.evaluated;
        result.pages.push(PatternPage {
            n_examined: u64::from(evaluated.n_examined),
            n_returned: u64::from(evaluated.n_returned),
            bytes_examined: evaluated.bytes_examined,
            units: outcome.consumed.iter().map(ConsumedCapacity::total).sum(),
        });
        // A statement's filter is what remains of its WHERE clause: it shows in what was dropped.
        if result.served == Served::ByKey
            && self.operation == Some(Operation::ExecuteStatement)
            && evaluated.n_returned < evaluated.n_examined
        {
            result.served = Served::Filtered;
        }
        result.bytes_returned += evaluated.bytes_returned;
        for change in &outcome.changes {
            let Change::Item(change) = change else { continue };
            result.n_written += 1;
            let row = change.after.as_ref().or(change.before.as_ref());
            result.bytes_returned += row.map_or(0, |row| u64::from(row.size_bytes));
        }
        for consumed in &outcome.consumed {
            add_units(&mut result.units, consumed);
        }
        match outcome.reply {
            Ok(reply) => self.follow(reply),
            Err(
                ApiError::ConditionalCheckFailed(_)
                | ApiError::TransactionCanceled(_)
                | ApiError::DuplicateItem,
            ) => {
                self.result.is_condition_false = true;
                true
            }
            Err(error) => self.refuse(refusal(&error)),
        }
    }

    /// Prepares the page behind `reply`; true where there is none, or it is not to be read.
    fn follow(&mut self, reply: Response) -> bool {
        let next = match reply {
            Response::Query(page) | Response::Scan(page) => {
                if self.keeps_items {
                    self.items.extend(page.items.unwrap_or_default());
                }
                let key = page.last_evaluated_key.as_ref();
                key.map(|key| ("ExclusiveStartKey", hashrange_wire::item_to_json(key)))
            }
            Response::ExecuteStatement(page) if page.next_token.is_some() => {
                let reply = hashrange_wire::encode(&Response::ExecuteStatement(page));
                let reply: Value = serde_json::from_str(&reply).unwrap_or_default();
                reply.get("NextToken").map(|token| ("NextToken", token.clone()))
            }
            Response::BatchGetItem(batch) => {
                self.result.has_more = !batch.unprocessed.is_empty();
                None
            }
            _ => None,
        };
        let Some((member, value)) = next else { return true };
        if !self.is_followed || self.result.pages.len() >= PAGES_MAX {
            self.result.has_more = true;
            return true;
        }
        self.request[member] = value;
        false
    }
}

fn refusal(error: &ApiError) -> String {
    let message = error.to_string();
    format!("DynamoDB refuses it: {}.", message.trim_end_matches('.'))
}

fn has_filter(request: &Request) -> bool {
    let read = match request {
        Request::Query(query) => &query.read,
        Request::Scan(scan) => &scan.read,
        _ => return false,
    };
    read.filter_expression.is_some() || read.filter.as_ref().is_some_and(|it| !it.is_empty())
}

/// The first item that was read or written, as the table holds it.
fn subject(store: &Store, targets: &[Target], outcome: &Outcome) -> Option<(TableName, Item)> {
    for change in &outcome.changes {
        if let Change::Item(change) = change {
            let row = change.after.as_ref().or(change.before.as_ref())?;
            return Some((change.table.clone(), row.item.clone()));
        }
    }
    let target = targets.first()?;
    let table = store.table(target.table.as_str())?;
    let found = |tree: hashrange_storage::TreeRef<'_>, range: &KeyRange| {
        tree.range(range, true).next().map(|(_, row)| row.item.clone())
    };
    let tree = match &target.index {
        Some(index) => table.index(index.as_str())?,
        None => table.items(),
    };
    let item = match &outcome.evaluated.first_key {
        Some(key) => {
            let range = KeyRange { lower: Included(key.clone()), upper: Included(key.clone()) };
            found(tree, &range)?
        }
        // A write whose condition was false examined the item it targets.
        None => found(tree, &target.range)?,
    };
    let base = table.schema().key.encode(&item).and_then(|key| table.get(&key));
    Some((target.table.clone(), base.map_or(item, |row| row.item.clone())))
}

/// Adds what one reply consumed to the sums by table and index.
fn add_units(units: &mut Vec<UnitsOf>, consumed: &ConsumedCapacity) {
    let given = consumed.table_name.as_str();
    let table = if given.starts_with("arn:") {
        Resource::new(given).table()
    } else {
        TableName::new(given)
    };
    let Some(table) = table else { return };
    let mut add = |index: Option<&IndexName>, is_local: bool, more: CapacityUnits| {
        if more.is_zero() {
            return;
        }
        let known = units.iter_mut().find(|it| {
            it.table == table && it.index.as_ref() == index && it.is_write == consumed.is_write
        });
        match known {
            Some(known) => known.units += more,
            None => units.push(UnitsOf {
                table: table.clone(),
                index: index.cloned(),
                is_local,
                is_write: consumed.is_write,
                units: more,
            }),
        }
    };
    add(None, false, consumed.table + consumed.failed);
    for (index, more) in &consumed.local_indexes {
        add(Some(index), true, *more);
    }
    for (index, more) in &consumed.global_indexes {
        add(Some(index), false, *more);
    }
}

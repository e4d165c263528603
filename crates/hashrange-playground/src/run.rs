//! Running a request: decode, plan, explain, execute, apply; and the facts that follow from it.
//!
//! Invariant: whatever text is given, there is an answer; a refusal leaves the store as it was.
//!
//! Not here: keeping what was run ([`crate::history`]), wording it ([`crate::sentence`]).

use std::sync::Arc;

use hashrange_engine::{Evaluated, Explanation, Outcome, PageEnd, due, explain, plan};
use hashrange_storage::{Change, Store, TreeRef};
use hashrange_types::limits::READ_UNIT_BYTES;
use hashrange_types::operation::{ConsumedCapacity, ReadRequest, Select};
use hashrange_types::{
    ApiError, CapacityUnits, Operation, Request, Response, SortedMap, Timestamp, sorted,
};

use crate::asked::{self, Asked};
use crate::better_index::better_index;
use crate::grid::{PageEndShown, ReadShown};
use crate::history::{Page, Ran};
use crate::recognition::Recognition;
use crate::refusal::error_view;
use crate::request;
use crate::view::{ErrorView, Target};
use crate::{about, written};

/// Rows of a read that are remembered for the lit band.
const ROWS_SHOWN_MAX: usize = 50_000;

/// Most items that expire before one request.
const EXPIRIES_MAX: usize = 10_000;

/// Pages read to find out what a request would cost without its Limit.
const WITHOUT_LIMIT_PAGES_MAX: usize = 4;

/// One exchange with the store, and what it changed.
pub(crate) struct Exchange {
    page: Page,
    explanation: Explanation,
    request: Option<Request>,
    target: Option<Target>,
    /// The key or the table it is about, where the request itself does not say it.
    about: Option<String>,
    asked: Asked,
    pub(crate) changes: Vec<Change>,
}

/// Runs one request on `store`, which is changed if it writes.
pub(crate) fn exchange(store: &mut Store, operation: &str, text: &str, now_ms: i64) -> Exchange {
    let mut changes = due(store, Timestamp::from_millis(now_ms), EXPIRIES_MAX);
    for change in &changes {
        store.apply(change);
    }
    let mut exchange = exchange_now(store, operation, text, now_ms);
    changes.append(&mut exchange.changes);
    Exchange { changes, ..exchange }
}

/// Runs one request after what is due.
fn exchange_now(store: &mut Store, operation: &str, text: &str, now_ms: i64) -> Exchange {
    let before = store.clone();
    let decode = || {
        let operation = Operation::from_name(operation).ok_or(ApiError::UnknownOperation)?;
        hashrange_wire::decode(operation, text)
    };
    let request = match decode() {
        Ok(request) => request,
        Err(error) => return Exchange::refused(&error, text, before, None),
    };
    // Reading it once more is less to download than a copy of every kind of request.
    let plan = match decode().and_then(|request| plan(store, request)) {
        Ok(plan) => plan,
        Err(error) => return Exchange::refused(&error, text, before, Some(request)),
    };
    let explanation = explain(store, &plan, ROWS_SHOWN_MAX);
    let targets = plan.targets();
    let asked = Asked::of(&request, &plan, &targets);
    let target = about::target(&request, store).or_else(|| about::planned_target(&targets));
    let now = Timestamp::from_millis(now_ms);
    let outcome = hashrange_engine::execute(store, &plan, now);
    for change in &outcome.changes {
        store.apply(change);
    }
    for entry in &outcome.index_entries {
        store.apply(&Change::IndexEntry(entry.clone()));
    }
    let about = match outcome.changes.first() {
        _ if targets.is_empty() => asked::named_table(text),
        Some(Change::Item(change)) if targets.len() == 1 => {
            let row = change.after.as_ref().or(change.before.as_ref());
            row.and_then(|row| about::whole_key(&before, change.table.as_str(), &row.item))
        }
        _ => None,
    };
    let exchange = Exchange::ran(outcome, explanation, request, target.as_ref(), text, before);
    Exchange { target, about, asked, ..exchange }
}

/// What is wrong with a request, found without running it.
///
/// # Errors
/// The first rule it breaks.
pub(crate) fn check(store: &Store, operation: &str, text: &str) -> Result<(), ApiError> {
    let operation = Operation::from_name(operation).ok_or(ApiError::UnknownOperation)?;
    let request = hashrange_wire::decode(operation, text)?;
    plan(store, request).map(|_| ())
}

impl Exchange {
    /// Why it was refused, if it was.
    pub(crate) fn refusal(&self) -> Option<&ErrorView> {
        self.page.reply.as_ref().err().map(|error| &**error)
    }

    fn refused(error: &ApiError, text: &str, before: Store, request: Option<Request>) -> Self {
        let page = Page {
            reply: Err(Box::new(error_view(error, text, request.as_ref(), &before))),
            evaluated: Evaluated::NOTHING,
            consumed: Vec::new(),
            bytes_read: 0,
            bytes_returned: 0,
            bytes_billed: 0,
            written: Vec::new(),
            end: None,
            next_request: None,
            before,
        };
        let target = request.as_ref().and_then(|request| about::target(request, &page.before));
        Self {
            page,
            explanation: Explanation::default(),
            request,
            // Where a table or index is known, its own name is all there is to say.
            about: if target.is_none() { asked::named_table(text) } else { None },
            target,
            asked: Asked::default(),
            changes: Vec::new(),
        }
    }

    fn ran(
        outcome: Outcome,
        explanation: Explanation,
        request: Request,
        target: Option<&Target>,
        text: &str,
        before: Store,
    ) -> Self {
        let rows = || explanation.reads.iter().flat_map(|read| &read.rows);
        let fetched = |is_wanted: fn(bool) -> bool| -> u64 {
            rows()
                .filter(|row| is_wanted(row.is_returned))
                .filter_map(|row| row.fetched_size_bytes)
                .map(u64::from)
                .sum()
        };
        let written = written::written(&outcome, &request, &before);
        let reply = outcome.reply.map(Arc::new);
        let page = Page {
            bytes_read: outcome.evaluated.bytes_examined + fetched(|_| true),
            bytes_returned: outcome.evaluated.bytes_returned + fetched(|is_returned| is_returned),
            bytes_billed: bytes_billed(&request, &outcome.consumed),
            evaluated: outcome.evaluated,
            consumed: outcome.consumed,
            written,
            end: reply.as_deref().ok().and_then(|reply| about::page_end(reply, &before, target)),
            next_request: reply
                .as_deref()
                .ok()
                .and_then(|reply| request::next_page_request(text, reply)),
            reply: reply
                .map_err(|error| Box::new(error_view(&error, text, Some(&request), &before))),
            before,
        };
        Self {
            page,
            explanation,
            request: Some(request),
            target: None,
            about: None,
            asked: Asked::default(),
            changes: outcome.changes,
        }
    }

    /// The facts of a request that begins here.
    pub(crate) fn begin(self, operation: &str, recognition: &Recognition) -> Ran {
        let request = self.request.as_ref();
        let read = request.and_then(read_of);
        let target = self.target.clone();
        let acts_as = self.asked.became;
        let is_global_index = target.as_ref().is_some_and(|target| {
            let table = self.page.before.table(&target.table);
            let index = target.index.as_deref();
            table.zip(index).is_some_and(|(table, index)| {
                table.schema().index(index).is_some_and(|index| !index.is_local)
            })
        });
        let context = about::Context {
            store: &self.page.before,
            recognition,
            explanation: &self.explanation,
            is_query: acts_as == Some(Operation::Query) && self.asked.n_ranges == 1,
        };
        let mut ran = Ran {
            operation: Operation::from_name(operation),
            pages: Vec::new(),
            shown: SortedMap::new(),
            is_consistent: request.and_then(request::is_consistent),
            is_global_index,
            n_target_rows: target
                .as_ref()
                .and_then(|target| about::tree(&self.page.before, target))
                .map_or(0, TreeRef::n_rows),
            about: request
                .and_then(|request| context.about(request, target.as_ref()))
                .or_else(|| self.about.clone()),
            limit: match request {
                Some(Request::ExecuteStatement(statement)) => statement.limit,
                _ => read.and_then(|read| read.limit),
            },
            is_projected: self.asked.is_projected
                || read.is_some_and(|read| read.projection_expression.is_some()),
            asked: self.asked.clone(),
            is_count: read.is_some_and(|read| read.select == Some(Select::Count)),
            without_limit: request
                .filter(|_| self.page.reply.is_ok())
                .and_then(|request| without_limit(&self.page.before, request)),
            better_index: None,
            cause: request
                .filter(|_| self.page.reply.is_ok() && self.page.evaluated.n_examined == 0)
                .and_then(|request| context.cause(request, target.as_ref())),
            target,
        };
        self.append_to(&mut ran);
        ran
    }

    /// Adds the exchange as one more page.
    pub(crate) fn append_to(self, ran: &mut Ran) {
        let number = ran.pages.len() + 1;
        for read in &self.explanation.reads {
            let target = Target {
                table: read.table.to_string(),
                index: read.index.as_ref().map(ToString::to_string),
            };
            let mut shown: ReadShown =
                ran.shown.get(&target).map(|shown| (**shown).clone()).unwrap_or_default();
            shown.examined.extend(read.rows.iter().map(|row| (row.key.clone(), row.is_returned)));
            sorted::sort_by(&mut shown.examined, |a, b| a.0.cmp(&b.0));
            shown.examined.dedup_by(|a, b| a.0 == b.0);
            if let (Some(end), Some(key)) = (&self.page.end, &self.page.evaluated.last_key) {
                let why = match (self.page.evaluated.page_end, ran.limit) {
                    (Some(PageEnd::Limit), Some(limit)) => format!("Limit {limit} reached"),
                    _ => "1\u{a0}MB read".to_owned(),
                };
                shown.page_ends.push(PageEndShown {
                    key: key.clone(),
                    is_forward: read.is_forward,
                    text: format!("Page {number} ends here: {why}. LastEvaluatedKey is {end}."),
                });
            }
            ran.shown.insert(target, Arc::new(shown));
        }
        ran.pages.push(self.page);
        ran.better_index = better_index(ran, &ran.last().before);
    }
}

/// What a Query or Scan asks for.
fn read_of(request: &Request) -> Option<&ReadRequest> {
    match request {
        Request::Query(request) => Some(&request.read),
        Request::Scan(request) => Some(&request.read),
        _ => None,
    }
}

fn read_of_mut(request: &mut Request) -> Option<&mut ReadRequest> {
    match request {
        Request::Query(request) => Some(&mut request.read),
        Request::Scan(request) => Some(&mut request.read),
        _ => None,
    }
}

/// Bytes that the read units consumed pay for.
fn bytes_billed(request: &Request, consumed: &[ConsumedCapacity]) -> u64 {
    let is_consistent = |table: usize| match request {
        Request::BatchGetItem(batch) => {
            batch.tables.get(table).is_some_and(|table| table.consistent_read)
        }
        request => request::is_consistent(request).unwrap_or(false),
    };
    consumed
        .iter()
        .enumerate()
        .filter(|(_, consumed)| !consumed.is_write)
        .map(|(table, consumed)| {
            let halves = consumed.total().as_halves();
            let halves_per_block = match is_consistent(table) {
                _ if request::is_transaction(request.operation()) => 4,
                true => 2,
                false => 1,
            };
            let blocks = halves.div_ceil(halves_per_block);
            blocks * u64::from(READ_UNIT_BYTES)
        })
        .sum()
}

/// Units of the same request without its Limit, all pages together.
fn without_limit(store: &Store, request: &Request) -> Option<CapacityUnits> {
    read_of(request)?.limit?;
    let again = |request: &Request| match request {
        Request::Query(query) => Some(Request::Query(query.clone())),
        Request::Scan(scan) => Some(Request::Scan(scan.clone())),
        _ => None,
    };
    let mut request = again(request)?;
    let mut units = CapacityUnits::ZERO;
    for _ in 0..WITHOUT_LIMIT_PAGES_MAX {
        read_of_mut(&mut request)?.limit = None;
        let plan = plan(store, again(&request)?).ok()?;
        let outcome = hashrange_engine::execute(store, &plan, Timestamp::from_millis(0));
        units += outcome.consumed.iter().map(ConsumedCapacity::total).sum();
        let (Response::Query(page) | Response::Scan(page)) = outcome.reply.ok()? else {
            return None;
        };
        let Some(key) = page.last_evaluated_key else { return Some(units) };
        read_of_mut(&mut request)?.exclusive_start_key = Some(Ok(key));
    }
    None
}

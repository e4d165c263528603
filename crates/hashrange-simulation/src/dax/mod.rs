//! `Dax`: a cluster of caches in front of a database.
//!
//! A request that is not answered from memory is given back as [`Step::Ask`]; whoever drives the database asks
//! it and hands in what came of it. So a cache stands in front of a [`Cluster`] and of a Region alike.
//!
//! Invariant: an answer from memory is what the engine says of the store with the cached items in their places;
//! it consumes nothing.
//!
//! Not here: how an entry ages and goes ([`cache`]).
//!
//! Source: facts 5.6.

mod cache;
mod request;

use std::collections::VecDeque;

use hashrange_engine::{Outcome, execute, plan};
use hashrange_storage::{Change, Row, Store};
use hashrange_types::operation::{ConsumedCapacity, PageResponse};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, Operation, Request, Response, TableName, Timestamp,
    ValidationError,
};

use crate::cluster::Cluster;
use crate::event::{DaxResult, EventKind};
use crate::view::OldImages;
use cache::Cache;

/// An item by its table and key.
type ItemName = (TableName, EncodedKey);

/// What a cluster of caches is set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaxSettings {
    /// Seconds an item is kept (`item_ttl_s`); 0 until there is no room.
    pub item_ttl_s: u32,
    /// Seconds the page of a Query or Scan is kept (`query_ttl_s`); 0 not at all.
    pub query_ttl_s: u32,
    /// Nodes, 1 to 11; each client's request goes to the next one (model).
    pub n_nodes: u8,
    /// Bytes of items, and again of pages, that one node holds (model: keys and items, without overhead).
    pub bytes_max: u64,
    /// True if it is kept too that there is no such item.
    pub keeps_absences: bool,
    /// Microseconds until the other nodes have what one learned of an item (model; AWS says less than a second).
    pub node_lag_us: i64,
}

impl Default for DaxSettings {
    fn default() -> Self {
        Self {
            item_ttl_s: 300,
            query_ttl_s: 300,
            n_nodes: 1,
            bytes_max: 1_024 * 1_024 * 1_024,
            keeps_absences: true,
            node_lag_us: 0,
        }
    }
}

/// A cluster of caches.
#[derive(Debug, Clone)]
pub struct Dax {
    settings: DaxSettings,
    nodes: Vec<Node>,
    /// What nodes learned and others have not heard yet, in order.
    on_their_way: VecDeque<Learned>,
    turn: usize,
}

#[derive(Debug, Clone)]
struct Node {
    keeps_absences: bool,
    items: Cache<ItemName, Option<Row>>,
    pages: Cache<String, PageResponse>,
}

#[derive(Debug, Clone)]
struct Learned {
    by: usize,
    arrives_at: Timestamp,
    item: ItemName,
    row: Option<Row>,
    true_at: Timestamp,
}

/// What becomes of a request.
#[derive(Debug)]
pub(crate) enum Step {
    /// It is answered.
    Known(Box<Outcome>),
    /// The database must be asked.
    Ask(Box<Asked>),
}

/// A request on its way to the database.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// What the database is asked.
    pub(crate) request: Request,
    node: usize,
    then: Then,
}

/// What is done with the database's answer.
#[derive(Debug, Clone)]
enum Then {
    /// It is passed on.
    Pass,
    /// It holds items that were missing to answer this request; these others were there.
    Items { request: Request, missing: Vec<ItemName>, rows: Vec<(ItemName, Option<Row>)> },
    /// It is a page to keep under this name.
    Page(String),
    /// It wrote these items.
    Written(Vec<ItemName>),
    /// It wrote these items in a transaction, and they are read by this request.
    Transaction(Vec<ItemName>, Request),
    /// It read these items, and the answer is that of the transaction.
    Refill(Vec<ItemName>, Box<Outcome>),
}

impl Dax {
    /// Caches with nothing in them.
    pub fn new(settings: DaxSettings) -> Self {
        let lifetime_us = |seconds: u32| i64::from(seconds) * 1_000_000;
        let item_us = Some(lifetime_us(settings.item_ttl_s)).filter(|us| *us > 0);
        let node = Node {
            keeps_absences: settings.keeps_absences,
            items: Cache::new(settings.bytes_max, item_us),
            pages: Cache::new(settings.bytes_max, Some(lifetime_us(settings.query_ttl_s))),
        };
        let nodes = vec![node; usize::from(settings.n_nodes.clamp(1, 11))];
        Self { settings, nodes, on_their_way: VecDeque::new(), turn: 0 }
    }

    /// Sends a request through the caches to a database and lets time pass until it is answered.
    pub fn call(&mut self, cluster: &mut Cluster, request: Request) -> Outcome {
        let (event, mut step) = self.ask(cluster.store(), cluster.now(), request);
        cluster.tell(event);
        loop {
            let asked = match step {
                Step::Known(outcome) => return *outcome,
                Step::Ask(asked) => asked,
            };
            let outcome = cluster.call(asked.request.clone());
            step = self.learn(*asked, outcome, cluster.store(), cluster.now());
        }
    }

    /// Looks a request up.
    pub(crate) fn ask(
        &mut self,
        store: &Store,
        now: Timestamp,
        request: Request,
    ) -> (EventKind, Step) {
        let node = self.turn;
        self.turn = (self.turn + 1) % self.nodes.len();
        self.hear(now);
        let operation = request.operation();
        let (result, step) = match request::kind(&request) {
            request::Kind::Items => self.ask_items(store, now, node, request),
            request::Kind::Page => self.ask_page(now, node, request),
            request::Kind::Write => {
                let written = items_of(store, &request);
                let then = match request::refill(store, &request) {
                    Some(refill) => Then::Transaction(items_of(store, &refill), refill),
                    None => Then::Written(written),
                };
                (DaxResult::Pass, ask(node, request, then))
            }
            request::Kind::Pass => (DaxResult::Pass, ask(node, request, Then::Pass)),
            request::Kind::Foreign => {
                let error = foreign(operation);
                (DaxResult::Pass, Step::Known(Box::new(Outcome::free(Err(error)))))
            }
        };
        let node = u8::try_from(node).expect("at most 11 nodes");
        (EventKind::Dax { node, operation, result }, step)
    }

    fn ask_items(
        &mut self,
        store: &Store,
        now: Timestamp,
        node: usize,
        request: Request,
    ) -> (DaxResult, Step) {
        let wanted = items_of(store, &request);
        if wanted.is_empty() {
            // The request breaks a rule, and the database says which.
            return (DaxResult::Pass, ask(node, request, Then::Pass));
        }
        let mut rows = Vec::new();
        let mut missing = Vec::new();
        for item in wanted {
            match self.nodes[node].items.get(&item, now) {
                Some(row) => rows.push((item, row)),
                None => missing.push(item),
            }
        }
        if !missing.is_empty() {
            let fetch = request::fetch(store, &request, &missing);
            let then = Then::Items { request, missing, rows };
            return (DaxResult::Miss, ask(node, fetch, then));
        }
        let is_absence = rows.iter().all(|(_, row)| row.is_none());
        let result = if is_absence { DaxResult::Negative } else { DaxResult::Hit };
        (result, Step::Known(Box::new(answer(store, request, rows, &[], now))))
    }

    fn ask_page(&mut self, now: Timestamp, node: usize, request: Request) -> (DaxResult, Step) {
        let name = format!("{request:?}");
        let Some(mut page) = self.nodes[node].pages.get(&name, now) else {
            return (DaxResult::Miss, ask(node, request, Then::Page(name)));
        };
        page.consumed = nothing_of(&page.consumed);
        let consumed = vec![page.consumed.clone()];
        let reply = Ok(match request.operation() {
            Operation::Query => Response::Query(page),
            _ => Response::Scan(page),
        });
        (DaxResult::Hit, Step::Known(Box::new(Outcome { consumed, ..Outcome::free(reply) })))
    }

    /// Takes what the database answered.
    pub(crate) fn learn(
        &mut self,
        asked: Asked,
        outcome: Outcome,
        store: &Store,
        now: Timestamp,
    ) -> Step {
        let Asked { node, then, .. } = asked;
        let Ok(response) = &outcome.reply else {
            return match then {
                Then::Refill(_, answer) => Step::Known(answer),
                _ => Step::Known(Box::new(outcome)),
            };
        };
        match then {
            Then::Pass => {}
            Then::Page(name) => {
                if let Response::Query(page) | Response::Scan(page) = response {
                    let items = page.items.iter().flatten();
                    let bytes: u64 = items.map(|item| u64::from(item.size_bytes())).sum();
                    let bytes = bytes + name.len() as u64;
                    self.nodes[node].pages.put(name, page.clone(), bytes, now);
                }
            }
            Then::Items { request, missing, mut rows } => {
                let Some(found) = request::found(store, &asked.request, response) else {
                    // Not all came in one go: let the database answer the whole request.
                    return ask(node, request, Then::Pass);
                };
                for item in missing {
                    let row = found.get(&item).cloned();
                    self.learn_item(node, item.clone(), row.clone(), now);
                    rows.push((item, row));
                }
                return Step::Known(Box::new(answer(store, request, rows, &outcome.consumed, now)));
            }
            Then::Written(items) => {
                for item in items {
                    let row = written(&outcome, store, &item);
                    self.learn_item(node, item, row, now);
                }
            }
            Then::Transaction(items, refill) => {
                return ask(node, refill, Then::Refill(items, Box::new(outcome)));
            }
            Then::Refill(items, answer) => {
                let found = request::found(store, &asked.request, response).unwrap_or_default();
                for item in items {
                    let row = found.get(&item).cloned();
                    self.learn_item(node, item, row, now);
                }
                return Step::Known(answer);
            }
        }
        Step::Known(Box::new(outcome))
    }

    /// A node learns an item, or that there is none; the others hear of it later.
    fn learn_item(&mut self, by: usize, item: ItemName, row: Option<Row>, now: Timestamp) {
        self.nodes[by].keep(item.clone(), row.clone(), now);
        if self.nodes.len() > 1 {
            let arrives_at = Timestamp(now.0.saturating_add(self.settings.node_lag_us.max(0)));
            self.on_their_way.push_back(Learned { by, arrives_at, item, row, true_at: now });
        }
    }

    fn hear(&mut self, now: Timestamp) {
        while self.on_their_way.front().is_some_and(|learned| learned.arrives_at <= now) {
            let Some(learned) = self.on_their_way.pop_front() else { break };
            for (number, node) in self.nodes.iter_mut().enumerate() {
                if number != learned.by {
                    node.keep(learned.item.clone(), learned.row.clone(), learned.true_at);
                }
            }
        }
    }
}

impl Node {
    fn keep(&mut self, item: ItemName, row: Option<Row>, true_at: Timestamp) {
        let bytes = match &row {
            // Larger than any cache: what was there goes, and nothing comes in its place.
            None if !self.keeps_absences => u64::MAX,
            None => item.1.as_bytes().len() as u64,
            Some(row) => u64::from(row.size_bytes) + item.1.as_bytes().len() as u64,
        };
        self.items.put(item, row, bytes, true_at);
    }
}

fn ask(node: usize, request: Request, then: Then) -> Step {
    Step::Ask(Box::new(Asked { request, node, then }))
}

/// The items that a request names; none if it breaks a rule.
fn items_of(store: &Store, request: &Request) -> Vec<ItemName> {
    let Ok(plan) = plan(store, request.clone()) else { return Vec::new() };
    let targets = plan.targets().into_iter();
    let single = targets.filter_map(|target| match target.range.lower {
        std::ops::Bound::Included(key) => Some((target.table, key)),
        _ => None,
    });
    single.collect()
}

/// The answer to a request where these items are as cached; it consumed what the database was asked for.
fn answer(
    store: &Store,
    request: Request,
    rows: Vec<(ItemName, Option<Row>)>,
    consumed: &[ConsumedCapacity],
    now: Timestamp,
) -> Outcome {
    let (mut seen, mut old_images) = (store.clone(), OldImages::default());
    for ((table, key), row) in rows {
        old_images.put(&mut seen, &(table, None), key, row);
    }
    let mut outcome = match plan(&seen, request) {
        Ok(plan) => execute(&seen, &plan, now),
        Err(error) => Outcome::free(Err(error)),
    };
    let paid = |of: &mut ConsumedCapacity| {
        let asked = consumed.iter().find(|asked| asked.table_name == of.table_name);
        *of = asked.cloned().unwrap_or_else(|| nothing_of(of));
    };
    outcome.consumed.iter_mut().for_each(paid);
    match &mut outcome.reply {
        Ok(Response::GetItem(response)) => paid(&mut response.consumed),
        Ok(Response::BatchGetItem(response)) => response.consumed.iter_mut().for_each(paid),
        _ => {}
    }
    outcome
}

/// The item after a write: what it changed, or what is there where it changed nothing.
fn written(outcome: &Outcome, store: &Store, (table, key): &ItemName) -> Option<Row> {
    let changed = outcome.changes.iter().rev().find_map(|change| match change {
        Change::Item(change) if change.table == *table && change.key == *key => Some(change),
        _ => None,
    });
    match changed {
        Some(change) => change.after.clone(),
        None => store.table(table.as_str()).and_then(|table| table.get(key)).cloned(),
    }
}

fn nothing_of(consumed: &ConsumedCapacity) -> ConsumedCapacity {
    ConsumedCapacity {
        table: CapacityUnits::ZERO,
        local_indexes: Vec::new(),
        global_indexes: Vec::new(),
        failed: CapacityUnits::ZERO,
        ..consumed.clone()
    }
}

/// Our words: a DAX client has no such call, so AWS has no text.
fn foreign(operation: Operation) -> ApiError {
    let name = operation.name();
    ValidationError::new(format!(
        "{name} is not an operation of DAX, which takes items, queries and transactions: send it to the \
         table's own endpoint."
    ))
    .into()
}

//! TransactWriteItems: up to 100 conditional writes of distinct items, all or none.
//!
//! Invariant: a transaction that does not succeed changes nothing. Each element is charged twice on its table,
//! a ConditionCheck like the write of what it reads; indexes cost what they cost outside.
//!
//! Order of checks: each element by itself (values, expressions, size of a Put), the size of all, tables, keys,
//! duplicates; then, when it runs, the token and what the items refuse. Faults of keys and those found later
//! cancel the transaction, empty keys excepted: the first fault alone, or else every condition that is false.
//!
//! Not here: one element of a transaction ([`element`]).
//!
//! Source: facts 1.1, 1.4, 2.2, 3.6 and 5.3.

mod element;

use std::sync::Arc;

use hashrange_storage::{Change, IndexEntryChange, Store, Token, TokenChange, TokenKey};
use hashrange_types::limits::CLIENT_REQUEST_TOKEN_LIFETIME;
use hashrange_types::operation::{
    ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity, TransactWriteItemsRequest,
    TransactWriteItemsResponse,
};
use hashrange_types::{
    ApiError, CancellationReason, CapacityUnits, Operation, Response, Timestamp, ValidationError,
};
use smol_str::SmolStr;

pub(crate) use element::Element;

use crate::capacity::read_units;
use crate::fingerprint::fingerprint;
use crate::item_collection::distinct;
use crate::outcome::Outcome;
use crate::transaction::{
    ByTable, canceled_by, check_bytes, check_distinct, is_about_empty_key, settle_keys,
};
use crate::validation::find_table;
use crate::write::consumed_by;
use element::{Examined, Settled, payload_bytes};

/// Expired tokens that one transaction forgets at most. One is remembered by each, so none pile up.
const FORGOTTEN_AT_ONCE: usize = 4;

/// A checked TransactWriteItems.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) elements: Vec<Element>,
    token: Option<PlannedToken>,
    shown: ReturnConsumedCapacity,
    returns_collection_metrics: bool,
}

/// The client's token and what stands for the parameters it came with.
#[derive(Debug, Clone)]
struct PlannedToken {
    key: TokenKey,
    fingerprint: u64,
}

pub(crate) fn plan(store: &Store, request: TransactWriteItemsRequest) -> Result<Plan, ApiError> {
    let token = request.client_request_token.map(|token| PlannedToken {
        key: TokenKey { operation: Operation::TransactWriteItems, token: token.as_str().into() },
        fingerprint: fingerprint(&request.items),
    });
    let size_bytes = request.items.iter().map(payload_bytes).sum();
    let items = request.items.into_iter().enumerate();
    let mut settled =
        items.map(|(index, item)| Settled::settle(index, item)).collect::<Result<Vec<_>, _>>()?;
    check_bytes(size_bytes)?;
    for element in &settled {
        find_table(store, &element.table)?;
    }
    let mut keys = Vec::with_capacity(settled.len());
    for element in &mut settled {
        let schema = find_table(store, &element.table)?.schema();
        keys.push(element.settle_key(schema));
    }
    let keys = settle_keys(keys)?;
    check_distinct(settled.iter().map(|element| &element.table).zip(&keys))?;
    let elements = settled.into_iter().zip(keys);
    Ok(Plan {
        elements: elements.map(|(settled, key)| settled.into_element(key)).collect(),
        token,
        shown: request.return_consumed_capacity,
        returns_collection_metrics: request.returns_collection_metrics,
    })
}

pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
    let known = plan.token.as_ref().and_then(|token| {
        let known = store.token(&token.key).filter(|known| is_alive(known, now))?;
        Some((known, known.fingerprint == token.fingerprint))
    });
    match known {
        Some((known, true)) => return plan.replay(store, known),
        Some((_, false)) => return Outcome::free(Err(ApiError::IdempotentParameterMismatch)),
        None => {}
    }
    let examined = plan.elements.iter().map(|element| element.examine(store));
    let examined = match examined.collect::<Result<Vec<_>, _>>() {
        Ok(examined) => examined,
        Err(error) => return Outcome::free(Err(error)),
    };
    match refusal(&examined) {
        Some(error) => plan.refused(store, &examined, error),
        None => plan.done(store, examined, now),
    }
}

/// True until ten minutes after the token's transaction was done.
const fn is_alive(token: &Token, now: Timestamp) -> bool {
    now.0 < token.completed_at.0.saturating_add(CLIENT_REQUEST_TOKEN_LIFETIME)
}

/// Why a transaction is not carried out; none where nothing speaks against it.
fn refusal(examined: &[Examined<'_>]) -> Option<ApiError> {
    let invalid: Vec<(usize, ValidationError)> = examined
        .iter()
        .enumerate()
        .filter_map(|(index, examined)| Some((index, examined.invalid()?)))
        .collect();
    if let Some((_, error)) = invalid.iter().find(|(_, error)| is_about_empty_key(error)) {
        return Some(error.clone().into());
    }
    if let Some((index, error)) = invalid.into_iter().next() {
        return Some(canceled_by(error, index, examined.len()));
    }
    let reasons: Vec<CancellationReason> = examined.iter().map(Examined::reason).collect();
    let is_canceled = reasons.iter().any(|reason| *reason != CancellationReason::None);
    is_canceled.then_some(ApiError::TransactionCanceled(reasons))
}

/// What a transaction does to one table.
#[derive(Debug, Default)]
struct Share {
    units: CapacityUnits,
    entries: Vec<IndexEntryChange>,
}

impl Plan {
    /// Nothing changes, but what was looked at is paid for. How much DynamoDB charges is not published (facts
    /// 2.2); this is what the whole transaction would have cost its tables.
    fn refused(&self, store: &Store, examined: &[Examined<'_>], error: ApiError) -> Outcome {
        let mut shares: ByTable<Share> = ByTable::default();
        for one in examined {
            shares.share(&one.element.write.table).units += one.table_units;
        }
        let consumed = self.consumed(store, &shares);
        Outcome { consumed, ..Outcome::free(Err(error)) }
    }

    /// Everything changes.
    fn done(&self, store: &Store, examined: Vec<Examined<'_>>, now: Timestamp) -> Outcome {
        let mut changes = Vec::with_capacity(examined.len() + 1);
        let mut shares: ByTable<Share> = ByTable::default();
        let mut image_bytes = Vec::with_capacity(examined.len());
        for Examined { element, result, table_units } in examined {
            let written = result.expect("a transaction with a refused element is not done");
            image_bytes.push(written.image_bytes());
            let share = shares.share(&element.write.table);
            share.units += table_units;
            share.entries.extend(written.index_entries);
            changes.extend(written.change.map(Change::Item));
        }
        changes.extend(self.token_changes(store, image_bytes, now).into_iter().map(Change::Token));
        let consumed = self.consumed(store, &shares);
        let mut outcome = Outcome::free(Ok(self.response(store, consumed.clone())));
        outcome.changes = changes;
        outcome.index_entries = shares.into_shares().flat_map(|(_, share)| share.entries).collect();
        outcome.consumed = consumed;
        outcome
    }

    /// The same transaction under the same token: it is not done again, and paid for like reading what it
    /// wrote.
    fn replay(&self, store: &Store, known: &Token) -> Outcome {
        let mut units: ByTable<CapacityUnits> = ByTable::default();
        for (element, bytes) in self.elements.iter().zip(&known.image_bytes) {
            *units.share(&element.write.table) += read_units(u64::from(*bytes), true).times(2);
        }
        let consumed: Vec<ConsumedCapacity> = units
            .into_shares()
            .map(|(table, units)| ConsumedCapacity {
                table_name: table.given,
                table: units,
                local_indexes: Vec::new(),
                global_indexes: Vec::new(),
                is_write: false,
                shown: self.shown,
            })
            .collect();
        let response = self.response(store, consumed.clone());
        Outcome { consumed, ..Outcome::free(Ok(response)) }
    }

    fn consumed(&self, store: &Store, shares: &ByTable<Share>) -> Vec<ConsumedCapacity> {
        let consumed = shares.iter().filter_map(|(table, share)| {
            let schema = find_table(store, table).ok()?.schema();
            Some(consumed_by(table, schema, share.units, &share.entries, self.shown))
        });
        consumed.collect()
    }

    fn response(&self, store: &Store, consumed: Vec<ConsumedCapacity>) -> Response {
        let metrics = self.returns_collection_metrics.then(|| self.collection_metrics(store));
        Response::TransactWriteItems(TransactWriteItemsResponse {
            item_collection_metrics: metrics.filter(|metrics| !metrics.is_empty()),
            consumed,
        })
    }

    /// The sizes of the item collections written, for tables with local indexes.
    fn collection_metrics(&self, store: &Store) -> Vec<(SmolStr, Vec<ItemCollectionMetrics>)> {
        let mut by_table: ByTable<Vec<ItemCollectionMetrics>> = ByTable::default();
        for Element { write, .. } in &self.elements {
            let table = find_table(store, &write.table).ok();
            let metrics = table.and_then(|table| write.collection_metrics(table));
            if let Some(metrics) = metrics {
                by_table.share(&write.table).push(metrics);
            }
        }
        let shares = by_table.into_shares();
        shares.map(|(table, metrics)| (table.given, distinct(metrics.into_iter()))).collect()
    }

    /// Remembers the token, if there is one, and forgets some that expired.
    fn token_changes(
        &self,
        store: &Store,
        image_bytes: Vec<u32>,
        now: Timestamp,
    ) -> Vec<TokenChange> {
        let Some(PlannedToken { key, fingerprint }) = &self.token else { return Vec::new() };
        let expired = store
            .tokens_oldest_first()
            .take(FORGOTTEN_AT_ONCE)
            .filter(|(other, token)| *other != key && !is_alive(token, now));
        let mut changes: Vec<TokenChange> = expired
            .map(|(other, token)| TokenChange {
                key: other.clone(),
                before: Some(Arc::clone(token)),
                after: None,
            })
            .collect();
        let token = Token { completed_at: now, fingerprint: *fingerprint, image_bytes };
        changes.push(TokenChange {
            key: key.clone(),
            before: store.token(key).cloned(),
            after: Some(Arc::new(token)),
        });
        changes
    }
}

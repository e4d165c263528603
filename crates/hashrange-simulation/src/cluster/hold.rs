//! What transactions hold: their items and tokens, from prepare to commit.
//!
//! Invariant: an item is held by one transaction at most, and every hold ends at its transaction's commit.
//!
//! Not here: single writes on their way to a quorum, which hold nothing (model).
//!
//! Source: facts 5.3.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::Included;

use hashrange_engine::{Outcome, Target, execute, plan};
use hashrange_storage::TokenKey;
use hashrange_types::{
    ApiError, CancellationReason, EncodedKey, Operation, Request, TableName, Throttling,
};

use super::{Cluster, Due, Open, RequestNumber};

type ItemName = (TableName, EncodedKey);
/// Items, and the token they were sent under.
type Held = (Vec<ItemName>, Option<TokenKey>);

/// Items and tokens of transactions between prepare and commit.
#[derive(Debug, Clone, Default)]
pub(super) struct Holds {
    items: BTreeSet<ItemName>,
    tokens: BTreeSet<TokenKey>,
    by_request: BTreeMap<RequestNumber, Held>,
}

impl Holds {
    /// True if nothing is held.
    pub(super) fn is_empty(&self) -> bool {
        self.by_request.is_empty()
    }

    /// A transaction lets go of what it holds, which is returned.
    pub(super) fn release(&mut self, number: RequestNumber) -> Option<Held> {
        let (items, token) = self.by_request.remove(&number)?;
        for item in &items {
            self.items.remove(item);
        }
        if let Some(token) = &token {
            self.tokens.remove(token);
        }
        Some((items, token))
    }

    /// A transaction takes hold.
    pub(super) fn take(
        &mut self,
        number: RequestNumber,
        items: Vec<ItemName>,
        token: Option<TokenKey>,
    ) {
        self.items.extend(items.iter().cloned());
        self.tokens.extend(token.clone());
        self.by_request.insert(number, (items, token));
    }

    /// The error of a request that meets a held item; none for plain reads, which never do.
    pub(super) fn conflict(
        &self,
        operation: Operation,
        is_write: bool,
        targets: &[Target],
    ) -> Option<ApiError> {
        let is_all = is_cancelled_whole(operation);
        if self.items.is_empty() || !is_write && !is_all {
            return None;
        }
        let is_held = |target: &Target| item(target).is_some_and(|item| self.items.contains(&item));
        if !targets.iter().any(is_held) {
            return None;
        }
        Some(if is_all {
            ApiError::TransactionCanceled(reasons(targets, is_held, || {
                CancellationReason::TransactionConflict
            }))
        } else {
            ApiError::exception(
                "TransactionConflictException",
                "Transaction is ongoing for the item",
            )
        })
    }
}

impl Cluster {
    /// A transaction's first phase. What fails now is answered now; what would succeed holds its items until the
    /// second.
    pub(super) fn prepare(&mut self, number: RequestNumber) {
        // Transactions are never made ready beforehand.
        let Some(Open::Whole(request)) = self.open.get(number.0).cloned() else { return };
        let operation = request.operation();
        let token = token(&request);
        if token.as_ref().is_some_and(|token| self.holds.tokens.contains(token)) {
            self.open.remove(number.0);
            let error = ApiError::exception(
                "TransactionInProgressException",
                "The transaction with the given request token is already in progress.",
            );
            self.answer(number, operation, Box::new(Outcome::free(Err(error))));
            return;
        }
        let Some(items) = self.prepared(operation, *request) else {
            self.finish(number);
            return;
        };
        self.holds.take(number, items, token);
        self.schedule.add(self.in_us(self.settings.transaction_us), Due::Commit(number));
    }

    /// The items of a transaction that would write now; none if it would not.
    fn prepared(&self, operation: Operation, request: Request) -> Option<Vec<ItemName>> {
        let plan = plan(&self.store, request).ok()?;
        let targets = plan.targets();
        if self.holds.conflict(operation, plan.is_write(), &targets).is_some() {
            return None;
        }
        let outcome = execute(&self.store, &plan, self.now);
        // The same transaction under the same token again costs reads.
        let is_done = outcome.reply.is_ok() && outcome.consumed.iter().any(|one| one.is_write);
        is_done.then(|| targets.iter().filter_map(item).collect())
    }

    /// True if something may be refused that a database would do.
    pub(super) fn may_refuse(&self) -> bool {
        self.settings.has_limits
            || !self.holds.is_empty()
            || self
                .placement
                .partitions()
                .any(|(_, partition)| partition.group.leaderless_until.is_some())
    }
}

/// A throttled transaction is cancelled; every element of the table or index that throttled says why.
pub(super) fn cancelled_if_transaction(
    error: ApiError,
    operation: Operation,
    targets: &[Target],
) -> ApiError {
    match error {
        ApiError::Throttled(throttling) if is_cancelled_whole(operation) => {
            let is_about = |target: &Target| is_about(&throttling, target);
            ApiError::TransactionCanceled(reasons(targets, is_about, || {
                CancellationReason::Throttled(throttling.clone())
            }))
        }
        error => error,
    }
}

/// `reason` for each element that is to blame, and none for the others.
fn reasons(
    targets: &[Target],
    is_to_blame: impl Fn(&Target) -> bool,
    reason: impl Fn() -> CancellationReason,
) -> Vec<CancellationReason> {
    let of_target = |target| {
        if is_to_blame(target) { reason() } else { CancellationReason::None }
    };
    targets.iter().map(of_target).collect()
}

fn is_about(throttling: &Throttling, target: &Target) -> bool {
    throttling.reasons.iter().any(|reason| {
        reason.resource.split('/').nth(1).is_some_and(|table| table == target.table.as_str())
    })
}

/// True for operations that end with a reason for each element.
const fn is_cancelled_whole(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::TransactWriteItems | Operation::TransactGetItems | Operation::ExecuteTransaction
    )
}

/// The item that a target of a write or of a transaction is.
fn item(target: &Target) -> Option<ItemName> {
    match &target.range.lower {
        Included(key) => Some((target.table.clone(), key.clone())),
        _ => None,
    }
}

fn token(request: &Request) -> Option<TokenKey> {
    let token = match request {
        Request::TransactWriteItems(request) => &request.client_request_token,
        Request::ExecuteTransaction(request) => &request.client_request_token,
        _ => return None,
    };
    let token = token.as_ref()?.as_str().into();
    Some(TokenKey { operation: request.operation(), token })
}

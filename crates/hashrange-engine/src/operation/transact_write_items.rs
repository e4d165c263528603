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
use crate::item_collection::{Growth, distinct};
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

impl Plan {
    /// Writes of another operation on transactions, already checked, with its token and what stands for its
    /// parameters.
    pub(crate) fn of_elements(
        elements: Vec<Element>,
        token: Option<(TokenKey, u64)>,
        shown: ReturnConsumedCapacity,
    ) -> Self {
        let token = token.map(|(key, fingerprint)| PlannedToken { key, fingerprint });
        Self { elements, token, shown, returns_collection_metrics: false }
    }
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
    match refusal(&examined).or_else(|| overfull(store, &examined)) {
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

/// The end of a transaction for which an item collection has no room; none where there is room.
fn overfull(store: &Store, examined: &[Examined<'_>]) -> Option<ApiError> {
    let mut growth = Growth::default();
    let mut written = examined.iter().flat_map(|examined| &examined.result);
    let index = written.position(|written| !growth.admits(store, written))?;
    let mut reasons = vec![CancellationReason::None; examined.len()];
    reasons[index] = CancellationReason::ItemCollectionSizeLimitExceeded;
    Some(ApiError::TransactionCanceled(reasons))
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
                failed: CapacityUnits::ZERO,
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

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{TransactAction, TransactWriteItem};
    use hashrange_types::{
        AttributeValue, ErrorPlace, Item, Projection, Request, TableName, TableReference,
    };

    use super::*;
    use crate::database::Database;
    use crate::read_fixture::{global, include, item, local, n, s, schema, schema_with_key};
    use crate::transaction_fixture::{
        check, delete, put, reasons, update, when, write, write_once,
    };
    use crate::write_fixture::{database, sized, units};

    const MINUTES: i64 = 60 * 1_000_000;

    fn key(pk: &str) -> Item {
        item([("pk", s(pk))])
    }

    /// A table that holds `a` of 1,500 bytes and `b` of 3,000.
    fn holding() -> Database {
        let mut database = database(global(schema_with_key("pk"), "gsi", "g", include(&["p"])));
        database.run(write(vec![put(sized("a", 1_500)), put(sized("b", 3_000))]));
        database
    }

    #[track_caller]
    fn refusal(database: &mut Database, items: Vec<TransactWriteItem>) -> ApiError {
        let outcome = database.call(write(items), Timestamp(0));
        assert!(outcome.changes.is_empty() && outcome.index_entries.is_empty());
        outcome.reply.unwrap_err()
    }

    fn nested(levels: usize) -> AttributeValue {
        (1..levels).fold(s("x"), |value, _| AttributeValue::L(vec![value]))
    }

    #[test]
    fn each_action_costs_its_table_twice_the_larger_image() {
        let mut database = holding();
        assert_eq!(database.units(write(vec![put(sized("c", 1_500))])), "table 4");
        assert_eq!(database.units(write(vec![put(sized("a", 10))])), "table 4");
        assert_eq!(database.units(write(vec![delete(key("b"))])), "table 6");
        assert_eq!(database.units(write(vec![delete(key("b"))])), "table 2");
        assert_eq!(database.units(write(vec![update(key("c"), "REMOVE d", &[])])), "table 4");
        let checks = vec![
            check(key("nobody"), "attribute_not_exists(pk)", &[]),
            check(key("c"), "attribute_exists(pk)", &[]),
        ];
        assert_eq!(database.units(write(checks)), "table 4");
    }

    #[test]
    fn the_order_of_the_worked_bill_costs_14_units() {
        let mut database = holding();
        let mut order: Vec<_> = ["1", "2", "3"].map(|pk| put(sized(pk, 1_500))).to_vec();
        order.push(check(key("customer"), "attribute_not_exists(pk)", &[]));
        assert_eq!(database.units(write(order)), "table 14");
    }

    #[test]
    fn indexes_cost_what_they_cost_outside() {
        let mut database = holding();
        let mut indexed = sized("c", 600);
        indexed.insert("g".into(), s("x"));
        assert_eq!(database.units(write(vec![put(indexed.clone())])), "table 2, gsi 1");
        assert_eq!(database.units(write(vec![put(indexed)])), "table 2");
        let moved = vec![update(key("c"), "SET g = :a", &[s("y")])];
        assert_eq!(database.units(write(moved)), "table 2, gsi 2");
    }

    #[test]
    fn a_false_condition_before_its_own_update_is_what_is_reported() {
        let items = vec![when(
            update(key("nobody"), "SET v = v + :a", &[n(1)]),
            "attribute_exists(pk)",
            &[],
        )];
        let error = refusal(&mut holding(), items);
        assert_eq!(reasons(&error).0, ["ConditionalCheckFailed"]);
    }

    #[test]
    fn a_canceled_transaction_pays_twice_for_each_item_it_looked_at() {
        let items = vec![
            put(sized("new", 2_000)),
            when(update(key("a"), "SET v = :a", &[n(1)]), "d = :a", &[]),
            check(key("nobody"), "attribute_exists(pk)", &[]),
            delete(key("b")),
        ];
        let outcome = holding().call(write(items), Timestamp(0));
        assert_eq!(
            reasons(&outcome.reply.unwrap_err()).0,
            ["None", "ConditionalCheckFailed", "ConditionalCheckFailed", "None"]
        );
        assert_eq!(units(&outcome.consumed), "table 16");
    }

    #[test]
    fn the_first_fault_found_on_an_item_is_the_only_reason() {
        let mut database = holding();
        let cases: [(TransactWriteItem, &str); 6] = [
            (update(key("a"), "SET m.x = :a", &[n(1)]), "The document path provided"),
            (update(key("a"), "ADD d :a", &[n(1)]), "An operand in the update expression"),
            (update(key("a"), "SET g = :a", &[n(1)]), "One or more parameter values were invalid"),
            (
                update(key("a"), "SET pk = :a", &[s("x")]),
                "One or more parameter values were invalid",
            ),
            (
                update(key("a"), "SET e = :a", &[s(&"x".repeat(408_200))]),
                "Item size to update has exceeded the maximum allowed size",
            ),
            (update(key("a"), "SET e = :a", &[nested(33)]), "Nesting Levels have exceeded"),
        ];
        for (faulty, message) in cases {
            let items = vec![
                check(key("nobody"), "attribute_exists(pk)", &[]),
                faulty,
                update(key("b"), "SET v = v + :a", &[n(1)]),
            ];
            let error = refusal(&mut database, items);
            let (codes, found) = reasons(&error);
            assert_eq!(codes, ["None", "ValidationError", "None"], "{message}");
            assert!(found.as_ref().unwrap().starts_with(message), "{found:?}");
        }
    }

    #[test]
    fn a_condition_check_does_not_look_at_how_deep_its_values_nest() {
        let items = vec![check(key("a"), "d <> :a", &[nested(40)])];
        holding().run(write(items));
    }

    #[test]
    fn too_deep_or_too_large_a_put_refuses_the_request_before_tables_are_looked_up() {
        let mut deep = key("x");
        deep.insert("d".into(), nested(33));
        for (item, message) in [
            (deep, "Nesting Levels have exceeded"),
            (sized("x", 409_601), "Item size has exceeded the maximum allowed size"),
        ] {
            let missing = TableReference::by_name(TableName::new("Missing").unwrap());
            let items = vec![TransactWriteItem { table: missing, ..put(item) }];
            let error = refusal(&mut holding(), items);
            assert_eq!(error.name(), "ValidationException");
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }

    #[test]
    fn what_a_transaction_sends_is_at_most_4_mb_and_what_it_deletes_may_be_more() {
        let mut database = holding();
        let name = |index: usize| format!("{index:02}");
        let puts = |range: std::ops::Range<usize>| {
            write(range.map(|index| put(sized(&name(index), 350_000))).collect())
        };
        assert_eq!(database.refusal(puts(0..12)), "Transaction payload size cannot exceed 4 MB");
        database.run(puts(0..11));
        database.run(puts(11..14));
        database.run(write((0..14).map(|index| delete(key(&name(index)))).collect()));
        assert_eq!(database.item(&key("00")), None);
    }

    #[test]
    fn an_item_with_its_local_index_entries_above_400_kb_cancels() {
        let mut large = sized("a", 250_000);
        large.insert("sk".into(), s("b"));
        large.insert("l".into(), s("c"));
        let mut database = database(local(schema(), "lsi", "pk | l", Projection::All));
        let error = refusal(&mut database, vec![put(large)]);
        assert_eq!(
            reasons(&error).1.as_deref(),
            Some("Item size has exceeded the maximum allowed size")
        );
    }

    #[test]
    fn errors_tell_their_place_in_the_element() {
        let place = |items: Vec<TransactWriteItem>| match refusal(&mut holding(), items).place() {
            Some(ErrorPlace::Member(path)) => path.join("."),
            place => panic!("not a member: {place:?}"),
        };
        let good = || put(key("new"));
        assert_eq!(
            place(vec![good(), when(put(key("x")), "status", &[])]),
            "TransactItems.1.Put.ConditionExpression"
        );
        assert_eq!(place(vec![good(), put(item([("pk", n(1))]))]), "TransactItems.1.Put.Item.pk");
        assert_eq!(
            place(vec![good(), update(key("a"), "SET v = w", &[])]),
            "TransactItems.1.Update"
        );
        let mut wrong = delete(key("x"));
        wrong.action = TransactAction::Delete {
            key: Err(hashrange_types::ValidationError::new("wrong").at_member(&["Key", "pk"])),
        };
        assert_eq!(place(vec![wrong]), "TransactItems.0.Delete.Key.pk");
    }

    fn increment(token: &str) -> Request {
        write_once(token, vec![update(key("a"), "ADD v :a", &[n(1)])])
    }

    fn counter(database: &Database) -> Option<&AttributeValue> {
        database.item(&key("a")).unwrap().get("v")
    }

    #[test]
    fn a_token_counts_for_ten_minutes() {
        let mut database = holding();
        let mut add = |minutes: i64| {
            let outcome = database.call(increment("t"), Timestamp(minutes * MINUTES));
            assert!(outcome.reply.is_ok());
            outcome.changes.len()
        };
        assert_eq!((add(0), add(9), add(10), add(19), add(20)), (2, 0, 2, 0, 2));
        assert_eq!(counter(&database), Some(&n(3)));
        let just_before = Timestamp(30 * MINUTES - 1);
        assert!(database.call(increment("t"), just_before).changes.is_empty());
    }

    #[test]
    fn a_replay_costs_a_transactional_read_of_the_images_of_the_first_run() {
        let mut database = holding();
        let mut both = |token: &str, items: Vec<TransactWriteItem>| {
            let request = write_once(token, items);
            let first = database.run(request.clone());
            let second = database.run(request);
            assert!(first.consumed[0].is_write && !second.consumed[0].is_write);
            (units(&first.consumed), units(&second.consumed))
        };
        let pair = |first: &str, second: &str| (first.to_owned(), second.to_owned());
        assert_eq!(both("put", vec![put(sized("c", 1_500))]), pair("table 4", "table 2"));
        assert_eq!(both("large", vec![put(sized("d", 9_000))]), pair("table 18", "table 6"));
        assert_eq!(both("delete", vec![delete(key("d"))]), pair("table 18", "table 6"));
        let mut indexed = key("e");
        indexed.insert("g".into(), s("x"));
        assert_eq!(both("index", vec![put(indexed)]), pair("table 2, gsi 1", "table 2"));
    }

    #[test]
    fn a_token_with_another_transaction_is_a_mismatch_and_changes_nothing() {
        let mut database = holding();
        database.run(increment("t"));
        let other = write_once("t", vec![update(key("a"), "ADD v :a", &[n(2)])]);
        let outcome = database.call(other, Timestamp(0));
        assert_eq!(outcome.reply, Err(ApiError::IdempotentParameterMismatch));
        assert!(outcome.changes.is_empty() && outcome.consumed.is_empty());
        assert_eq!(counter(&database), Some(&n(1)));
    }

    #[test]
    fn a_canceled_transaction_does_not_use_up_its_token() {
        let mut database = holding();
        let guarded =
            || write_once("t", vec![when(put(key("c")), "attribute_not_exists(pk)", &[])]);
        database.run(write(vec![put(key("c"))]));
        assert!(database.call(guarded(), Timestamp(0)).reply.is_err());
        database.run(write(vec![delete(key("c"))]));
        assert_eq!(database.run(guarded()).changes.len(), 2);
    }

    #[test]
    fn expired_tokens_are_forgotten_by_and_by() {
        let mut database = holding();
        for token in 0..6 {
            database.call(increment(&token.to_string()), Timestamp(token));
        }
        assert_eq!(database.store().tokens_oldest_first().count(), 6);
        database.call(increment("later"), Timestamp(11 * MINUTES));
        assert_eq!(database.store().tokens_oldest_first().count(), 3);
        database.call(increment("again"), Timestamp(11 * MINUTES));
        assert_eq!(database.store().tokens_oldest_first().count(), 2);
    }

    #[test]
    fn the_same_table_by_name_and_by_arn_is_one_table() {
        let mut database = holding();
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/T";
        let by_arn = TableReference { given: arn.into(), ..put(key("x")).table };
        let items =
            vec![TransactWriteItem { table: by_arn.clone(), ..put(key("x")) }, put(key("y"))];
        let outcome = database.run(write(items));
        assert_eq!(outcome.consumed.len(), 1);
        assert_eq!(outcome.consumed[0].table_name, arn);
        let twice = vec![TransactWriteItem { table: by_arn, ..put(key("x")) }, put(key("x"))];
        assert_eq!(
            database.refusal(write(twice)),
            "Transaction request cannot include multiple operations on one item"
        );
    }
}

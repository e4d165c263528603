//! Laws of transactions, on random ones: all or nothing, the same as one by one, and once under one token.

use hashrange_storage::Change;
use hashrange_types::operation::{TransactAction, TransactWriteItem};
use hashrange_types::{AttributeValue, CapacityUnits, IndexName, Request, Timestamp};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::database::Database;
use crate::fingerprint::fingerprint;
use crate::outcome::Outcome;
use crate::read_fixture::{n, s, schema};
use crate::transaction_fixture::{check, delete, put, update, when, write, write_once};
use crate::write_fixture::{self, database};
use crate::write_laws::{contents, entries_anew, full_item, indexed_schema, key, text};

fn condition() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("attribute_exists(pk)"),
        Just("attribute_not_exists(pk)"),
        Just("attribute_exists(g) OR attribute_not_exists(l)"),
    ]
}

fn action() -> impl Strategy<Value = TransactWriteItem> {
    prop_oneof![
        4 => full_item().prop_map(put),
        2 => key().prop_map(delete),
        1 => (key(), text()).prop_map(|(key, value)| update(key, "SET g = :a", &[value])),
        1 => key().prop_map(|key| update(key, "REMOVE g, p", &[])),
        1 => key().prop_map(|key| update(key, "SET l = l + :a", &[n(1)])),
        1 => key().prop_map(|key| update(key, "SET g = :a", &[n(1)])),
    ]
}

fn element() -> impl Strategy<Value = TransactWriteItem> {
    let conditional = (action(), option::weighted(0.3, condition()));
    prop_oneof![
        5 => conditional.prop_map(|(item, condition)| match condition {
            Some(condition) => when(item, condition, &[]),
            None => item,
        }),
        1 => (key(), condition()).prop_map(|(key, condition)| check(key, condition, &[])),
    ]
}

/// Elements of distinct items.
fn elements() -> impl Strategy<Value = Vec<TransactWriteItem>> {
    vec(element(), 1..6).prop_map(|mut elements| {
        let key =
            |item: &TransactWriteItem| schema().key.encode(item.action.item().as_ref().unwrap());
        let mut seen = Vec::new();
        elements.retain(|element| {
            let key = key(element);
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
        elements
    })
}

fn filled(items: Vec<TransactWriteItem>) -> Database {
    let mut database = database(indexed_schema());
    for item in items {
        let _ = database.call(alone(&item), Timestamp(0));
    }
    database
}

/// The element as a request of its own. A check becomes an update that changes nothing.
fn alone(element: &TransactWriteItem) -> Request {
    let condition = element.condition_expression.clone();
    let values = element.values.clone();
    match &element.action {
        TransactAction::Put { item } => {
            let mut request = write_fixture::put(item.clone().unwrap());
            request.condition_expression = condition;
            Request::PutItem(request)
        }
        TransactAction::Delete { key } => {
            let mut request = write_fixture::delete(key.clone().unwrap());
            request.condition_expression = condition;
            Request::DeleteItem(request)
        }
        TransactAction::Update { key, update_expression } => {
            let mut request = write_fixture::update(key.clone().unwrap(), update_expression, &[]);
            request.condition_expression = condition;
            request.values = values;
            Request::UpdateItem(request)
        }
        TransactAction::ConditionCheck { key } => {
            let mut request = write_fixture::update(key.clone().unwrap(), "", &[]);
            request.update_expression = None;
            request.condition_expression = condition;
            Request::UpdateItem(request)
        }
    }
}

fn is_check(element: &TransactWriteItem) -> bool {
    matches!(element.action, TransactAction::ConditionCheck { .. })
}

/// Units by index, and of the table.
fn arms(outcomes: &[Outcome]) -> (CapacityUnits, Vec<(IndexName, CapacityUnits)>) {
    let consumed = || outcomes.iter().flat_map(|outcome| &outcome.consumed);
    let table = consumed().map(|consumed| consumed.table).sum();
    let schema = indexed_schema();
    let indexes = schema.indexes().map(|index| {
        let charged =
            consumed().flat_map(|one| one.local_indexes.iter().chain(&one.global_indexes));
        let units = charged.filter(|(name, _)| name == index.name).map(|(_, units)| *units).sum();
        (index.name.clone(), units)
    });
    (table, indexes.collect())
}

proptest! {
    #[test]
    fn a_transaction_is_carried_out_exactly_when_each_element_alone_would_be(
        before in vec(action(), 0..12),
        elements in elements(),
    ) {
        let database = filled(before);
        let is_accepted = |request| database.clone().call(request, Timestamp(0)).reply.is_ok();
        let each = elements.iter().all(|element| is_accepted(alone(element)));
        prop_assert_eq!(is_accepted(write(elements)), each);
    }

    #[test]
    fn a_transaction_that_is_not_carried_out_changes_nothing_and_gives_a_reason_for_each_element(
        before in vec(action(), 0..12),
        elements in elements(),
    ) {
        let mut database = filled(before);
        let found = contents(database.store());
        let n_elements = elements.len();
        let outcome = database.call(write_once("t", elements), Timestamp(0));
        let Err(error) = outcome.reply else { return Ok(()) };
        prop_assert!(outcome.changes.is_empty() && outcome.index_entries.is_empty());
        prop_assert_eq!(contents(database.store()), found);
        prop_assert_eq!(database.store().tokens_oldest_first().count(), 0);
        let hashrange_types::ApiError::TransactionCanceled(reasons) = error else {
            return Err(TestCaseError::fail(format!("{error:?}")));
        };
        prop_assert_eq!(reasons.len(), n_elements);
    }

    #[test]
    fn a_transaction_does_what_its_writes_do_one_by_one_for_twice_the_units_of_the_table(
        before in vec(action(), 0..12),
        elements in elements(),
    ) {
        let mut together = filled(before);
        let mut apart = together.clone();
        let outcome = together.call(write(elements.clone()), Timestamp(0));
        prop_assume!(outcome.reply.is_ok());
        let singly = elements.iter().filter(|element| !is_check(element));
        let outcomes: Vec<Outcome> =
            singly.map(|element| apart.call(alone(element), Timestamp(0))).collect();
        prop_assert!(outcomes.iter().all(|outcome| outcome.reply.is_ok()));
        prop_assert_eq!(contents(together.store()), contents(apart.store()));
        let contents = contents(together.store());
        prop_assert_eq!(&contents[1..], &entries_anew(together.store())[..]);
        let (table, indexes) = arms(&outcomes);
        // Every item here is far below one kilobyte, and so is what a check reads.
        let checks = elements.iter().filter(|element| is_check(element)).count();
        let checks = CapacityUnits::whole(u64::try_from(checks).unwrap());
        prop_assert_eq!(arms(&[outcome]), ((table + checks).times(2), indexes));
    }

    #[test]
    fn the_same_token_does_the_same_transaction_once(
        before in vec(action(), 0..12),
        elements in elements(),
    ) {
        let mut database = filled(before);
        let request = write_once("t", elements);
        let outcome = database.call(request.clone(), Timestamp(0));
        prop_assume!(outcome.reply.is_ok());
        let found = contents(database.store());
        let again = database.call(request, Timestamp(1));
        prop_assert!(again.reply.is_ok());
        prop_assert!(again.changes.is_empty() && again.index_entries.is_empty());
        prop_assert_eq!(contents(database.store()), found);
        prop_assert!(again.consumed.iter().all(|consumed| !consumed.is_write));
    }

    #[test]
    fn taking_back_a_transaction_takes_back_its_token(
        before in vec(action(), 0..12),
        elements in elements(),
    ) {
        let mut database = filled(before);
        let found = contents(database.store());
        let outcome = database.call(write_once("t", elements), Timestamp(0));
        let mut store = database.store().clone();
        let entries = outcome.index_entries.into_iter().map(Change::IndexEntry);
        let changes: Vec<Change> = outcome.changes.into_iter().chain(entries).collect();
        for change in changes.iter().rev() {
            store.apply(&change.invert());
        }
        prop_assert_eq!(contents(&store), found);
        prop_assert_eq!(store.tokens_oldest_first().count(), 0);
    }

    #[test]
    fn a_fingerprint_tells_requests_apart_exactly_when_they_differ(
        one in elements(),
        other in elements(),
    ) {
        let are_equal = one == other;
        prop_assert_eq!(fingerprint(&one) == fingerprint(&other), are_equal);
    }

    #[test]
    fn a_fingerprint_does_not_see_the_order_of_attributes(item in full_item()) {
        let turned = item.iter().rev().map(|(name, value)| (name.clone(), value.clone())).collect();
        prop_assert_eq!(fingerprint(&[put(item)]), fingerprint(&[put(turned)]));
    }
}

#[test]
fn a_fingerprint_does_not_see_the_order_of_sets_or_how_numbers_are_spelled() {
    use hashrange_types::{NumberSet, StringSet};
    let print = |value: AttributeValue| {
        fingerprint(&[put([("pk".into(), s("a")), ("v".into(), value)].into_iter().collect())])
    };
    let texts = |members: [&str; 2]| {
        AttributeValue::Ss(StringSet::new(members.map(Into::into).to_vec()).unwrap())
    };
    assert_eq!(print(texts(["a", "b"])), print(texts(["b", "a"])));
    assert_ne!(print(texts(["a", "b"])), print(texts(["a", "c"])));
    let numbers = |members: [&str; 2]| {
        let members = members.map(|text| hashrange_types::Number::parse(text).unwrap()).to_vec();
        AttributeValue::Ns(NumberSet::new(members).unwrap())
    };
    assert_eq!(print(numbers(["1", "20"])), print(numbers(["2e1", "1.0"])));
    assert_ne!(print(s("1")), print(n(1)));
    assert_ne!(
        print(AttributeValue::L(vec![s("a"), s("b")])),
        print(AttributeValue::L(vec![s("ab")]))
    );
}

//! A day's work with the AWS SDK for Rust.

mod orders;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::ProvideErrorMetadata as _;
use aws_sdk_dynamodb::operation::RequestId as _;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeValue, Capacity, ConditionCheck, ConsumedCapacity, Delete, Get, IndexStatus,
    KeysAndAttributes, Put, ReturnConsumedCapacity, ReturnValue,
    ReturnValuesOnConditionCheckFailure, TableStatus, TransactGetItem, TransactWriteItem, Update,
};
use aws_sdk_dynamodbstreams::types::{AttributeValue as Recorded, Record, ShardIteratorType};

use orders::{
    CUSTOMER, INDEX, Item, N_ORDERS, create, delete, deletion, item, key, keys, n, order, s,
    table_of_orders, wait_until_made, with, write,
};

/// What a call on one table is expected to have consumed, of the table and of its index.
fn consumed(name: &str, table: f64, index: f64) -> ConsumedCapacity {
    let arm = |units| Capacity::builder().capacity_units(units).build();
    ConsumedCapacity::builder()
        .table_name(name)
        .capacity_units(table + index)
        .table(arm(table))
        .global_secondary_indexes(INDEX, arm(index))
        .build()
}

#[tokio::test]
async fn a_table_is_made_described_and_deleted() {
    let name = "Rust.lifecycle";
    let client = client!(aws_sdk_dynamodb);
    let made = create(&client, name).send().await.unwrap().table_description.unwrap();
    let arn = format!("arn:aws:dynamodb:us-east-1:000000000000:table/{name}");
    assert_eq!(made.table_arn(), Some(arn.as_str()));
    wait_until_made(&client, name).await;
    let pages = client.list_tables().into_paginator().items().send();
    assert!(pages.collect::<Result<Vec<_>, _>>().await.unwrap().iter().any(|table| table == name));

    let described = client.describe_table().table_name(name).send().await.unwrap().table.unwrap();
    assert_eq!(described.table_status(), Some(&TableStatus::Active));
    assert_eq!(described.key_schema(), keys(["customer", "number"]));
    let [index] = described.global_secondary_indexes() else { panic!("{described:?}") };
    assert_eq!(index.index_name(), Some(INDEX));
    assert_eq!(index.index_status(), Some(&IndexStatus::Active));

    let taken = create(&client, name).send().await.unwrap_err().into_service_error();
    assert!(taken.is_resource_in_use_exception());
    assert_eq!(taken.message(), Some(format!("Table already exists: {name}").as_str()));

    delete(&client, name).await;
    let missing = client.describe_table().table_name(name).send().await;
    let missing = missing.unwrap_err().into_service_error();
    assert!(missing.is_resource_not_found_exception());
    let message = format!("Requested resource not found: Table: {name} not found");
    assert_eq!(missing.message(), Some(message.as_str()));
}

#[tokio::test]
async fn batches_are_charged_for_the_table_and_its_index() {
    let name = "Rust.batches";
    let client = table_of_orders(name).await;
    let wanted = KeysAndAttributes::builder().keys(key(7)).keys(key(99)).build().unwrap();
    let read = client.batch_get_item().request_items(name, wanted).send().await.unwrap();
    assert_eq!(read.responses.unwrap()[name], [order(7)]);
    assert!(read.unprocessed_keys.unwrap().is_empty());

    let written = write(&client, name, (1..=N_ORDERS).map(deletion).collect()).await;
    assert_eq!(written, [consumed(name, 25.0, 25.0), consumed(name, 5.0, 5.0)]);
    delete(&client, name).await;
}

#[tokio::test]
async fn a_query_is_paged_through() {
    let name = "Rust.pages";
    let client = table_of_orders(name).await;
    let mut pages = client
        .query()
        .table_name(name)
        .key_condition_expression("customer = :customer")
        .expression_attribute_values(":customer", s(CUSTOMER))
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .into_paginator()
        .page_size(12)
        .send();
    let mut found = Vec::new();
    let mut ends = Vec::new();
    while let Some(page) = pages.next().await {
        let page = page.unwrap();
        assert_eq!(page.consumed_capacity.unwrap().capacity_units, Some(0.5));
        ends.push((page.count, page.last_evaluated_key));
        found.extend(page.items.unwrap());
    }
    assert_eq!(ends, [(12, Some(key(12))), (12, Some(key(24))), (6, None)]);
    assert_eq!(found, (1..=N_ORDERS).map(order).collect::<Vec<_>>());
    delete(&client, name).await;
}

#[tokio::test]
async fn an_index_is_queried_backwards() {
    let name = "Rust.index";
    let client = table_of_orders(name).await;
    let reply = client
        .query()
        .table_name(name)
        .index_name(INDEX)
        .key_condition_expression("#state = :open")
        .expression_attribute_names("#state", "state")
        .expression_attribute_values(":open", s("open"))
        .scan_index_forward(false)
        .limit(3)
        .return_consumed_capacity(ReturnConsumedCapacity::Indexes)
        .send()
        .await
        .unwrap();
    let entries = [29, 27, 25].map(|number| with(key(number), [("state", s("open"))]));
    assert_eq!(reply.items(), entries);
    assert_eq!(reply.last_evaluated_key(), entries.last());
    assert_eq!(reply.consumed_capacity, Some(consumed(name, 0.0, 0.5)));
    delete(&client, name).await;
}

#[tokio::test]
async fn an_update_under_a_condition_succeeds_once() {
    let name = "Rust.update";
    let client = table_of_orders(name).await;
    let request = client
        .update_item()
        .table_name(name)
        .set_key(Some(key(1)))
        .update_expression("SET #state = :paid, #total = #total + :tip")
        .condition_expression("#state = :open")
        .expression_attribute_names("#state", "state")
        .expression_attribute_names("#total", "total")
        .expression_attribute_values(":open", s("open"))
        .expression_attribute_values(":paid", s("paid"))
        .expression_attribute_values(":tip", n("0.25"))
        .return_values(ReturnValue::AllNew)
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .return_consumed_capacity(ReturnConsumedCapacity::Indexes);
    let paid = with(key(1), [("state", s("paid")), ("total", n("10.75"))]);
    let reply = request.clone().send().await.unwrap();
    assert_eq!(reply.attributes.as_ref(), Some(&paid));
    // The order leaves one place of the index and takes another: two writes.
    assert_eq!(reply.consumed_capacity, Some(consumed(name, 1.0, 2.0)));

    let error = request.send().await.unwrap_err().into_service_error();
    assert_eq!(error.message(), Some("The conditional request failed"));
    let aws_sdk_dynamodb::operation::update_item::UpdateItemError::ConditionalCheckFailedException(
        failed,
    ) = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(failed.item(), Some(&paid));
    delete(&client, name).await;
}

/// A new order under the condition that there is none yet.
fn new_order(name: &str, number: u32) -> TransactWriteItem {
    let put = Put::builder()
        .table_name(name)
        .set_item(Some(order(number)))
        .condition_expression("attribute_not_exists(customer)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    TransactWriteItem::builder().put(put.build().unwrap()).build()
}

fn removal(name: &str, number: u32) -> TransactWriteItem {
    let delete = Delete::builder().table_name(name).set_key(Some(key(number))).build().unwrap();
    TransactWriteItem::builder().delete(delete).build()
}

#[tokio::test]
async fn a_transaction_is_done_whole() {
    let name = "Rust.transaction";
    let client = table_of_orders(name).await;
    let update = Update::builder()
        .table_name(name)
        .set_key(Some(key(2)))
        .update_expression("SET paidBy = :card")
        .expression_attribute_values(":card", s("card"));
    let check = ConditionCheck::builder()
        .table_name(name)
        .set_key(Some(key(5)))
        .condition_expression("attribute_exists(customer)");
    let reply = client
        .transact_write_items()
        .transact_items(new_order(name, 31))
        .transact_items(TransactWriteItem::builder().update(update.build().unwrap()).build())
        .transact_items(removal(name, 3))
        .transact_items(
            TransactWriteItem::builder().condition_check(check.build().unwrap()).build(),
        )
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .unwrap();
    // Twice for the table; once for the index, which the update and the check do not touch.
    let total = ConsumedCapacity::builder().table_name(name).capacity_units(10.0);
    assert_eq!(reply.consumed_capacity(), [total.write_capacity_units(10.0).build()]);

    let gets = [31, 2, 3].map(|number| {
        let get = Get::builder().table_name(name).set_key(Some(key(number))).build().unwrap();
        TransactGetItem::builder().get(get).build()
    });
    let read = client.transact_get_items().set_transact_items(Some(gets.into())).send().await;
    let found: Vec<_> =
        read.unwrap().responses.unwrap().into_iter().map(|entry| entry.item).collect();
    let updated = with(order(2), [("paidBy", s("card"))]);
    assert_eq!(found, [Some(order(31)), Some(updated), None]);
    delete(&client, name).await;
}

#[tokio::test]
async fn a_cancelled_transaction_gives_its_reasons_and_changes_nothing() {
    let name = "Rust.cancelled";
    let client = table_of_orders(name).await;
    let request = client.transact_write_items().transact_items(removal(name, 1));
    let error = request.transact_items(new_order(name, 2)).send().await.unwrap_err();
    let aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError::TransactionCanceledException(
        cancelled,
    ) = error.into_service_error()
    else {
        panic!("it was not cancelled")
    };
    assert_eq!(
        cancelled.message(),
        Some(
            "Transaction cancelled, please refer cancellation reasons for specific reasons \
             [None, ConditionalCheckFailed]"
        )
    );
    let [first, second] = cancelled.cancellation_reasons() else { panic!("{cancelled:?}") };
    assert_eq!((first.code(), first.message(), first.item()), (Some("None"), None, None));
    assert_eq!(second.code(), Some("ConditionalCheckFailed"));
    assert_eq!(second.message(), Some("The conditional request failed"));
    assert_eq!(second.item(), Some(&order(2)));
    assert_eq!(get(&client, name, key(1)).await, Some(order(1)));
    delete(&client, name).await;
}

async fn get(client: &Client, name: &str, key: Item) -> Option<Item> {
    let request = client.get_item().table_name(name).set_key(Some(key)).consistent_read(true);
    request.send().await.unwrap().item
}

/// Every record of a stream, shard by shard.
async fn records(arn: &str) -> Vec<Record> {
    let client = client!(aws_sdk_dynamodbstreams);
    let stream = client.describe_stream().stream_arn(arn).send().await.unwrap();
    let mut found = Vec::new();
    for shard in stream.stream_description.unwrap().shards() {
        let start = client
            .get_shard_iterator()
            .stream_arn(arn)
            .set_shard_id(shard.shard_id.clone())
            .shard_iterator_type(ShardIteratorType::TrimHorizon);
        let mut iterator = start.send().await.unwrap().shard_iterator;
        while let Some(place) = iterator {
            let page = client.get_records().shard_iterator(place).send().await.unwrap();
            // An open shard always has a next iterator; an empty page says that we are up to date.
            iterator = page
                .next_shard_iterator
                .filter(|_| page.records.as_ref().is_some_and(|r| !r.is_empty()));
            found.extend(page.records.unwrap_or_default());
        }
    }
    found
}

#[tokio::test]
async fn the_stream_tells_what_happened_in_order() {
    let name = "Rust.stream";
    let client = table_of_orders(name).await;
    let described = client.describe_table().table_name(name).send().await.unwrap().table.unwrap();
    let paid = with(order(1), [("state", s("paid"))]);
    for _ in 0..2 {
        client.put_item().table_name(name).set_item(Some(paid.clone())).send().await.unwrap();
    }
    client.delete_item().table_name(name).set_key(Some(key(1))).send().await.unwrap();

    let found = records(described.latest_stream_arn().unwrap()).await;
    assert_eq!(found.len(), N_ORDERS as usize + 2);
    let state = |image: Option<&std::collections::HashMap<String, Recorded>>| {
        image.map(|image| image["state"].as_s().unwrap().clone())
    };
    let of_first: Vec<_> = found
        .iter()
        .filter_map(|record| {
            let change = record.dynamodb()?;
            (change.keys()?["number"] == Recorded::N("1".to_owned())).then(|| {
                let name = record.event_name().unwrap().as_str();
                (name, state(change.old_image()), state(change.new_image()))
            })
        })
        .collect();
    let (open, paid) = (Some("open".to_owned()), Some("paid".to_owned()));
    let expected =
        [("INSERT", None, open.clone()), ("MODIFY", open, paid.clone()), ("REMOVE", paid, None)];
    assert_eq!(of_first, expected);
    delete(&client, name).await;
}

#[tokio::test]
async fn partiql_inserts_pages_changes_and_deletes() {
    let name = "Rust.partiql";
    let client = table_of_orders(name).await;
    let run = |statement: &str, values: [AttributeValue; 2]| {
        client.execute_statement().statement(statement).set_parameters(Some(values.into()))
    };
    let bob = [s("bob"), n(1)];
    let insert =
        format!("INSERT INTO \"{name}\" VALUE {{'customer': ?, 'number': ?, 'state': 'open'}}");
    run(&insert, bob.clone()).send().await.unwrap();
    let duplicate = run(&insert, bob.clone()).send().await.unwrap_err().into_service_error();
    assert!(duplicate.is_duplicate_item_exception());
    assert_eq!(duplicate.message(), Some("Duplicate primary key exists in table"));

    let select = format!("SELECT \"number\" FROM \"{name}\" WHERE customer = ? AND \"number\" > ?");
    let select = run(&select, [s(CUSTOMER), n(25)]).limit(3);
    let first = select.clone().send().await.unwrap();
    let numbers = |items: Vec<Item>| {
        items.into_iter().map(|mut item| item.remove("number").unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(first.items.unwrap()), [n(26), n(27), n(28)]);
    let rest = select.set_next_token(first.next_token).send().await.unwrap();
    assert_eq!(rest.next_token, None);
    assert_eq!(numbers(rest.items.unwrap()), [n(29), n(30)]);

    let update = format!(
        "UPDATE \"{name}\" SET state = 'paid' WHERE customer = ? AND \"number\" = ? RETURNING ALL NEW *"
    );
    let changed = run(&update, bob.clone()).send().await.unwrap();
    assert_eq!(
        changed.items(),
        [item([("customer", s("bob")), ("number", n(1)), ("state", s("paid"))])]
    );
    let missing = run(&update, [s("bob"), n(2)]).send().await.unwrap_err().into_service_error();
    assert!(missing.is_conditional_check_failed_exception());

    let remove = format!("DELETE FROM \"{name}\" WHERE customer = ? AND \"number\" = ?");
    run(&remove, bob).send().await.unwrap();
    assert_eq!(get(&client, name, item([("customer", s("bob")), ("number", n(1))])).await, None);
    delete(&client, name).await;
}

#[tokio::test]
async fn every_type_of_value_comes_back_as_it_was_written() {
    let name = "Rust.types";
    let client = table_of_orders(name).await;
    let key = item([("customer", s("ünïcode")), ("number", n("-0.000000000000000000015"))]);
    let deep = AttributeValue::M(item([("deep", AttributeValue::M(Item::new()))]));
    let everything = with(
        key.clone(),
        [
            ("exact", n("12345678901234567890123456789012345678")),
            ("binary", AttributeValue::B(Blob::new([0, 255]))),
            ("nothing", AttributeValue::Null(true)),
            ("flag", AttributeValue::Bool(false)),
            ("empty", s("")),
            ("list", AttributeValue::L(vec![n(1), s("two"), deep])),
            ("words", AttributeValue::Ss(vec!["a".to_owned()])),
            ("numbers", AttributeValue::Ns(vec!["2.5".to_owned()])),
            ("binaries", AttributeValue::Bs(vec![Blob::new(b"a")])),
        ],
    );
    client.put_item().table_name(name).set_item(Some(everything.clone())).send().await.unwrap();
    assert_eq!(get(&client, name, key).await, Some(everything));
    delete(&client, name).await;
}

#[tokio::test]
async fn a_mistake_is_a_validation_error_with_dynamodbs_words() {
    let name = "Rust.mistake";
    let client = table_of_orders(name).await;
    let request = client
        .query()
        .table_name(name)
        .key_condition_expression("customer = :customer AND state = :open")
        .expression_attribute_values(":customer", s(CUSTOMER))
        .expression_attribute_values(":open", s("open"));
    let error = request.send().await.unwrap_err();
    assert_eq!(error.raw_response().unwrap().status().as_u16(), 400);
    let error = error.into_service_error();
    assert_eq!(error.code(), Some("ValidationException"));
    assert_eq!(
        error.message(),
        Some(
            "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: state"
        )
    );
    assert_eq!(error.meta().request_id().map(str::len), Some(52));
    delete(&client, name).await;
}

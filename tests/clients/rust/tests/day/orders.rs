//! What the SDK works on: a shop's orders, in tables with an index by state and a stream.
//!
//! Orders 1 to 30 of the customer Ada. Odd ones are open, even ones are paid; order n costs ten times n, and a
//! half. An order takes some 50 bytes, so thirty of them fill no more than one read unit of 4 KB.

use std::collections::HashMap;
use std::env;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::client::Waiters as _;
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, ConsumedCapacity, DeleteRequest,
    GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType, PutRequest,
    ReturnConsumedCapacity, ScalarAttributeType, StreamSpecification, StreamViewType, WriteRequest,
};

pub(crate) type Item = HashMap<String, AttributeValue>;

pub(crate) const CUSTOMER: &str = "ada";
pub(crate) const N_ORDERS: u32 = 30;
pub(crate) const INDEX: &str = "byState";

/// Longer than any table takes; the SDK asks at once and then rests.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of one of the SDK's crates for the server under test: no retries that could hide a fault.
#[macro_export]
macro_rules! client {
    ($sdk:ident) => {{
        let credentials =
            $sdk::config::Credentials::new("hashrange", "hashrange", None, None, "test");
        let config = $sdk::Config::builder()
            .behavior_version($sdk::config::BehaviorVersion::latest())
            .region($sdk::config::Region::new("us-east-1"))
            .credentials_provider(credentials)
            .endpoint_url($crate::orders::endpoint())
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .retry_config($sdk::config::retry::RetryConfig::disabled())
            .build();
        $sdk::Client::from_conf(config)
    }};
}

pub(crate) fn endpoint() -> String {
    env::var("DYNAMODB_ENDPOINT")
        .expect("`cargo xtask test --only clients` says where the server is")
}

pub(crate) fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

pub(crate) fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn item<const N: usize>(attributes: [(&str, AttributeValue); N]) -> Item {
    attributes.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The primary key of an order.
pub(crate) fn key(number: u32) -> Item {
    item([("customer", s(CUSTOMER)), ("number", n(number))])
}

/// An order as it is first written.
pub(crate) fn order(number: u32) -> Item {
    let state = if number % 2 == 1 { "open" } else { "paid" };
    with(key(number), [("state", s(state)), ("total", n(format!("{number}0.5")))])
}

/// The item with these attributes as well, or instead.
pub(crate) fn with<const N: usize>(mut base: Item, more: [(&str, AttributeValue); N]) -> Item {
    base.extend(item(more));
    base
}

pub(crate) fn keys(names: [&str; 2]) -> Vec<KeySchemaElement> {
    let types = [KeyType::Hash, KeyType::Range];
    names
        .into_iter()
        .zip(types)
        .map(|(name, key_type)| {
            KeySchemaElement::builder().attribute_name(name).key_type(key_type).build().unwrap()
        })
        .collect()
}

/// The request that makes a table of orders.
pub(crate) fn create(client: &Client, name: &str) -> CreateTableFluentBuilder {
    let types = [("customer", "S"), ("number", "N"), ("state", "S")];
    let attributes = types.map(|(name, kind)| {
        let kind = ScalarAttributeType::from(kind);
        AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().unwrap()
    });
    let index = GlobalSecondaryIndex::builder()
        .index_name(INDEX)
        .set_key_schema(Some(keys(["state", "number"])))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .unwrap();
    let stream = StreamSpecification::builder()
        .stream_enabled(true)
        .stream_view_type(StreamViewType::NewAndOldImages)
        .build()
        .unwrap();
    client
        .create_table()
        .table_name(name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(attributes.into()))
        .set_key_schema(Some(keys(["customer", "number"])))
        .global_secondary_indexes(index)
        .stream_specification(stream)
}

pub(crate) async fn wait_until_made(client: &Client, name: &str) {
    client.wait_until_table_exists().table_name(name).wait(PATIENCE).await.unwrap();
}

pub(crate) async fn delete(client: &Client, name: &str) {
    client.delete_table().table_name(name).send().await.unwrap();
    client.wait_until_table_not_exists().table_name(name).wait(PATIENCE).await.unwrap();
}

/// Makes a table of thirty orders. A failed test leaves it; the server ends soon after.
pub(crate) async fn table_of_orders(name: &str) -> Client {
    let client = client!(aws_sdk_dynamodb);
    create(&client, name).send().await.unwrap();
    wait_until_made(&client, name).await;
    let puts = (1..=N_ORDERS).map(|number| {
        let put = PutRequest::builder().set_item(Some(order(number))).build().unwrap();
        WriteRequest::builder().put_request(put).build()
    });
    write(&client, name, puts.collect()).await;
    client
}

/// The request that deletes an order in a batch.
pub(crate) fn deletion(number: u32) -> WriteRequest {
    let delete = DeleteRequest::builder().set_key(Some(key(number))).build().unwrap();
    WriteRequest::builder().delete_request(delete).build()
}

/// Writes in batches of 25 until nothing is unprocessed; the consumed capacity of each call.
pub(crate) async fn write(
    client: &Client,
    name: &str,
    mut requests: Vec<WriteRequest>,
) -> Vec<ConsumedCapacity> {
    let mut consumed = Vec::new();
    while !requests.is_empty() {
        let rest = requests.split_off(requests.len().min(25));
        let reply = client
            .batch_write_item()
            .request_items(name, requests)
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes)
            .send()
            .await
            .unwrap();
        consumed.extend(reply.consumed_capacity.unwrap());
        requests = reply.unprocessed_items.unwrap().remove(name).unwrap_or_default();
        requests.extend(rest);
    }
    consumed
}

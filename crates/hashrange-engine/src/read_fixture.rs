//! Tables, items and requests for the tests of reads.

use hashrange_storage::{Change, ItemChange, Row, Store, Table, TableChange, index_changes};
use hashrange_types::operation::{
    PageResponse, QueryRequest, ReadRequest, ReturnConsumedCapacity, ScanRequest,
};
use hashrange_types::{
    ApiError, AttributeValue, BillingMode, GlobalSecondaryIndex, IndexName, Item, KeyAttribute,
    KeySchema, LocalSecondaryIndex, Number, Projection, Request, Response, ScalarType, TableName,
    TableReference, TableSchema, Timestamp,
};
use std::sync::Arc;

use crate::outcome::Outcome;
use crate::plan::{Plan, execute, plan};

pub(crate) fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

#[expect(clippy::needless_pass_by_value, reason = "tests read better without a reference")]
pub(crate) fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(Number::parse(&number.to_string()).unwrap())
}

pub(crate) fn item<const N: usize>(attributes: [(&str, AttributeValue); N]) -> Item {
    attributes.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

/// A key of attributes written `name:type`; those after `|` are the sort key.
pub(crate) fn key(text: &str) -> KeySchema {
    let attributes = |text: &str| {
        text.split_whitespace()
            .map(|word| {
                let (name, scalar) = word.split_once(':').unwrap_or((word, "S"));
                let scalar = match scalar {
                    "N" => ScalarType::N,
                    "B" => ScalarType::B,
                    _ => ScalarType::S,
                };
                KeyAttribute { name: name.into(), scalar }
            })
            .collect()
    };
    let (partition, sort) = text.split_once('|').unwrap_or((text, ""));
    KeySchema { partition: attributes(partition), sort: attributes(sort) }
}

pub(crate) fn include(names: &[&str]) -> Projection {
    Projection::Include(names.iter().map(|name| (*name).into()).collect())
}

/// A schema called `T` with the key `pk | sk`.
pub(crate) fn schema() -> TableSchema {
    schema_with_key("pk | sk")
}

pub(crate) fn schema_with_key(text: &str) -> TableSchema {
    TableSchema {
        name: TableName::new("T").unwrap(),
        key: key(text),
        local_indexes: Vec::new(),
        global_indexes: Vec::new(),
        billing: BillingMode::PayPerRequest,
    }
}

pub(crate) fn local(
    mut schema: TableSchema,
    name: &str,
    text: &str,
    projection: Projection,
) -> TableSchema {
    let name = IndexName::new(name).unwrap();
    schema.local_indexes.push(LocalSecondaryIndex { name, key: key(text), projection });
    schema
}

pub(crate) fn global(
    mut schema: TableSchema,
    name: &str,
    text: &str,
    projection: Projection,
) -> TableSchema {
    let name = IndexName::new(name).unwrap();
    schema.global_indexes.push(GlobalSecondaryIndex {
        name,
        key: key(text),
        projection,
        throughput: None,
    });
    schema
}

/// A store with one table.
#[derive(Debug, Clone)]
pub(crate) struct Shelf {
    pub(crate) store: Store,
    schema: TableSchema,
}

impl Shelf {
    pub(crate) fn new(schema: TableSchema, n_partitions: u32) -> Self {
        let mut shelf = Self { store: Store::default(), schema: schema.clone() };
        shelf.add_table(schema, n_partitions);
        shelf
    }

    pub(crate) fn with_items(
        schema: TableSchema,
        n_partitions: u32,
        items: impl IntoIterator<Item = Item>,
    ) -> Self {
        let mut shelf = Self::new(schema, n_partitions);
        items.into_iter().for_each(|item| shelf.put(item));
        shelf
    }

    /// Adds a table; later puts go to it.
    pub(crate) fn add_table(&mut self, schema: TableSchema, n_partitions: u32) {
        let index_partitions = vec![n_partitions; schema.global_indexes.len()];
        let table = Table::new(schema.clone(), Timestamp(0), n_partitions, &index_partitions);
        self.store.apply(&Change::Table(TableChange {
            name: schema.name.clone(),
            before: None,
            after: Some(Arc::new(table)),
        }));
        self.schema = schema;
    }

    pub(crate) fn put(&mut self, item: Item) {
        let key = self.schema.key.encode(&item).unwrap();
        let table = self.store.table(self.schema.name.as_str()).unwrap();
        let change = ItemChange {
            table: self.schema.name.clone(),
            before: table.get(&key).cloned(),
            after: Some(Row::new(item)),
            key,
        };
        let entries = index_changes(&self.schema, &change);
        self.store.apply(&Change::Item(change));
        for entry in entries {
            self.store.apply(&Change::IndexEntry(entry));
        }
    }

    pub(crate) fn plan(&self, request: Request) -> Result<Plan, ApiError> {
        plan(&self.store, request)
    }

    pub(crate) fn outcome(&self, request: Request) -> Outcome {
        let plan = self.plan(request).unwrap();
        execute(&self.store, &plan, Timestamp(0))
    }

    pub(crate) fn refusal(&self, request: Request) -> String {
        self.plan(request).unwrap_err().to_string()
    }

    pub(crate) fn query(&self, request: &QueryRequest) -> PageResponse {
        match self.outcome(Request::Query(request.clone())).reply {
            Ok(Response::Query(page)) => page,
            reply => panic!("a Query is answered by a page, not by {reply:?}"),
        }
    }

    pub(crate) fn scan(&self, request: &ScanRequest) -> PageResponse {
        match self.outcome(Request::Scan(request.clone())).reply {
            Ok(Response::Scan(page)) => page,
            reply => panic!("a Scan is answered by a page, not by {reply:?}"),
        }
    }

    pub(crate) fn query_refusal(&self, request: &QueryRequest) -> String {
        self.refusal(Request::Query(request.clone()))
    }

    pub(crate) fn scan_refusal(&self, request: &ScanRequest) -> String {
        self.refusal(Request::Scan(request.clone()))
    }
}

pub(crate) fn table_reference() -> TableReference {
    TableReference::by_name(TableName::new("T").unwrap())
}

fn read() -> ReadRequest {
    ReadRequest {
        table: table_reference(),
        index: None,
        select: None,
        limit: None,
        consistent_read: false,
        exclusive_start_key: None,
        filter_expression: None,
        projection_expression: None,
        names: None,
        values: None,
        attributes_to_get: None,
        filter: None,
        conditional_operator: None,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
    }
}

/// A Query of table `T` with values for `:a`, `:b` and so on, in this order.
pub(crate) fn query(key_condition: &str, values: &[AttributeValue]) -> QueryRequest {
    QueryRequest {
        read: with_values(read(), values),
        key_condition_expression: Some(key_condition.to_owned()),
        key_conditions: None,
        scan_index_forward: true,
    }
}

/// A Scan of table `T`.
pub(crate) fn scan() -> ScanRequest {
    ScanRequest { read: read(), segment: None, total_segments: None }
}

pub(crate) fn with_values(mut read: ReadRequest, values: &[AttributeValue]) -> ReadRequest {
    let letters = "abcdefgh".chars();
    let named =
        letters.zip(values).map(|(letter, value)| (format!(":{letter}").into(), Ok(value.clone())));
    read.values = (!values.is_empty()).then(|| named.collect());
    read
}

pub(crate) fn index(name: &str) -> Option<IndexName> {
    IndexName::new(name)
}

//! CreateTable requests for tests, written short.

use hashrange_types::operation::{
    AttributeDefinition, CreateTableRequest, GlobalIndexRequest, IndexRequest, KeySchemaElement,
    KeyType, ProjectionRequest, TableOptions,
};
use hashrange_types::{ProvisionedThroughput, ScalarType, TableName};

/// An on-demand table; keys are written `pk | sk`, all attributes are strings.
pub(crate) fn create(name: &str, key: &str, attributes: &str) -> CreateTableRequest {
    CreateTableRequest {
        table_name: TableName::new(name).unwrap(),
        attribute_definitions: definitions(attributes),
        key_schema: elements(key),
        local_indexes: None,
        global_indexes: None,
        is_pay_per_request: Some(true),
        provisioned_throughput: None,
        options: TableOptions::default(),
        tags: Vec::new(),
        policy: None,
        unsupported: Vec::new(),
    }
}

pub(crate) fn definitions(attributes: &str) -> Vec<AttributeDefinition> {
    attributes
        .split_whitespace()
        .map(|name| AttributeDefinition { attribute: name.into(), scalar: ScalarType::S })
        .collect()
}

/// Key elements: HASH before `|`, RANGE after it.
pub(crate) fn elements(key: &str) -> Vec<KeySchemaElement> {
    let (partition, sort) = key.split_once('|').unwrap_or((key, ""));
    let of_type = |names: &str, key_type| {
        names
            .split_whitespace()
            .map(|name| KeySchemaElement { attribute: name.into(), key_type })
            .collect::<Vec<_>>()
    };
    [of_type(partition, KeyType::Hash), of_type(sort, KeyType::Range)].concat()
}

/// An index that projects everything.
pub(crate) fn index(name: &str, key: &str) -> IndexRequest {
    IndexRequest {
        name: name.into(),
        key_schema: elements(key),
        projection: projection("ALL", None),
    }
}

pub(crate) fn projection(kind: &str, names: Option<&[&str]>) -> ProjectionRequest {
    ProjectionRequest {
        projection_type: Some(kind.into()),
        non_key_attributes: names.map(|names| names.iter().map(|name| (*name).into()).collect()),
    }
}

pub(crate) fn global(index: IndexRequest) -> GlobalIndexRequest {
    GlobalIndexRequest { index, provisioned_throughput: None, on_demand_maximum: None, warm: None }
}

pub(crate) fn throughput(read: u64, write: u64) -> ProvisionedThroughput {
    ProvisionedThroughput { read, write }
}

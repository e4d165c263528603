//! DescribeTable and DeleteTable on the wire, and the description that table operations answer with.
//!
//! Source: facts 3.8, "DescribeTable shape".

use hashrange_types::operation::{
    DeleteTableRequest, DescribeTableRequest, IndexDescription, KeyType, TableDescription,
    TableStatus,
};
use hashrange_types::table_state::{
    Effect, OnDemandThroughput, TableClass, ThroughputHistory, Transition, warm_for,
};
use hashrange_types::{
    BillingMode, GlobalSecondaryIndex, IndexName, KeySchema, LocalSecondaryIndex, Projection,
    ProvisionedThroughput, Request, TableSchema, Timestamp, sorted,
};

use crate::constraint::{self, Plane, Refusal};
use crate::members::Members;
use crate::writer::{ObjectWriter, Writer};

/// What an on-demand table shows as provisioned.
const UNPROVISIONED: ProvisionedThroughput = ProvisionedThroughput { read: 0, write: 0 };

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let table = constraint::table(members.text("TableName")?, Plane::Control)?;
    Ok(Request::DescribeTable(DescribeTableRequest { table }))
}

pub(super) fn decode_delete(mut members: Members) -> Result<Request, Refusal> {
    let table = constraint::table(members.text("TableName")?, Plane::Control)?;
    Ok(Request::DeleteTable(DeleteTableRequest { table }))
}

/// Writes the response of DescribeTable.
pub(super) fn encode(table: &TableDescription, writer: &mut Writer) {
    encode_as("Table", table, writer);
}

/// Writes the response of an operation that makes, changes or deletes a table.
pub(super) fn encode_description(table: &TableDescription, writer: &mut Writer) {
    encode_as("TableDescription", table, writer);
}

fn encode_as(wrapper: &str, table: &TableDescription, writer: &mut Writer) {
    writer.object(|object| {
        object.member(wrapper).object(|object| description(object, table));
    });
}

fn description(object: &mut ObjectWriter, table: &TableDescription) {
    let schema = &table.schema;
    let state = &table.state;
    let arn = object.arn_of(&format!("table/{}", schema.name));
    attribute_definitions(object, schema);
    object.text("TableName", schema.name.as_str());
    key_schema(object, &schema.key);
    object.text("TableStatus", table.status.name());
    object.time("CreationDateTime", table.created_at);
    let provisioned = match schema.billing {
        BillingMode::PayPerRequest => UNPROVISIONED,
        BillingMode::Provisioned(throughput) => throughput,
    };
    throughput(object, provisioned, Some((state.throughput, table.now)));
    object.member("TableSizeBytes").integer(table.size_bytes);
    object.member("ItemCount").integer(table.item_count);
    object.text("TableArn", &arn);
    object.text("TableId", &table.table_id);
    if let Some(since) = state.on_demand_since {
        object.member("BillingModeSummary").object(|object| {
            let is_on_demand = schema.billing == BillingMode::PayPerRequest;
            let mode = if is_on_demand { "PAY_PER_REQUEST" } else { "PROVISIONED" };
            object.text("BillingMode", mode);
            object.time("LastUpdateToPayPerRequestDateTime", since);
        });
    }
    if !schema.local_indexes.is_empty() {
        object.member("LocalSecondaryIndexes").list(&schema.local_indexes, |w, index| {
            w.object(|object| local_index(object, index, table, &arn));
        });
    }
    if !schema.global_indexes.is_empty() {
        object.member("GlobalSecondaryIndexes").list(&schema.global_indexes, |w, index| {
            w.object(|object| global_index(object, index, table, &arn));
        });
    }
    settings(object, table);
    object.member("DeletionProtectionEnabled").boolean(state.is_protected);
    on_demand_throughput(object, state.on_demand_maximum);
    let is_warming = |transition: &Transition| matches!(transition.effect, Effect::Warm(_));
    let warm_status = if state.transitions.iter().any(is_warming) {
        TableStatus::Updating
    } else {
        settled(table.status)
    };
    warm_throughput(object, state.warm, warm_status);
}

/// Writes what only tables with that setting show.
fn settings(object: &mut ObjectWriter, table: &TableDescription) {
    let state = &table.state;
    if let Some(stream) = &state.stream {
        if let Some(view_type) = stream.view_type {
            object.member("StreamSpecification").object(|object| {
                object.member("StreamEnabled").boolean(true);
                object.text("StreamViewType", view_type.name());
            });
        }
        let path = format!("table/{}/stream/{}", table.schema.name, stream.label);
        object.text("LatestStreamLabel", &stream.label);
        object.arn("LatestStreamArn", &path);
    }
    if !state.replicas.is_empty() {
        object.text("GlobalTableVersion", "2019.11.21");
        object.member("Replicas").list(&state.replicas, |w, replica| {
            w.object(|object| {
                object.text("RegionName", &replica.region);
                object.text("ReplicaStatus", replica.status.name());
            });
        });
    }
    if let Some(restore) = &state.restore {
        object.member("RestoreSummary").object(|object| {
            if let Some(backup) = &restore.backup {
                object.arn("SourceBackupArn", backup);
            }
            object.arn("SourceTableArn", &format!("table/{}", restore.table));
            object.time("RestoreDateTime", restore.restored_to);
            object.member("RestoreInProgress").boolean(true);
        });
    }
    if let Some(encryption) = &state.encryption {
        object.member("SSEDescription").object(|object| {
            object.text("Status", if encryption.is_updating { "UPDATING" } else { "ENABLED" });
            object.text("SSEType", "KMS");
            object.key_arn("KMSMasterKeyArn", &encryption.key);
        });
    }
    if state.class != TableClass::Standard || !state.class_changes.is_empty() {
        object.member("TableClassSummary").object(|object| {
            object.text("TableClass", state.class.name());
            if let Some(last) = state.class_changes.last() {
                object.time("LastUpdateDateTime", *last);
            }
        });
    }
}

/// A status that only making and removing the table changes.
const fn settled(status: TableStatus) -> TableStatus {
    match status {
        TableStatus::Creating | TableStatus::Deleting => status,
        TableStatus::Active | TableStatus::Updating => TableStatus::Active,
    }
}

/// Writes OnDemandThroughput, if there is a maximum.
pub(super) fn on_demand_throughput(object: &mut ObjectWriter, maximum: OnDemandThroughput) {
    let members = [("MaxReadRequestUnits", maximum.read), ("MaxWriteRequestUnits", maximum.write)];
    if members.iter().all(|(_, units)| units.is_none()) {
        return;
    }
    object.member("OnDemandThroughput").object(|object| {
        for (name, units) in members {
            if let Some(units) = units {
                object.member(name).signed(units);
            }
        }
    });
}

fn local_index(
    object: &mut ObjectWriter,
    schema: &LocalSecondaryIndex,
    table: &TableDescription,
    arn: &str,
) {
    index(object, &schema.name, &schema.key, &schema.projection);
    index_size(object, &schema.name, table, arn);
}

fn global_index(
    object: &mut ObjectWriter,
    schema: &GlobalSecondaryIndex,
    table: &TableDescription,
    arn: &str,
) {
    index(object, &schema.name, &schema.key, &schema.projection);
    let state = table.state.indexes.get(&schema.name);
    let status = match settled(table.status) {
        TableStatus::Active => state.map_or(TableStatus::Active, |state| state.status),
        status => status,
    };
    object.text("IndexStatus", status.name());
    if status == TableStatus::Creating && table.status != TableStatus::Creating {
        object.member("Backfilling").boolean(state.is_some_and(|state| state.is_backfilling));
    }
    let provisioned = schema.throughput.unwrap_or(UNPROVISIONED);
    let history = state.map(|state| state.throughput).unwrap_or_default();
    throughput(object, provisioned, Some((history, table.now)));
    index_size(object, &schema.name, table, arn);
    if let Some(state) = state {
        on_demand_throughput(object, state.on_demand_maximum);
    }
    let warm = state.map_or_else(|| warm_for(table.schema.billing), |state| state.warm);
    warm_throughput(object, warm, status);
}

/// Writes the definitions of a table's local indexes, if it has any.
pub(super) fn local_indexes(object: &mut ObjectWriter, schema: &TableSchema) {
    if !schema.local_indexes.is_empty() {
        object.member("LocalSecondaryIndexes").list(&schema.local_indexes, |w, one| {
            w.object(|object| index(object, &one.name, &one.key, &one.projection));
        });
    }
}

/// Writes what local and global indexes share: name, key and projection.
pub(super) fn index(
    object: &mut ObjectWriter,
    name: &IndexName,
    key: &KeySchema,
    projection: &Projection,
) {
    object.text("IndexName", name.as_str());
    key_schema(object, key);
    object.member("Projection").object(|object| {
        let (projection_type, names) = match projection {
            Projection::All => ("ALL", None),
            Projection::KeysOnly => ("KEYS_ONLY", None),
            Projection::Include(names) => ("INCLUDE", Some(names)),
        };
        object.text("ProjectionType", projection_type);
        if let Some(names) = names {
            let mut sorted: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            sorted::sort(&mut sorted);
            object.member("NonKeyAttributes").list(sorted, Writer::text);
        }
    });
}

fn index_size(object: &mut ObjectWriter, name: &IndexName, table: &TableDescription, arn: &str) {
    let size = table.indexes.iter().find(|index| index.name == *name);
    let count = |of: fn(&IndexDescription) -> u64| size.map_or(0, of);
    object.member("IndexSizeBytes").integer(count(|index| index.size_bytes));
    object.member("ItemCount").integer(count(|index| index.item_count));
    object.text("IndexArn", &format!("{arn}/index/{name}"));
}

/// Writes ProvisionedThroughput; a description also tells when it was changed.
pub(super) fn throughput(
    object: &mut ObjectWriter,
    throughput: ProvisionedThroughput,
    history: Option<(ThroughputHistory, Timestamp)>,
) {
    object.member("ProvisionedThroughput").object(|object| {
        if let Some((history, now)) = history {
            if let Some(at) = history.last_increase {
                object.time("LastIncreaseDateTime", at);
            }
            if let Some(at) = history.last_decrease {
                object.time("LastDecreaseDateTime", at);
            }
            let n = history.decreases_today(now).into();
            object.member("NumberOfDecreasesToday").integer(n);
        }
        object.member("ReadCapacityUnits").integer(throughput.read);
        object.member("WriteCapacityUnits").integer(throughput.write);
    });
}

fn warm_throughput(
    object: &mut ObjectWriter,
    throughput: ProvisionedThroughput,
    status: TableStatus,
) {
    object.member("WarmThroughput").object(|object| {
        object.member("ReadUnitsPerSecond").integer(throughput.read);
        object.member("WriteUnitsPerSecond").integer(throughput.write);
        object.text("Status", status.name());
    });
}

/// Writes AttributeDefinitions: every key attribute of the table and its indexes once, sorted by name.
pub(super) fn attribute_definitions(object: &mut ObjectWriter, schema: &TableSchema) {
    let indexes = schema.indexes().flat_map(|index| index.key.attributes());
    let mut attributes: Vec<(&str, &str)> = schema
        .key
        .attributes()
        .chain(indexes)
        .map(|attribute| (attribute.name.as_str(), attribute.scalar.letter()))
        .collect();
    sorted::sort(&mut attributes);
    attributes.dedup();
    object.member("AttributeDefinitions").list(attributes, |w, (name, letter)| {
        w.object(|object| {
            object.text("AttributeName", name);
            object.text("AttributeType", letter);
        });
    });
}

/// Writes KeySchema, partition attributes first.
pub(super) fn key_schema(object: &mut ObjectWriter, key: &KeySchema) {
    let partition = key.partition.iter().map(|attribute| (attribute, KeyType::Hash));
    let sort = key.sort.iter().map(|attribute| (attribute, KeyType::Range));
    object.member("KeySchema").list(partition.chain(sort), |w, (attribute, key_type)| {
        w.object(|object| {
            object.text("AttributeName", attribute.name.as_str());
            object.text("KeyType", key_type_name(key_type));
        });
    });
}

/// DynamoDB's word for a key type.
pub(super) const fn key_type_name(key_type: KeyType) -> &'static str {
    match key_type {
        KeyType::Hash => "HASH",
        KeyType::Range => "RANGE",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hashrange_types::Operation::{DeleteTable, DescribeTable};
    use hashrange_types::{KeyAttribute, Response, ScalarType, TableState, Voice};
    use serde_json::{Value, json};

    use super::*;
    use crate::expect::{accepted, encoded, index, refused, table};

    fn described(billing: BillingMode, status: TableStatus) -> TableDescription {
        let key = |name: &str| KeyAttribute { name: name.into(), scalar: ScalarType::S };
        TableDescription {
            schema: TableSchema {
                name: table("Orders"),
                key: KeySchema { partition: vec![key("pk")], sort: vec![key("sk")] },
                local_indexes: vec![LocalSecondaryIndex {
                    name: index("lsi"),
                    key: KeySchema { partition: vec![key("pk")], sort: vec![key("a")] },
                    projection: Projection::All,
                }],
                global_indexes: vec![GlobalSecondaryIndex {
                    name: index("gsi"),
                    key: KeySchema { partition: vec![key("g")], sort: vec![] },
                    projection: Projection::Include(vec!["z".into(), "b".into()]),
                    throughput: None,
                }],
                billing,
            },
            status,
            state: Arc::new(TableState::active(billing, Timestamp(1_500_000_000_123_456))),
            now: Timestamp(0),
            created_at: Timestamp(1_500_000_000_123_456),
            table_id: "id".to_owned(),
            item_count: 3,
            size_bytes: 40,
            indexes: vec![
                IndexDescription { name: index("lsi"), item_count: 1, size_bytes: 10 },
                IndexDescription { name: index("gsi"), item_count: 2, size_bytes: 20 },
            ],
        }
    }

    fn shape(response: &Response) -> Value {
        serde_json::from_str(&encoded(response)).unwrap()
    }

    #[test]
    fn an_on_demand_table_is_described_with_all_it_has() {
        let table = described(BillingMode::PayPerRequest, TableStatus::Active);
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders";
        let unprovisioned = json!({
            "NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0,
        });
        let warm = json!({
            "ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE",
        });
        let expected = json!({"Table": {
            "AttributeDefinitions": [
                {"AttributeName": "a", "AttributeType": "S"},
                {"AttributeName": "g", "AttributeType": "S"},
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
            ],
            "TableName": "Orders",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "TableStatus": "ACTIVE",
            "CreationDateTime": 1_500_000_000.123,
            "ProvisionedThroughput": unprovisioned,
            "TableSizeBytes": 40,
            "ItemCount": 3,
            "TableArn": arn,
            "TableId": "id",
            "BillingModeSummary": {
                "BillingMode": "PAY_PER_REQUEST",
                "LastUpdateToPayPerRequestDateTime": 1_500_000_000.123,
            },
            "LocalSecondaryIndexes": [{
                "IndexName": "lsi",
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "a", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
                "IndexSizeBytes": 10,
                "ItemCount": 1,
                "IndexArn": format!("{arn}/index/lsi"),
            }],
            "GlobalSecondaryIndexes": [{
                "IndexName": "gsi",
                "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["b", "z"]},
                "IndexStatus": "ACTIVE",
                "ProvisionedThroughput": unprovisioned,
                "IndexSizeBytes": 20,
                "ItemCount": 2,
                "IndexArn": format!("{arn}/index/gsi"),
                "WarmThroughput": warm,
            }],
            "DeletionProtectionEnabled": false,
            "WarmThroughput": warm,
        }});
        assert_eq!(shape(&Response::DescribeTable(table)), expected);
    }

    #[test]
    fn arns_name_the_region_the_database_is_in() {
        let table = described(BillingMode::PayPerRequest, TableStatus::Active);
        let voice = Voice { region: "eu-west-2".into(), ..Voice::default() };
        let text = crate::encode_in(&Response::DescribeTable(table), &voice);
        let reply: Value = serde_json::from_str(&text).unwrap();
        let arn = "arn:aws:dynamodb:eu-west-2:000000000000:table/Orders";
        assert_eq!(reply["Table"]["TableArn"], arn);
        assert_eq!(
            reply["Table"]["GlobalSecondaryIndexes"][0]["IndexArn"],
            format!("{arn}/index/gsi")
        );
    }

    #[test]
    fn a_provisioned_table_has_no_billing_mode_summary() {
        let throughput = ProvisionedThroughput { read: 5, write: 6 };
        let table = described(BillingMode::Provisioned(throughput), TableStatus::Deleting);
        let reply = shape(&Response::DeleteTable(table));
        let table = &reply["TableDescription"];
        assert_eq!(table.get("BillingModeSummary"), None);
        assert_eq!(table["ProvisionedThroughput"]["WriteCapacityUnits"], 6);
        assert_eq!(table["WarmThroughput"]["ReadUnitsPerSecond"], 5);
        assert_eq!(table["GlobalSecondaryIndexes"][0]["IndexStatus"], "DELETING");
    }

    #[test]
    fn creating_and_deleting_answer_with_a_description_and_describing_with_a_table() {
        let table = described(BillingMode::PayPerRequest, TableStatus::Creating);
        let reply = shape(&Response::CreateTable(table));
        assert_eq!(reply["TableDescription"]["TableStatus"], "CREATING");
    }

    #[test]
    fn a_table_is_named_by_name_or_arn() {
        let text = r#"{"TableName": "arn:aws:dynamodb:eu-west-2:1:table/Orders"}"#;
        let Request::DescribeTable(request) = accepted(DescribeTable, text) else { panic!() };
        assert_eq!(request.table.name, table("Orders"));
        for operation in [DescribeTable, DeleteTable] {
            assert!(refused(operation, "{}").starts_with("The parameter 'TableName' is required"));
            assert!(refused(operation, r#"{"TableName": "ab"}"#).ends_with("or equal to 3"));
        }
    }
}

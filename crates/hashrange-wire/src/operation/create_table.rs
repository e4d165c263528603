//! CreateTable on the wire, and a schema written as a CreateTable request.

use hashrange_types::key::ScalarType;
use hashrange_types::limits::NON_KEY_ATTRIBUTES_MAX;
use hashrange_types::operation::{
    AttributeDefinition, CreateTableRequest, GlobalIndexRequest, IndexRequest, KeySchemaElement,
    KeyType, ProjectionRequest,
};
use hashrange_types::{BillingMode, ProvisionedThroughput, Request, TableSchema};
use smol_str::SmolStr;

use super::{describe_table, table_options, tags};
use crate::constraint::{self, Choices, Constraints, Place, Plane, Refusal};
use crate::json::Json;
use crate::members::{Members, Read};
use crate::writer::{ObjectWriter, Writer};

const KEY_TYPE: &Choices<KeyType> = &[("HASH", KeyType::Hash), ("RANGE", KeyType::Range)];
const ATTRIBUTE_TYPE: &Choices<ScalarType> =
    &[("B", ScalarType::B), ("N", ScalarType::N), ("S", ScalarType::S)];
/// True for on demand.
pub(super) const BILLING_MODE: &Choices<bool> =
    &[("PROVISIONED", false), ("PAY_PER_REQUEST", true)];
const PROJECTION_TYPE: &Choices<&str> =
    &[("ALL", "ALL"), ("INCLUDE", "INCLUDE"), ("KEYS_ONLY", "KEYS_ONLY")];
/// Key elements a table and a local index may have; a global index may have four of each kind.
const KEY_ELEMENTS_MAX: usize = 2;
pub(super) const GLOBAL_KEY_ELEMENTS_MAX: usize = 8;
/// Longest name of a key or projected attribute.
const KEY_NAME_LENGTH_MAX: usize = 255;
/// Members this build keeps no state for.
const UNSUPPORTED: [&str; 3] =
    ["GlobalTableSourceArn", "GlobalTableSettingsReplicationMode", "VectorIndexes"];

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let root = &Place::Root;
    let table = members.text("TableName")?;
    let attribute_definitions = attribute_definitions(members, &mut constraints)?;
    let key_schema = key_schema(members, KEY_ELEMENTS_MAX, root, &mut constraints)?;
    let local_indexes =
        index_list(members, "LocalSecondaryIndexes", "LocalSecondaryIndex", |members, place| {
            index(members, KEY_ELEMENTS_MAX, place, &mut constraints)
        })?;
    let global_indexes =
        index_list(members, "GlobalSecondaryIndexes", "GlobalSecondaryIndex", |members, place| {
            let index = index(members, GLOBAL_KEY_ELEMENTS_MAX, place, &mut constraints)?;
            global_index(index, members, place, &mut constraints)
        })?;
    let is_pay_per_request = constraints.choice(members, "BillingMode", BILLING_MODE, root)?;
    let provisioned_throughput = throughput(members, root, &mut constraints)?;
    let options = table_options::options(members, &mut constraints)?;
    let tags = tags::tags(members, &mut constraints)?.unwrap_or_default();
    let policy = members.text("ResourcePolicy")?.map(SmolStr::from);
    let unsupported = unsupported(members, &UNSUPPORTED);
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    Ok(Request::CreateTable(CreateTableRequest {
        table_name: table.name,
        attribute_definitions,
        key_schema,
        local_indexes,
        global_indexes,
        is_pay_per_request,
        provisioned_throughput,
        options,
        tags,
        policy,
        unsupported,
    }))
}

/// Which of these members ask for something.
pub(super) fn unsupported(members: &Members, names: &[&'static str]) -> Vec<SmolStr> {
    let asks = |name: &&&str| {
        members.peek(name).is_some_and(|value| match value {
            Json::Bool(asked) => *asked,
            Json::List(elements) => !elements.is_empty(),
            _ => true,
        })
    };
    names.iter().filter(asks).map(|name| SmolStr::new_static(name)).collect()
}

/// Reads AttributeDefinitions, which must be there.
fn attribute_definitions(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Vec<AttributeDefinition>> {
    let definitions = some_attribute_definitions(members, constraints)?;
    let list = Place::Root.member("AttributeDefinitions");
    Ok(constraints.required(definitions, &list).unwrap_or_default())
}

/// Reads AttributeDefinitions. One that breaks a constraint is left out: the request is refused anyway.
pub(super) fn some_attribute_definitions(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Option<Vec<AttributeDefinition>>> {
    let name = "AttributeDefinitions";
    let list = Place::Root.member(name);
    let mut index = 0;
    let definitions = members.list_of(name, |json| {
        let place = list.element(index);
        index += 1;
        let mut members = Members::read(json, "AttributeDefinition")?;
        let attribute = attribute_name(&mut members, &place, constraints)?;
        let scalar =
            required_choice(&mut members, "AttributeType", ATTRIBUTE_TYPE, &place, constraints)?;
        Ok(attribute
            .zip(scalar)
            .map(|(attribute, scalar)| AttributeDefinition { attribute, scalar }))
    })?;
    Ok(definitions.map(|definitions| definitions.into_iter().flatten().collect()))
}

/// Reads KeySchema of the structure at `parent`.
fn key_schema(
    members: &mut Members,
    elements_max: usize,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<Vec<KeySchemaElement>> {
    let name = "KeySchema";
    let list = parent.member(name);
    let mut index = 0;
    let elements = members.list_of(name, |json| {
        let place = list.element(index);
        index += 1;
        let mut members = Members::read(json, "KeySchemaElement")?;
        let attribute = attribute_name(&mut members, &place, constraints)?;
        let key_type = required_choice(&mut members, "KeyType", KEY_TYPE, &place, constraints)?;
        Ok(attribute
            .zip(key_type)
            .map(|(attribute, key_type)| KeySchemaElement { attribute, key_type }))
    })?;
    let Some(elements) = constraints.required(elements, &list) else { return Ok(Vec::new()) };
    let n = elements.len();
    let elements: Vec<KeySchemaElement> = elements.into_iter().flatten().collect();
    constraints.length(n, (1, elements_max), &list, || {
        let shown: Vec<String> = elements
            .iter()
            .map(|element| {
                let key_type = describe_table::key_type_name(element.key_type);
                let attribute = &element.attribute;
                format!("KeySchemaElement(attributeName={attribute}, keyType={key_type})")
            })
            .collect();
        format!("[{}]", shown.join(", "))
    });
    Ok(elements)
}

/// Reads AttributeName of a key element or definition.
fn attribute_name(
    members: &mut Members,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<Option<SmolStr>> {
    let name = "AttributeName";
    let attribute = constraints.required(members.text(name)?, &parent.member(name));
    if let Some(attribute) = &attribute {
        constraints.length(attribute.len(), (1, KEY_NAME_LENGTH_MAX), &parent.member(name), || {
            attribute.to_string()
        });
    }
    Ok(attribute.map(SmolStr::from))
}

/// Reads an enumerated member that must be present.
pub(super) fn required_choice<T: Copy>(
    members: &mut Members,
    name: &str,
    choices: &Choices<T>,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<Option<T>> {
    let is_given = members.has(name);
    let chosen = constraints.choice(members, name, choices, parent)?;
    if !is_given {
        constraints.required(chosen, &parent.member(name));
    }
    Ok(chosen)
}

/// Reads a list of indexes of class `class`, each with `read`.
pub(super) fn index_list<T>(
    members: &mut Members,
    name: &str,
    class: &str,
    mut read: impl FnMut(&mut Members, &Place) -> Read<T>,
) -> Read<Option<Vec<T>>> {
    let list = Place::Root.member(name);
    let mut index = 0;
    members.list_of(name, |json| {
        let place = list.element(index);
        index += 1;
        read(&mut Members::read(json, class)?, &place)
    })
}

/// Reads what only a global index has.
pub(super) fn global_index(
    index: IndexRequest,
    members: &mut Members,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<GlobalIndexRequest> {
    Ok(GlobalIndexRequest {
        index,
        provisioned_throughput: throughput(members, place, constraints)?,
        on_demand_maximum: table_options::on_demand_throughput(members)?,
        warm: table_options::warm_throughput(members)?,
    })
}

/// Reads what local and global indexes share.
pub(super) fn index(
    members: &mut Members,
    elements_max: usize,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<IndexRequest> {
    let place = parent.member("IndexName");
    let name = constraints.required(members.text("IndexName")?, &place);
    if let Some(name) = &name {
        constraints.name(name, 3, &place);
    }
    Ok(IndexRequest {
        name: name.map(SmolStr::from).unwrap_or_default(),
        key_schema: key_schema(members, elements_max, parent, constraints)?,
        projection: projection(members, parent, constraints)?,
    })
}

/// Reads the Projection of the index at `parent`.
fn projection(
    members: &mut Members,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<ProjectionRequest> {
    let place = parent.member("Projection");
    let projection = members.read_with("Projection", |json| {
        let mut members = Members::read(json, "Projection")?;
        let projection_type =
            constraints.choice(&mut members, "ProjectionType", PROJECTION_TYPE, &place)?;
        let list = place.member("NonKeyAttributes");
        let non_key_attributes = members.texts("NonKeyAttributes")?;
        if let Some(names) = &non_key_attributes {
            constraints.length(names.len(), (1, NON_KEY_ATTRIBUTES_MAX), &list, || {
                format!("[{}]", names.join(", "))
            });
            for (index, name) in names.iter().enumerate() {
                let range = (1, KEY_NAME_LENGTH_MAX);
                constraints.length(name.len(), range, &list.element(index), || name.to_string());
            }
        }
        let projection_type = projection_type.map(SmolStr::new_static);
        Ok(ProjectionRequest { projection_type, non_key_attributes })
    })?;
    Ok(constraints.required(projection, &place).unwrap_or_default())
}

/// Reads ProvisionedThroughput of the structure at `parent`.
pub(super) fn throughput(
    members: &mut Members,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<Option<ProvisionedThroughput>> {
    throughput_at(members, "ProvisionedThroughput", parent, constraints)
}

/// Reads a ProvisionedThroughput called `name`.
pub(super) fn throughput_at(
    members: &mut Members,
    name: &str,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<Option<ProvisionedThroughput>> {
    let place = parent.member(name);
    members.read_with(name, |json| {
        let mut members = Members::read(json, "ProvisionedThroughput")?;
        let mut units = |name: &str| {
            let place = place.member(name);
            let units = constraints.required(members.long(name)?, &place);
            if let Some(units) = units {
                constraints.range(units, 1, i64::MAX, &place);
            }
            Ok(units.and_then(|units| u64::try_from(units).ok()).unwrap_or_default())
        };
        Ok(ProvisionedThroughput {
            read: units("ReadCapacityUnits")?,
            write: units("WriteCapacityUnits")?,
        })
    })
}

/// The CreateTable request that makes a table of this schema.
///
/// ```
/// use hashrange_types::{BillingMode, KeyAttribute, KeySchema, ScalarType, TableName, TableSchema};
/// let pk = KeyAttribute { name: "pk".into(), scalar: ScalarType::S };
/// let schema = TableSchema {
///     name: TableName::new("Orders").unwrap(),
///     key: KeySchema { partition: vec![pk], sort: vec![] },
///     local_indexes: vec![],
///     global_indexes: vec![],
///     billing: BillingMode::PayPerRequest,
/// };
/// let request = hashrange_wire::create_table_to_json(&schema);
/// assert_eq!(request["KeySchema"][0]["AttributeName"], "pk");
/// ```
pub fn create_table_to_json(schema: &TableSchema) -> serde_json::Value {
    let mut writer = Writer::default();
    writer.object(|object| definition(object, schema));
    serde_json::from_str(&writer.finish()).expect("the writer writes JSON")
}

fn definition(object: &mut ObjectWriter, schema: &TableSchema) {
    object.text("TableName", schema.name.as_str());
    describe_table::attribute_definitions(object, schema);
    describe_table::key_schema(object, &schema.key);
    describe_table::local_indexes(object, schema);
    if !schema.global_indexes.is_empty() {
        object.member("GlobalSecondaryIndexes").list(&schema.global_indexes, |w, index| {
            w.object(|object| {
                describe_table::index(object, &index.name, &index.key, &index.projection);
                if let Some(throughput) = index.throughput {
                    describe_table::throughput(object, throughput, None);
                }
            });
        });
    }
    match schema.billing {
        BillingMode::PayPerRequest => object.text("BillingMode", "PAY_PER_REQUEST"),
        BillingMode::Provisioned(throughput) => {
            object.text("BillingMode", "PROVISIONED");
            describe_table::throughput(object, throughput, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::CreateTable;
    use hashrange_types::operation::StreamSpecification;
    use hashrange_types::table_state::{StreamViewType, TableClass, Tag};
    use hashrange_types::{GlobalSecondaryIndex, KeyAttribute, KeySchema, Projection};
    use serde_json::json;

    use super::*;
    use crate::expect::{accepted, index, refused, table};

    const KEYS: &str = r#""KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]"#;

    fn with(members: &str) -> String {
        format!(r#"{{"TableName": "Orders", {KEYS}, {members}}}"#)
    }

    #[test]
    fn every_member_is_read() {
        let text = with(
            r#""BillingMode": "PROVISIONED", "Tags": [{"Key": "a", "Value": "b"}], "TableClass": "STANDARD",
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"},
            "SSESpecification": {"Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": "k"},
            "DeletionProtectionEnabled": true, "OnDemandThroughput": {"MaxReadRequestUnits": 1},
            "WarmThroughput": {"WriteUnitsPerSecond": 5000}, "ResourcePolicy": "{}",
            "VectorIndexes": [{}],
            "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
            "LocalSecondaryIndexes": [{"IndexName": "lsi", "Projection": {},
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}],
            "GlobalSecondaryIndexes": [{"IndexName": "gsi",
                "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"},
                    {"AttributeName": "s", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]},
                "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}}]"#,
        );
        let Request::CreateTable(request) = accepted(CreateTable, &text) else { panic!() };
        assert_eq!(request.table_name, table("Orders"));
        assert_eq!(request.key_schema[0].key_type, KeyType::Hash);
        assert_eq!(request.attribute_definitions[0].scalar, ScalarType::S);
        assert_eq!(request.is_pay_per_request, Some(false));
        let throughput = ProvisionedThroughput { read: 5, write: 6 };
        assert_eq!(request.provisioned_throughput, Some(throughput));
        assert_eq!(request.local_indexes.unwrap()[0].projection, ProjectionRequest::default());
        let global = &request.global_indexes.unwrap()[0];
        assert_eq!(global.index.key_schema[1].attribute, "s");
        assert_eq!(global.index.projection.projection_type.as_deref(), Some("INCLUDE"));
        let throughput = ProvisionedThroughput { read: 1, write: 2 };
        assert_eq!(global.provisioned_throughput, Some(throughput));
        assert_eq!(request.unsupported, ["VectorIndexes"]);
        assert_eq!(request.tags, [Tag { key: "a".into(), value: "b".into() }]);
        assert_eq!(request.policy.as_deref(), Some("{}"));
        let options = request.options;
        let view_type = Some(StreamViewType::KeysOnly);
        assert_eq!(options.stream, Some(StreamSpecification { is_enabled: true, view_type }));
        assert_eq!(options.encryption.unwrap().is_kms, Some(true));
        assert_eq!((options.class, options.is_protected), (Some(TableClass::Standard), Some(true)));
        assert_eq!(options.on_demand_maximum.unwrap().read, Some(1));
        assert_eq!(options.warm.unwrap().write, Some(5_000));
    }

    #[test]
    fn a_member_that_asks_for_nothing_is_supported() {
        let text = with(r#""VectorIndexes": [], "SSESpecification": null"#);
        let Request::CreateTable(request) = accepted(CreateTable, &text) else { panic!() };
        assert!(request.unsupported.is_empty());
    }

    #[test]
    fn an_arn_makes_no_table_whose_name_is_too_short() {
        let short = r#"{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/ab"}"#;
        assert_eq!(
            refused(CreateTable, short),
            "1 validation error detected: Value 'arn:aws:dynamodb:us-east-1:000000000000:table/ab' at \
             'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: \
             [a-zA-Z0-9_.-]+"
        );
    }

    #[test]
    fn a_table_name_is_required_and_has_three_characters() {
        assert_eq!(
            refused(CreateTable, "{}"),
            "The parameter 'TableName' is required but was not present in the request"
        );
        assert_eq!(
            refused(CreateTable, r#"{"TableName": "ab"}"#),
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: \
             Member must have length greater than or equal to 3"
        );
    }

    #[test]
    fn a_key_schema_has_one_or_two_elements() {
        let text = r#"{"TableName": "Orders", "AttributeDefinitions": [], "KeySchema": [
            {"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"},
            {"AttributeName": "c", "KeyType": "RANGE"}]}"#;
        assert_eq!(
            refused(CreateTable, text),
            "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), \
             KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, \
             keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length \
             less than or equal to 2"
        );
        let text = r#"{"TableName": "Orders", "AttributeDefinitions": [], "KeySchema": []}"#;
        assert!(refused(CreateTable, text).contains("Value '[]' at 'keySchema'"));
    }

    #[test]
    fn enumerations_are_reported_with_their_path() {
        let text = r#"{"TableName": "Orders", "BillingMode": "X",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "X"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "X"}]}"#;
        let message = refused(CreateTable, text);
        for part in [
            "3 validation errors detected: ",
            "'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum \
             value set: [HASH, RANGE]",
            "'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member \
             must satisfy enum value set: [B, N, S]",
            "'billingMode' failed to satisfy constraint: Member must satisfy enum value set: \
             [PROVISIONED, PAY_PER_REQUEST]",
        ] {
            assert!(message.contains(part), "{message}");
        }
        let place = crate::decode(CreateTable, text).unwrap_err().place().cloned().unwrap();
        assert_eq!(crate::locate(text, &place).map(|range| &text[range]), Some("\"X\""));
    }

    #[test]
    fn indexes_are_constrained_like_tables() {
        let message = refused(
            CreateTable,
            &with(
                r#""GlobalSecondaryIndexes": [{"IndexName": "a!", "KeySchema": [],
                "Projection": {"ProjectionType": "X", "NonKeyAttributes": []},
                "ProvisionedThroughput": {"ReadCapacityUnits": 0}}]"#,
            ),
        );
        let at = "globalSecondaryIndexes.1.member";
        for part in [
            format!("Value 'a!' at '{at}.indexName'"),
            format!("Value '[]' at '{at}.keySchema'"),
            format!("Value 'X' at '{at}.projection.projectionType'"),
            format!("Value '[]' at '{at}.projection.nonKeyAttributes'"),
            format!("Value '0' at '{at}.provisionedThroughput.readCapacityUnits'"),
            format!("Value null at '{at}.provisionedThroughput.writeCapacityUnits'"),
        ] {
            assert!(message.contains(&part), "{part}: {message}");
        }
    }

    #[test]
    fn a_schema_is_written_as_the_request_that_makes_it() {
        let key = |name: &str| KeyAttribute { name: name.into(), scalar: ScalarType::S };
        let schema = TableSchema {
            name: table("Orders"),
            key: KeySchema { partition: vec![key("pk")], sort: vec![key("sk")] },
            local_indexes: vec![],
            global_indexes: vec![GlobalSecondaryIndex {
                name: index("gsi"),
                key: KeySchema { partition: vec![key("g")], sort: vec![] },
                projection: Projection::KeysOnly,
                throughput: Some(ProvisionedThroughput { read: 1, write: 2 }),
            }],
            billing: BillingMode::Provisioned(ProvisionedThroughput { read: 5, write: 6 }),
        };
        let request = create_table_to_json(&schema);
        assert_eq!(
            request,
            json!({
                "TableName": "Orders",
                "AttributeDefinitions": [
                    {"AttributeName": "g", "AttributeType": "S"},
                    {"AttributeName": "pk", "AttributeType": "S"},
                    {"AttributeName": "sk", "AttributeType": "S"},
                ],
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "sk", "KeyType": "RANGE"},
                ],
                "GlobalSecondaryIndexes": [{
                    "IndexName": "gsi",
                    "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                    "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
                }],
                "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
            })
        );
        accepted(CreateTable, &request.to_string());
    }
}

//! A table of the model to a `TableSchema`.
//!
//! Invariant: the schema is one the engine's CreateTable takes: valid names, one type for each key attribute,
//! at most 20 indexes and 100 attributes projected by name.

use hashrange_types::limits::{
    GLOBAL_INDEXES_MAX, KEY_NAME_BYTES_MAX, NON_KEY_ATTRIBUTES_MAX, NON_KEY_ATTRIBUTES_TOTAL_MAX,
    TABLE_CAPACITY_UNITS_MAX,
};
use hashrange_types::{
    AttributeName, BillingMode, GlobalSecondaryIndex, IndexName, KeyAttribute, KeySchema,
    Projection, ProvisionedThroughput, ScalarType, SortedMap, TableName, TableSchema,
};
use serde_json::{Map, Value};

use super::repair::Repairs;
use super::{list, names, text};

/// Capacity Workbench writes where nobody chose one.
const CAPACITY_DEFAULT: u64 = 5;

/// Types of key attributes: those settled by a key, and those the table declares.
struct Types<'a> {
    settled: SortedMap<String, ScalarType>,
    declared: &'a [Value],
}

/// Reads table `index` of the model; none where it has no partition key.
pub(super) fn read(
    source: &Map<String, Value>,
    index: usize,
    taken: &[&str],
    place: &str,
    repairs: &mut Repairs,
) -> Option<TableSchema> {
    let name_place = format!("{place}.TableName");
    let fallback = format!("Table{}", index + 1);
    let name = names::valid(text(source, "TableName"), &fallback, taken, &name_place, repairs);
    let name = TableName::new(&name).expect("the name was made valid");
    let mut types = Types { settled: SortedMap::new(), declared: list(source, "NonKeyAttributes") };
    let key_place = format!("{place}.KeyAttributes");
    let Some(key) = types.key(source.get("KeyAttributes"), &key_place, repairs) else {
        repairs.note(&key_place, "no partition key", "the table was left out");
        return None;
    };
    let billing = billing(source, place, repairs);
    let mut schema =
        TableSchema { name, key, local_indexes: Vec::new(), global_indexes: Vec::new(), billing };
    read_indexes(source, &mut schema, &mut types, place, repairs);
    Some(schema)
}

impl Types<'_> {
    /// Reads `{"PartitionKey": …, "SortKey": …}`.
    fn key(
        &mut self,
        value: Option<&Value>,
        place: &str,
        repairs: &mut Repairs,
    ) -> Option<KeySchema> {
        let value = value?;
        let partition =
            self.attribute(value.get("PartitionKey"), &format!("{place}.PartitionKey"), repairs)?;
        let sort_place = format!("{place}.SortKey");
        let sort = self.attribute(value.get("SortKey"), &sort_place, repairs).filter(|sort| {
            let is_other = sort.name != partition.name;
            if !is_other {
                repairs.note(
                    &sort_place,
                    "the partition key once more",
                    "the sort key was left out",
                );
            }
            is_other
        });
        Some(KeySchema { partition: vec![partition], sort: sort.into_iter().collect() })
    }

    fn attribute(
        &mut self,
        value: Option<&Value>,
        place: &str,
        repairs: &mut Repairs,
    ) -> Option<KeyAttribute> {
        let value = value?.as_object()?;
        let name = text(value, "AttributeName")?;
        if name.len() > KEY_NAME_BYTES_MAX {
            repairs.note(place, "a key name of more than 255 bytes", "the key was left out");
            return None;
        }
        let stated = text(value, "AttributeType").and_then(scalar);
        let known = self.settled.get(name).copied();
        let chosen = known.or(stated).or_else(|| self.declared_type(name)).unwrap_or(ScalarType::S);
        if stated != Some(chosen) {
            let found = match value.get("AttributeType").and_then(Value::as_str) {
                None => format!("the key attribute {name} without a type"),
                Some(other) => format!("the key attribute {name} with type {other}"),
            };
            repairs.note(place, found, format!("its type is {}", chosen.letter()));
        }
        self.settled.insert(name.to_owned(), chosen);
        Some(KeyAttribute { name: AttributeName::new(name), scalar: chosen })
    }

    fn declared_type(&self, name: &str) -> Option<ScalarType> {
        self.declared
            .iter()
            .filter_map(Value::as_object)
            .find(|declared| text(declared, "AttributeName") == Some(name))
            .and_then(|declared| scalar(text(declared, "AttributeType")?))
    }
}

fn scalar(letter: &str) -> Option<ScalarType> {
    match letter {
        "S" => Some(ScalarType::S),
        "N" => Some(ScalarType::N),
        "B" => Some(ScalarType::B),
        _ => None,
    }
}

fn read_indexes(
    source: &Map<String, Value>,
    schema: &mut TableSchema,
    types: &mut Types<'_>,
    place: &str,
    repairs: &mut Repairs,
) {
    let mut n_projected = 0;
    for (index, value) in list(source, "GlobalSecondaryIndexes").iter().enumerate() {
        let place = format!("{place}.GlobalSecondaryIndexes[{index}]");
        if schema.global_indexes.len() == GLOBAL_INDEXES_MAX {
            repairs.note(&place, "more than 20 indexes", "this one was left out");
            continue;
        }
        let key = types.key(value.get("KeyAttributes"), &format!("{place}.KeyAttributes"), repairs);
        let (Some(key), Some(value)) = (key, value.as_object()) else {
            repairs.note(&place, "an index without a partition key", "it was left out");
            continue;
        };
        let taken: Vec<&str> = schema.indexes().map(|index| index.name.as_str()).collect();
        let fallback = format!("GSI{}", index + 1);
        let name_place = format!("{place}.IndexName");
        let name = names::valid(text(value, "IndexName"), &fallback, &taken, &name_place, repairs);
        if key.partition == schema.key.partition {
            repairs.note(
                &place,
                format!("the index {name} with the table's own partition key"),
                "nothing was changed; it could be a local index",
            );
        }
        let projection = projection(value, &schema.key, &key, &mut n_projected, &place, repairs);
        let throughput = match schema.billing {
            BillingMode::Provisioned(throughput) => Some(throughput),
            BillingMode::PayPerRequest => None,
        };
        let name = IndexName::new(&name).expect("the name was made valid");
        schema.global_indexes.push(GlobalSecondaryIndex { name, key, projection, throughput });
    }
}

fn projection(
    index: &Map<String, Value>,
    table_key: &KeySchema,
    key: &KeySchema,
    n_projected: &mut usize,
    place: &str,
    repairs: &mut Repairs,
) -> Projection {
    let place = format!("{place}.Projection");
    let empty = Map::new();
    let projection = index.get("Projection").and_then(Value::as_object).unwrap_or(&empty);
    match text(projection, "ProjectionType") {
        Some("ALL") => return Projection::All,
        Some("KEYS_ONLY") => return Projection::KeysOnly,
        Some("INCLUDE") => {}
        other => {
            let found = other.map_or("no projection".to_owned(), |other| {
                format!("the projection \"{}\"", other.chars().take(40).collect::<String>())
            });
            repairs.note(&place, found, "the index holds whole items");
            return Projection::All;
        }
    }
    let mut included: Vec<AttributeName> = Vec::new();
    for name in list(projection, "NonKeyAttributes").iter().filter_map(Value::as_str) {
        let list_place = format!("{place}.NonKeyAttributes");
        if table_key.contains(name) || key.contains(name) {
            let found = format!("the key attribute {name} in the list of included attributes");
            repairs.note(&list_place, found, "it was taken out; keys are always included");
        } else if included.iter().any(|known| known.as_str() == name) {
            repairs.note(&list_place, format!("{name} twice"), "it is included once");
        } else if !name.is_empty() {
            included.push(AttributeName::new(name));
        }
    }
    if included.is_empty() {
        repairs.note(&place, "a projection that includes nothing", "the index holds keys alone");
        return Projection::KeysOnly;
    }
    if included.len() > NON_KEY_ATTRIBUTES_MAX
        || *n_projected + included.len() > NON_KEY_ATTRIBUTES_TOTAL_MAX
    {
        repairs.note(
            &place,
            "more included attributes than allowed",
            "the index holds whole items",
        );
        return Projection::All;
    }
    *n_projected += included.len();
    Projection::Include(included)
}

fn billing(source: &Map<String, Value>, place: &str, repairs: &mut Repairs) -> BillingMode {
    let settings = source.get("ProvisionedCapacitySettings");
    let is_provisioned = match text(source, "BillingMode") {
        Some("PROVISIONED") => true,
        Some("PAY_PER_REQUEST") => false,
        None => settings.is_some_and(Value::is_object),
        Some(other) => {
            let other: String = other.chars().take(40).collect();
            let place = format!("{place}.BillingMode");
            repairs.note(&place, format!("the billing mode \"{other}\""), "the table is on demand");
            false
        }
    };
    if !is_provisioned {
        return BillingMode::PayPerRequest;
    }
    let throughput = settings.and_then(|settings| settings.get("ProvisionedThroughput"));
    let mut units = |name: &str| {
        let found = throughput.and_then(|throughput| throughput.get(name));
        match found.and_then(Value::as_u64) {
            Some(units) if (1..=TABLE_CAPACITY_UNITS_MAX).contains(&units) => units,
            _ => {
                let place = format!("{place}.ProvisionedCapacitySettings.ProvisionedThroughput");
                let found = match found {
                    None => format!("no {name}"),
                    Some(_) => format!("{name} that is not a number from 1 to 40,000"),
                };
                repairs.note(&place, found, "it is 5");
                CAPACITY_DEFAULT
            }
        }
    };
    let (read, write) = (units("ReadCapacityUnits"), units("WriteCapacityUnits"));
    BillingMode::Provisioned(ProvisionedThroughput { read, write })
}

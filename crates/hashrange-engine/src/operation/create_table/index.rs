//! Rules of secondary indexes in a CreateTable request.
//!
//! Invariant: every key attribute of an index was found in the definitions before these rules run.

use hashrange_types::limits::{
    GLOBAL_INDEXES_MAX, KEY_NAME_BYTES_MAX, LOCAL_INDEXES_MAX, NON_KEY_ATTRIBUTES_MAX,
    NON_KEY_ATTRIBUTES_TOTAL_MAX,
};
use hashrange_types::operation::{
    CreateTableRequest, GlobalIndexRequest, IndexRequest, KeySchemaElement, KeyType,
    ProjectionRequest,
};
use hashrange_types::{
    AttributeName, BillingMode, GlobalSecondaryIndex, IndexName, KeySchema, LocalSecondaryIndex,
    Projection, SortedSet, ValidationError,
};

use super::definition::{
    AT_LEAST_ONE, AT_MOST_TWO, Definitions, broken, check_positive, check_roles, invalid,
    key_schema, printed, same_name,
};

/// HASH attributes, and RANGE attributes, that the key of a global index may have (facts 1.5).
const GLOBAL_KEY_PARTS_MAX: usize = 4;

/// The local indexes asked for.
///
/// # Errors
/// The first rule one of them breaks.
pub(super) fn local_indexes(
    request: &CreateTableRequest,
    table_key: &KeySchema,
    definitions: &Definitions<'_>,
) -> Result<Vec<LocalSecondaryIndex>, ValidationError> {
    let Some(indexes) = &request.local_indexes else { return Ok(Vec::new()) };
    if indexes.is_empty() {
        return Err(invalid("List of LocalSecondaryIndexes is empty"));
    }
    if table_key.sort.is_empty() {
        return Err(invalid(
            "Table KeySchema does not have a range key, which is required when specifying a \
             LocalSecondaryIndex",
        ));
    }
    let mut built = Vec::with_capacity(indexes.len());
    for (position, index) in indexes.iter().enumerate() {
        let place = format!("localSecondaryIndexes.{}.member", position + 1);
        check_local_key(index, table_key, &place)?;
        built.push(LocalSecondaryIndex {
            name: name_of(index)?,
            key: key_schema(&index.key_schema, definitions),
            projection: projection_of(&index.projection, &place)?,
        });
    }
    if indexes.len() > LOCAL_INDEXES_MAX {
        return Err(invalid(&format!(
            "Number of LocalSecondaryIndexes exceeds per-table limit of {LOCAL_INDEXES_MAX}"
        )));
    }
    check_distinct(indexes.iter())?;
    Ok(built)
}

fn check_local_key(
    index: &IndexRequest,
    table_key: &KeySchema,
    place: &str,
) -> Result<(), ValidationError> {
    let elements = &index.key_schema;
    if elements.len() > 2 {
        return Err(broken(&printed(elements), &format!("{place}.keySchema"), AT_MOST_TWO));
    }
    check_roles(elements)?;
    let table_hash = &table_key.partition[0].name;
    if elements[0].attribute != table_hash.as_str() {
        return Err(invalid(&format!(
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: \
             {}. index hash key: {}, table hash key: {table_hash}",
            index.name, elements[0].attribute
        )));
    }
    if elements.len() < 2 {
        return Err(invalid(&format!(
            "Index KeySchema does not have a range key for index: {}",
            index.name
        )));
    }
    Ok(())
}

/// The global indexes asked for.
///
/// # Errors
/// The first rule one of them breaks.
pub(super) fn global_indexes(
    request: &CreateTableRequest,
    billing: BillingMode,
    definitions: &Definitions<'_>,
) -> Result<Vec<GlobalSecondaryIndex>, ValidationError> {
    let Some(indexes) = &request.global_indexes else {
        check_non_key_total(request)?;
        return Ok(Vec::new());
    };
    if indexes.is_empty() {
        return Err(invalid("List of GlobalSecondaryIndexes is empty"));
    }
    let mut built = Vec::with_capacity(indexes.len());
    for (position, global) in indexes.iter().enumerate() {
        let place = format!("globalSecondaryIndexes.{}.member", position + 1);
        built.push(global_index(global, billing, definitions, &place)?);
    }
    if indexes.len() > GLOBAL_INDEXES_MAX {
        return Err(invalid(&format!(
            "GlobalSecondaryIndex count exceeds the per-table limit of {GLOBAL_INDEXES_MAX}"
        )));
    }
    let local = request.local_indexes.iter().flatten();
    check_distinct(local.chain(indexes.iter().map(|global| &global.index)))?;
    check_non_key_total(request)?;
    Ok(built)
}

/// The global index asked for at `place`.
///
/// # Errors
/// The first rule it breaks.
pub(in crate::operation) fn global_index(
    global: &GlobalIndexRequest,
    billing: BillingMode,
    definitions: &Definitions<'_>,
    place: &str,
) -> Result<GlobalSecondaryIndex, ValidationError> {
    check_global_key(&global.index.key_schema)?;
    check_throughput(global, billing, place)?;
    Ok(GlobalSecondaryIndex {
        name: name_of(&global.index)?,
        key: key_schema(&global.index.key_schema, definitions),
        projection: projection_of(&global.index.projection, place)?,
        throughput: global.provisioned_throughput,
    })
}

/// One to four HASH elements, then up to four RANGE elements, no attribute twice.
fn check_global_key(elements: &[KeySchemaElement]) -> Result<(), ValidationError> {
    let n_hash = elements.iter().take_while(|element| element.key_type == KeyType::Hash).count();
    if n_hash <= 1 && elements.len() <= 2 {
        return check_roles(elements);
    }
    if n_hash == 0 {
        return check_roles(elements);
    }
    if elements[n_hash..].iter().any(|element| element.key_type == KeyType::Hash) {
        return Err(ValidationError::new(
            "Invalid KeySchema: All HASH key elements must come before the RANGE key elements",
        ));
    }
    let n_range = elements.len() - n_hash;
    if n_hash > GLOBAL_KEY_PARTS_MAX || n_range > GLOBAL_KEY_PARTS_MAX {
        return Err(ValidationError::new(format!(
            "Invalid KeySchema: A global secondary index has at most {GLOBAL_KEY_PARTS_MAX} HASH and \
             {GLOBAL_KEY_PARTS_MAX} RANGE key elements"
        )));
    }
    let names: SortedSet<&str> =
        elements.iter().map(|element| element.attribute.as_str()).collect();
    if names.len() < elements.len() { Err(same_name()) } else { Ok(()) }
}

fn check_throughput(
    global: &GlobalIndexRequest,
    billing: BillingMode,
    place: &str,
) -> Result<(), ValidationError> {
    let name = &global.index.name;
    match (billing, global.provisioned_throughput) {
        (BillingMode::PayPerRequest, None) => Ok(()),
        (BillingMode::PayPerRequest, Some(_)) => Err(invalid(&format!(
            "ProvisionedThroughput should not be specified for index: {name} when BillingMode is \
             PAY_PER_REQUEST"
        ))),
        (BillingMode::Provisioned(_), Some(throughput)) => {
            check_positive(throughput, &format!("{place}.provisionedThroughput"))
        }
        (BillingMode::Provisioned(_), None) => {
            Err(invalid(&format!("ProvisionedThroughput is not specified for index: {name}")))
        }
    }
}

fn name_of(index: &IndexRequest) -> Result<IndexName, ValidationError> {
    IndexName::new(&index.name).ok_or_else(|| {
        broken(
            &index.name,
            "indexName",
            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        )
    })
}

fn projection_of(
    projection: &ProjectionRequest,
    place: &str,
) -> Result<Projection, ValidationError> {
    let names = projection.non_key_attributes.as_deref();
    match projection.projection_type.as_deref() {
        Some("ALL") if names.is_none() => Ok(Projection::All),
        Some("KEYS_ONLY") if names.is_none() => Ok(Projection::KeysOnly),
        Some("INCLUDE") => {
            let Some(names) = names else {
                return Err(invalid(
                    "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
                ));
            };
            check_non_key_attributes(names, &format!("{place}.projection.nonKeyAttributes"))?;
            Ok(Projection::Include(names.iter().map(|name| AttributeName::new(name)).collect()))
        }
        Some(kind @ ("ALL" | "KEYS_ONLY")) => {
            Err(invalid(&format!("ProjectionType is {kind}, but NonKeyAttributes is specified")))
        }
        other => Err(invalid(&format!("Unknown ProjectionType: {}", other.unwrap_or("null")))),
    }
}

fn check_non_key_attributes(
    names: &[smol_str::SmolStr],
    place: &str,
) -> Result<(), ValidationError> {
    let printed = || format!("[{}]", names.join(", "));
    if names.is_empty() {
        return Err(broken("[]", place, AT_LEAST_ONE));
    }
    if names.len() > NON_KEY_ATTRIBUTES_MAX {
        return Err(broken(&printed(), place, "Member must have length less than or equal to 20"));
    }
    if names.iter().any(|name| name.is_empty() || name.len() > KEY_NAME_BYTES_MAX) {
        return Err(broken(
            &printed(),
            place,
            "Member must satisfy constraint: [Member must have length less than or equal to 255, \
             Member must have length greater than or equal to 1]",
        ));
    }
    Ok(())
}

/// Refuses more than 100 projected names over all indexes; a name in two indexes counts twice.
///
/// The facts give no text for this rule, so the sentence is ours.
fn check_non_key_total(request: &CreateTableRequest) -> Result<(), ValidationError> {
    let local = request.local_indexes.iter().flatten();
    let global = request.global_indexes.iter().flatten().map(|global| &global.index);
    let n_names: usize = local
        .chain(global)
        .filter_map(|index| index.projection.non_key_attributes.as_ref())
        .map(Vec::len)
        .sum();
    if n_names <= NON_KEY_ATTRIBUTES_TOTAL_MAX {
        return Ok(());
    }
    Err(invalid(&format!(
        "Number of NonKeyAttributes of all indexes exceeds the per-table limit of \
         {NON_KEY_ATTRIBUTES_TOTAL_MAX}"
    )))
}

/// Refuses two indexes of one name.
fn check_distinct<'a>(
    indexes: impl Iterator<Item = &'a IndexRequest>,
) -> Result<(), ValidationError> {
    let mut names: SortedSet<&str> = SortedSet::new();
    for index in indexes {
        if !names.insert(&index.name) {
            return Err(invalid(&format!("Duplicate index name: {}", index.name)));
        }
    }
    Ok(())
}

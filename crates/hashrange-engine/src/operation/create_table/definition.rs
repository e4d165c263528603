//! From a CreateTable request to a `TableSchema`, rule by rule in DynamoDB's order.
//!
//! Not here: rules of a single index (`index`).

use hashrange_types::key::ScalarType;
use hashrange_types::limits::{KEY_NAME_BYTES_MAX, TABLE_CAPACITY_UNITS_MAX};
use hashrange_types::operation::{CreateTableRequest, KeySchemaElement, KeyType};
use hashrange_types::{
    ApiError, AttributeName, BillingMode, CapacityQuota, KeyAttribute, KeySchema,
    ProvisionedThroughput, Rule, SortedMap, TableSchema, ValidationError,
};

use smol_str::SmolStr;

use super::index::{global_indexes, local_indexes};

/// Types of the attributes a request defines, by name.
pub(in crate::operation) type Definitions<'a> = SortedMap<&'a str, ScalarType>;

/// The schema a request asks for.
///
/// # Errors
/// The first rule it breaks.
pub(super) fn schema_of(request: &CreateTableRequest) -> Result<TableSchema, ApiError> {
    check_shape(request)?;
    let definitions: Definitions<'_> = request
        .attribute_definitions
        .iter()
        .map(|definition| (definition.attribute.as_str(), definition.scalar))
        .collect();
    let billing = billing(request)?;
    let key = table_key(&request.key_schema, &definitions)?;
    check_definitions_match(request, &definitions)?;
    let local_indexes = local_indexes(request, &key, &definitions)?;
    let global_indexes = global_indexes(request, billing, &definitions)?;
    check_capacity_quota("table", billing_throughput(billing))?;
    for index in &global_indexes {
        check_capacity_quota("index", index.throughput)?;
    }
    refuse_unsupported(&request.unsupported)?;
    Ok(TableSchema {
        name: request.table_name.clone(),
        key,
        local_indexes,
        global_indexes,
        billing,
    })
}

/// Refuses members this build keeps no state for. The sentence is ours.
pub(in crate::operation) fn refuse_unsupported(members: &[SmolStr]) -> Result<(), ValidationError> {
    members.first().map_or(Ok(()), |member| {
        let message = format!("{member} is not supported by this build of Hashrange.");
        Err(ValidationError::new(message).at_member(&[member]))
    })
}

/// Constraints on single members that decoding leaves to the plan.
fn check_shape(request: &CreateTableRequest) -> Result<(), ValidationError> {
    if request.key_schema.is_empty() {
        return Err(broken("[]", "keySchema", AT_LEAST_ONE));
    }
    if request.key_schema.len() > 2 {
        return Err(broken(&printed(&request.key_schema), "keySchema", AT_MOST_TWO));
    }
    if let Some(throughput) = request.provisioned_throughput {
        check_positive(throughput, "provisionedThroughput")?;
    }
    let key_names = request.attribute_definitions.iter().map(|definition| &definition.attribute);
    for (position, name) in key_names.enumerate() {
        if name.is_empty() || name.len() > KEY_NAME_BYTES_MAX {
            let rule = if name.is_empty() {
                AT_LEAST_ONE
            } else {
                "Member must have length less than or equal to 255"
            };
            let place = format!("attributeDefinitions.{}.member.attributeName", position + 1);
            return Err(broken(name, &place, rule));
        }
    }
    Ok(())
}

/// Rule of a list or text that may not be empty.
pub(super) const AT_LEAST_ONE: &str = "Member must have length greater than or equal to 1";
/// Rule of the key schema of a table and of a local index.
pub(super) const AT_MOST_TWO: &str = "Member must have length less than or equal to 2";

/// A broken shape constraint (facts 4.10.2).
pub(super) fn broken(value: &str, place: &str, rule: &str) -> ValidationError {
    ValidationError::new(format!(
        "Value '{value}' at '{place}' failed to satisfy constraint: {rule}"
    ))
    .of(Rule::Shape)
}

/// A key schema as DynamoDB prints it in messages.
pub(super) fn printed(key_schema: &[KeySchemaElement]) -> String {
    let elements: Vec<String> = key_schema
        .iter()
        .map(|element| {
            let key_type = match element.key_type {
                KeyType::Hash => "HASH",
                KeyType::Range => "RANGE",
            };
            format!("KeySchemaElement(attributeName={}, keyType={key_type})", element.attribute)
        })
        .collect();
    format!("[{}]", elements.join(", "))
}

/// Refuses throughput below one unit.
pub(in crate::operation) fn check_positive(
    throughput: ProvisionedThroughput,
    place: &str,
) -> Result<(), ValidationError> {
    for (units, member) in
        [(throughput.read, "readCapacityUnits"), (throughput.write, "writeCapacityUnits")]
    {
        if units == 0 {
            return Err(broken(
                "0",
                &format!("{place}.{member}"),
                "Member must have value greater than or equal to 1",
            ));
        }
    }
    Ok(())
}

fn billing(request: &CreateTableRequest) -> Result<BillingMode, ValidationError> {
    match (request.is_pay_per_request == Some(true), request.provisioned_throughput) {
        (true, None) => Ok(BillingMode::PayPerRequest),
        (true, Some(_)) => Err(invalid(
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
             PAY_PER_REQUEST",
        )),
        (false, Some(throughput)) => Ok(BillingMode::Provisioned(throughput)),
        (false, None) => Err(invalid(
            "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is \
             PROVISIONED",
        )),
    }
}

const fn billing_throughput(billing: BillingMode) -> Option<ProvisionedThroughput> {
    match billing {
        BillingMode::PayPerRequest => None,
        BillingMode::Provisioned(throughput) => Some(throughput),
    }
}

/// An error in the words most rules of tables begin with.
pub(in crate::operation) fn invalid(rest: &str) -> ValidationError {
    ValidationError::new(format!("One or more parameter values were invalid: {rest}"))
}

/// The primary key of the table.
fn table_key(
    elements: &[KeySchemaElement],
    definitions: &Definitions<'_>,
) -> Result<KeySchema, ValidationError> {
    // DynamoDB counts: a key with one attribute twice lacks a definition if there is only one.
    let has_too_few = elements.len() > definitions.len();
    let is_unknown =
        |element: &KeySchemaElement| !definitions.contains_key(element.attribute.as_str());
    if has_too_few || elements.iter().any(is_unknown) {
        return Err(ValidationError::new(
            "Invalid KeySchema: Some index key attribute have no definition",
        ));
    }
    check_roles(elements)?;
    Ok(key_schema(elements, definitions))
}

/// Refuses a key schema of one or two elements that is not HASH, then RANGE, of two attributes.
pub(super) fn check_roles(elements: &[KeySchemaElement]) -> Result<(), ValidationError> {
    if elements.first().is_none_or(|element| element.key_type != KeyType::Hash) {
        return Err(ValidationError::new(
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        ));
    }
    if let Some(second) = elements.get(1) {
        if second.attribute == elements[0].attribute {
            return Err(same_name());
        }
        if second.key_type != KeyType::Range {
            return Err(ValidationError::new(
                "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
            ));
        }
    }
    Ok(())
}

/// An attribute stands twice in one key.
pub(super) fn same_name() -> ValidationError {
    ValidationError::new(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name",
    )
}

/// A key schema of elements whose attributes are all defined.
pub(super) fn key_schema(
    elements: &[KeySchemaElement],
    definitions: &Definitions<'_>,
) -> KeySchema {
    let of_type = |key_type: KeyType| {
        elements
            .iter()
            .filter(|element| element.key_type == key_type)
            .map(|element| KeyAttribute {
                name: AttributeName::new(&element.attribute),
                scalar: *definitions
                    .get(element.attribute.as_str())
                    .expect("the roles of elements are checked only where all are defined"),
            })
            .collect()
    };
    KeySchema { partition: of_type(KeyType::Hash), sort: of_type(KeyType::Range) }
}

/// Refuses definitions that are not exactly the key attributes of the table and its indexes.
///
/// This comes before the rules of indexes, so that an attribute too many hides their errors (facts 3.8).
fn check_definitions_match(
    request: &CreateTableRequest,
    definitions: &Definitions<'_>,
) -> Result<(), ValidationError> {
    let local = request.local_indexes.iter().flatten();
    let global = request.global_indexes.iter().flatten().map(|global| &global.index);
    let indexes: Vec<_> = local.chain(global).collect();
    for index in &indexes {
        let is_defined =
            |element: &KeySchemaElement| definitions.contains_key(element.attribute.as_str());
        if !index.key_schema.iter().all(is_defined) {
            let keys: Vec<&str> =
                index.key_schema.iter().map(|element| element.attribute.as_str()).collect();
            return Err(invalid(&format!(
                "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], \
                 AttributeDefinitions: [{}]",
                keys.join(", "),
                names_of(request).join(", ")
            )));
        }
    }
    let mut used: Vec<&str> = Vec::new();
    let index_keys = indexes.iter().flat_map(|index| &index.key_schema);
    for element in request.key_schema.iter().chain(index_keys) {
        if !used.contains(&element.attribute.as_str()) {
            used.push(&element.attribute);
        }
    }
    if request.attribute_definitions.len() == used.len() {
        return Ok(());
    }
    Err(if indexes.is_empty() {
        invalid(
            "Number of attributes in KeySchema does not exactly match number of attributes defined in \
             AttributeDefinitions",
        )
    } else {
        invalid(&format!(
            "Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: [{}]",
            names_of(request).join(", "),
            used.join(", ")
        ))
    })
}

fn names_of(request: &CreateTableRequest) -> Vec<&str> {
    request.attribute_definitions.iter().map(|definition| definition.attribute.as_str()).collect()
}

/// Refuses throughput above the account's quota for one table or index.
pub(in crate::operation) fn check_capacity_quota(
    resource: &'static str,
    throughput: Option<ProvisionedThroughput>,
) -> Result<(), ApiError> {
    let Some(throughput) = throughput else { return Ok(()) };
    for (units, member) in
        [(throughput.read, "ReadCapacityUnits"), (throughput.write, "WriteCapacityUnits")]
    {
        if units > TABLE_CAPACITY_UNITS_MAX {
            return Err(ApiError::CapacityQuota(CapacityQuota { resource, member, units }));
        }
    }
    Ok(())
}

//! Query: read an item collection in order.
//!
//! Invariant: the range read is one partition key's, narrowed by the sort condition; the filter comes after.
//!
//! Not here: reading the page (`page`), rules shared with Scan (`read_validation`).
//!
//! Source: facts 3.3, 4.6 and 4.10.3.

use hashrange_expressions::{
    Condition, ResolvedKeyCondition, SortCondition, Substitutions, legacy_key_condition,
    parse_key_condition,
};
use hashrange_storage::{KeyRange, Store};
use hashrange_types::key::{push_scalar, push_scalar_prefix};
use hashrange_types::operation::QueryRequest;
use hashrange_types::{ApiError, AttributeValue, Item, KeySchema, Timestamp, ValidationError};

use crate::outcome::Outcome;
use crate::page::PageRead;
use crate::read_validation::{LegacyParts, ReadTree, check_key_paths, encode_start_key, select};
use crate::validation::{ParameterStyles, check_key_values};

/// A checked Query.
#[derive(Debug, Clone)]
pub struct Plan(pub(crate) PageRead);

/// Checks a Query in DynamoDB's order.
pub(crate) fn plan(store: &Store, request: QueryRequest) -> Result<Plan, ApiError> {
    check_styles(&request)?;
    let QueryRequest { read, key_condition_expression, key_conditions, scan_index_forward } =
        request;
    let legacy = LegacyParts::bind(&read)?;
    let legacy_key_condition = key_conditions.as_deref().map(legacy_key_condition).transpose()?;
    let mut substitutions = Substitutions::new(read.names.as_ref(), read.values.as_ref())?;
    let key_condition = match &key_condition_expression {
        Some(text) => Some(parse_key_condition(text, &mut substitutions)?),
        None => legacy_key_condition,
    };
    let parts = legacy.with_expressions(&read, &mut substitutions)?;
    let key_condition = key_condition.ok_or_else(|| {
        ValidationError::new(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the \
             request.",
        )
    })?;

    let tree = ReadTree::find(store, &read, false)?;
    let selection = select(tree, &read, parts.projection, parts.filter.as_ref(), false)?;
    let start = parts
        .start_key
        .map(|start| Ok::<_, ValidationError>((encode_start_key(tree, &start, false)?, start)))
        .transpose()?;
    let resolved = key_condition.resolve(tree.key())?;
    check_key_values(tree.key(), &resolved.partition)?;
    let mut range = key_range(tree.key(), &resolved)?;
    if let Some((position, start)) = start {
        check_start_key_in_range(tree, &resolved, &range, &start)?;
        range = range.resumed_after(position, scan_index_forward);
    }
    if let Some(filter) = &parts.filter {
        let called = if read.filter.is_some() { "QueryFilter" } else { "Filter Expression" };
        check_filter(tree, filter, called)?;
    }
    Ok(Plan(PageRead {
        table: read.table,
        index: selection.index,
        range,
        is_forward: scan_index_forward,
        limit: read.limit,
        is_consistent: read.consistent_read,
        filter: parts.filter,
        output: selection.output,
        pays_per_partition: false,
        shown: read.return_consumed_capacity,
    }))
}

/// Reads the page.
pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    plan.0.execute(store)
}

fn check_styles(request: &QueryRequest) -> Result<(), ValidationError> {
    let read = &request.read;
    let has_key_expression = request.key_condition_expression.is_some();
    ParameterStyles {
        expressions: &[
            ("ProjectionExpression", read.projection_expression.is_some()),
            ("FilterExpression", read.filter_expression.is_some()),
            ("KeyConditionExpression", has_key_expression),
        ],
        legacy: &[
            ("AttributesToGet", read.attributes_to_get.is_some()),
            ("QueryFilter", read.filter.is_some()),
            ("ConditionalOperator", read.conditional_operator.is_some()),
            // KeyConditions go along with the other expressions.
            ("KeyConditions", request.key_conditions.is_some() && has_key_expression),
        ],
        has_names: read.names.is_some(),
        has_values: read.values.is_some(),
    }
    .check()
}

/// The keys that satisfy a key condition.
pub(crate) fn key_range(
    schema: &KeySchema,
    condition: &ResolvedKeyCondition,
) -> Result<KeyRange, ValidationError> {
    let mut prefix = schema.encode_partition(&condition.partition).ok_or_else(|| {
        // The condition was resolved against this very schema, so this speaks of a type it let pass.
        ValidationError::new(
            "One or more parameter values were invalid: Condition parameter type does not match schema \
             type",
        )
    })?;
    for (_, value) in &condition.sort_prefix {
        push_scalar(&mut prefix, value);
    }
    let at = |value: &AttributeValue| {
        let mut bytes = prefix.clone();
        push_scalar(&mut bytes, value);
        bytes
    };
    let whole = KeyRange::starting_with(&prefix);
    Ok(match &condition.sort {
        None => whole,
        Some(SortCondition::Equal(value)) => KeyRange::starting_with(&at(value)),
        Some(SortCondition::Less(value)) => {
            KeyRange { upper: KeyRange::before(&at(value)), ..whole }
        }
        Some(SortCondition::LessOrEqual(value)) => {
            KeyRange { upper: KeyRange::past(&at(value)), ..whole }
        }
        Some(SortCondition::Greater(value)) => {
            KeyRange { lower: KeyRange::from_past(&at(value)), ..whole }
        }
        Some(SortCondition::GreaterOrEqual(value)) => {
            KeyRange { lower: KeyRange::from(&at(value)), ..whole }
        }
        Some(SortCondition::Between(lower, upper)) => KeyRange::spanning(&at(lower), &at(upper)),
        Some(SortCondition::BeginsWith(start)) => {
            let mut bytes = prefix.clone();
            push_scalar_prefix(&mut bytes, start);
            KeyRange::starting_with(&bytes)
        }
    })
}

/// Refuses a starting key outside what the key condition allows (row 40).
fn check_start_key_in_range(
    tree: ReadTree<'_>,
    condition: &ResolvedKeyCondition,
    range: &KeyRange,
    start: &Item,
) -> Result<(), ValidationError> {
    let has_sort_condition = condition.sort.is_some() || !condition.sort_prefix.is_empty();
    let same_partition = tree.key().partition.iter().all(|attribute| {
        start.get(attribute.name.as_str()) == condition.partition.get(attribute.name.as_str())
    });
    // The sort condition is judged as though the starting key were in the right partition.
    let mut moved = start.clone();
    for (name, value) in &condition.partition {
        moved.insert(name.clone(), value.clone());
    }
    let is_in_range = tree.key().encode(&moved).is_some_and(|key| range.contains(&key));
    let message = if has_sort_condition && !is_in_range {
        "The provided starting key does not match the range key predicate"
    } else if same_partition {
        return Ok(());
    } else if has_sort_condition {
        "The query can return at most one row and cannot be restarted"
    } else {
        "The provided starting key is outside query boundaries based on provided conditions"
    };
    Err(ValidationError::new(message).at_member(&["ExclusiveStartKey"]))
}

/// Refuses a filter on the key of what is read, and paths below any key (row 38). Messages say how the
/// filter's parameter is `called`.
fn check_filter(
    tree: ReadTree<'_>,
    filter: &Condition,
    called: &str,
) -> Result<(), ValidationError> {
    for attribute in tree.key().attributes() {
        if filter.attributes().any(|path| path.attribute == attribute.name) {
            return Err(ValidationError::new(format!(
                "{called} can only contain non-primary key attributes: Primary key attribute: {}",
                attribute.name
            )));
        }
    }
    check_key_paths(filter.attributes(), tree.schema)
}

#[cfg(test)]
mod tests;

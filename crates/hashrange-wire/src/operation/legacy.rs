//! The parameters from before expressions.
//!
//! Source: facts 4.11.

use hashrange_types::operation::{
    AttributeAction, AttributeUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttribute,
    LegacyCondition,
};
use smol_str::SmolStr;

use crate::constraint::{Choices, Constraints, Place};
use crate::members::{self, Members, Read, Within};
use crate::value;

const CONDITIONAL_OPERATOR: &Choices<ConditionalOperator> =
    &[("OR", ConditionalOperator::Or), ("AND", ConditionalOperator::And)];
const ATTRIBUTE_ACTION: &Choices<AttributeAction> = &[
    ("ADD", AttributeAction::Add),
    ("DELETE", AttributeAction::Delete),
    ("PUT", AttributeAction::Put),
];
/// The operators in the order in which DynamoDB's message lists them.
const COMPARISON_OPERATOR: &Choices<ComparisonOperator> = &[
    ("IN", ComparisonOperator::In),
    ("NULL", ComparisonOperator::Null),
    ("BETWEEN", ComparisonOperator::Between),
    ("LT", ComparisonOperator::Lt),
    ("NOT_CONTAINS", ComparisonOperator::NotContains),
    ("EQ", ComparisonOperator::Eq),
    ("GT", ComparisonOperator::Gt),
    ("NOT_NULL", ComparisonOperator::NotNull),
    ("NE", ComparisonOperator::Ne),
    ("LE", ComparisonOperator::Le),
    ("BEGINS_WITH", ComparisonOperator::BeginsWith),
    ("GE", ComparisonOperator::Ge),
    ("CONTAINS", ComparisonOperator::Contains),
];

/// Reads ConditionalOperator.
pub(super) fn conditional_operator(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Option<ConditionalOperator>> {
    constraints.choice(members, "ConditionalOperator", CONDITIONAL_OPERATOR, &Place::Root)
}

/// Reads AttributesToGet of the structure at `parent`.
pub(super) fn attributes_to_get(
    members: &mut Members,
    constraints: &mut Constraints,
    parent: &Place,
) -> Read<Option<Vec<SmolStr>>> {
    let name = "AttributesToGet";
    let attributes = members.texts(name)?;
    if let Some(attributes) = &attributes {
        let shown = || format!("[{}]", attributes.join(", "));
        constraints.length(attributes.len(), (1, usize::MAX), &parent.member(name), shown);
    }
    Ok(attributes)
}

/// Reads a map of attribute names to structures of class `class`, each with `read`.
fn structures<T>(
    members: &mut Members,
    name: &str,
    class: &str,
    mut read: impl FnMut(SmolStr, Members, &Place) -> Read<T>,
) -> Read<Option<Vec<T>>> {
    let parent = Place::Root.member(name);
    members.read_with(name, |json| {
        let java_class = format!("com.amazonaws.dynamodb.v20120810.{class}");
        members::map(json, &java_class)?
            .into_iter()
            .filter(|(_, structure)| !structure.is_null())
            .map(|(attribute, structure)| {
                let place = parent.entry(&attribute);
                Members::read(structure, class)
                    .and_then(|members| read(SmolStr::new(&attribute), members, &place))
                    .within(&attribute)
            })
            .collect()
    })
}

/// Reads KeyConditions, QueryFilter or ScanFilter.
pub(super) fn conditions(
    members: &mut Members,
    constraints: &mut Constraints,
    name: &str,
) -> Read<Option<Vec<LegacyCondition>>> {
    structures(members, name, "Condition", |attribute, mut members, place| {
        let is_given = members.has("ComparisonOperator");
        let operator =
            constraints.choice(&mut members, "ComparisonOperator", COMPARISON_OPERATOR, place)?;
        if !is_given {
            constraints.required(operator, &place.member("ComparisonOperator"));
        }
        let values = members.values("AttributeValueList")?.unwrap_or_default();
        let values = values
            .into_iter()
            .map(|value| value::deferred_within(value::deferred_within(value, &attribute), name))
            .collect();
        // A missing operator was noted as broken above: the request is refused before it is looked at.
        let operator = operator.unwrap_or(ComparisonOperator::Eq);
        Ok(LegacyCondition { attribute, operator, values })
    })
}

/// Reads Expected.
pub(super) fn expected(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Option<Vec<ExpectedAttribute>>> {
    let name = "Expected";
    structures(members, name, "ExpectedAttributeValue", |attribute, mut members, place| {
        let inside =
            |value| value::deferred_within(value::deferred_within(value, &attribute), name);
        let value = members.value("Value")?.map(inside);
        let exists = members.boolean("Exists")?;
        let operator =
            constraints.choice(&mut members, "ComparisonOperator", COMPARISON_OPERATOR, place)?;
        let values = members
            .values("AttributeValueList")?
            .map(|values| values.into_iter().map(inside).collect());
        Ok(ExpectedAttribute { value, exists, operator, values, attribute })
    })
}

/// Reads AttributeUpdates.
pub(super) fn attribute_updates(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Option<Vec<AttributeUpdate>>> {
    let name = "AttributeUpdates";
    structures(members, name, "AttributeValueUpdate", |attribute, mut members, place| {
        let value = members
            .value("Value")?
            .map(|value| value::deferred_within(value::deferred_within(value, &attribute), name));
        let action = constraints.choice(&mut members, "Action", ATTRIBUTE_ACTION, place)?;
        Ok(AttributeUpdate { attribute, action: action.unwrap_or_default(), value })
    })
}

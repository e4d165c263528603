//! ReturnValues and ReturnValuesOnConditionCheckFailure of the single-item writes.

use hashrange_types::operation::ReturnValues;

use crate::constraint::{Choices, Constraints, Place};
use crate::members::{Members, Read};

const RETURN_VALUES: &Choices<ReturnValues> = &[
    ("ALL_NEW", ReturnValues::AllNew),
    ("UPDATED_OLD", ReturnValues::UpdatedOld),
    ("ALL_OLD", ReturnValues::AllOld),
    ("NONE", ReturnValues::None),
    ("UPDATED_NEW", ReturnValues::UpdatedNew),
];
const ON_FAILURE: &Choices<bool> = &[("ALL_OLD", true), ("NONE", false)];

/// Reads ReturnValues.
pub(super) fn return_values(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<ReturnValues> {
    let chosen = constraints.choice(members, "ReturnValues", RETURN_VALUES, &Place::Root)?;
    Ok(chosen.unwrap_or_default())
}

/// Reads ReturnValuesOnConditionCheckFailure: true for ALL_OLD.
pub(super) fn returns_item_on_failure(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<bool> {
    returns_item_on_failure_of(members, constraints, &Place::Root)
}

/// Reads ReturnValuesOnConditionCheckFailure of the structure at `parent`: true for ALL_OLD.
pub(super) fn returns_item_on_failure_of(
    members: &mut Members,
    constraints: &mut Constraints,
    parent: &Place,
) -> Read<bool> {
    let name = "ReturnValuesOnConditionCheckFailure";
    let chosen = constraints.choice(members, name, ON_FAILURE, parent)?;
    Ok(chosen.unwrap_or_default())
}

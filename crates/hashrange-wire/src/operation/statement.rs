//! What ExecuteStatement, BatchExecuteStatement and ExecuteTransaction share: statements with their parameters.
//!
//! Source: facts 3.7, Appendices A.1 and B.

use hashrange_types::limits::STATEMENT_LENGTH_MAX;
use hashrange_types::operation::ParameterizedStatement;

use super::return_values;
use crate::constraint::{Constraints, Place};
use crate::json::Json;
use crate::members::{Members, Read};

/// Reads the members of one statement found at `place`.
pub(super) fn parameterized(
    members: &mut Members,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<ParameterizedStatement> {
    let statement_place = place.member("Statement");
    let statement = constraints.required(members.string("Statement")?, &statement_place);
    if let Some(text) = &statement {
        let legal = (1, STATEMENT_LENGTH_MAX);
        constraints.length(text.chars().count(), legal, &statement_place, || text.clone());
    }
    let parameters = members.values("Parameters")?;
    if parameters.as_ref().is_some_and(Vec::is_empty) {
        let parameters_place = place.member("Parameters");
        constraints.length(0, (1, usize::MAX), &parameters_place, || "[]".to_owned());
    }
    let consistent_read = members.boolean("ConsistentRead")?.unwrap_or(false);
    let returns_item_on_failure =
        return_values::returns_item_on_failure_of(members, constraints, place)?;
    Ok(ParameterizedStatement {
        statement: statement.unwrap_or_default(),
        parameters: parameters.unwrap_or_default(),
        consistent_read,
        returns_item_on_failure,
    })
}

/// Reads the list of statements called `name`, each of class `class`, and refuses too few or more than `most`.
pub(super) fn list(
    members: &mut Members,
    (name, class): (&str, &str),
    most: usize,
    constraints: &mut Constraints,
) -> Read<Vec<ParameterizedStatement>> {
    let list = Place::Root.member(name);
    if let Some(Json::List(statements)) = members.peek(name) {
        constraints.length(statements.len(), (1, most), &list, || shown(statements));
    }
    let mut index = 0;
    let statements = members.list_of(name, |json| {
        let place = list.element(index);
        index += 1;
        parameterized(&mut Members::read(json, class)?, &place, constraints)
    })?;
    Ok(constraints.required(statements, &list).unwrap_or_default())
}

/// How statements print in the message about their number.
fn shown(statements: &[Json]) -> String {
    let text = |statement: &Json| match statement {
        Json::Object(entries) => {
            entries.iter().find(|(name, _)| name == "Statement").and_then(|(_, text)| match text {
                Json::Text(text) => Some(text.to_string()),
                _ => None,
            })
        }
        _ => None,
    };
    let texts: Vec<String> = statements.iter().map(|one| text(one).unwrap_or_default()).collect();
    format!("[{}]", texts.join(", "))
}

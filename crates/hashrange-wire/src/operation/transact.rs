//! What TransactGetItems and TransactWriteItems share: TransactItems, a list of 1 to 100 elements.
//!
//! Source: facts 3.6 and 4.10.1, 44.

use std::borrow::Cow;

use hashrange_types::limits::TRANSACT_ITEMS_MAX;
use hashrange_types::{TableName, TableReference};

use crate::constraint::{self, Constraints, Place, Plane};
use crate::json::Json;
use crate::members::{Members, Read};

pub(super) const TRANSACT_ITEMS: &str = "TransactItems";

/// Reads TransactItems, each element of class `class` with `read`, and refuses too few or too many.
pub(super) fn elements<'a, T>(
    members: &mut Members<'a>,
    class: &str,
    constraints: &mut Constraints,
    mut read: impl FnMut(Members<'a>, &Place, &mut Constraints) -> Read<T>,
) -> Read<Vec<T>> {
    let list = Place::Root.member(TRANSACT_ITEMS);
    if let Some(Json::List(elements)) = members.peek(TRANSACT_ITEMS) {
        constraints.length(elements.len(), (1, TRANSACT_ITEMS_MAX), &list, || shown(elements));
    }
    let mut index = 0;
    let elements = members.list_of(TRANSACT_ITEMS, |json| {
        let place = list.element(index);
        index += 1;
        read(Members::read(json, class)?, &place, constraints)
    })?;
    Ok(constraints.required(elements, &list).unwrap_or_default())
}

/// How the elements print in the message about their number: by what each does.
fn shown(elements: &[Json]) -> String {
    let action = |element: &Json| match element {
        Json::Object(entries) => {
            entries.iter().find(|(_, value)| !value.is_null()).map(|(name, _)| name.to_string())
        }
        _ => None,
    };
    let actions: Vec<String> =
        elements.iter().map(|element| action(element).unwrap_or_default()).collect();
    format!("[{}]", actions.join(", "))
}

/// Reads TableName of the action at `place`. A name that breaks a constraint is replaced until the refusal is
/// reported.
pub(super) fn table(
    members: &mut Members,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<TableReference> {
    let place = place.member("TableName");
    let given: Option<Cow<str>> = constraints.required(members.text("TableName")?, &place);
    let table =
        given.and_then(|given| constraint::table_at(&given, Plane::Data, &place, constraints));
    Ok(table.unwrap_or_else(|| {
        TableReference::by_name(TableName::new("_").expect("the characters are legal"))
    }))
}

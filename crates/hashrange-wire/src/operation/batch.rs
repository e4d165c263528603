//! What BatchGetItem and BatchWriteItem share: RequestItems, a map of tables.

use std::borrow::Cow;

use hashrange_types::{Deferred, TableReference, ValidationError};

use crate::constraint::{self, Constraints, Place, Plane};
use crate::json::Json;
use crate::members::{self, Members, Read};
use crate::value;

pub(super) const REQUEST_ITEMS: &str = "RequestItems";
/// The rules of a table name, as the message about a map's keys lists them.
const KEY_RULE: &str = "Map keys must satisfy constraint: [Member must have length less than or \
                        equal to 255, Member must have length greater than or equal to 1, Member \
                        must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";

/// Takes the entries of RequestItems, whose values are of class `class`; none where it is absent.
pub(super) fn request_items<'a>(
    members: &mut Members<'a>,
    class: &str,
) -> Read<Vec<(Cow<'a, str>, Json<'a>)>> {
    let java_class = format!("com.amazonaws.dynamodb.v20120810.{class}");
    let entries = members.read_with(REQUEST_ITEMS, |json| members::map(json, &java_class))?;
    Ok(entries.unwrap_or_default())
}

/// The error for a batch without RequestItems, or with none in it.
pub(super) fn missing(operation: &str) -> ValidationError {
    ValidationError::new(format!("The requestItems parameter is required for {operation}"))
        .at_member(&[REQUEST_ITEMS])
}

/// Reads a key of RequestItems: the name or ARN of a table.
pub(super) fn table(name: &str, constraints: &mut Constraints) -> Option<TableReference> {
    let parent = Place::Root.member(REQUEST_ITEMS);
    let table = constraint::table_at(name, Plane::Data, &parent, &mut Constraints::default());
    if table.is_none() {
        constraints.broken(Some(name), &parent, KEY_RULE);
    }
    table
}

/// The same deferred item, its error found in what is asked of `table`.
pub(super) fn deferred_within_table<T>(deferred: Deferred<T>, table: &str) -> Deferred<T> {
    value::deferred_within(value::deferred_within(deferred, table), REQUEST_ITEMS)
}

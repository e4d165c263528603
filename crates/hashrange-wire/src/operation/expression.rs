//! ExpressionAttributeNames and ExpressionAttributeValues.

use hashrange_types::operation::{ExpressionNames, ExpressionValues};
use smol_str::SmolStr;

use crate::members::{self, ATTRIBUTE_VALUE_CLASS, Members, Read, Within};
use crate::value;

const NAMES: &str = "ExpressionAttributeNames";
const VALUES: &str = "ExpressionAttributeValues";

/// Reads ExpressionAttributeNames.
pub(super) fn names(members: &mut Members) -> Read<Option<ExpressionNames>> {
    members.read_with(NAMES, |json| {
        members::map(json, "java.lang.String")?
            .into_iter()
            .filter(|(_, name)| !name.is_null())
            .map(|(token, name)| {
                Ok((SmolStr::new(&token), members::text(name).within(&token)?.into()))
            })
            .collect()
    })
}

/// Reads ExpressionAttributeValues.
pub(super) fn values(members: &mut Members) -> Read<Option<ExpressionValues>> {
    members.read_with(VALUES, |json| {
        members::map(json, ATTRIBUTE_VALUE_CLASS)?
            .into_iter()
            .map(|(token, content)| {
                let value = value::value(content).within(&token)?;
                let value = value::deferred_within(value, &token);
                Ok((SmolStr::new(&token), value::deferred_within(value, VALUES)))
            })
            .collect()
    })
}

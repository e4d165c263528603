//! `ExpressionAttributeNames` and `ExpressionAttributeValues` as sent.

use smol_str::SmolStr;

use crate::{AttributeValue, Deferred};

/// `#name` to attribute name, in the order sent, sigil included. Keys are checked by the plan.
pub type ExpressionNames = Vec<(SmolStr, SmolStr)>;

/// `:value` to attribute value, in the order sent, sigil included. A value that is wrong waits for its step.
pub type ExpressionValues = Vec<(SmolStr, Deferred<AttributeValue>)>;

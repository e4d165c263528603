//! The rules a well-formed expression may still break, checked in DynamoDB's order while names and values are put in
//! place.
//!
//! Invariant: what comes out needs no further checks that can be made without an item.
//!
//! Source: facts 4.10.3, step 8.

pub(crate) mod condition;
pub(crate) mod function;
pub(crate) mod operand;
pub(crate) mod path;
pub(crate) mod update;

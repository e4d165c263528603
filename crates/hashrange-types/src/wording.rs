//! `Wording`: which edition of DynamoDB's texts is spoken, and what stands around a message in each.
//!
//! DynamoDB's texts drift: in July 2026 PutItem and UpdateItem began to put an envelope around messages that had
//! been bare. An error carries its bare text, the family of the rule it broke and the operation; the tables here
//! say what the client reads in each edition, so that a further drift is a row and a column of them.
//!
//! Invariant: nothing outside this file knows what an edition changes.
//!
//! Source: facts 0.3 and 4.10.2.

use std::fmt;
use std::str::FromStr;

use crate::operation::Operation;
use crate::operation::Operation::{PutItem, Query, UpdateItem};

/// An edition of DynamoDB's texts, named by the month from which it was observed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wording {
    /// As it was until mid-2026.
    May2026,
    /// Today's.
    #[default]
    July2026,
}

/// The editions and their names, oldest first: in the order of [`Wording`] and of every [`Editions`].
const NAMES: [(Wording, &str); 2] = [(Wording::May2026, "2026-05"), (Wording::July2026, "2026-07")];

impl Wording {
    /// The edition's name, such as `2026-05`.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize].1
    }
}

impl fmt::Display for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Wording {
    type Err = UnknownWording;

    /// ```
    /// use hashrange_types::Wording;
    /// assert_eq!("2026-05".parse(), Ok(Wording::May2026));
    /// assert_eq!(
    ///     "1999".parse::<Wording>().unwrap_err().to_string(),
    ///     "there is no wording 1999: choose 2026-05 or 2026-07, which is today's",
    /// );
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownWording> {
        let known = NAMES.iter().find(|(_, known)| *known == name);
        known.map(|(wording, _)| *wording).ok_or_else(|| UnknownWording(name.to_owned()))
    }
}

/// No edition of the wording has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWording(pub String);

impl fmt::Display for UnknownWording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no wording {}: choose ", self.0)?;
        for (_, older) in &NAMES[..NAMES.len() - 1] {
            write!(f, "{older} or ")?;
        }
        write!(f, "{}, which is today's", Wording::default())
    }
}

impl std::error::Error for UnknownWording {}

/// A family of rules whose messages DynamoDB treats alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rule {
    /// Every rule of no family below.
    #[default]
    Other,
    /// The shape of a member: length, range, enumeration, presence. The only family that reports several at once.
    Shape,
    /// A set that is empty or holds a member twice.
    Set,
    /// `{"NULL": false}`.
    Null,
    /// What a condition, update, projection, filter or key condition says, known from its text and names alone.
    Expression,
    /// Expressions mixed with legacy parameters, and names or values without an expression.
    Styles,
    /// A ReturnValues that exists but not for this operation.
    ReturnValues,
    /// Select `SPECIFIC_ATTRIBUTES` without saying which.
    Select,
}

/// What stands around a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Envelope {
    /// Nothing.
    Bare,
    /// `1 validation error detected: `, and whatever else was found is kept quiet.
    First,
    /// `N validation errors detected: ` before all that was found, joined by `; `.
    All,
}

/// The envelope in each edition, oldest first.
type Editions = [Envelope; NAMES.len()];

const ALWAYS: Editions = [Envelope::All; NAMES.len()];
const SINCE_JULY: Editions = [Envelope::Bare, Envelope::All];
const ONE_AT_A_TIME_SINCE_JULY: Editions = [Envelope::All, Envelope::First];

/// Operations in a row of the table; none of them means every operation.
type Operations = &'static [Operation];

const EVERY: Operations = &[];
const PUT_AND_UPDATE: Operations = &[PutItem, UpdateItem];

/// Where envelopes stand. The first row that fits decides; what fits none is bare in every edition.
const ENVELOPES: [(Rule, Operations, Editions); 8] = [
    (Rule::Shape, &[UpdateItem], ONE_AT_A_TIME_SINCE_JULY),
    (Rule::Shape, EVERY, ALWAYS),
    (Rule::Set, PUT_AND_UPDATE, SINCE_JULY),
    (Rule::Null, PUT_AND_UPDATE, SINCE_JULY),
    (Rule::Expression, PUT_AND_UPDATE, SINCE_JULY),
    (Rule::Styles, PUT_AND_UPDATE, SINCE_JULY),
    (Rule::ReturnValues, PUT_AND_UPDATE, SINCE_JULY),
    (Rule::Select, &[Query], ALWAYS),
];

/// What stands around the message of a rule that `operation` found broken.
pub fn envelope(operation: Option<Operation>, rule: Rule, wording: Wording) -> Envelope {
    let fits = |operations: Operations| {
        operations.is_empty() || operation.is_some_and(|operation| operations.contains(&operation))
    };
    ENVELOPES
        .iter()
        .find(|(family, operations, _)| *family == rule && fits(operations))
        .map_or(Envelope::Bare, |(_, _, editions)| editions[wording as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editions_stand_in_their_own_order_and_the_last_is_the_default() {
        for (position, (wording, name)) in NAMES.into_iter().enumerate() {
            assert_eq!((wording as usize, wording.name()), (position, name));
            assert_eq!(name.parse(), Ok(wording));
        }
        assert_eq!(NAMES.last().map(|(wording, _)| *wording), Some(Wording::default()));
    }

    #[test]
    fn only_the_exact_name_of_an_edition_is_known() {
        for name in ["", "2026", "2026-5", " 2026-05", "2026-05 ", "today"] {
            assert_eq!(name.parse::<Wording>(), Err(UnknownWording(name.to_owned())));
        }
    }

    #[test]
    fn a_row_for_some_operations_stands_before_the_row_for_every() {
        for (position, (rule, operations, _)) in ENVELOPES.iter().enumerate() {
            let is_reached = |(earlier, all, _): &(Rule, Operations, Editions)| {
                earlier != rule || (!all.is_empty() && *all != *operations)
            };
            assert!(ENVELOPES[..position].iter().all(is_reached), "row {position}");
        }
    }

    #[test]
    fn an_error_of_no_operation_fits_the_rows_for_every_operation_only() {
        let today = Wording::default();
        assert_eq!(envelope(None, Rule::Shape, today), Envelope::All);
        assert_eq!(envelope(None, Rule::Expression, today), Envelope::Bare);
        assert_eq!(envelope(Some(UpdateItem), Rule::Other, today), Envelope::Bare);
    }
}

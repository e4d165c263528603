//! `Substitutions`: what `#names` and `:values` stand for, and which of them were used.
//!
//! Invariant: keys are well formed and values valid; that is what [`Substitutions::new`] checks.
//!
//! Source: facts 4.9 and 4.10.1 rows 17, 18 and 24.

use hashrange_types::operation::{ExpressionNames, ExpressionValues};
use hashrange_types::{AttributeValue, ValidationError, limits};
use indexmap::IndexMap;

/// The ExpressionAttributeNames and ExpressionAttributeValues of a request, shared by all its expressions.
#[derive(Debug, Default)]
pub struct Substitutions<'a> {
    names: IndexMap<&'a str, Used<&'a str>>,
    values: IndexMap<&'a str, Used<&'a AttributeValue>>,
}

#[derive(Debug)]
struct Used<T> {
    stands_for: T,
    is_used: bool,
}

impl<'a> Substitutions<'a> {
    /// Step 7 of facts 4.10.3: neither map may be empty, keys are sigil and word characters, values are valid.
    ///
    /// # Errors
    /// The first of these rules that is broken, names before values.
    pub fn new(
        names: Option<&'a ExpressionNames>,
        values: Option<&'a ExpressionValues>,
    ) -> Result<Self, ValidationError> {
        Self::read(names, values, limits::NESTING_LEVELS_MAX)
    }

    /// As [`Self::new`], but values may nest as deep as they like: transactions look at that later, and not in
    /// a ConditionCheck (facts 1.1).
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_any_depth(
        names: Option<&'a ExpressionNames>,
        values: Option<&'a ExpressionValues>,
    ) -> Result<Self, ValidationError> {
        Self::read(names, values, usize::MAX)
    }

    fn read(
        names: Option<&'a ExpressionNames>,
        values: Option<&'a ExpressionValues>,
        levels_max: usize,
    ) -> Result<Self, ValidationError> {
        let mut found = Self::default();
        if let Some(names) = names {
            check_keys("ExpressionAttributeNames", '#', names.iter().map(|(key, _)| key.as_str()))?;
            for (key, name) in names {
                if name.is_empty() {
                    return Err(ValidationError::new(format!(
                        "ExpressionAttributeNames contains invalid value: Empty attribute name for key {key}"
                    ))
                    .at_member(&["ExpressionAttributeNames", key]));
                }
                found.names.insert(key, Used { stands_for: name, is_used: false });
            }
        }
        if let Some(values) = values {
            let keys = values.iter().map(|(key, _)| key.as_str());
            check_keys("ExpressionAttributeValues", ':', keys)?;
            for (key, value) in values {
                let value = match value {
                    Ok(value) if value.depth() > levels_max => {
                        Err(ValidationError::new(NESTING_MESSAGE))
                    }
                    Ok(value) => Ok(value),
                    Err(error) => Err(wrapped(error, key)),
                };
                let value = value.map_err(|error| {
                    if error.place.is_some() {
                        return error;
                    }
                    error.at_member(&["ExpressionAttributeValues", key])
                })?;
                found.values.insert(key, Used { stands_for: value, is_used: false });
            }
        }
        Ok(found)
    }

    /// Step 9 of facts 4.10.3: every name, then every value was used by some expression.
    ///
    /// # Errors
    /// Lists the unused names, or else the unused values.
    pub fn check_all_used(&self) -> Result<(), ValidationError> {
        check_used("ExpressionAttributeNames", &self.names)?;
        check_used("ExpressionAttributeValues", &self.values)
    }

    /// What `#key` stands for, marking it used.
    pub(crate) fn name(&mut self, key: &str) -> Option<&'a str> {
        let entry = self.names.get_mut(key)?;
        entry.is_used = true;
        Some(entry.stands_for)
    }

    /// What `:key` stands for, marking it used.
    pub(crate) fn value(&mut self, key: &str) -> Option<&'a AttributeValue> {
        let entry = self.values.get_mut(key)?;
        entry.is_used = true;
        Some(entry.stands_for)
    }
}

const NESTING_MESSAGE: &str = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

/// Errors about a value say whose they are, except for the two that DynamoDB finds elsewhere (facts 4.9).
fn wrapped(error: &ValidationError, key: &str) -> ValidationError {
    let inner = error.message.as_str();
    if inner.starts_with("Nesting Levels") || inner.contains("Null attribute value types") {
        return error.clone();
    }
    let message =
        format!("ExpressionAttributeValues contains invalid value: {inner} for key {key}");
    let mut wrapped = error.clone();
    wrapped.message = message;
    wrapped
}

fn check_keys<'k>(
    map: &str,
    sigil: char,
    mut keys: impl ExactSizeIterator<Item = &'k str>,
) -> Result<(), ValidationError> {
    if keys.len() == 0 {
        return Err(ValidationError::new(format!("{map} must not be empty")).at_member(&[map]));
    }
    keys.try_for_each(|key| {
        let is_well_formed = key.strip_prefix(sigil).is_some_and(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        });
        let reason = if key.len() > limits::SUBSTITUTION_TOKEN_BYTES_MAX {
            "The expression attribute map contains a key that is too long;".to_owned()
        } else if is_well_formed {
            return Ok(());
        } else {
            format!("Syntax error; key: \"{key}\"")
        };
        let message = format!("{map} contains invalid key: {reason}");
        Err(ValidationError::new(message).at_member(&[map, key]))
    })
}

fn check_used<T>(map: &str, entries: &IndexMap<&str, Used<T>>) -> Result<(), ValidationError> {
    let unused: Vec<&str> =
        entries.iter().filter(|(_, entry)| !entry.is_used).map(|(key, _)| *key).collect();
    let Some(first) = unused.first() else { return Ok(()) };
    let message =
        format!("Value provided in {map} unused in expressions: keys: {{{}}}", unused.join(", "));
    Err(ValidationError::new(message).at_member(&[map, first]))
}

#[cfg(test)]
mod tests {
    use hashrange_types::ExpressionParameter;

    use super::*;
    use crate::fixture::{n, nested, usual};

    #[track_caller]
    fn error(names: Option<&[(&str, &str)]>, values: Option<&ExpressionValues>) -> String {
        let names: Option<ExpressionNames> = names
            .map(|names| names.iter().map(|(key, name)| ((*key).into(), (*name).into())).collect());
        Substitutions::new(names.as_ref(), values).unwrap_err().into_message()
    }

    #[test]
    fn maps_that_are_given_may_not_be_empty() {
        assert_eq!(error(Some(&[]), None), "ExpressionAttributeNames must not be empty");
        assert_eq!(error(None, Some(&vec![])), "ExpressionAttributeValues must not be empty");
        assert!(Substitutions::new(None, None).is_ok());
    }

    #[test]
    fn keys_are_a_sigil_and_word_characters() {
        assert_eq!(
            error(Some(&[("a", "x")]), None),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""
        );
        for key in [":", ":a b", "#a", ":é", ":a-b"] {
            assert_eq!(
                error(None, Some(&vec![(key.into(), Ok(n("1")))])),
                format!(
                    "ExpressionAttributeValues contains invalid key: Syntax error; key: \"{key}\""
                )
            );
        }
    }

    #[test]
    fn keys_have_at_most_255_bytes() {
        let key = |length: usize| format!("#{}", "a".repeat(length - 1));
        let message = error(Some(&[(&key(256), "x")]), None);
        assert!(message.contains("a key that is too long"), "{message}");
        let names = vec![(key(255).into(), "x".into())];
        assert!(Substitutions::new(Some(&names), None).is_ok());
    }

    #[test]
    fn a_bad_value_names_its_key() {
        let value =
            Err(ValidationError::new("The parameter cannot be converted to a numeric value: x"));
        assert_eq!(
            error(None, Some(&vec![(":v".into(), value)])),
            "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :v"
        );
    }

    #[test]
    fn a_false_null_and_deep_nesting_do_not_name_the_key() {
        let null = "One or more parameter values were invalid: Null attribute value types must have the value of true";
        let value = Err(ValidationError::new(null));
        assert_eq!(error(None, Some(&vec![(":v".into(), value)])), null);
        assert_eq!(error(None, Some(&vec![(":v".into(), Ok(nested(33)))])), NESTING_MESSAGE);
        let values = vec![(":v".into(), Ok(nested(32)))];
        assert!(Substitutions::new(None, Some(&values)).is_ok());
    }

    #[test]
    fn what_no_expression_uses_is_listed_names_first() {
        let mut given = usual();
        given.names.truncate(2);
        given.values.truncate(2);
        let mut substitutions = given.substitutions();
        let unused = |substitutions: &Substitutions| {
            substitutions.check_all_used().unwrap_err().into_message()
        };
        assert_eq!(
            unused(&substitutions),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #status}"
        );
        crate::parse_projection("#a, #status", &mut substitutions).unwrap();
        crate::parse_condition(ExpressionParameter::Filter, "x = :one", &mut substitutions)
            .unwrap();
        assert_eq!(
            unused(&substitutions),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:zero}"
        );
        crate::parse_update("SET y = :zero", &mut substitutions).unwrap();
        assert!(substitutions.check_all_used().is_ok());
    }
}

//! What tests of this crate share: short ways to write values, items and substitutions.

use hashrange_types::operation::{ExpressionNames, ExpressionValues};
use hashrange_types::{
    AttributeName, AttributeValue, BinarySet, ErrorPlace, ExpressionParameter, Item, Number,
    NumberSet, StringSet, ValidationError,
};

use crate::{Condition, KeyCondition, ProjectionPaths, Substitutions, Update};

pub(crate) fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

pub(crate) fn n(text: &str) -> AttributeValue {
    AttributeValue::N(number(text))
}

pub(crate) fn b(bytes: &'static [u8]) -> AttributeValue {
    AttributeValue::B(bytes.into())
}

pub(crate) fn l(values: &[AttributeValue]) -> AttributeValue {
    AttributeValue::L(values.to_vec())
}

pub(crate) fn m(entries: &[(&str, AttributeValue)]) -> AttributeValue {
    AttributeValue::M(entries.iter().map(|(name, value)| ((*name).into(), value.clone())).collect())
}

pub(crate) fn ss(members: &[&str]) -> AttributeValue {
    AttributeValue::Ss(
        StringSet::new(members.iter().map(|member| (*member).into()).collect()).unwrap(),
    )
}

pub(crate) fn ns(members: &[&str]) -> AttributeValue {
    AttributeValue::Ns(
        NumberSet::new(members.iter().map(|member| number(member)).collect()).unwrap(),
    )
}

pub(crate) fn bs(members: &[&'static [u8]]) -> AttributeValue {
    AttributeValue::Bs(
        BinarySet::new(members.iter().map(|member| (*member).into()).collect()).unwrap(),
    )
}

pub(crate) fn item(attributes: &[(&str, AttributeValue)]) -> Item {
    attributes.iter().map(|(name, value)| (AttributeName::new(name), value.clone())).collect()
}

/// A map in a map in a map, with this many levels.
pub(crate) fn nested(n_levels: usize) -> AttributeValue {
    (1..n_levels).fold(s("leaf"), |inner, _| m(&[("m", inner)]))
}

/// Names and values that most tests can do with.
pub(crate) struct Given {
    pub(crate) names: ExpressionNames,
    pub(crate) values: ExpressionValues,
}

/// `#a` and friends, and a value of every kind.
pub(crate) fn usual() -> Given {
    let names =
        [("#a", "a"), ("#status", "status"), ("#dotted", "x.y"), ("#pk", "pk"), ("#sk", "sk")];
    let values = [
        (":zero", n("0")),
        (":one", n("1")),
        (":two", n("2")),
        (":three", n("3")),
        (":four", n("4")),
        (":ten", n("10")),
        (":a", s("a")),
        (":b", s("b")),
        (":x", s("x")),
        (":none", s("")),
        (":tN", s("N")),
        (":dog", s("DOG")),
        (":bin", b(b"\x01\x02")),
        (":true", AttributeValue::Bool(true)),
        (":null", AttributeValue::Null),
        (":list", l(&[s("new")])),
        (":empty", l(&[])),
        (":map", m(&[("k", n("1"))])),
        (":ss", ss(&["x"])),
        (":ns", ns(&["1"])),
        (":bs", bs(&[b"x"])),
    ];
    Given {
        names: names.into_iter().map(|(key, name)| (key.into(), name.into())).collect(),
        values: values.into_iter().map(|(key, value)| (key.into(), Ok(value))).collect(),
    }
}

impl Given {
    pub(crate) fn substitutions(&self) -> Substitutions<'_> {
        Substitutions::new(Some(&self.names), Some(&self.values)).unwrap()
    }
}

pub(crate) fn condition(text: &str) -> Result<Condition, ValidationError> {
    let given = usual();
    crate::parse_condition(ExpressionParameter::Condition, text, &mut given.substitutions())
}

pub(crate) fn update(text: &str) -> Result<Update, ValidationError> {
    let given = usual();
    crate::parse_update(text, &mut given.substitutions())
}

pub(crate) fn projection(text: &str) -> Result<ProjectionPaths, ValidationError> {
    let given = usual();
    crate::parse_projection(text, &mut given.substitutions())
}

pub(crate) fn key_condition(text: &str) -> Result<KeyCondition, ValidationError> {
    let given = usual();
    crate::parse_key_condition(text, &mut given.substitutions())
}

/// The message of an error without the `Invalid <Kind>: ` in front, and the text it points at.
#[track_caller]
pub(crate) fn complaint<T: std::fmt::Debug>(
    text: &str,
    result: Result<T, ValidationError>,
) -> (String, String) {
    let error = result.unwrap_err();
    let Some(ErrorPlace::Expression { parameter, start, end }) = error.place else {
        return (error.into_message(), String::new());
    };
    let prefix = format!("Invalid {parameter}: ");
    let message = error.message.strip_prefix(&prefix).unwrap_or(&error.message).to_owned();
    (message, text.get(start as usize..end as usize).unwrap_or_default().to_owned())
}

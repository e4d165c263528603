//! `{"S": …}` to `AttributeValue`, and objects of them to `Item`.
//!
//! A value of the wrong JSON type stops decoding ([`Mismatch`]); one that breaks a rule of values becomes a
//! [`Deferred`] error, which the plan raises at its step. The first broken rule in the order of the text
//! wins, and the number of type tags is looked at last (facts 4.10.1, 7 to 14).
//!
//! Not here: writing values ([`crate::writer`]) and how deep they may nest (the engine measures that).

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hashrange_types::number::NumberError;
use hashrange_types::{
    AttributeName, AttributeValue, BinarySet, Deferred, ErrorPlace, Item, Number, NumberSet, Rule,
    StringSet, ValidationError,
};
use indexmap::IndexMap;
use smol_str::SmolStr;

use crate::json::Json;
use crate::members::{self, ATTRIBUTE_VALUE_CLASS, Mismatch, Read, Within};

/// The message for a structure none of whose alternatives is given.
pub(crate) const EMPTY: &str =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
/// The message for a structure of which several alternatives are given.
pub(crate) const SEVERAL: &str = "Supplied AttributeValue has more than one datatypes set, must contain \
                       exactly one of the supported datatypes";
/// How most rules of values begin.
const INVALID: &str = "One or more parameter values were invalid: ";
/// Longest attribute name in bytes.
const NAME_BYTES_MAX: usize = 65_535;

/// The same deferred value, its error found inside the member `name`.
pub(crate) fn deferred_within<T>(deferred: Deferred<T>, name: &str) -> Deferred<T> {
    deferred.map_err(|error| error_within(error, name))
}

/// The same error, found inside the member `name`.
fn error_within(mut error: ValidationError, name: &str) -> ValidationError {
    place_within(&mut error, name);
    error
}

/// Says of an error that it was found inside the member `name`.
pub(crate) fn place_within(error: &mut ValidationError, name: &str) {
    match &mut error.place {
        Some(ErrorPlace::Member(path)) => path.insert(0, name.to_owned()),
        place => *place = Some(ErrorPlace::Member(vec![name.to_owned()])),
    }
}

/// Reads one attribute value.
pub(crate) fn value(json: Json) -> Read<Deferred<AttributeValue>> {
    if json.is_null() {
        return Ok(Err(ValidationError::new(EMPTY)));
    }
    let entries = match json {
        Json::Object(entries) => entries,
        Json::List(_) => {
            return Err(Mismatch::new(format!(
                "Unrecognized collection type class {ATTRIBUTE_VALUE_CLASS}"
            )));
        }
        _ => return Err(Mismatch::new("Unexpected value type in payload")),
    };
    let mut found: Option<Deferred<AttributeValue>> = None;
    let mut has_several = false;
    for (tag, content) in entries {
        if content.is_null() {
            continue;
        }
        let Some(value) = tagged(&tag, content).within(&tag)? else { continue };
        let value = deferred_within(value, &tag);
        has_several |= found.is_some();
        if !matches!(found, Some(Err(_))) {
            found = Some(value);
        }
    }
    Ok(match found {
        None => Err(ValidationError::new(EMPTY)),
        Some(Ok(_)) if has_several => Err(ValidationError::new(SEVERAL)),
        Some(value) => value,
    })
}

/// Reads the content of type tag `tag`; none for a tag that does not exist.
fn tagged(tag: &str, content: Json) -> Read<Option<Deferred<AttributeValue>>> {
    Ok(Some(match tag {
        "S" => Ok(AttributeValue::S(members::text(content)?.into())),
        "N" => number(&members::text(content)?).map(AttributeValue::N),
        "B" => Ok(AttributeValue::B(bytes(content)?)),
        "BOOL" => Ok(AttributeValue::Bool(members::boolean(&content)?)),
        "NULL" => null(members::boolean(&content)?),
        "L" => values(content)?.map(AttributeValue::L),
        "M" => entries(content)?.map(AttributeValue::M),
        "SS" => string_set(content)?,
        "NS" => number_set(content)?,
        "BS" => binary_set(content)?,
        _ => return Ok(None),
    }))
}

fn null(truth: bool) -> Deferred<AttributeValue> {
    if truth {
        Ok(AttributeValue::Null)
    } else {
        Err(invalid("Null attribute value types must have the value of true").of(Rule::Null))
    }
}

fn invalid(rule: impl AsRef<str>) -> ValidationError {
    ValidationError::new(format!("{INVALID}{}", rule.as_ref()))
}

fn wrong_set(rule: impl AsRef<str>) -> ValidationError {
    invalid(rule).of(Rule::Set)
}

/// Reads a number from its text.
fn number(text: &str) -> Deferred<Number> {
    Number::parse(text).map_err(|error| match error {
        NumberError::Syntax if text.is_empty() => {
            ValidationError::new("The parameter cannot be converted to a numeric value")
        }
        NumberError::Syntax => ValidationError::new(format!(
            "The parameter cannot be converted to a numeric value: {text}"
        )),
        NumberError::TooPrecise => {
            ValidationError::new("Attempting to store more than 38 significant digits in a Number")
        }
        NumberError::Overflow => ValidationError::new(
            "Number overflow. Attempting to store a number with magnitude larger than supported \
             range",
        ),
        NumberError::Underflow => ValidationError::new(
            "Number underflow. Attempting to store a number with magnitude smaller than supported \
             range",
        ),
    })
}

/// Reads base64. What is not base64 is a matter of types to DynamoDB.
fn bytes(json: Json) -> Read<Bytes> {
    let text = match json {
        Json::Text(text) => text,
        Json::List(_) => {
            return Err(Mismatch::new("Unrecognized collection type class java.nio.ByteBuffer"));
        }
        Json::Object(_) => {
            return Err(Mismatch::new("Start of structure or map found where not expected"));
        }
        _ => {
            return Err(Mismatch::new("only base-64-encoded strings are convertible to bytes"));
        }
    };
    if text.len() % 4 != 0 {
        return Err(Mismatch::new(format!(
            "Base64 encoded length is expected a multiple of 4 bytes but found: {}",
            text.len()
        )));
    }
    STANDARD.decode(text.as_bytes()).map(Bytes::from).map_err(|error| {
        Mismatch::new(match error {
            base64::DecodeError::InvalidByte(at, _) => {
                let character = text.char_indices().find(|(start, c)| start + c.len_utf8() > at);
                let character = character.map_or('=', |(_, character)| character);
                format!("Invalid Base64 character: '{character}'")
            }
            _ => "Invalid last non-pad Base64 character detected".to_owned(),
        })
    })
}

/// Reads the elements of a list; the first that breaks a rule stands for all.
fn values(json: Json) -> Read<Deferred<Vec<AttributeValue>>> {
    let elements = members::list(json)?;
    let mut values = Vec::with_capacity(elements.len());
    let mut first_error = None;
    for (index, element) in elements.into_iter().enumerate() {
        match value(element).within_element(index)? {
            Ok(value) => values.push(value),
            Err(error) => {
                first_error.get_or_insert_with(|| error_within(error, &index.to_string()));
            }
        }
    }
    Ok(first_error.map_or(Ok(values), Err))
}

/// Reads the entries of a map.
fn entries(json: Json) -> Read<Deferred<IndexMap<SmolStr, AttributeValue>>> {
    collect(json, |_| Ok(()))
}

/// Reads an item or a key.
pub(crate) fn item(json: Json) -> Read<Deferred<Item>> {
    collect(json, check_name)
}

/// An attribute's name is 1 to 65,535 bytes long.
fn check_name(name: &str) -> Deferred<()> {
    if name.is_empty() {
        return Err(invalid("Attribute name must not be empty"));
    }
    if name.len() > NAME_BYTES_MAX {
        return Err(ValidationError::new(
            "Attribute name is too large, must be less than 65536 bytes",
        ));
    }
    Ok(())
}

/// A container of named attribute values.
trait Container {
    fn with_room(n: usize) -> Self;
    fn put(&mut self, name: Cow<'_, str>, value: AttributeValue);
}

impl Container for Item {
    fn with_room(n: usize) -> Self {
        Self::with_capacity(n)
    }
    fn put(&mut self, name: Cow<'_, str>, value: AttributeValue) {
        self.insert(AttributeName::new(&name), value);
    }
}

impl Container for IndexMap<SmolStr, AttributeValue> {
    fn with_room(n: usize) -> Self {
        Self::with_capacity(n)
    }
    fn put(&mut self, name: Cow<'_, str>, value: AttributeValue) {
        self.insert(SmolStr::new(&name), value);
    }
}

/// Reads named attribute values; the first that breaks a rule stands for all.
fn collect<C: Container>(
    json: Json,
    check_name: impl Fn(&str) -> Deferred<()>,
) -> Read<Deferred<C>> {
    let entries = members::map(json, ATTRIBUTE_VALUE_CLASS)?;
    let mut container = C::with_room(entries.len());
    let mut first_error = None;
    for (name, content) in entries {
        let checked = value(content).within(&name)?;
        match check_name(&name).and(checked) {
            Ok(value) => container.put(name, value),
            Err(error) => {
                first_error.get_or_insert_with(|| error_within(error, &name));
            }
        }
    }
    Ok(first_error.map_or(Ok(container), Err))
}

/// Reads the members of a set with `read`.
fn set_members<T>(
    json: Json,
    null_rule: &str,
    mut read: impl FnMut(Json) -> Read<Deferred<T>>,
) -> Read<Deferred<Vec<T>>> {
    let elements = members::list(json)?;
    let mut set = Vec::with_capacity(elements.len());
    let mut first_error = None;
    for (index, element) in elements.into_iter().enumerate() {
        let member = if element.is_null() {
            Err(invalid(null_rule))
        } else {
            read(element).within_element(index)?
        };
        match deferred_within(member, &index.to_string()) {
            Ok(member) => set.push(member),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    Ok(first_error.map_or(Ok(set), Err))
}

fn string_set(json: Json) -> Read<Deferred<AttributeValue>> {
    let rule = "An string set may not have a null string as a member";
    let set = set_members(json, rule, |json| Ok(Ok(SmolStr::from(members::text(json)?))))?;
    Ok(set.and_then(|set| {
        if set.is_empty() {
            return Err(wrong_set("An string set  may not be empty"));
        }
        let shown = set.join(", ");
        StringSet::new(set)
            .map(AttributeValue::Ss)
            .ok_or_else(|| wrong_set(format!("Input collection [{shown}] contains duplicates.")))
    }))
}

fn number_set(json: Json) -> Read<Deferred<AttributeValue>> {
    let rule = "An number set may not have a null number as a member";
    let set = set_members(json, rule, |json| Ok(number(&members::text(json)?)))?;
    Ok(set.and_then(|set| {
        if set.is_empty() {
            return Err(wrong_set("An number set  may not be empty"));
        }
        NumberSet::new(set).map(AttributeValue::Ns).ok_or_else(|| {
            ValidationError::new("Input collection contains duplicates").of(Rule::Set)
        })
    }))
}

fn binary_set(json: Json) -> Read<Deferred<AttributeValue>> {
    let rule = "Binary sets may not contain null values";
    let set = set_members(json, rule, |json| Ok(Ok(bytes(json)?)))?;
    Ok(set.and_then(|set| {
        if set.is_empty() {
            return Err(wrong_set("Binary sets should not be empty"));
        }
        let shown: Vec<String> = set.iter().map(|member| STANDARD.encode(member)).collect();
        BinarySet::new(set).map(AttributeValue::Bs).ok_or_else(|| {
            let shown = shown.join(", ");
            wrong_set(format!("Input collection [{shown}]of type BS contains duplicates."))
        })
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{item_from_json, item_to_json, value_from_json, value_to_json};

    fn message(json: &serde_json::Value) -> String {
        value_from_json(json).expect_err("the value breaks a rule").into_message()
    }

    fn path(json: &serde_json::Value) -> Vec<String> {
        match item_from_json(json).expect_err("the item breaks a rule").place.clone() {
            Some(ErrorPlace::Member(path)) => path,
            other => panic!("no member: {other:?}"),
        }
    }

    #[test]
    fn a_value_without_a_known_tag_is_empty() {
        for json in [json!({}), json!({"X": "a"}), json!({"S": null}), json!(null)] {
            assert_eq!(message(&json), EMPTY);
        }
    }

    #[test]
    fn a_value_with_two_tags_is_refused_unless_one_of_them_is_wrong_in_itself() {
        assert_eq!(message(&json!({"S": "x", "N": "1"})), SEVERAL);
        assert_eq!(
            message(&json!({"S": "x", "N": "abc"})),
            "The parameter cannot be converted to a numeric value: abc"
        );
    }

    #[test]
    fn a_null_tag_beside_another_counts_as_absent() {
        assert_eq!(
            value_from_json(&json!({"S": "x", "N": null})),
            Ok(AttributeValue::S("x".into()))
        );
    }

    #[test]
    fn null_must_be_true() {
        assert_eq!(value_from_json(&json!({"NULL": true})), Ok(AttributeValue::Null));
        assert_eq!(
            message(&json!({"L": [{"NULL": false}]})),
            "One or more parameter values were invalid: Null attribute value types must have the \
             value of true"
        );
    }

    #[test]
    fn each_way_a_number_can_be_wrong_has_its_message() {
        let number = |text: &str| message(&json!({ "N": text }));
        assert_eq!(number(""), "The parameter cannot be converted to a numeric value");
        assert_eq!(number(" 1"), "The parameter cannot be converted to a numeric value:  1");
        assert_eq!(
            number("123456789012345678901234567890123456789"),
            "Attempting to store more than 38 significant digits in a Number"
        );
        assert!(number("1e126").starts_with("Number overflow."));
        assert!(number("1e-131").starts_with("Number underflow."));
    }

    #[test]
    fn empty_sets_are_refused_each_in_its_own_words() {
        let invalid = "One or more parameter values were invalid: ";
        let set = |json| message(&json).strip_prefix(invalid).map(str::to_owned);
        assert_eq!(set(json!({"SS": []})).unwrap(), "An string set  may not be empty");
        assert_eq!(set(json!({"NS": []})).unwrap(), "An number set  may not be empty");
        assert_eq!(set(json!({"BS": []})).unwrap(), "Binary sets should not be empty");
    }

    #[test]
    fn duplicates_in_sets_are_refused_each_in_its_own_words() {
        assert_eq!(
            message(&json!({"SS": ["a", "b", "a"]})),
            "One or more parameter values were invalid: Input collection [a, b, a] contains \
             duplicates."
        );
        assert_eq!(message(&json!({"NS": ["1", "1.0"]})), "Input collection contains duplicates");
        assert_eq!(
            message(&json!({"BS": ["AA==", "AA=="]})),
            "One or more parameter values were invalid: Input collection [AA==, AA==]of type BS \
             contains duplicates."
        );
    }

    #[test]
    fn an_error_knows_the_path_to_the_value_it_is_about() {
        assert_eq!(path(&json!({"a": {"N": "x"}})), ["a", "N"]);
        assert_eq!(
            path(&json!({"a": {"M": {"b": {"L": [{"S": ""}, {"NS": ["1", "x"]}]}}}})),
            ["a", "M", "b", "L", "1", "NS", "1"]
        );
    }

    #[test]
    fn the_first_of_two_errors_in_an_item_wins() {
        assert_eq!(path(&json!({"a": {"N": "x"}, "b": {}})), ["a", "N"]);
    }

    #[test]
    fn an_attribute_name_must_not_be_empty_but_a_key_of_a_map_may() {
        assert!(item_from_json(&json!({"": {"S": "x"}})).is_err());
        assert!(value_from_json(&json!({"M": {"": {"S": "x"}}})).is_ok());
    }

    #[test]
    fn text_that_is_not_base64_is_a_matter_of_types() {
        assert_eq!(
            message(&json!({"B": "abc"})),
            "Base64 encoded length is expected a multiple of 4 bytes but found: 3"
        );
        assert_eq!(message(&json!({"B": "a*cd"})), "Invalid Base64 character: '*'");
        assert_eq!(message(&json!({"B": "aéébcd"})), "Invalid Base64 character: 'é'");
        assert_eq!(
            message(&json!({"B": 1})),
            "only base-64-encoded strings are convertible to bytes"
        );
    }

    fn numbers() -> impl Strategy<Value = Number> {
        ("-?[1-9][0-9]{0,20}", -40_i32..40)
            .prop_map(|(digits, exponent)| Number::parse(&format!("{digits}e{exponent}")).unwrap())
    }

    fn values() -> impl Strategy<Value = AttributeValue> {
        let text = any::<String>().prop_map(SmolStr::from);
        let raw = || prop::collection::vec(any::<u8>(), 0..20).prop_map(Bytes::from);
        let leaf = prop_oneof![
            text.prop_map(AttributeValue::S),
            numbers().prop_map(AttributeValue::N),
            raw().prop_map(AttributeValue::B),
            any::<bool>().prop_map(AttributeValue::Bool),
            Just(AttributeValue::Null),
            prop::collection::btree_set(any::<String>().prop_map(SmolStr::from), 1..4)
                .prop_map(|set| StringSet::new(set.into_iter().collect()).unwrap())
                .prop_map(AttributeValue::Ss),
            prop::collection::btree_set(numbers(), 1..4)
                .prop_map(|set| NumberSet::new(set.into_iter().collect()).unwrap())
                .prop_map(AttributeValue::Ns),
            prop::collection::btree_set(raw(), 1..4)
                .prop_map(|set| BinarySet::new(set.into_iter().collect()).unwrap())
                .prop_map(AttributeValue::Bs),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let name = any::<String>().prop_map(SmolStr::from);
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
                prop::collection::vec((name, inner), 0..4)
                    .prop_map(|entries| AttributeValue::M(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_value_written_and_read_again_is_the_same(value in values()) {
            let mut writer = crate::writer::Writer::default();
            writer.value(&value);
            let text = writer.finish();
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&value_to_json(&value), &json);
            prop_assert_eq!(value_from_json(&json), Ok(value));
        }

        #[test]
        fn an_item_written_and_read_again_is_the_same(
            attributes in prop::collection::vec(("[a-z]{1,5}", values()), 0..5)
        ) {
            let item: Item =
                attributes.into_iter().map(|(name, value)| (name.into(), value)).collect();
            prop_assert_eq!(item_from_json(&item_to_json(&item)), Ok(item));
        }
    }
}

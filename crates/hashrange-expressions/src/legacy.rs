//! The parameters from before expressions, turned into the same trees.
//!
//! Invariant: what comes out behaves as the legacy parameter does, so nothing downstream knows the difference.
//!
//! Source: facts 4.11; API reference, "Legacy conditional parameters".

use hashrange_types::operation::{
    AttributeAction, AttributeUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttribute,
    LegacyCondition,
};
use hashrange_types::{AttributeName, AttributeValue, Deferred, DocumentPath, ValidationError};
use smol_str::SmolStr;

use crate::key_condition::{AttributeCondition, KeyCondition, SortCondition};
use crate::projection::ProjectionPaths;
use crate::syntax::{Comparator, Condition, Operand, SetValue, UpdateAction, UpdateOperand};
use crate::update::Update;

/// The condition of QueryFilter or ScanFilter.
///
/// # Errors
/// A value is wrong, or its operator does not take such values.
pub fn legacy_condition(
    conditions: &[LegacyCondition],
    operator: ConditionalOperator,
) -> Result<Condition, ValidationError> {
    let conditions = conditions
        .iter()
        .map(|entry| {
            let values = checked_values(entry.operator, &entry.values)?;
            Ok(compare(&entry.attribute, entry.operator, values))
        })
        .collect::<Result<Vec<_>, ValidationError>>()?;
    Ok(joined(conditions, operator))
}

/// The condition of Expected.
///
/// # Errors
/// Members of an entry contradict each other, a value is wrong, or its operator does not take such values.
pub fn legacy_expected(
    expected: &[ExpectedAttribute],
    operator: ConditionalOperator,
) -> Result<Condition, ValidationError> {
    let conditions = expected.iter().map(expected_condition).collect::<Result<Vec<_>, _>>()?;
    Ok(joined(conditions, operator))
}

/// The update of AttributeUpdates.
///
/// # Errors
/// A value is wrong, or its action does not take such a value.
pub fn legacy_update(updates: &[AttributeUpdate]) -> Result<Update, ValidationError> {
    let actions = updates.iter().map(update_action).collect::<Result<Vec<_>, _>>()?;
    Ok(Update::new(actions, true))
}

/// The key condition of KeyConditions.
///
/// # Errors
/// There are none or more than two, a value is wrong, or the operator does not find keys.
pub fn legacy_key_condition(
    conditions: &[LegacyCondition],
) -> Result<KeyCondition, ValidationError> {
    if conditions.is_empty() || conditions.len() > 2 {
        return Err(ValidationError::new("Conditions can be of length 1 or 2 only"));
    }
    let conditions = conditions.iter().map(key_condition).collect::<Result<Vec<_>, _>>()?;
    Ok(KeyCondition::new(conditions))
}

/// The projection of AttributesToGet.
///
/// # Errors
/// A name stands twice.
pub fn legacy_projection(names: &[SmolStr]) -> Result<ProjectionPaths, ValidationError> {
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(invalid(&["Duplicate value in attribute name: ", name]));
        }
    }
    Ok(ProjectionPaths::top_level(names.iter().map(|name| AttributeName::new(name)).collect()))
}

/// An error with the words that start most legacy messages.
fn invalid(parts: &[&str]) -> ValidationError {
    let mut message = String::from("One or more parameter values were invalid: ");
    for part in parts {
        message.push_str(part);
    }
    ValidationError::new(message)
}

fn joined(mut conditions: Vec<Condition>, operator: ConditionalOperator) -> Condition {
    if conditions.len() == 1 {
        return conditions.remove(0);
    }
    match operator {
        ConditionalOperator::Or if !conditions.is_empty() => Condition::Any(conditions),
        _ => Condition::All(conditions),
    }
}

fn top(attribute: &str) -> DocumentPath {
    DocumentPath::top(AttributeName::new(attribute))
}

/// The values, if valid, as many as the operator takes, of one type, and of a type it takes.
fn checked_values(
    operator: ComparisonOperator,
    values: &[Deferred<AttributeValue>],
) -> Result<Vec<AttributeValue>, ValidationError> {
    let values: Vec<AttributeValue> = values.iter().cloned().collect::<Result<_, _>>()?;
    let name = operator.name();
    let is_right_number = match operator {
        ComparisonOperator::Null | ComparisonOperator::NotNull => values.is_empty(),
        ComparisonOperator::In => !values.is_empty(),
        ComparisonOperator::Between => values.len() == 2,
        _ => values.len() == 1,
    };
    if !is_right_number {
        return Err(invalid(&[
            "Invalid number of argument(s) for the ",
            name,
            " ComparisonOperator",
        ]));
    }
    if values.windows(2).any(|pair| pair[0].tag() != pair[1].tag()) {
        return Err(invalid(&["AttributeValues inside AttributeValueList must be of same type"]));
    }
    let allowed: &[&str] = match operator {
        ComparisonOperator::BeginsWith => &["S", "B"],
        ComparisonOperator::Eq | ComparisonOperator::Ne => {
            &["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"]
        }
        _ => &["S", "N", "B"],
    };
    if let Some(value) = values.iter().find(|value| !allowed.contains(&value.tag())) {
        return Err(invalid(&[
            "ComparisonOperator ",
            name,
            " is not valid for ",
            value.tag(),
            " AttributeValue type",
        ]));
    }
    if let (ComparisonOperator::Between, [lower, upper]) = (operator, values.as_slice())
        && lower.scalar_cmp(upper).is_some_and(std::cmp::Ordering::is_gt)
    {
        return Err(ValidationError::new(
            "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
        ));
    }
    Ok(values)
}

/// The condition on one attribute; `values` are as many as the operator takes.
fn compare(
    attribute: &str,
    operator: ComparisonOperator,
    values: Vec<AttributeValue>,
) -> Condition {
    let path = top(attribute);
    let operand = Operand::Path(path.clone());
    let mut values = values.into_iter().map(Operand::Value);
    let comparator = match operator {
        ComparisonOperator::Eq => Comparator::Equal,
        ComparisonOperator::Ne => Comparator::NotEqual,
        ComparisonOperator::Lt => Comparator::Less,
        ComparisonOperator::Le => Comparator::LessOrEqual,
        ComparisonOperator::Gt => Comparator::Greater,
        ComparisonOperator::Ge => Comparator::GreaterOrEqual,
        ComparisonOperator::Null => return Condition::AttributeNotExists(path),
        ComparisonOperator::NotNull => return Condition::AttributeExists(path),
        ComparisonOperator::In => return Condition::In { operand, candidates: values.collect() },
        ComparisonOperator::Between => {
            let (lower, upper) = (next(&mut values), next(&mut values));
            return Condition::Between { operand, lower, upper };
        }
        ComparisonOperator::BeginsWith => {
            return Condition::BeginsWith { operand, prefix: next(&mut values) };
        }
        ComparisonOperator::Contains => {
            return Condition::Contains { operand, member: next(&mut values) };
        }
        ComparisonOperator::NotContains => {
            let contains = Condition::Contains { operand, member: next(&mut values) };
            return Condition::All(vec![
                Condition::AttributeExists(path),
                Condition::Not(Box::new(contains)),
            ]);
        }
    };
    Condition::Compare { comparator, left: operand, right: next(&mut values) }
}

/// The next value of a list whose length was checked.
fn next(values: &mut impl Iterator<Item = Operand>) -> Operand {
    values.next().expect("the operator has as many values as it takes")
}

fn expected_condition(entry: &ExpectedAttribute) -> Result<Condition, ValidationError> {
    let attribute = entry.attribute.as_str();
    if entry.value.is_some() && entry.values.is_some() {
        let reason = "Value and AttributeValueList cannot be used together for Attribute: ";
        return Err(invalid(&[reason, attribute]));
    }
    let Some(operator) = entry.operator else { return exists_condition(entry) };
    if entry.exists.is_some() {
        let reason = "Exists and ComparisonOperator cannot be used together for Attribute: ";
        return Err(invalid(&[reason, attribute]));
    }
    let takes_values = !matches!(operator, ComparisonOperator::Null | ComparisonOperator::NotNull);
    if takes_values && entry.values.is_none() && entry.value.is_none() {
        return Err(invalid(&[
            "Value or AttributeValueList must be used with ComparisonOperator: ",
            operator.name(),
            " for Attribute: ",
            attribute,
        ]));
    }
    let values = match (&entry.values, &entry.value) {
        (Some(values), _) => checked_values(operator, values)?,
        (None, Some(value)) => checked_values(operator, std::slice::from_ref(value))?,
        (None, None) => checked_values(operator, &[])?,
    };
    Ok(compare(attribute, operator, values))
}

/// The oldest form: `Exists` and `Value`.
fn exists_condition(entry: &ExpectedAttribute) -> Result<Condition, ValidationError> {
    let attribute = entry.attribute.as_str();
    if entry.values.is_some() {
        let reason =
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: ";
        return Err(invalid(&[reason, attribute]));
    }
    match (entry.exists, &entry.value) {
        (Some(false), Some(_)) => {
            let reason = "Value cannot be used when Exists is false for Attribute: ";
            Err(invalid(&[reason, attribute]))
        }
        (Some(false), None) => Ok(Condition::AttributeNotExists(top(attribute))),
        (exists, None) => {
            let exists = if exists.is_none() { "null" } else { "true" };
            Err(invalid(&[
                "Value must be provided when Exists is ",
                exists,
                " for Attribute: ",
                attribute,
            ]))
        }
        (_, Some(value)) => Ok(compare(attribute, ComparisonOperator::Eq, vec![value.clone()?])),
    }
}

fn update_action(update: &AttributeUpdate) -> Result<UpdateAction, ValidationError> {
    let path = top(&update.attribute);
    let Some(value) = update.value.clone().transpose()? else {
        if update.action == AttributeAction::Delete {
            return Ok(UpdateAction::Remove { path });
        }
        return Err(invalid(&[
            "Only DELETE action is allowed when no attribute value is specified",
        ]));
    };
    match (update.action, value.tag()) {
        (AttributeAction::Put, _) => {
            let value = SetValue::Operand(UpdateOperand::Value(value));
            Ok(UpdateAction::Set { path, value })
        }
        (AttributeAction::Add, "N" | "SS" | "NS" | "BS" | "L") => {
            Ok(UpdateAction::Add { path, value })
        }
        (AttributeAction::Add, tag) => {
            Err(invalid(&["ADD action is not supported for the type ", tag]))
        }
        (AttributeAction::Delete, "SS" | "NS" | "BS") => Ok(UpdateAction::Delete { path, value }),
        (AttributeAction::Delete, tag) => {
            Err(invalid(&["DELETE action with value is not supported for the type ", tag]))
        }
    }
}

fn key_condition(entry: &LegacyCondition) -> Result<AttributeCondition, ValidationError> {
    let mut values = checked_values(entry.operator, &entry.values)?.into_iter();
    let mut next = || values.next().expect("the operator has as many values as it takes");
    let condition = match entry.operator {
        ComparisonOperator::Eq => SortCondition::Equal(next()),
        ComparisonOperator::Lt => SortCondition::Less(next()),
        ComparisonOperator::Le => SortCondition::LessOrEqual(next()),
        ComparisonOperator::Gt => SortCondition::Greater(next()),
        ComparisonOperator::Ge => SortCondition::GreaterOrEqual(next()),
        ComparisonOperator::BeginsWith => SortCondition::BeginsWith(next()),
        ComparisonOperator::Between => SortCondition::Between(next(), next()),
        _ => {
            let message = "Attempted conditional constraint is not an indexable operation";
            return Err(ValidationError::new(message));
        }
    };
    let attribute = AttributeName::new(&entry.attribute);
    Ok(AttributeCondition { attribute, condition, place: None })
}

#[cfg(test)]
mod tests {
    use hashrange_types::{Item, KeyAttribute, KeySchema, ScalarType};

    use super::*;
    use crate::fixture::{item, l, m, n, s, ss};

    fn sample() -> Item {
        item(&[("n", n("5")), ("s", s("abc")), ("l", l(&[n("1")])), ("ss", ss(&["x"]))])
    }

    fn entry(
        attribute: &str,
        operator: ComparisonOperator,
        values: &[AttributeValue],
    ) -> LegacyCondition {
        let values = values.iter().cloned().map(Ok).collect();
        LegacyCondition { attribute: attribute.into(), operator, values }
    }

    #[track_caller]
    fn check(
        is_true: bool,
        attribute: &str,
        operator: ComparisonOperator,
        values: &[AttributeValue],
    ) {
        let condition =
            legacy_condition(&[entry(attribute, operator, values)], ConditionalOperator::And);
        assert_eq!(condition.unwrap().holds(&sample()), is_true, "{attribute} {operator:?}");
    }

    #[track_caller]
    fn check_refused(operator: ComparisonOperator, values: &[AttributeValue], reason: &str) {
        let error = legacy_condition(&[entry("a", operator, values)], ConditionalOperator::And);
        let message = error.unwrap_err().into_message();
        assert_eq!(message.strip_prefix(PREFIX).unwrap_or(&message), reason);
    }

    const PREFIX: &str = "One or more parameter values were invalid: ";

    fn expected(attribute: &str) -> ExpectedAttribute {
        ExpectedAttribute {
            attribute: attribute.into(),
            value: None,
            exists: None,
            operator: None,
            values: None,
        }
    }

    #[test]
    fn operators_compare_as_their_expressions_do() {
        use ComparisonOperator as Op;
        check(true, "n", Op::Eq, &[n("5.0")]);
        check(true, "nope", Op::Ne, &[n("5")]);
        check(false, "nope", Op::Lt, &[n("5")]);
        check(true, "n", Op::Le, &[n("5")]);
        check(true, "n", Op::In, &[n("1"), n("5")]);
        check(true, "n", Op::Between, &[n("1"), n("5")]);
        check(true, "s", Op::BeginsWith, &[s("a")]);
        check(true, "nope", Op::Null, &[]);
        check(false, "nope", Op::NotNull, &[]);
        check(true, "ss", Op::Contains, &[s("x")]);
        check(true, "l", Op::Contains, &[n("1")]);
    }

    #[test]
    fn not_contains_needs_the_attribute() {
        check(true, "ss", ComparisonOperator::NotContains, &[s("y")]);
        check(false, "ss", ComparisonOperator::NotContains, &[s("x")]);
        check(false, "nope", ComparisonOperator::NotContains, &[s("x")]);
    }

    #[test]
    fn conditions_are_joined_by_and_or_by_or() {
        let conditions = [
            entry("n", ComparisonOperator::Eq, &[n("5")]),
            entry("s", ComparisonOperator::Eq, &[s("no")]),
        ];
        let holds = |operator| legacy_condition(&conditions, operator).unwrap().holds(&sample());
        assert!(!holds(ConditionalOperator::And));
        assert!(holds(ConditionalOperator::Or));
        assert!(legacy_condition(&[], ConditionalOperator::Or).unwrap().holds(&sample()));
    }

    #[test]
    fn operators_take_so_many_values_of_such_types() {
        use ComparisonOperator as Op;
        let number =
            |name| format!("Invalid number of argument(s) for the {name} ComparisonOperator");
        check_refused(Op::Eq, &[], &number("EQ"));
        check_refused(Op::Between, &[n("1")], &number("BETWEEN"));
        check_refused(Op::NotNull, &[n("1")], &number("NOT_NULL"));
        check_refused(Op::In, &[], &number("IN"));
        let same = "AttributeValues inside AttributeValueList must be of same type";
        check_refused(Op::Between, &[n("1"), s("2")], same);
        let reason = "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type";
        check_refused(Op::BeginsWith, &[n("1")], reason);
        let reason = "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound";
        check_refused(Op::Between, &[n("2"), n("1")], reason);
        let broken = Err(ValidationError::new("broken"));
        let entry =
            LegacyCondition { attribute: "a".into(), operator: Op::Eq, values: vec![broken] };
        let error = legacy_condition(&[entry], ConditionalOperator::And).unwrap_err();
        assert_eq!(error.message, "broken");
    }

    #[test]
    fn expected_checks_its_members_against_one_another() {
        let value = || Some(Ok(n("5")));
        let eq = Some(ComparisonOperator::Eq);
        let list = || Some(vec![Ok(n("5"))]);
        let cases = [
            (
                ExpectedAttribute { exists: Some(true), ..expected("v") },
                "Value must be provided when Exists is true for Attribute: v",
            ),
            (expected("v"), "Value must be provided when Exists is null for Attribute: v"),
            (
                ExpectedAttribute { exists: Some(false), value: value(), ..expected("v") },
                "Value cannot be used when Exists is false for Attribute: v",
            ),
            (
                ExpectedAttribute {
                    exists: Some(true),
                    operator: eq,
                    values: list(),
                    ..expected("v")
                },
                "Exists and ComparisonOperator cannot be used together for Attribute: v",
            ),
            (
                ExpectedAttribute { value: value(), operator: eq, values: list(), ..expected("v") },
                "Value and AttributeValueList cannot be used together for Attribute: v",
            ),
            (
                ExpectedAttribute { values: list(), ..expected("v") },
                "AttributeValueList can only be used with a ComparisonOperator for Attribute: v",
            ),
            (
                ExpectedAttribute { operator: eq, ..expected("v") },
                "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: v",
            ),
        ];
        for (entry, reason) in cases {
            let error = legacy_expected(&[entry], ConditionalOperator::And).unwrap_err();
            assert_eq!(error.message, format!("{PREFIX}{reason}"));
        }
    }

    #[test]
    fn expected_compares_a_value_or_asks_that_there_is_none() {
        let holds =
            |entry| legacy_expected(&[entry], ConditionalOperator::And).unwrap().holds(&sample());
        assert!(holds(ExpectedAttribute { value: Some(Ok(n("5"))), ..expected("n") }));
        assert!(!holds(ExpectedAttribute {
            value: Some(Ok(n("4"))),
            exists: Some(true),
            ..expected("n")
        }));
        assert!(holds(ExpectedAttribute { exists: Some(false), ..expected("nope") }));
        assert!(holds(ExpectedAttribute {
            operator: Some(ComparisonOperator::Gt),
            value: Some(Ok(n("4"))),
            ..expected("n")
        }));
        assert!(holds(ExpectedAttribute {
            operator: Some(ComparisonOperator::NotNull),
            ..expected("n")
        }));
    }

    fn change(
        attribute: &str,
        action: AttributeAction,
        value: Option<AttributeValue>,
    ) -> AttributeUpdate {
        AttributeUpdate { attribute: attribute.into(), action, value: value.map(Ok) }
    }

    #[test]
    fn attribute_updates_put_add_and_delete() {
        let update = legacy_update(&[
            change("new", AttributeAction::Put, Some(s("x"))),
            change("n", AttributeAction::Add, Some(n("2"))),
            change("l", AttributeAction::Add, Some(l(&[n("2")]))),
            change("ss", AttributeAction::Delete, Some(ss(&["x"]))),
            change("s", AttributeAction::Delete, None),
        ]);
        let after = item(&[("n", n("7")), ("l", l(&[n("1"), n("2")])), ("new", s("x"))]);
        let update = update.unwrap();
        assert_eq!(update.apply(&sample()).unwrap(), after);
        assert!(update.creates_item());
        assert!(legacy_update(&[]).unwrap().creates_item());
    }

    #[test]
    fn attribute_updates_refuse_types_their_actions_do_not_take() {
        for (update, reason) in [
            (
                change("a", AttributeAction::Put, None),
                "Only DELETE action is allowed when no attribute value is specified",
            ),
            (
                change("a", AttributeAction::Delete, Some(s("x"))),
                "DELETE action with value is not supported for the type S",
            ),
            (
                change("a", AttributeAction::Add, Some(m(&[]))),
                "ADD action is not supported for the type M",
            ),
        ] {
            let error = legacy_update(&[update]).unwrap_err();
            assert_eq!(error.message, format!("{PREFIX}{reason}"));
        }
        let update = legacy_update(&[change("s", AttributeAction::Add, Some(n("1")))]).unwrap();
        let error = update.apply(&sample()).unwrap_err();
        assert_eq!(error.message, "Type mismatch for attribute to update");
    }

    #[test]
    fn key_conditions_are_one_or_two_that_find_a_range() {
        let schema = KeySchema {
            partition: vec![KeyAttribute { name: "pk".into(), scalar: ScalarType::S }],
            sort: vec![KeyAttribute { name: "sk".into(), scalar: ScalarType::N }],
        };
        let hash = entry("pk", ComparisonOperator::Eq, &[s("a")]);
        let between = entry("sk", ComparisonOperator::Between, &[n("1"), n("2")]);
        let resolved = legacy_key_condition(&[between, hash.clone()]).unwrap().resolve(&schema);
        assert_eq!(resolved.unwrap().sort, Some(SortCondition::Between(n("1"), n("2"))));
        let message = |conditions: &[LegacyCondition]| {
            legacy_key_condition(conditions).unwrap_err().into_message()
        };
        assert_eq!(message(&[]), "Conditions can be of length 1 or 2 only");
        assert_eq!(
            message(&[hash, entry("sk", ComparisonOperator::Ne, &[n("1")])]),
            "Attempted conditional constraint is not an indexable operation"
        );
    }

    #[test]
    fn attributes_to_get_names_no_attribute_twice() {
        assert_eq!(legacy_projection(&["a".into(), "b".into()]).unwrap().paths().len(), 2);
        let error = legacy_projection(&["a".into(), "b".into(), "a".into()]).unwrap_err();
        assert_eq!(error.message, format!("{PREFIX}Duplicate value in attribute name: a"));
    }
}

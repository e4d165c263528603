//! `KeyCondition`: which partition and which part of it a Query reads.
//!
//! Invariant: one condition per attribute, each comparing a top-level attribute with given values.
//!
//! Not here: turning the condition into bytes of a range (`hashrange-engine`).
//!
//! Source: facts 4.6 and 4.10.1 rows 36 and 37; multi-attribute keys, facts 1.5.

use hashrange_types::{
    AttributeName, AttributeValue, ErrorPlace, ExpressionParameter, Item, KeyAttribute, KeySchema,
    ValidationError,
};

use crate::condition::begins_with;
use crate::error::{ExpressionError, Located};
use crate::lexer::Span;
use crate::parser::tree::RawCondition;
use crate::syntax::{Comparator, Condition, Operand};

/// A key condition that is right by itself; whether it fits a table or index, [`KeyCondition::resolve`] tells.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyCondition {
    conditions: Vec<AttributeCondition>,
}

/// The condition on one attribute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttributeCondition {
    pub(crate) attribute: AttributeName,
    pub(crate) condition: SortCondition,
    pub(crate) place: Option<ErrorPlace>,
}

/// What a key condition asks of one attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortCondition {
    /// Equal to this value.
    Equal(AttributeValue),
    /// Below this value.
    Less(AttributeValue),
    /// This value or below.
    LessOrEqual(AttributeValue),
    /// Above this value.
    Greater(AttributeValue),
    /// This value or above.
    GreaterOrEqual(AttributeValue),
    /// From the first value to the second, both included.
    Between(AttributeValue, AttributeValue),
    /// Text or bytes that start with this value.
    BeginsWith(AttributeValue),
}

/// A key condition that fits a key schema.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedKeyCondition {
    /// The values of all partition attributes.
    pub partition: Item,
    /// The sort attributes before the last one named, and what each must equal.
    pub sort_prefix: Vec<(AttributeName, AttributeValue)>,
    /// What is asked of the last sort attribute named, if any is.
    pub sort: Option<SortCondition>,
    /// The attribute `sort` is about.
    pub sort_attribute: Option<AttributeName>,
}

impl SortCondition {
    /// True if a sort value satisfies the condition.
    pub fn matches(&self, value: &AttributeValue) -> bool {
        let is = |comparator: Comparator, bound: &AttributeValue| {
            value.scalar_cmp(bound).is_some_and(|order| comparator.accepts(order))
        };
        match self {
            Self::Equal(bound) => value == bound,
            Self::Less(bound) => is(Comparator::Less, bound),
            Self::LessOrEqual(bound) => is(Comparator::LessOrEqual, bound),
            Self::Greater(bound) => is(Comparator::Greater, bound),
            Self::GreaterOrEqual(bound) => is(Comparator::GreaterOrEqual, bound),
            Self::Between(lower, upper) => {
                is(Comparator::GreaterOrEqual, lower) && is(Comparator::LessOrEqual, upper)
            }
            Self::BeginsWith(prefix) => begins_with(value, prefix),
        }
    }

    /// The values compared with, lower before upper.
    pub fn values(&self) -> impl Iterator<Item = &AttributeValue> {
        let (first, second) = match self {
            Self::Between(lower, upper) => (lower, Some(upper)),
            Self::Equal(value)
            | Self::Less(value)
            | Self::LessOrEqual(value)
            | Self::Greater(value)
            | Self::GreaterOrEqual(value)
            | Self::BeginsWith(value) => (value, None),
        };
        std::iter::once(first).chain(second)
    }

    fn of_comparator(
        comparator: Comparator,
        value: AttributeValue,
    ) -> Result<Self, ExpressionError> {
        Ok(match comparator {
            Comparator::Equal => Self::Equal(value),
            Comparator::Less => Self::Less(value),
            Comparator::LessOrEqual => Self::LessOrEqual(value),
            Comparator::Greater => Self::Greater(value),
            Comparator::GreaterOrEqual => Self::GreaterOrEqual(value),
            Comparator::NotEqual => return Err(ExpressionError::KeyOperator("<>")),
        })
    }
}

impl KeyCondition {
    pub(crate) const fn new(conditions: Vec<AttributeCondition>) -> Self {
        Self { conditions }
    }

    /// The attributes that conditions are about, in the order written.
    pub fn attributes(&self) -> impl Iterator<Item = &AttributeName> {
        self.conditions.iter().map(|condition| &condition.attribute)
    }

    /// Takes a bound condition apart; `tree` is the same condition as written, for places.
    pub(crate) fn from_condition(
        tree: &RawCondition,
        condition: Condition,
    ) -> Result<Self, Located> {
        let mut conditions = Vec::new();
        push_conditions(tree, condition, &mut conditions)?;
        Ok(Self { conditions })
    }

    /// Fits the condition to a key schema: equality on every partition attribute, then sort attributes from left to
    /// right without gaps, of which only the last may be compared otherwise.
    ///
    /// # Errors
    /// DynamoDB's message for the first rule broken.
    pub fn resolve(&self, schema: &KeySchema) -> Result<ResolvedKeyCondition, ValidationError> {
        let n_key_attributes = schema.partition.len() + schema.sort.len();
        if self.conditions.len() > n_key_attributes {
            return Err(ValidationError::new(format!(
                "The number of query conditions ({}) exceeds the number of key attributes defined in the schema ({n_key_attributes})",
                self.conditions.len()
            )));
        }
        let mut partition = Item::new();
        for attribute in &schema.partition {
            let found = self.on(attribute).ok_or_else(|| missed(attribute))?;
            check_type(found, attribute)?;
            let SortCondition::Equal(value) = &found.condition else {
                return Err(not_supported(found));
            };
            partition.insert(attribute.name.clone(), value.clone());
        }
        let n_sort = self.conditions.len() - schema.partition.len();
        let mut sort_attributes: Vec<&AttributeCondition> = Vec::with_capacity(n_sort);
        for attribute in schema.sort.iter().take(n_sort) {
            let found = self.on(attribute).ok_or_else(|| missed(attribute))?;
            check_type(found, attribute)?;
            sort_attributes.push(found);
        }
        let mut resolved = ResolvedKeyCondition {
            partition,
            sort_prefix: Vec::new(),
            sort: None,
            sort_attribute: None,
        };
        if let Some((last, before)) = sort_attributes.split_last() {
            for found in before {
                let SortCondition::Equal(value) = &found.condition else {
                    return Err(not_supported(found));
                };
                resolved.sort_prefix.push((found.attribute.clone(), value.clone()));
            }
            resolved.sort = Some(last.condition.clone());
            resolved.sort_attribute = Some(last.attribute.clone());
        }
        Ok(resolved)
    }

    fn on(&self, attribute: &KeyAttribute) -> Option<&AttributeCondition> {
        self.conditions.iter().find(|condition| condition.attribute == attribute.name)
    }
}

fn missed(attribute: &KeyAttribute) -> ValidationError {
    let mut message = String::from("Query condition missed key schema element: ");
    message.push_str(attribute.name.as_str());
    ValidationError::new(message)
}

fn placed(error: ValidationError, found: &AttributeCondition) -> ValidationError {
    match &found.place {
        Some(place) => error.at(place.clone()),
        None => error,
    }
}

fn not_supported(found: &AttributeCondition) -> ValidationError {
    placed(ValidationError::new("Query key condition not supported"), found)
}

/// Values must have the key's type, and may not be empty.
fn check_type(found: &AttributeCondition, attribute: &KeyAttribute) -> Result<(), ValidationError> {
    for value in found.condition.values() {
        if value.scalar_type() != Some(attribute.scalar) {
            let error = ValidationError::new(
                "One or more parameter values were invalid: Condition parameter type does not match schema type",
            );
            return Err(placed(error, found));
        }
        let kind = match value {
            AttributeValue::S(text) if text.is_empty() => "string",
            AttributeValue::B(bytes) if bytes.is_empty() => "binary",
            _ => continue,
        };
        let error = ValidationError::new(format!(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {kind} value. Key: {}",
            attribute.name
        ));
        return Err(placed(error, found));
    }
    Ok(())
}

fn push_conditions(
    tree: &RawCondition,
    condition: Condition,
    conditions: &mut Vec<AttributeCondition>,
) -> Result<(), Located> {
    let span = tree.span();
    let (attribute, condition) = match (tree, condition) {
        (RawCondition::All(trees), Condition::All(parts)) => {
            return trees
                .iter()
                .zip(parts)
                .try_for_each(|(tree, part)| push_conditions(tree, part, conditions));
        }
        (_, Condition::Compare { comparator, left, right }) => {
            let at = attribute_of(&[&left, &right], span)?;
            let (comparator, value) = match (left, right) {
                (_, Operand::Value(value)) if at.1 == 0 => (comparator, value),
                (Operand::Value(value), _) => (comparator.swapped(), value),
                _ => return Err(ExpressionError::NestedOperation.at(span)),
            };
            let condition = SortCondition::of_comparator(comparator, value);
            (at.0, condition.map_err(|error| error.at(span))?)
        }
        (_, Condition::Between { operand, lower, upper }) => {
            let attribute = first_attribute("BETWEEN", &[&operand, &lower, &upper], span)?;
            match (lower, upper) {
                (Operand::Value(lower), Operand::Value(upper)) => {
                    (attribute, SortCondition::Between(lower, upper))
                }
                _ => return Err(ExpressionError::NestedOperation.at(span)),
            }
        }
        (_, Condition::BeginsWith { operand, prefix }) => {
            let attribute = first_attribute("begins_with", &[&operand, &prefix], span)?;
            match prefix {
                Operand::Value(prefix) => (attribute, SortCondition::BeginsWith(prefix)),
                _ => return Err(ExpressionError::NestedOperation.at(span)),
            }
        }
        (_, other) => return Err(ExpressionError::KeyOperator(operator_of(&other)).at(span)),
    };
    if conditions.iter().any(|known| known.attribute == attribute) {
        return Err(ExpressionError::RepeatedKey.at(span));
    }
    let place = ErrorPlace::Expression {
        parameter: ExpressionParameter::KeyCondition,
        start: span.start,
        end: span.end,
    };
    conditions.push(AttributeCondition { attribute, condition, place: Some(place) });
    Ok(())
}

/// The one attribute among the operands and its position.
fn attribute_of(operands: &[&Operand], span: Span) -> Result<(AttributeName, usize), Located> {
    let mut found = None;
    for (at, operand) in operands.iter().enumerate() {
        match operand {
            Operand::Value(_) => {}
            Operand::Size(_) => return Err(ExpressionError::NestedOperation.at(span)),
            Operand::Path(_) if found.is_some() => {
                return Err(ExpressionError::SeveralKeys.at(span));
            }
            Operand::Path(path) if !path.is_top_level() => {
                return Err(ExpressionError::NestedKey.at(span));
            }
            Operand::Path(path) => found = Some((path.attribute.clone(), at)),
        }
    }
    found.ok_or_else(|| ExpressionError::NoKey.at(span))
}

/// The one attribute among the operands, which must be the first.
fn first_attribute(
    operator: &'static str,
    operands: &[&Operand],
    span: Span,
) -> Result<AttributeName, Located> {
    match operands.first() {
        Some(Operand::Value(_)) => Err(ExpressionError::KeyNotFirst(operator).at(span)),
        _ => Ok(attribute_of(operands, span)?.0),
    }
}

const fn operator_of(condition: &Condition) -> &'static str {
    match condition {
        Condition::All(_) => "AND",
        Condition::Any(_) => "OR",
        Condition::Not(_) => "NOT",
        Condition::In { .. } => "IN",
        Condition::AttributeExists(_) => "attribute_exists",
        Condition::AttributeNotExists(_) => "attribute_not_exists",
        Condition::AttributeType { .. } => "attribute_type",
        Condition::Contains { .. } => "contains",
        Condition::BeginsWith { .. } => "begins_with",
        Condition::Between { .. } => "BETWEEN",
        Condition::Compare { comparator, .. } => comparator.symbol(),
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::ScalarType;

    use super::*;
    use crate::fixture::{complaint, item, key_condition, n, s};

    fn attribute(name: &str, scalar: ScalarType) -> KeyAttribute {
        KeyAttribute { name: name.into(), scalar }
    }

    fn schema(partition: &[&str], sort: &[&str]) -> KeySchema {
        let key = |names: &[&str]| {
            names.iter().map(|name| attribute(name, ScalarType::S)).collect::<Vec<_>>()
        };
        KeySchema { partition: key(partition), sort: key(sort) }
    }

    #[track_caller]
    fn resolved(text: &str) -> ResolvedKeyCondition {
        key_condition(text).unwrap().resolve(&schema(&["pk"], &["sk"])).unwrap()
    }

    #[track_caller]
    fn check_sort(text: &str, sort: SortCondition) {
        let resolved = resolved(text);
        assert_eq!(resolved.partition, item(&[("pk", s("a"))]), "{text}");
        assert_eq!(resolved.sort, Some(sort), "{text}");
        assert_eq!(resolved.sort_attribute, Some("sk".into()), "{text}");
    }

    #[track_caller]
    fn check_refused(text: &str, message: &str, blamed: &str) {
        let found = complaint(text, key_condition(text));
        assert_eq!((found.0.as_str(), found.1.as_str()), (message, blamed), "{text}");
    }

    #[track_caller]
    fn check_misfit(text: &str, schema: &KeySchema, message: &str) {
        let error = key_condition(text).unwrap().resolve(schema).unwrap_err();
        assert_eq!(error.message, message, "{text}");
    }

    #[test]
    fn the_sort_key_may_be_compared_in_seven_ways() {
        check_sort("pk = :a AND sk = :b", SortCondition::Equal(s("b")));
        check_sort("pk = :a AND sk < :b", SortCondition::Less(s("b")));
        check_sort("pk = :a AND sk <= :b", SortCondition::LessOrEqual(s("b")));
        check_sort("pk = :a AND sk > :b", SortCondition::Greater(s("b")));
        check_sort("pk = :a AND sk >= :b", SortCondition::GreaterOrEqual(s("b")));
        check_sort("pk = :a AND sk BETWEEN :a AND :b", SortCondition::Between(s("a"), s("b")));
        check_sort("pk = :a AND begins_with(sk, :b)", SortCondition::BeginsWith(s("b")));
        assert_eq!(resolved("pk = :a").sort, None);
    }

    #[test]
    fn the_order_of_conditions_and_operands_is_free() {
        check_sort("sk > :b AND pk = :a", SortCondition::Greater(s("b")));
        check_sort(":a = pk AND :b <= sk", SortCondition::GreaterOrEqual(s("b")));
        check_sort("pk = :a AND :b > sk", SortCondition::Less(s("b")));
    }

    #[test]
    fn parentheses_are_fine_unless_doubled() {
        check_sort(
            "(#pk = :a) AND (#sk BETWEEN :a AND :b)",
            SortCondition::Between(s("a"), s("b")),
        );
        check_sort("(pk = :a) AND (begins_with(sk, :b))", SortCondition::BeginsWith(s("b")));
        check_sort("(pk = :a AND sk > :b)", SortCondition::Greater(s("b")));
        check_refused("((pk = :a))", "The expression has redundant parentheses;", "((pk = :a))");
    }

    #[test]
    fn operators_that_find_no_range_are_refused() {
        for (condition, operator) in [
            ("sk <> :b", "<>"),
            ("sk IN (:b)", "IN"),
            ("NOT sk = :b", "NOT"),
            ("contains(sk, :b)", "contains"),
            ("attribute_exists(sk)", "attribute_exists"),
        ] {
            let text = format!("pk = :a AND {condition}");
            let message = format!("Invalid operator used in KeyConditionExpression: {operator}");
            assert_eq!(complaint(&text, key_condition(&text)).0, message);
        }
        let text = "pk = :a OR pk = :b";
        check_refused(text, "Invalid operator used in KeyConditionExpression: OR", text);
    }

    #[test]
    fn each_condition_names_one_top_level_attribute_once() {
        check_refused(
            "pk = :a AND sk > :b AND begins_with(sk, :b)",
            "KeyConditionExpressions must only contain one condition per key",
            "begins_with(sk, :b)",
        );
        check_refused(
            "pk = :a AND sk.x = :b",
            "KeyConditionExpressions cannot have conditions on nested attributes",
            "sk.x = :b",
        );
        check_refused(
            "pk = :a AND size(sk) > :one",
            "KeyConditionExpressions cannot contain nested operations",
            "size(sk) > :one",
        );
        check_refused(
            ":a = :b",
            "Invalid condition in KeyConditionExpression: No key attribute specified",
            ":a = :b",
        );
        check_refused(
            "pk = sk",
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
            "pk = sk",
        );
        check_refused(
            ":a BETWEEN pk AND :b",
            "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand",
            ":a BETWEEN pk AND :b",
        );
    }

    #[test]
    fn operands_no_key_could_satisfy_are_refused_by_type() {
        let message = |operator, found| {
            format!(
                "Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}"
            )
        };
        check_refused("pk = :a AND begins_with(sk, :one)", &message("begins_with", "N"), ":one");
        check_refused("pk = :a AND sk < :true", &message("<", "BOOL"), ":true");
        check_refused("pk = :a AND :true >= sk", &message(">=", "BOOL"), ":true");
        check_refused(
            "pk = :a AND sk BETWEEN :true AND :true",
            &message("BETWEEN", "BOOL"),
            ":true",
        );
    }

    #[test]
    fn every_partition_attribute_must_equal_a_value() {
        let pair = schema(&["pk"], &["sk"]);
        check_misfit("pk > :a", &pair, "Query key condition not supported");
        check_misfit("sk = :a", &pair, "Query condition missed key schema element: pk");
        check_misfit(
            "pk = :a AND begins_with(alt, :b)",
            &pair,
            "Query condition missed key schema element: sk",
        );
        check_misfit(
            "pk = :a AND sk > :a AND extra = :b",
            &pair,
            "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)",
        );
    }

    #[test]
    fn values_must_have_the_type_of_the_key() {
        let message = "One or more parameter values were invalid: Condition parameter type does not match schema type";
        let pair = schema(&["pk"], &["sk"]);
        for text in ["pk = :one", "pk = :a AND sk = :true", "pk = :a AND sk > :one"] {
            check_misfit(text, &pair, message);
        }
        let numbers = KeySchema {
            partition: vec![attribute("pk", ScalarType::S)],
            sort: vec![attribute("sk", ScalarType::N)],
        };
        check_misfit("pk = :a AND begins_with(sk, :a)", &numbers, message);
        let resolved = key_condition("pk = :a AND sk < :ten").unwrap().resolve(&numbers).unwrap();
        assert_eq!(resolved.sort, Some(SortCondition::Less(n("10"))));
    }

    #[test]
    fn key_values_may_not_be_empty() {
        check_misfit(
            "pk = :none",
            &schema(&["pk"], &["sk"]),
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        );
    }

    #[test]
    fn keys_of_several_attributes_are_constrained_from_left_to_right() {
        let wide = schema(&["p1", "p2"], &["s1", "s2", "s3"]);
        let resolve = |text: &str| key_condition(text).unwrap().resolve(&wide);
        let resolved = resolve("p2 = :b AND s2 > :b AND p1 = :a AND s1 = :a").unwrap();
        assert_eq!(resolved.partition, item(&[("p1", s("a")), ("p2", s("b"))]));
        assert_eq!(resolved.sort_prefix, [("s1".into(), s("a"))]);
        assert_eq!(resolved.sort, Some(SortCondition::Greater(s("b"))));
        assert_eq!(resolved.sort_attribute, Some("s2".into()));
        check_misfit("p1 = :a", &wide, "Query condition missed key schema element: p2");
        check_misfit(
            "p1 = :a AND p2 = :a AND s2 = :a",
            &wide,
            "Query condition missed key schema element: s1",
        );
        check_misfit(
            "p1 = :a AND p2 = :a AND s1 > :a AND s2 = :a",
            &wide,
            "Query key condition not supported",
        );
    }

    #[test]
    fn a_sort_condition_matches_the_values_it_describes() {
        let between = SortCondition::Between(n("1"), n("3"));
        for (value, is_match) in
            [(n("1"), true), (n("3"), true), (n("3.1"), false), (s("2"), false)]
        {
            assert_eq!(between.matches(&value), is_match);
        }
        assert!(SortCondition::BeginsWith(s("ab")).matches(&s("abc")));
        assert!(!SortCondition::Less(s("b")).matches(&s("b")));
        assert!(SortCondition::Equal(n("1.0")).matches(&n("1")));
    }
}

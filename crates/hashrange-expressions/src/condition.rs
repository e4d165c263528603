//! Evaluating a condition or filter on an item.
//!
//! Invariant: every condition is true or false on every item; evaluation has no errors.
//!
//! Source: facts 4.5.

use std::borrow::Cow;
use std::cmp::Ordering;

use hashrange_types::{AttributeValue, DocumentPath, Item, Number};

use crate::syntax::{Comparator, Condition, Operand};

/// What an operand is on an item.
pub(crate) enum Found<'a> {
    Value(Cow<'a, AttributeValue>),
    /// The path leads nowhere.
    Missing,
    /// The value is there, and has no size.
    Unsized,
}

impl Found<'_> {
    pub(crate) fn value(&self) -> Option<&AttributeValue> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing | Self::Unsized => None,
        }
    }
}

impl Condition {
    /// True if the condition holds on `item`. An item that does not exist is an empty one.
    pub fn holds(&self, item: &Item) -> bool {
        match self {
            Self::All(conditions) => conditions.iter().all(|condition| condition.holds(item)),
            Self::Any(conditions) => conditions.iter().any(|condition| condition.holds(item)),
            Self::Not(condition) => !condition.holds(item),
            Self::Compare { comparator, left, right } => {
                compare(*comparator, &left.find(item), &right.find(item))
            }
            Self::Between { operand, lower, upper } => {
                let operand = operand.find(item);
                compare(Comparator::GreaterOrEqual, &operand, &lower.find(item))
                    && compare(Comparator::LessOrEqual, &operand, &upper.find(item))
            }
            Self::In { operand, candidates } => {
                let operand = operand.find(item);
                candidates
                    .iter()
                    .any(|candidate| compare(Comparator::Equal, &operand, &candidate.find(item)))
            }
            Self::AttributeExists(path) => path.get(item).is_some(),
            Self::AttributeNotExists(path) => path.get(item).is_none(),
            Self::AttributeType { operand, tag } => {
                operand.find(item).value().is_some_and(|value| value.tag() == tag.as_str())
            }
            Self::BeginsWith { operand, prefix } => {
                let (operand, prefix) = (operand.find(item), prefix.find(item));
                operand
                    .value()
                    .zip(prefix.value())
                    .is_some_and(|(value, prefix)| begins_with(value, prefix))
            }
            Self::Contains { operand, member } => {
                let (operand, member) = (operand.find(item), member.find(item));
                operand
                    .value()
                    .zip(member.value())
                    .is_some_and(|(value, member)| contains(value, member))
            }
        }
    }

    /// Every path the condition names, in the order written.
    pub fn attributes(&self) -> impl Iterator<Item = &DocumentPath> {
        let mut paths = Vec::new();
        self.push_paths(&mut paths);
        paths.into_iter()
    }

    fn push_paths<'a>(&'a self, paths: &mut Vec<&'a DocumentPath>) {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                for condition in conditions {
                    condition.push_paths(paths);
                }
            }
            Self::Not(condition) => condition.push_paths(paths),
            Self::AttributeExists(path) | Self::AttributeNotExists(path) => paths.push(path),
            _ => paths.extend(self.operands().into_iter().filter_map(Operand::path)),
        }
    }

    /// The operands of a condition that has operands.
    pub(crate) fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::Compare { left, right, .. } => vec![left, right],
            Self::Between { operand, lower, upper } => vec![operand, lower, upper],
            Self::In { operand, candidates } => {
                std::iter::once(operand).chain(candidates).collect()
            }
            Self::BeginsWith { operand, prefix: other }
            | Self::Contains { operand, member: other } => vec![operand, other],
            Self::AttributeType { operand, .. } => vec![operand],
            _ => Vec::new(),
        }
    }
}

impl Operand {
    /// The path in the operand, if there is one.
    pub fn path(&self) -> Option<&DocumentPath> {
        match self {
            Self::Path(path) => Some(path),
            Self::Value(_) => None,
            Self::Size(operand) => operand.path(),
        }
    }

    pub(crate) fn find<'a>(&'a self, item: &'a Item) -> Found<'a> {
        match self {
            Self::Path(path) => {
                path.get(item).map_or(Found::Missing, |value| Found::Value(Cow::Borrowed(value)))
            }
            Self::Value(value) => Found::Value(Cow::Borrowed(value)),
            Self::Size(operand) => match operand.find(item) {
                Found::Value(value) => size(&value).map_or(Found::Unsized, |size| {
                    Found::Value(Cow::Owned(AttributeValue::N(count(size))))
                }),
                none => none,
            },
        }
    }
}

fn compare(comparator: Comparator, left: &Found, right: &Found) -> bool {
    if matches!(left, Found::Unsized) || matches!(right, Found::Unsized) {
        return false;
    }
    let (Some(left), Some(right)) = (left.value(), right.value()) else {
        return comparator == Comparator::NotEqual;
    };
    match comparator {
        Comparator::Equal => left == right,
        Comparator::NotEqual => left != right,
        ordered => left.scalar_cmp(right).is_some_and(|order| ordered.accepts(order)),
    }
}

impl Comparator {
    /// True if two values in this order satisfy the comparator.
    pub(crate) const fn accepts(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// What `size` gives: UTF-16 units of text, bytes, members or entries.
fn size(value: &AttributeValue) -> Option<usize> {
    match value {
        AttributeValue::S(text) => Some(text.encode_utf16().count()),
        AttributeValue::B(bytes) => Some(bytes.len()),
        AttributeValue::L(values) => Some(values.len()),
        AttributeValue::M(entries) => Some(entries.len()),
        AttributeValue::Ss(set) => Some(set.members().len()),
        AttributeValue::Ns(set) => Some(set.members().len()),
        AttributeValue::Bs(set) => Some(set.members().len()),
        AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => None,
    }
}

fn count(n: usize) -> Number {
    Number::parse(&n.to_string()).expect("a count is a number of few digits")
}

/// True if `value` starts with `prefix`; both text or both bytes.
pub(crate) fn begins_with(value: &AttributeValue, prefix: &AttributeValue) -> bool {
    match (value, prefix) {
        (AttributeValue::S(text), AttributeValue::S(prefix)) => text.starts_with(prefix.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
        _ => false,
    }
}

fn contains(value: &AttributeValue, member: &AttributeValue) -> bool {
    match (value, member) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.contains(part.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(part)) => {
            part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
        }
        (AttributeValue::Ss(set), AttributeValue::S(member)) => set.contains(member),
        (AttributeValue::Ns(set), AttributeValue::N(member)) => set.contains(member),
        (AttributeValue::Bs(set), AttributeValue::B(member)) => set.contains(member),
        (AttributeValue::L(values), member) => values.contains(member),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{b, bs, condition, item, l, m, n, ns, s, ss};

    fn sample() -> Item {
        item(&[
            ("pk", s("k")),
            ("n", n("5")),
            ("s", s("abc")),
            ("e", s("é𝄞")),
            ("l", l(&[n("1"), l(&[s("deep")])])),
            ("m", m(&[("x", n("1")), ("y", s("b"))])),
            ("ss", ss(&["x", "y"])),
            ("ns", ns(&["1", "2"])),
            ("bs", bs(&[b"x"])),
            ("bin", b(b"\x00\x01\x02\xff")),
            ("flag", AttributeValue::Bool(true)),
            ("nil", AttributeValue::Null),
        ])
    }

    #[track_caller]
    fn check(is_true: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(condition(text).unwrap().holds(&sample()), is_true, "{text}");
        }
    }

    #[test]
    fn a_missing_side_makes_every_comparison_false_but_not_equal() {
        check(true, &["nope <> :x", ":x <> nope", "nope <> nada", "NOT nope = :x", "m.nope <> :x"]);
        check(false, &["nope = :x", "nope = nada", "nope < :x", "nope >= :x"]);
        check(false, &["nope BETWEEN :a AND :b", "nope IN (:a, nada)", "n BETWEEN nope AND :ten"]);
    }

    #[test]
    fn everything_is_missing_in_an_item_that_does_not_exist() {
        let none = Item::new();
        assert!(condition("attribute_not_exists(pk)").unwrap().holds(&none));
        assert!(condition("pk <> :a").unwrap().holds(&none));
        assert!(!condition("attribute_exists(pk)").unwrap().holds(&none));
        assert!(!condition("size(pk) >= :zero").unwrap().holds(&none));
    }

    #[test]
    fn values_of_different_types_are_unequal_and_have_no_order() {
        check(true, &["n > :four", "n <> :a", "s > :a", "bin < :bin"]);
        check(false, &["n = :a", "n > :a", "n < :a", "flag = :a", "nil = :x"]);
    }

    #[test]
    fn equality_is_deep() {
        let value = m(&[("y", s("b")), ("x", n("1.0"))]);
        let equal = Condition::Compare {
            comparator: Comparator::Equal,
            left: Operand::Path(DocumentPath::top("m".into())),
            right: Operand::Value(value),
        };
        assert!(equal.holds(&sample()));
        check(true, &["l[1][0] <> :a", "m.x = :one", "l[0] = m.x", "flag = :true", "nil = :null"]);
        check(false, &["l = :list", "ss = :ss"]);
    }

    #[test]
    fn between_includes_its_bounds_and_compares_bounds_from_the_item() {
        check(true, &["n BETWEEN :four AND :ten", "m.x BETWEEN :one AND n", "s BETWEEN :a AND :b"]);
        check(
            false,
            &["n BETWEEN :one AND :four", "n BETWEEN :ten AND m.x", "n BETWEEN s AND :ten"],
        );
    }

    #[test]
    fn in_is_true_for_any_equal_operand() {
        check(true, &["m.y IN (:a, :b)", "m.x IN (:a, l[0])", ":a IN (n, :a)"]);
        check(false, &["m.y IN (:a, :one)", "n IN (m)"]);
    }

    #[test]
    fn a_null_exists_and_has_a_type() {
        check(
            true,
            &[
                "attribute_type(:one, :tN)",
                "attribute_exists(nil)",
                "attribute_type(n, :tN)",
                "attribute_exists(l[1][0])",
            ],
        );
        check(
            false,
            &["attribute_not_exists(nil)", "attribute_type(s, :tN)", "attribute_type(nope, :tN)"],
        );
        check(
            false,
            &["attribute_exists(l[2])", "attribute_exists(s.x)", "attribute_exists(m[0])"],
        );
    }

    #[test]
    fn begins_with_works_on_text_and_on_bytes() {
        check(true, &["begins_with(s, :a)", "begins_with(s, :none)"]);
        check(false, &["begins_with(s, :b)", "begins_with(n, :a)", "begins_with(bin, :bin)"]);
        check(false, &["begins_with(s, n)", "begins_with(s, bin)"]);
    }

    #[test]
    fn contains_looks_into_text_bytes_sets_and_lists() {
        check(
            true,
            &["contains(s, :b)", "contains(s, :none)", "contains(ss, :x)", "contains(ns, :one)"],
        );
        check(true, &["contains(bin, :bin)", "contains(l, :one)", "contains(s, m.y)"]);
        check(
            false,
            &["contains(s, :one)", "contains(ss, :a)", "contains(l, :two)", "contains(n, :one)"],
        );
        check(false, &["contains(m, :a)", "contains(ns, :a)", "contains(nope, :a)"]);
    }

    #[test]
    fn size_counts_utf_16_units_bytes_members_and_entries() {
        check(
            true,
            &["size(s) = :three", "size(e) = :three", "size(bin) = :four", "size(ss) = :two"],
        );
        check(true, &["size(l) = :two", "size(m) = :two", "size(:a) = :one", "size(l) = size(m)"]);
    }

    #[test]
    fn what_has_no_size_satisfies_no_comparison() {
        check(
            false,
            &["size(n) = :one", "size(n) >= :zero", "size(flag) <> :one", "size(nil) <> :one"],
        );
        check(false, &["size(nope) < :ten", "size(n) IN (:one)", "size(n) BETWEEN :zero AND :ten"]);
        check(true, &["size(nope) <> :one"]);
    }

    #[test]
    fn and_binds_closer_than_or_and_not_closest() {
        check(true, &["n = :one AND n = :two OR s > :a", "NOT n = :one AND s > :a"]);
        check(true, &["s > :a OR n = :one AND n = :two", "NOT NOT s > :a"]);
        check(false, &["n = :one AND (n = :two OR s > :a)", "NOT (n = :one OR s > :a)"]);
    }

    #[test]
    fn every_path_of_a_condition_is_listed() {
        let condition =
            condition("size(a.b) > c AND NOT (attribute_exists(d) OR x IN (:a, y[0]))").unwrap();
        let paths: Vec<String> = condition.attributes().map(ToString::to_string).collect();
        assert_eq!(paths, ["[a, b]", "[c]", "[d]", "[x]", "[y, [0]]"]);
    }
}

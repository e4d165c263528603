//! Which keys a WHERE reads.
//!
//! A condition that pins the partition key, by equality or IN, in each of its alternatives is divided into reads by
//! key; every other one is a scan. What the keys of a read do not say stays behind as its filter.
//!
//! Invariant: the reads are in order of their keys, do not overlap, and with their filters find what the whole
//! condition finds.
//!
//! Source: facts 3.7; which conditions are divided, and how they are refused, as captured from the service by the
//! test-suites of emulators (floci, dynoxide).

use std::cmp::Ordering;
use std::ops::Bound;

use hashrange_expressions::{Comparator, Condition, Operand, ResolvedKeyCondition, SortCondition};
use hashrange_storage::KeyRange;
use hashrange_types::limits::STATEMENT_READS_MAX;
use hashrange_types::{
    AttributeName, AttributeValue, EncodedKey, Item, KeyAttribute, KeySchema, ValidationError,
    sorted,
};

use crate::operation::query::key_range;
use crate::validation::check_key_values;

/// What the message about a key of the wrong type begins with.
pub(crate) const KEY_TYPE: &str =
    "Key attribute's data type should match its data type in table's schema: Key ";

/// How the items of a SELECT are found.
#[derive(Debug)]
pub(crate) enum Access {
    /// By their keys, each read in turn.
    Keyed(Vec<KeyedRead>),
    /// By looking at all of them.
    Scan,
}

/// One read by key.
#[derive(Debug)]
pub(crate) struct KeyedRead {
    pub(crate) keys: ResolvedKeyCondition,
    pub(crate) range: KeyRange,
    /// What the keys do not say.
    pub(crate) filter: Option<Condition>,
    /// True if the filter compares a sort attribute in a way that is no range of keys.
    filters_sort_key: bool,
}

/// Finds out which keys `condition` reads of a table or index with this key.
///
/// # Errors
/// A key has the wrong type or is empty, alternatives overlap, or there are too many.
pub(crate) fn access(
    schema: &KeySchema,
    condition: Option<&Condition>,
) -> Result<Access, ValidationError> {
    let Some(condition) = condition else { return Ok(Access::Scan) };
    if !schema.partition.iter().all(|attribute| pins(condition, &attribute.name)) {
        return Ok(Access::Scan);
    }
    let mut reads = Vec::new();
    for parts in alternatives(schema, condition)? {
        match keyed_read(schema, parts)? {
            Some(read) => reads.push(read),
            None => return Ok(Access::Scan),
        }
    }
    let mut reads = apart(schema, reads, condition)?;
    sorted::sort_by(&mut reads, |a, b| compare_lower(&a.range.lower, &b.range.lower));
    Ok(Access::Keyed(reads))
}

/// The key of the one item that a condition names, in full and with nothing else in it.
///
/// # Errors
/// As [`access`].
pub(crate) fn only_key(
    schema: &KeySchema,
    condition: Option<&Condition>,
) -> Result<Option<Item>, ValidationError> {
    let Access::Keyed(mut reads) = access(schema, condition)? else { return Ok(None) };
    let (Some(read), true) = (reads.pop(), reads.is_empty()) else { return Ok(None) };
    Ok(if read.filter.is_none() { item_key(schema, read.keys) } else { None })
}

/// The attributes of a key, if all of them are pinned.
fn item_key(schema: &KeySchema, keys: ResolvedKeyCondition) -> Option<Item> {
    let last = match (keys.sort_attribute, keys.sort) {
        (Some(name), Some(SortCondition::Equal(value))) => Some((name, value)),
        _ => None,
    };
    let key: Item = keys.partition.into_iter().chain(keys.sort_prefix).chain(last).collect();
    (key.len() == schema.attributes().count()).then_some(key)
}

/// The attribute and value of `attribute = value`, either way round.
pub(crate) fn equality(condition: &Condition) -> Option<(&AttributeName, &AttributeValue)> {
    let Condition::Compare { comparator: Comparator::Equal, left, right } = condition else {
        return None;
    };
    match (left, right) {
        (Operand::Path(path), Operand::Value(value))
        | (Operand::Value(value), Operand::Path(path))
            if path.is_top_level() =>
        {
            Some((&path.attribute, value))
        }
        _ => None,
    }
}

/// True if every alternative of the condition says what attribute `name` equals.
fn pins(condition: &Condition, name: &AttributeName) -> bool {
    match condition {
        Condition::All(parts) => parts.iter().any(|part| pins(part, name)),
        Condition::Any(parts) => !parts.is_empty() && parts.iter().all(|part| pins(part, name)),
        Condition::In { .. } => listed(condition).is_some_and(|(attribute, _)| attribute == name),
        _ => equality(condition).is_some_and(|(attribute, _)| attribute == name),
    }
}

/// The attribute and values of `attribute IN [values]`.
fn listed(condition: &Condition) -> Option<(&AttributeName, Vec<&AttributeValue>)> {
    let Condition::In { operand: Operand::Path(path), candidates } = condition else {
        return None;
    };
    let mut values = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let Operand::Value(value) = candidate else { return None };
        values.push(value);
    }
    path.is_top_level().then_some((&path.attribute, values))
}

/// What a condition asks of a sort key, if it asks for a range of them.
fn range_of(condition: &Condition) -> Option<(&AttributeName, SortCondition)> {
    let top = |operand: &Operand| matches!(operand, Operand::Path(path) if path.is_top_level());
    match condition {
        Condition::Compare { comparator, left, right } => {
            let (path, comparator, value) = match (left, right) {
                (Operand::Path(path), Operand::Value(value)) => (path, *comparator, value),
                (Operand::Value(value), Operand::Path(path)) => (path, comparator.swapped(), value),
                _ => return None,
            };
            let value = value.clone();
            let condition = match comparator {
                Comparator::Equal => SortCondition::Equal(value),
                Comparator::Less => SortCondition::Less(value),
                Comparator::LessOrEqual => SortCondition::LessOrEqual(value),
                Comparator::Greater => SortCondition::Greater(value),
                Comparator::GreaterOrEqual => SortCondition::GreaterOrEqual(value),
                Comparator::NotEqual => return None,
            };
            path.is_top_level().then_some((&path.attribute, condition))
        }
        Condition::Between {
            operand: operand @ Operand::Path(path),
            lower: Operand::Value(lower),
            upper: Operand::Value(upper),
        } if top(operand) => {
            Some((&path.attribute, SortCondition::Between(lower.clone(), upper.clone())))
        }
        Condition::BeginsWith {
            operand: operand @ Operand::Path(path),
            prefix: Operand::Value(prefix),
        } if top(operand) => Some((&path.attribute, SortCondition::BeginsWith(prefix.clone()))),
        _ => None,
    }
}

/// True if some part of the condition asks for keys.
fn mentions_keys(schema: &KeySchema, condition: &Condition) -> bool {
    let is_key = |name: &AttributeName| schema.contains(name.as_str());
    match condition {
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().any(|part| mentions_keys(schema, part))
        }
        Condition::In { .. } => listed(condition).is_some_and(|(name, _)| is_key(name)),
        _ => range_of(condition).is_some_and(|(name, _)| is_key(name)),
    }
}

/// The condition as alternatives, each a list of parts that must all hold. Alternatives that do not ask for keys stay
/// together as one part.
fn alternatives(
    schema: &KeySchema,
    condition: &Condition,
) -> Result<Vec<Vec<Condition>>, ValidationError> {
    let too_many =
        || ValidationError::new("Too many decomposed read operations for a given query.");
    let ways: Vec<Vec<Condition>> = match condition {
        Condition::All(parts) => {
            let mut product: Vec<Vec<Condition>> = vec![Vec::new()];
            for part in parts {
                let ways = alternatives(schema, part)?;
                if product.len() * ways.len() > STATEMENT_READS_MAX {
                    return Err(too_many());
                }
                product = product
                    .iter()
                    .flat_map(|before| {
                        ways.iter().map(move |way| [before.as_slice(), way].concat())
                    })
                    .collect();
            }
            product
        }
        Condition::Any(parts) if mentions_keys(schema, condition) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(alternatives(schema, part)?);
            }
            all
        }
        Condition::In { operand, .. } if mentions_keys(schema, condition) => {
            let (_, values) = listed(condition).expect("an IN that asks for keys lists values");
            let equal = |value: &AttributeValue| Condition::Compare {
                comparator: Comparator::Equal,
                left: operand.clone(),
                right: Operand::Value(value.clone()),
            };
            values.into_iter().map(|value| vec![equal(value)]).collect()
        }
        other => vec![vec![other.clone()]],
    };
    if ways.len() > STATEMENT_READS_MAX { Err(too_many()) } else { Ok(ways) }
}

/// The read of one alternative; none if it asks for two partitions at once.
fn keyed_read(
    schema: &KeySchema,
    mut parts: Vec<Condition>,
) -> Result<Option<KeyedRead>, ValidationError> {
    let mut partition = Item::new();
    for attribute in &schema.partition {
        let mut pinned = None;
        let mut is_contradicted = false;
        parts.retain(|part| match equality(part) {
            Some((name, value)) if *name == attribute.name => {
                is_contradicted |= pinned.as_ref().is_some_and(|known| known != value);
                pinned.get_or_insert_with(|| value.clone());
                false
            }
            _ => true,
        });
        let Some(value) = pinned.filter(|_| !is_contradicted) else { return Ok(None) };
        check_key_type(attribute, &value)?;
        partition.insert(attribute.name.clone(), value);
    }
    let mut keys = ResolvedKeyCondition {
        partition,
        sort_prefix: Vec::new(),
        sort: None,
        sort_attribute: None,
    };
    for attribute in &schema.sort {
        let Some(condition) = take_range(&mut parts, attribute) else { break };
        for value in condition.values() {
            check_key_type(attribute, value)?;
            let key = [(attribute.name.clone(), value.clone())].into_iter().collect();
            check_key_values(schema, &key)?;
        }
        if let (Some(name), Some(SortCondition::Equal(value))) =
            (keys.sort_attribute.take(), keys.sort.take())
        {
            keys.sort_prefix.push((name, value));
        }
        let is_last = !matches!(condition, SortCondition::Equal(_));
        keys.sort_attribute = Some(attribute.name.clone());
        keys.sort = Some(condition);
        if is_last {
            break;
        }
    }
    check_key_values(schema, &keys.partition)?;
    let range = key_range(schema, &keys)?;
    let filters_sort_key = parts.iter().any(|part| {
        range_of(part).is_none()
            && part
                .attributes()
                .any(|path| schema.sort.iter().any(|attribute| attribute.name == path.attribute))
    });
    Ok(Some(KeyedRead { keys, range, filter: joined(parts), filters_sort_key }))
}

/// Takes out of `parts` what says most about a sort attribute: an equality, or else the first range.
fn take_range(parts: &mut Vec<Condition>, attribute: &KeyAttribute) -> Option<SortCondition> {
    let is_about =
        |part: &Condition| range_of(part).is_some_and(|(name, _)| *name == attribute.name);
    let is_equal = |part: &Condition| is_about(part) && equality(part).is_some();
    let position = parts.iter().position(is_equal).or_else(|| parts.iter().position(is_about))?;
    let part = parts.remove(position);
    range_of(&part).map(|(_, condition)| condition)
}

/// The parts as one condition; none if there are none.
pub(crate) fn joined(mut parts: Vec<Condition>) -> Option<Condition> {
    match parts.len() {
        0 | 1 => parts.pop(),
        _ => Some(Condition::All(parts)),
    }
}

fn check_key_type(attribute: &KeyAttribute, value: &AttributeValue) -> Result<(), ValidationError> {
    if value.scalar_type() == Some(attribute.scalar) {
        return Ok(());
    }
    Err(ValidationError::new(format!("{KEY_TYPE}{}", attribute.name)))
}

/// Refuses reads that overlap, unless what makes them overlap is compared in a way that is no range of keys: then
/// the partition is read once, with the whole condition as the filter.
fn apart(
    schema: &KeySchema,
    reads: Vec<KeyedRead>,
    condition: &Condition,
) -> Result<Vec<KeyedRead>, ValidationError> {
    let mut kept: Vec<KeyedRead> = Vec::with_capacity(reads.len());
    for read in reads {
        let overlapping: Vec<usize> =
            (0..kept.len()).filter(|at| overlap(&kept[*at].range, &read.range)).collect();
        if overlapping.is_empty() {
            kept.push(read);
            continue;
        }
        let may_merge = |at: &usize| kept[*at].filters_sort_key || read.filters_sort_key;
        if !overlapping.iter().all(may_merge) {
            return Err(ValidationError::new(
                "Overlapping conditions with range keys are not supported in where clause",
            ));
        }
        let keys = ResolvedKeyCondition {
            partition: read.keys.partition,
            sort_prefix: Vec::new(),
            sort: None,
            sort_attribute: None,
        };
        let range = key_range(schema, &keys)?;
        kept.retain(|other| !overlap(&other.range, &range));
        let filter = Some(condition.clone());
        kept.push(KeyedRead { keys, range, filter, filters_sort_key: true });
    }
    Ok(kept)
}

fn overlap(a: &KeyRange, b: &KeyRange) -> bool {
    let lower = if compare_lower(&a.lower, &b.lower).is_lt() { &b.lower } else { &a.lower };
    let upper = if compare_upper(&a.upper, &b.upper).is_lt() { &a.upper } else { &b.upper };
    !KeyRange { lower: lower.clone(), upper: upper.clone() }.is_empty()
}

fn compare_lower(a: &Bound<EncodedKey>, b: &Bound<EncodedKey>) -> Ordering {
    place(a, 0, 2).cmp(&place(b, 0, 2))
}

fn compare_upper(a: &Bound<EncodedKey>, b: &Bound<EncodedKey>) -> Ordering {
    let open = |bound: &Bound<EncodedKey>| matches!(bound, Bound::Unbounded);
    open(a).cmp(&open(b)).then_with(|| place(a, 2, 0).cmp(&place(b, 2, 0)))
}

/// Where a bound lies: its key, and whether before, at or after it.
fn place(bound: &Bound<EncodedKey>, included: u8, excluded: u8) -> (&[u8], u8) {
    match bound {
        Bound::Included(key) => (key.as_bytes(), included),
        Bound::Excluded(key) => (key.as_bytes(), excluded),
        Bound::Unbounded => (&[], 0),
    }
}

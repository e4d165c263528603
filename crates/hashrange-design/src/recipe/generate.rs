//! Following a recipe in small steps, so that a page that does it never stands still.
//!
//! Invariant: items come in the order of groups and of `for`, each key once, within the budget; after an
//! error nothing more comes.

use hashrange_types::{AttributeValue, EncodedKey, Item, KeySchema, SortedMap, TableName};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::chance::{SplitMix64, fnv1a};
use super::{Filler, Group, Node, Parts, Recipe, RecipeError, Size};

/// Most combinations of `for` a recipe may try: `where` could refuse them all.
const COMBINATIONS_MAX: u64 = 10_000_000;

/// How much a recipe may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Most items.
    pub n_items: usize,
    /// Most bytes, by the rule of item sizes.
    pub n_bytes: u64,
}

impl Default for Budget {
    /// 20,000 items and 5 MB, what a folder of the gallery may hold.
    fn default() -> Self {
        Self { n_items: 20_000, n_bytes: 5 * 1_024 * 1_024 }
    }
}

/// What one step made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// The step's items with their tables.
    pub items: Vec<(TableName, Item)>,
    /// Items made so far, this step's included.
    pub n_items: usize,
    /// Their bytes.
    pub n_bytes: u64,
    /// True when nothing is left to make.
    pub is_done: bool,
}

/// A recipe being followed.
#[derive(Debug, Clone)]
pub struct Generator {
    parts: std::sync::Arc<Parts>,
    budget: Budget,
    keys: SortedMap<TableName, KeySchema>,
    /// Keys of the items made so far, with their numbers.
    seen: IndexMap<(TableName, EncodedKey), usize>,
    group: usize,
    /// Values of the current group's variables; none before its first combination.
    values: Option<Vec<i64>>,
    n_combinations: u64,
    n_items: usize,
    n_bytes: u64,
}

impl Recipe {
    /// Starts to follow the recipe for tables with these keys ([`crate::Design::key_schemas`]).
    pub fn generate(&self, budget: Budget, keys: SortedMap<TableName, KeySchema>) -> Generator {
        Generator {
            parts: self.0.clone(),
            budget,
            keys,
            seen: IndexMap::new(),
            group: 0,
            values: None,
            n_combinations: 0,
            n_items: 0,
            n_bytes: 0,
        }
    }

    /// Follows the whole recipe at once; for tests and small examples.
    ///
    /// # Errors
    /// As [`Generator::step`].
    pub fn items(
        &self,
        budget: Budget,
        keys: SortedMap<TableName, KeySchema>,
    ) -> Result<Vec<(TableName, Item)>, RecipeError> {
        let mut generator = self.generate(budget, keys);
        let mut items = Vec::new();
        loop {
            let progress = generator.step(1_000)?;
            items.extend(progress.items);
            if progress.is_done {
                return Ok(items);
            }
        }
    }
}

impl Generator {
    /// Tries the next `n` combinations and returns the items they made.
    ///
    /// # Errors
    /// An item cannot be made, repeats a key or breaks the budget.
    pub fn step(&mut self, n: usize) -> Result<Progress, RecipeError> {
        let parts = self.parts.clone();
        let mut progress = Progress::default();
        for _ in 0..n {
            let Some(group) = self.next_combination(&parts) else {
                progress.is_done = true;
                break;
            };
            self.n_combinations += 1;
            if self.n_combinations > COMBINATIONS_MAX {
                return Err(over_budget("10,000,000 combinations of its numbers"));
            }
            let values = self.values.clone().unwrap_or_default();
            if keeps(group, &values)? {
                progress.items.push(self.item(&parts, group, &values)?);
            }
        }
        progress.is_done |= self.group >= parts.groups.len();
        progress.n_items = self.n_items;
        progress.n_bytes = self.n_bytes;
        Ok(progress)
    }

    /// Moves on to the next combination, the last variable fastest, and returns its group.
    fn next_combination<'a>(&mut self, parts: &'a Parts) -> Option<&'a Group> {
        loop {
            let group = parts.groups.get(self.group)?;
            let is_there = match &mut self.values {
                None => {
                    self.values = Some(group.ranges.iter().map(|(low, _)| *low).collect());
                    group.ranges.iter().all(|(low, high)| low <= high)
                }
                Some(values) => advance(values, &group.ranges),
            };
            if is_there {
                return Some(group);
            }
            self.group += 1;
            self.values = None;
        }
    }

    fn item(
        &mut self,
        parts: &Parts,
        group: &Group,
        values: &[i64],
    ) -> Result<(TableName, Item), RecipeError> {
        let name = describe(group, values);
        let refuse = |reason: String| RecipeError::Item { item: name.clone(), reason };
        let (table, key) = self
            .keys
            .get_key_value(group.table.as_str())
            .ok_or_else(|| refuse(format!("the design has no table {}", group.table)))?;
        let item = make(parts, group, values).map_err(refuse)?;
        let encoded = key.encode(&item).ok_or_else(|| {
            refuse(
                "it lacks an attribute of its table's key, or has it with another type".to_owned(),
            )
        })?;
        let table = table.clone();
        if self.seen.insert((table.clone(), encoded), self.n_items).is_some() {
            return Err(RecipeError::DuplicateKey { item: name });
        }
        self.n_items += 1;
        self.n_bytes += u64::from(item.size_bytes());
        if self.n_items > self.budget.n_items {
            return Err(over_budget(&format!("{} items", self.budget.n_items)));
        }
        if self.n_bytes > self.budget.n_bytes {
            return Err(over_budget(&format!("{} bytes of items", self.budget.n_bytes)));
        }
        Ok((table, item))
    }
}

fn over_budget(limit: &str) -> RecipeError {
    RecipeError::OverBudget { limit: limit.to_owned() }
}

/// What an item is called in an error: its group's label and its variables, as in the seed.
fn describe(group: &Group, values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{}/{}", group.label, values.join(","))
}

/// The next values, the last one fastest; false after the last combination.
fn advance(values: &mut [i64], ranges: &[(i64, i64)]) -> bool {
    for (value, (low, high)) in values.iter_mut().zip(ranges).rev() {
        if *value < *high {
            *value += 1;
            return true;
        }
        *value = *low;
    }
    false
}

fn keeps(group: &Group, values: &[i64]) -> Result<bool, RecipeError> {
    for condition in &group.conditions {
        let number = condition.number.value(values).ok_or_else(|| RecipeError::Item {
            item: describe(group, values),
            reason: "a condition under \"where\" has no value".to_owned(),
        })?;
        if !condition.rules.iter().all(|rule| rule.keeps(number)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes one item: its texts first, then the filler, all from one stream of chance.
fn make(parts: &Parts, group: &Group, values: &[i64]) -> Result<Item, String> {
    let mut chance = SplitMix64::new(parts.seed ^ fnv1a(&describe(group, values)));
    let mut members = Map::new();
    for (name, node) in &group.item {
        let value = fill(node, values, parts, &mut chance)
            .ok_or_else(|| format!("a slot of {name} has no value"))?;
        members.insert(name.clone(), value);
    }
    let mut item = hashrange_wire::item_from_json(&Value::Object(members))
        .map_err(|error| error.to_string())?;
    if let Some(size) = &group.size {
        pad(&mut item, size, values, &parts.filler, &mut chance)?;
    }
    Ok(item)
}

fn fill(node: &Node, values: &[i64], parts: &Parts, chance: &mut SplitMix64) -> Option<Value> {
    Some(match node {
        Node::Text(text) => Value::String(text.fill(values, &parts.lists, chance)?),
        Node::List(nodes) => Value::Array(
            nodes.iter().map(|node| fill(node, values, parts, chance)).collect::<Option<_>>()?,
        ),
        Node::Object(members) => {
            let mut map = Map::new();
            for (name, node) in members {
                map.insert(name.clone(), fill(node, values, parts, chance)?);
            }
            Value::Object(map)
        }
        Node::Plain(value) => value.clone(),
    })
}

/// Fills the attribute `size.pad` so that the item has exactly so many bytes.
fn pad(
    item: &mut Item,
    size: &Size,
    values: &[i64],
    filler: &Filler,
    chance: &mut SplitMix64,
) -> Result<(), String> {
    let wanted = size.bytes.value(values).ok_or("its size has no value")?;
    let mut text = match item.get(&size.pad) {
        None => String::new(),
        Some(AttributeValue::S(start)) => start.to_string(),
        Some(_) => return Err(format!("{} is padded but not a text", size.pad)),
    };
    if !item.contains(&size.pad) {
        item.insert(size.pad.as_str().into(), AttributeValue::S("".into()));
    }
    let room = wanted - i64::from(item.size_bytes());
    let room = usize::try_from(room)
        .map_err(|_| format!("it already has {} bytes, more than {wanted}", wanted - room))?;
    if room > usize::try_from(hashrange_types::limits::ITEM_BYTES_MAX).unwrap_or(usize::MAX) {
        return Err("it would be larger than 400 KB".to_owned());
    }
    let start = match filler.starts.as_slice() {
        [] => chance.index(filler.text.len()),
        starts => starts[chance.index(starts.len())],
    };
    text.extend(filler.text.chars().cycle().skip(start).take(room));
    item.insert(size.pad.as_str().into(), AttributeValue::S(text.into()));
    Ok(())
}

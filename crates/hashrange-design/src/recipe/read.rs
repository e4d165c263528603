//! `data.json` to `Recipe`.
//!
//! Invariant: everything that can be wrong without making an item is found here, with its place.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::arithmetic::Arithmetic;
use super::text::{Scope, Text};
use super::{Condition, FILLER, Filler, Group, Node, Parts, Recipe, RecipeError, Rule, Size};
use crate::document::reason;
use crate::members::kind;

/// Deepest nesting of lists and maps in an item; DynamoDB takes 32 levels, each written as two.
const NESTING_MAX: usize = 70;

impl Recipe {
    /// Reads `data.json`.
    ///
    /// # Errors
    /// One sentence that says what is wrong and where.
    ///
    /// ```
    /// # use hashrange_design::Recipe;
    /// let text = r#"{"seed": 7, "groups": [
    ///   {"table": "T", "entity": "E", "for": {"n": [1, 3]}, "item": {"id": {"S": "E#{n:02}"}}}]}"#;
    /// assert!(Recipe::from_json(text).is_ok());
    /// ```
    pub fn from_json(text: &str) -> Result<Self, RecipeError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text).map_err(|error| RecipeError::NotJson {
            reason: reason(&error),
            line: error.line(),
            column: error.column(),
        })?;
        let root = object(&value, "The recipe")?;
        let seed = match root.get("seed") {
            None => 0,
            Some(seed) => seed
                .as_u64()
                .ok_or_else(|| expected("seed", "a whole number of 0 or more", seed))?,
        };
        let lists = match root.get("lists") {
            None => Vec::new(),
            Some(lists) => object(lists, "lists")?
                .iter()
                .map(|(name, entries)| {
                    Ok((name.clone(), texts(entries, &format!("lists.{name}"))?))
                })
                .collect::<Result<_, RecipeError>>()?,
        };
        let filler = match root.get("filler") {
            None => Filler { text: FILLER.to_owned(), starts: Vec::new() },
            Some(sentences) => filler(&texts(sentences, "filler")?)?,
        };
        let groups = list(root.get("groups").unwrap_or(&Value::Null), "groups")?
            .iter()
            .enumerate()
            .map(|(index, group)| read_group(group, index, &lists))
            .collect::<Result<_, RecipeError>>()?;
        Ok(Self(Arc::new(Parts { seed, lists, filler, groups })))
    }
}

fn wrong(place: &str, reason: impl Into<String>) -> RecipeError {
    RecipeError::Wrong { place: place.to_owned(), reason: reason.into() }
}

fn expected(place: &str, what: &str, found: &Value) -> RecipeError {
    wrong(place, format!("this must be {what}, not {}", kind(found)))
}

fn object<'a>(value: &'a Value, place: &str) -> Result<&'a Map<String, Value>, RecipeError> {
    value.as_object().ok_or_else(|| expected(place, "an object", value))
}

fn list<'a>(value: &'a Value, place: &str) -> Result<&'a Vec<Value>, RecipeError> {
    value.as_array().ok_or_else(|| expected(place, "a list", value))
}

fn texts(value: &Value, place: &str) -> Result<Vec<String>, RecipeError> {
    let entries = list(value, place)?;
    if entries.is_empty() {
        return Err(wrong(place, "the list is empty"));
    }
    entries
        .iter()
        .map(|entry| match entry {
            Value::String(text) => Ok(text.clone()),
            other => Err(expected(place, "a list of texts", other)),
        })
        .collect()
}

fn whole(value: &Value, place: &str) -> Result<i64, RecipeError> {
    value.as_i64().ok_or_else(|| expected(place, "a whole number", value))
}

/// Sentences in one text, each followed by a space. ASCII, so that a text can be cut at any byte.
fn filler(sentences: &[String]) -> Result<Filler, RecipeError> {
    let mut filler = Filler { text: String::new(), starts: Vec::new() };
    for sentence in sentences {
        if sentence.is_empty() || !sentence.is_ascii() {
            return Err(wrong("filler", "each sentence needs text in ASCII letters"));
        }
        filler.starts.push(filler.text.len());
        filler.text.push_str(sentence);
        filler.text.push(' ');
    }
    Ok(filler)
}

fn read_group(
    value: &Value,
    index: usize,
    lists: &[(String, Vec<String>)],
) -> Result<Group, RecipeError> {
    let place = format!("groups[{index}]");
    let group = object(value, &place)?;
    let text = |name: &str| match group.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text.as_str()),
        _ => Err(wrong(&format!("{place}.{name}"), "this must be a text")),
    };
    let (table, entity) = (text("table")?, text("entity")?);
    let mut names = Vec::new();
    let mut ranges = Vec::new();
    if let Some(variables) = group.get("for") {
        for (name, range) in object(variables, &format!("{place}.for"))? {
            names.push(name.clone());
            ranges.push(read_range(range, &format!("{place}.for.{name}"))?);
        }
    }
    let scope = Scope { names: &names, lists };
    let conditions = match group.get("where") {
        None => Vec::new(),
        Some(conditions) => object(conditions, &format!("{place}.where"))?
            .iter()
            .map(|(number, rule)| {
                read_condition(number, rule, &names, &format!("{place}.where.{number}"))
            })
            .collect::<Result<_, _>>()?,
    };
    let item_place = format!("{place}.item");
    let item = object(group.get("item").unwrap_or(&Value::Null), &item_place)?
        .iter()
        .map(|(name, value)| Ok((name.clone(), read_node(value, &scope, 1, &item_place)?)))
        .collect::<Result<_, RecipeError>>()?;
    let size = read_size(group, &names, &place)?;
    let label = format!("{table}/{entity}/{index}");
    Ok(Group { table: table.to_owned(), label, ranges, conditions, item, size })
}

fn read_range(value: &Value, place: &str) -> Result<(i64, i64), RecipeError> {
    match list(value, place)?.as_slice() {
        [low, high] => Ok((whole(low, place)?, whole(high, place)?)),
        _ => Err(wrong(place, "this must be two whole numbers, first and last")),
    }
}

fn read_condition(
    number: &str,
    rule: &Value,
    names: &[String],
    place: &str,
) -> Result<Condition, RecipeError> {
    let number = Arithmetic::parse(number, names)?;
    let rules = match rule {
        Value::Array(numbers) => {
            vec![Rule::In(
                numbers.iter().map(|number| whole(number, place)).collect::<Result<_, _>>()?,
            )]
        }
        Value::Object(rules) => rules
            .iter()
            .map(|(name, n)| {
                let n = whole(n, place)?;
                match name.as_str() {
                    "every" | "not_every" if n == 0 => Err(wrong(place, "every 0 means nothing")),
                    "every" => Ok(Rule::Every(n)),
                    "not_every" => Ok(Rule::NotEvery(n)),
                    "from" => Ok(Rule::From(n)),
                    "to" => Ok(Rule::To(n)),
                    other => Err(wrong(
                        place,
                        format!("\"{other}\" is not one of every, not_every, from and to"),
                    )),
                }
            })
            .collect::<Result<_, _>>()?,
        other => return Err(expected(place, "a list or an object", other)),
    };
    Ok(Condition { number, rules })
}

fn read_size(
    group: &Map<String, Value>,
    names: &[String],
    place: &str,
) -> Result<Option<Size>, RecipeError> {
    let place = format!("{place}.size");
    let bytes = match group.get("size") {
        None => return Ok(None),
        Some(Value::String(calculation)) => Arithmetic::parse(calculation, names)?,
        Some(number) => Arithmetic::Number(whole(number, &place)?),
    };
    let pad = match group.get("pad") {
        None => "note",
        Some(Value::String(pad)) => pad,
        Some(other) => return Err(expected(&place, "a text", other)),
    };
    Ok(Some(Size { bytes, pad: pad.to_owned() }))
}

fn read_node(
    value: &Value,
    scope: &Scope<'_>,
    depth: usize,
    place: &str,
) -> Result<Node, RecipeError> {
    if depth > NESTING_MAX {
        return Err(wrong(place, "the item is nested too deeply"));
    }
    Ok(match value {
        Value::String(text) => Node::Text(Text::parse(text, scope)?),
        Value::Array(values) => Node::List(
            values
                .iter()
                .map(|value| read_node(value, scope, depth + 1, place))
                .collect::<Result<_, _>>()?,
        ),
        Value::Object(members) => Node::Object(
            members
                .iter()
                .map(|(name, value)| Ok((name.clone(), read_node(value, scope, depth + 1, place)?)))
                .collect::<Result<_, RecipeError>>()?,
        ),
        plain => Node::Plain(plain.clone()),
    })
}

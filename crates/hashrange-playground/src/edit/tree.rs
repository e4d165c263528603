//! An item as a tree whose leaves are edited: what stands at a path, and another item with something else there.
//!
//! Invariant: a path that leads nowhere changes nothing.

use hashrange_types::{AttributeValue, Item, KeySchema};
use serde_json::{Value, json};

use super::{Edited, item};
use crate::format::{cell, counted};
use crate::view::{AttributeField, ItemLine, Refusal};

/// Deepest line that is shown: documents nest at most this deep.
const DEPTH_MAX: u32 = 32;

/// The item's lines, with what is in the lists and maps at `open`.
pub(super) fn lines(item: &Item, key: &KeySchema, open: &[String]) -> Vec<ItemLine> {
    let mut lines = Vec::new();
    for (name, value) in item {
        let is_key = key.contains(name.as_str());
        push(&mut lines, String::new(), name.as_str(), value, open, 0);
        let at = lines.iter().rposition(|line| line.depth == 0);
        if let Some(line) = at.and_then(|at| lines.get_mut(at)) {
            line.is_key = is_key;
        }
    }
    lines
}

fn push(
    lines: &mut Vec<ItemLine>,
    parent: String,
    name: &str,
    value: &AttributeValue,
    open: &[String],
    depth: u32,
) {
    let mut path = parent;
    path.push('/');
    path.push_str(&name.replace('~', "~0").replace('/', "~1"));
    push_line(lines, path, name.to_owned(), value, open, depth);
}

fn push_line(
    lines: &mut Vec<ItemLine>,
    path: String,
    name: String,
    value: &AttributeValue,
    open: &[String],
    depth: u32,
) {
    let n_members = match value {
        AttributeValue::L(values) => Some(values.len()),
        AttributeValue::M(entries) => Some(entries.len()),
        _ => None,
    };
    let is_open = n_members.map(|_| open.contains(&path));
    let kind = super::item::KINDS.iter().copied().find(|kind| *kind == value.tag()).unwrap_or("S");
    let text = cell(value);
    let spoken = match n_members {
        Some(n) => {
            let noun = if kind == "L" { "member" } else { "member of a map" };
            format!("{name}, {kind}, {}", counted(n as u64, noun))
        }
        None => format!("{name}, {kind}, {text}"),
    };
    let own = path.clone();
    lines.push(ItemLine { path, depth, name, kind, text, is_key: false, is_open, spoken });
    if is_open != Some(true) || depth >= DEPTH_MAX {
        return;
    }
    match value {
        AttributeValue::L(values) => {
            for (at, value) in values.iter().enumerate() {
                push_line(lines, format!("{own}/{at}"), format!("[{at}]"), value, open, depth + 1);
            }
        }
        AttributeValue::M(entries) => {
            for (name, value) in entries {
                push(lines, own.clone(), name, value, open, depth + 1);
            }
        }
        _ => {}
    }
}

/// The names that a path goes through.
fn steps(path: &str) -> Vec<String> {
    let step = |step: &str| step.replace("~1", "/").replace("~0", "~");
    path.split('/').skip(1).map(step).collect()
}

/// The last name of a path: what is shown of a change there.
pub(super) fn last_name(path: &str) -> String {
    steps(path).pop().unwrap_or_default()
}

/// The value at a path as a field.
pub(super) fn field_at(item: &Value, path: &str) -> Option<AttributeField> {
    let mut value = item.get(steps(path).first()?)?;
    for step in steps(path).iter().skip(1) {
        value = match value.as_object()?.iter().next()? {
            (kind, Value::Object(entries)) if kind == "M" => entries.get(step)?,
            (kind, Value::Array(values)) if kind == "L" => {
                values.get(step.parse::<usize>().ok()?)?
            }
            _ => return None,
        };
    }
    let value = hashrange_wire::value_from_json(value).ok()?;
    let (kind, text) = item::field_of(&value);
    Some(AttributeField { name: last_name(path), kind: kind.to_owned(), text })
}

/// What is done at a path.
pub(super) enum Act<'a> {
    /// The value there becomes this one, under this name.
    Set(&'a AttributeField),
    /// The list, map or item there gets one more.
    Add(&'a AttributeField),
    /// What is there goes.
    Remove,
}

/// Does something at a path of an item in DynamoDB JSON.
///
/// # Errors
/// One sentence where the field cannot be read, its name is taken, or there is no such place.
pub(super) fn change(item: &mut Value, path: &str, act: &Act<'_>) -> Edited {
    let mut steps = steps(path);
    let last = match act {
        Act::Add(_) => None,
        Act::Set(_) | Act::Remove => steps.pop(),
    };
    let mut place = item;
    let mut is_list = false;
    for (at, step) in steps.iter().enumerate() {
        let inside = if at == 0 { place.get_mut(step.as_str()) } else { entry(place, step) };
        let Some(value) = inside else { return Err(nowhere()) };
        let kind = value.as_object().and_then(|it| it.keys().next()).cloned().unwrap_or_default();
        is_list = kind == "L";
        if !is_list && kind != "M" {
            return Err(nowhere());
        }
        place = value.get_mut(kind.as_str()).ok_or_else(nowhere)?;
    }
    match (place, last) {
        (Value::Array(values), last) if is_list => change_list(values, last.as_deref(), act),
        (Value::Object(entries), last) => change_map(entries, last.as_deref(), act),
        _ => Err(nowhere()),
    }
}

/// The member of the content of a list or map.
fn entry<'a>(content: &'a mut Value, step: &str) -> Option<&'a mut Value> {
    match content {
        Value::Array(values) => values.get_mut(step.parse::<usize>().ok()?),
        Value::Object(entries) => entries.get_mut(step),
        _ => None,
    }
}

fn change_list(values: &mut Vec<Value>, last: Option<&str>, act: &Act<'_>) -> Edited {
    let at = last.and_then(|at| at.parse::<usize>().ok()).filter(|at| *at < values.len());
    match (act, at) {
        (Act::Add(field), _) => values.push(item::value_json(field)?),
        (Act::Set(field), Some(at)) => values[at] = item::value_json(field)?,
        (Act::Remove, Some(at)) => {
            values.remove(at);
        }
        _ => return Err(nowhere()),
    }
    Ok(())
}

fn change_map(
    entries: &mut serde_json::Map<String, Value>,
    last: Option<&str>,
    act: &Act<'_>,
) -> Edited {
    let old = last.unwrap_or_default();
    let field = match act {
        Act::Remove => {
            return entries.shift_remove(old).map(|_| ()).ok_or_else(nowhere);
        }
        Act::Set(field) | Act::Add(field) => field,
    };
    let name = field.name.as_str();
    if name.is_empty() {
        return Err(Refusal::ours("An attribute needs a name.".to_owned()));
    }
    let is_new = matches!(act, Act::Add(_)) || name != old;
    if is_new && entries.contains_key(name) {
        return Err(Refusal::ours(format!(
            "There is an attribute {name} already. Choose another name, or change that one."
        )));
    }
    let value = item::value_json(field)?;
    if matches!(act, Act::Add(_)) || !is_new {
        entries.insert(name.to_owned(), value);
        return Ok(());
    }
    if !entries.contains_key(old) {
        return Err(nowhere());
    }
    // A renamed attribute keeps its place.
    let renamed = std::mem::take(entries);
    for (known, kept) in renamed {
        if known == old {
            entries.insert(name.to_owned(), value.clone());
        } else {
            entries.insert(known, kept);
        }
    }
    Ok(())
}

fn nowhere() -> Refusal {
    Refusal::ours("What you edit is not there any more. Undo brings it back.".to_owned())
}

/// A value of a kind to begin with.
pub(super) fn first_text(kind: &str) -> &'static str {
    match kind {
        "M" => "{}",
        "L" => "[]",
        "BOOL" => "false",
        _ => "",
    }
}

/// An item's copy in JSON under a key that is free: the number at its end goes up, else it ends in `-copy`.
pub(super) fn copy_of(item: &Value, name: &str, n: u32) -> Option<Value> {
    let mut copy = item.clone();
    let value = copy.get_mut(name)?.as_object_mut()?;
    let (kind, text) = value
        .iter()
        .next()
        .and_then(|(kind, text)| Some((kind.clone(), text.as_str()?.to_owned())))?;
    let text = match kind.as_str() {
        "N" => (text.parse::<i64>().ok()?.checked_add(i64::from(n))?).to_string(),
        "S" => next_text(&text, n),
        _ => return None,
    };
    *value = serde_json::Map::from_iter([(kind, json!(text))]);
    Some(copy)
}

fn next_text(text: &str, n: u32) -> String {
    let stem = text.trim_end_matches(|character: char| character.is_ascii_digit());
    let digits = &text[stem.len()..];
    match digits.parse::<u64>() {
        Ok(number) if digits.len() < 10 => {
            let width = digits.len();
            format!("{stem}{:0width$}", number + u64::from(n))
        }
        _ if n == 1 => format!("{text}-copy"),
        _ => format!("{text}-copy-{n}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, kind: &str, text: &str) -> AttributeField {
        AttributeField { name: name.to_owned(), kind: kind.to_owned(), text: text.to_owned() }
    }

    fn item() -> Value {
        json!({"id": {"S": "a"}, "deep/er": {"M": {"list": {"L": [{"N": "1"}, {"S": "x"}]}}}, "z": {"BOOL": true}})
    }

    #[test]
    fn a_leaf_deep_in_an_item_is_read_changed_and_removed() {
        let mut item = item();
        let path = "/deep~1er/list/1";
        assert_eq!(field_at(&item, path), Some(field("1", "S", "x")));
        change(&mut item, path, &Act::Set(&field("1", "N", "2"))).unwrap();
        assert_eq!(item["deep/er"]["M"]["list"]["L"], json!([{"N": "1"}, {"N": "2"}]));
        change(&mut item, "/deep~1er/list", &Act::Add(&field("", "NULL", ""))).unwrap();
        change(&mut item, "/deep~1er/list/0", &Act::Remove).unwrap();
        assert_eq!(item["deep/er"]["M"]["list"]["L"], json!([{"N": "2"}, {"NULL": true}]));
    }

    #[test]
    fn a_renamed_attribute_keeps_its_place() {
        let mut item = item();
        change(&mut item, "/deep~1er", &Act::Set(&field("flat", "S", "now"))).unwrap();
        assert_eq!(item.to_string(), r#"{"id":{"S":"a"},"flat":{"S":"now"},"z":{"BOOL":true}}"#);
    }

    #[test]
    fn what_is_not_there_is_refused_and_changes_nothing() {
        for (path, act) in [
            ("/gone", Act::Remove),
            ("/z/1", Act::Set(&field("a", "S", ""))),
            ("/deep~1er/list/7", Act::Remove),
            ("/id", Act::Set(&field("z", "S", "taken"))),
            ("", Act::Add(&field("z", "S", "taken"))),
            ("", Act::Add(&field("", "S", "without a name"))),
        ] {
            let mut item = item();
            assert!(change(&mut item, path, &act).is_err(), "{path}");
            assert_eq!(item, self::item(), "{path}");
        }
    }

    #[test]
    fn only_open_lists_and_maps_show_what_is_in_them() {
        let item = hashrange_wire::item_from_json(&item()).unwrap();
        let key = KeySchema { partition: Vec::new(), sort: Vec::new() };
        let all = |open: &[&str]| {
            let open: Vec<String> = open.iter().map(|path| (*path).to_owned()).collect();
            let lines = lines(&item, &key, &open);
            lines
                .iter()
                .map(|line| format!("{}{}", line.depth, line.name))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(all(&[]), "0id 0deep/er 0z");
        assert_eq!(all(&["/deep~1er", "/deep~1er/list"]), "0id 0deep/er 1list 2[0] 2[1] 0z");
    }

    #[test]
    fn a_copys_key_counts_on() {
        assert_eq!(next_text("PROJECT#p-09", 1), "PROJECT#p-10");
        assert_eq!(next_text("ORG", 1), "ORG-copy");
        assert_eq!(next_text("ORG", 3), "ORG-copy-3");
    }
}

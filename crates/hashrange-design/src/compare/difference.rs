//! What differs between two designs: tables, keys, indexes, key templates and what patterns ask.
//!
//! Invariant: equal designs have no differences; each is told once, at the smallest thing that differs.
//!
//! Not here: what a difference does to patterns ([`super::Comparison`]).

use serde_json::Value;

use crate::document::{AccessPattern, Design, Entity};

/// What a difference can change the figures of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touches {
    /// Whatever asks this table.
    Table(String),
    /// Whatever reads or writes this index of a table.
    Index(String, String),
    /// The pattern with these words.
    Pattern(String),
}

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is: `Index nameIndex`.
    pub what: String,
    /// How it is in A and in B; none where it is not there.
    pub sides: [Option<String>; 2],
    /// What it can change.
    pub touches: Touches,
}

/// What differs between A and B: tables, then templates, then patterns.
pub fn differences(a: &Design, b: &Design) -> Vec<Difference> {
    let mut found = Vec::new();
    for [a, b] in paired(&a.tables, &b.tables, |table| text(table, "TableName")) {
        table_differences(a, b, &mut found);
    }
    for [a, b] in paired(&a.entities, &b.entities, |entity| entity.name.clone()) {
        entity_differences(a, b, &mut found);
    }
    for [a, b] in paired(&a.patterns, &b.patterns, |pattern| pattern.words.clone()) {
        let Some(any) = a.or(b) else { continue };
        let what = format!("Pattern “{}”", any.words);
        let touches = Touches::Pattern(any.words.clone());
        note(&mut found, what, [a, b].map(|it| it.map(asks)), touches);
    }
    found
}

/// Those of A with those of B of the same name, then those B alone has.
fn paired<'a, T>(a: &'a [T], b: &'a [T], name: impl Fn(&T) -> String) -> Vec<[Option<&'a T>; 2]> {
    let find = |list: &'a [T], wanted: &T| list.iter().find(|it| name(it) == name(wanted));
    let mut pairs: Vec<[Option<&T>; 2]> = a.iter().map(|it| [Some(it), find(b, it)]).collect();
    pairs.extend(b.iter().filter(|it| find(a, it).is_none()).map(|it| [None, Some(it)]));
    pairs
}

fn note(found: &mut Vec<Difference>, what: String, sides: [Option<String>; 2], touches: Touches) {
    if sides[0] != sides[1] {
        found.push(Difference { what, sides, touches });
    }
}

fn table_differences(a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Difference>) {
    let Some(any) = a.or(b) else { return };
    let table = text(any, "TableName");
    let touches = || Touches::Table(table.clone());
    let keys = [a, b].map(|it| it.map(key_words));
    if a.is_none() || b.is_none() {
        return note(found, format!("Table {table}"), keys, touches());
    }
    note(found, format!("{table}, keys"), keys, touches());
    let mode = [a, b].map(|it| it.map(billing));
    note(found, format!("{table}, capacity"), mode, touches());
    for member in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
        let lists = [a, b].map(|it| {
            it.and_then(|table| table.get(member))
                .and_then(Value::as_array)
                .map_or(&[][..], |list| list)
        });
        for sides in paired(lists[0], lists[1], |index| text(index, "IndexName")) {
            let Some(any) = sides[0].or(sides[1]) else { continue };
            let name = text(any, "IndexName");
            let words = sides.map(|it| it.map(index_words));
            note(found, format!("Index {name}"), words, Touches::Index(table.clone(), name));
        }
    }
}

fn entity_differences(a: Option<&Entity>, b: Option<&Entity>, found: &mut Vec<Difference>) {
    let Some(any) = a.or(b) else { return };
    let touches = || Touches::Table(any.table.clone());
    let (Some(a), Some(b)) = (a, b) else {
        let whole = |entity: &Entity| {
            let keys = entity.keys.iter().map(|(name, template)| format!("{name} {template}"));
            keys.collect::<Vec<_>>().join(", ")
        };
        return note(
            found,
            format!("Entity {}", any.name),
            [a.map(whole), b.map(whole)],
            touches(),
        );
    };
    let table = [Some(a.table.clone()), Some(b.table.clone())];
    note(found, format!("{}, table", a.name), table, touches());
    let names = a.keys.keys().chain(b.keys.keys().filter(|name| !a.keys.contains_key(*name)));
    for name in names {
        let templates = [a.keys.get(name).cloned(), b.keys.get(name).cloned()];
        note(found, format!("{}, {name}", a.name), templates, touches());
    }
}

/// What a pattern asks, in short.
fn asks(pattern: &AccessPattern) -> String {
    let mut words = pattern.operation.clone();
    for member in
        ["TableName", "IndexName", "KeyConditionExpression", "FilterExpression", "Statement"]
    {
        let said = text(&pattern.request, member);
        if !said.is_empty() {
            words.push_str(if member == "FilterExpression" { ", then a filter " } else { " · " });
            words.push_str(&said);
        }
    }
    if pattern.request.get("ConsistentRead").and_then(Value::as_bool) == Some(true) {
        words.push_str(" · strongly consistent");
    }
    words
}

/// `PK, SK`.
fn key_words(holder: &Value) -> String {
    let elements = holder.get("KeySchema").and_then(Value::as_array);
    let names = elements.into_iter().flatten().map(|element| text(element, "AttributeName"));
    names.collect::<Vec<_>>().join(", ")
}

/// `PK, filterName · INCLUDE name, role`.
fn index_words(index: &Value) -> String {
    let projection = index.get("Projection").unwrap_or(&Value::Null);
    let kind = text(projection, "ProjectionType");
    let names = projection.get("NonKeyAttributes").and_then(Value::as_array);
    let names: Vec<&str> = names.into_iter().flatten().filter_map(Value::as_str).collect();
    let gap = if names.is_empty() { "" } else { " " };
    format!("{} · {kind}{gap}{}", key_words(index), names.join(", "))
}

fn billing(table: &Value) -> String {
    let throughput = table.get("ProvisionedThroughput");
    let units = |member: &str| {
        throughput.and_then(|it| it.get(member)).and_then(Value::as_u64).unwrap_or(0)
    };
    if throughput.is_none() {
        return "on-demand".to_owned();
    }
    format!("{} RCU, {} WCU", units("ReadCapacityUnits"), units("WriteCapacityUnits"))
}

fn text(value: &Value, member: &str) -> String {
    value.get(member).and_then(Value::as_str).unwrap_or_default().to_owned()
}

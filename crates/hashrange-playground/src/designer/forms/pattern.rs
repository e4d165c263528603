//! The form of an access pattern: its question, its request by fields or as JSON, and what it states as a test.
//!
//! Invariant: a request that says more than the fields can is edited as JSON, so that nothing of it is lost.

use hashrange_design::AccessPattern;
use hashrange_design::pattern::keep_as_pattern;
use hashrange_storage::Table;
use hashrange_types::{KeyAttribute, KeySchema};
use serde_json::Value;

use super::{
    FormDraft, Read, add_button, choices, decimal, field, list_row, place, refuse, refused_at,
    whole,
};
use crate::session::Session;
use crate::view::{FieldKind, FieldView, FormRefusal, FormView};
use crate::{FormAttribute, FormComparison, FormCondition, FormKind, PatternForm};

const OPERATIONS: [&str; 6] = ["GetItem", "Query", "Scan", "PutItem", "UpdateItem", "DeleteItem"];

/// Comparisons: how each stands in a field, and what it says.
const COMPARISONS: [(FormComparison, &str, &str); 10] = [
    (FormComparison::Equal, "=", "="),
    (FormComparison::NotEqual, "<>", "is not"),
    (FormComparison::Less, "<", "<"),
    (FormComparison::LessOrEqual, "<=", "≤"),
    (FormComparison::Greater, ">", ">"),
    (FormComparison::GreaterOrEqual, ">=", "≥"),
    (FormComparison::Between, "between", "between"),
    (FormComparison::BeginsWith, "begins_with", "begins with"),
    (FormComparison::Contains, "contains", "contains"),
    (FormComparison::Exists, "exists", "is there"),
];

const KINDS: [(FormKind, &str, &str); 3] = [
    (FormKind::Text, "S", "S, text"),
    (FormKind::Number, "N", "N, number"),
    (FormKind::Truth, "BOOL", "BOOL"),
];

pub(super) fn draft(session: &Session, number: Option<u32>) -> FormDraft {
    let mut draft = FormDraft::default();
    let Some(pattern) = number.and_then(|number| session.design().patterns.get(place(number)))
    else {
        draft.set("operation", "Query");
        draft.set("place", session.design().table_names().next().unwrap_or_default());
        return draft;
    };
    draft.set("words", pattern.words.as_str());
    draft.set("operation", pattern.operation.as_str());
    let number = |number: &Value| number.to_string();
    draft.set("items", pattern.expect.get("Count").map(number).unwrap_or_default());
    draft.set("units", pattern.expect.get("units_max").map(number).unwrap_or_default());
    let rate = pattern.per_second.map(|rate| Value::from(rate).to_string());
    let rate = rate.unwrap_or_default();
    draft.set("rate", rate.strip_suffix(".0").unwrap_or(&rate));
    let table = pattern.request["TableName"].as_str().unwrap_or_default();
    draft.set("json", crate::request::pretty(&pattern.request.to_string()));
    let schema = session.data().store.table(table).map(Table::schema);
    match schema.and_then(|schema| PatternForm::of(pattern, schema)) {
        Some(form) => fill(&mut draft, table, form),
        None => draft.set("mode", "json"),
    }
    draft
}

/// The fields of a request.
fn fill(draft: &mut FormDraft, table: &str, form: PatternForm) {
    let index = if form.index.is_empty() { String::new() } else { format!("/{}", form.index) };
    draft.set("place", format!("{table}{index}"));
    for (name, value) in form.key {
        draft.set(&format!("key.{name}"), value);
    }
    if let Some(sort) = form.sort {
        draft.set("sort", symbol(sort.comparison));
        draft.set(&format!("key.{}", sort.attribute), sort.value);
        draft.set("second", sort.second);
    }
    for condition in form.filter {
        let row = draft.add_row("filter");
        draft.set_row("filter", row, "attribute", condition.attribute);
        draft.set_row("filter", row, "comparison", symbol(condition.comparison));
        draft.set_row("filter", row, "value", condition.value);
        draft.set_row("filter", row, "second", condition.second);
        draft.set_row("filter", row, "type", tag(condition.kind));
    }
    let is_write = is_write(&form.operation);
    let names: Vec<String> = form.attributes.iter().map(|it| it.name.clone()).collect();
    if is_write {
        for attribute in form.attributes {
            let row = draft.add_row("attribute");
            draft.set_row("attribute", row, "name", attribute.name);
            draft.set_row("attribute", row, "value", attribute.value);
            draft.set_row("attribute", row, "type", tag(attribute.kind));
        }
    } else {
        draft.set("projection", names.join(", "));
    }
    draft.set("consistent", if form.is_consistent { "true" } else { "" });
    draft.set("descending", if form.is_descending { "true" } else { "" });
    draft.set("limit", form.limit.map(|n| n.to_string()).unwrap_or_default());
}

fn symbol(comparison: FormComparison) -> &'static str {
    COMPARISONS.iter().find(|(known, ..)| *known == comparison).map_or("=", |(_, symbol, _)| symbol)
}

fn comparison(symbol: &str) -> FormComparison {
    let known = COMPARISONS.iter().find(|(_, known, _)| *known == symbol);
    known.map_or(FormComparison::Equal, |(comparison, ..)| *comparison)
}

fn tag(kind: FormKind) -> &'static str {
    KINDS.iter().find(|(known, ..)| *known == kind).map_or("S", |(_, tag, _)| tag)
}

fn kind(tag: &str) -> FormKind {
    KINDS.iter().find(|(_, known, _)| *known == tag).map_or(FormKind::Text, |(kind, ..)| *kind)
}

fn is_write(operation: &str) -> bool {
    matches!(operation, "PutItem" | "UpdateItem" | "DeleteItem")
}

/// Table and index of the field that names both.
fn target(draft: &FormDraft) -> (String, String) {
    let place = draft.get("place");
    let (table, index) = place.split_once('/').unwrap_or((place, ""));
    let index = if is_write(draft.get("operation")) || draft.get("operation") == "GetItem" {
        ""
    } else {
        index
    };
    (table.to_owned(), index.to_owned())
}

/// The keys that the operation names: of the index it reads, or of the table.
fn key<'a>(session: &'a Session, draft: &FormDraft) -> Option<(&'a Table, &'a KeySchema)> {
    let (table, index) = target(draft);
    let table = session.data().store.table(&table)?;
    let schema = table.schema();
    let key = schema.index(&index).map_or(&schema.key, |index| index.key);
    Some((table, key))
}

fn read(session: &Session, draft: &FormDraft) -> Read<PatternForm> {
    let (_, index) = target(draft);
    let operation = draft.get("operation").to_owned();
    let mut form = PatternForm {
        words: draft.trimmed("words"),
        index,
        is_consistent: draft.is("consistent"),
        is_descending: draft.is("descending") && operation == "Query",
        operation,
        ..PatternForm::default()
    };
    let keys = key(session, draft).map(|(_, key)| key);
    let is_query = form.operation == "Query";
    for attribute in
        keys.into_iter().flat_map(KeySchema::attributes).filter(|_| form.operation != "Scan")
    {
        let name = attribute.name.to_string();
        let value = draft.trimmed(&format!("key.{name}"));
        let is_sort = keys.is_some_and(|key| key.sort.iter().any(|it| it.name == attribute.name));
        if is_query && is_sort {
            if !value.is_empty() && form.sort.is_none() {
                form.sort = Some(FormCondition {
                    attribute: name,
                    comparison: comparison(draft.get("sort")),
                    value,
                    second: draft.trimmed("second"),
                    kind: FormKind::Text,
                });
            }
        } else {
            form.key.push((name, value));
        }
    }
    if is_write(&form.operation) {
        for row in 0..draft.n_rows("attribute") {
            form.attributes.push(FormAttribute {
                name: draft.row("attribute", row, "name").trim().to_owned(),
                value: draft.row("attribute", row, "value").to_owned(),
                kind: kind(draft.row("attribute", row, "type")),
            });
        }
    } else {
        let names = draft.get("projection").split(',').map(str::trim).filter(|it| !it.is_empty());
        form.attributes = names
            .map(|name| FormAttribute { name: name.to_owned(), ..FormAttribute::default() })
            .collect();
        for row in 0..draft.n_rows("filter") {
            form.filter.push(FormCondition {
                attribute: draft.row("filter", row, "attribute").trim().to_owned(),
                comparison: comparison(draft.row("filter", row, "comparison")),
                value: draft.row("filter", row, "value").to_owned(),
                second: draft.row("filter", row, "second").to_owned(),
                kind: kind(draft.row("filter", row, "type")),
            });
        }
        form.limit = whole(draft, "limit", "The limit")?;
    }
    form.per_second = decimal(draft, "rate", "The rate")?;
    form.expected_items = whole(draft, "items", "The number of items")?;
    form.units_max = decimal(draft, "units", "The budget")?;
    Ok(form)
}

/// The pattern as typed, with what the one before it stated that no field shows.
fn build(session: &Session, number: Option<u32>, draft: &FormDraft) -> Read<AccessPattern> {
    let form = read(session, draft)?;
    if form.words.is_empty() {
        return refuse(
            "words",
            "Say in words what the pattern asks, such as Orders of a customer.",
        );
    }
    let old = number.and_then(|number| session.design().patterns.get(place(number)));
    let mut pattern = if draft.get("mode") == "json" {
        let kept = keep_as_pattern(&form.words, &form.operation, draft.get("json"));
        kept.map_err(|reason| FormRefusal { field: "json".to_owned(), message: reason })?
    } else {
        let Some((table, _)) = key(session, draft) else {
            return refuse("place", "There is no such table. Choose one.");
        };
        form.build(table.schema()).map_err(|reason| at_field(draft, &form, reason))?
    };
    if let Some(old) = old.filter(|old| old.operation == form.operation)
        && is_same_request(session, number, draft, &form)
    {
        // The same request in other placeholders would be another request.
        pattern.request = old.request.clone();
    }
    pattern.per_second = form.per_second;
    pattern.expect = old.map(|old| old.expect.clone()).unwrap_or_default();
    let stated = [
        ("Count", "items", form.expected_items.map(Value::from)),
        ("units_max", "units", form.units_max.map(Value::from)),
    ];
    for (name, field, value) in stated {
        // 3 and 3.0 are the same number and not the same text.
        let now = pattern.expect.get(name).map(Value::to_string);
        match value {
            _ if now.as_deref() == Some(draft.get(field)) => {}
            Some(value) => {
                pattern.expect.insert(name.to_owned(), value);
            }
            None => {
                pattern.expect.shift_remove(name);
            }
        }
    }
    pattern.unknown = old.map(|old| old.unknown.clone()).unwrap_or_default();
    Ok(pattern)
}

/// True if the request is as it was when the form was opened.
fn is_same_request(
    session: &Session,
    number: Option<u32>,
    typed: &FormDraft,
    form: &PatternForm,
) -> bool {
    let fresh = draft(session, number);
    if typed.get("mode") != fresh.get("mode") || typed.get("mode") == "json" {
        return typed.get("json") == fresh.get("json");
    }
    let Ok(mut was) = read(session, &fresh) else { return false };
    was.words.clone_from(&form.words);
    (was.per_second, was.expected_items, was.units_max) =
        (form.per_second, form.expected_items, form.units_max);
    typed.get("place") == fresh.get("place") && was == *form
}

/// The field that what is wrong with a request belongs to: its sentence names the attribute.
fn at_field(draft: &FormDraft, form: &PatternForm, message: String) -> FormRefusal {
    let begins = |name: &str| !name.is_empty() && message.starts_with(name);
    let key = form.key.iter().map(|(name, _)| name).chain(form.sort.iter().map(|it| &it.attribute));
    let mut field = "operation".to_owned();
    for name in key {
        if begins(name) {
            field = format!("key.{name}");
        }
    }
    for (list, name) in [("filter", "attribute"), ("attribute", "name")] {
        let row = (0..draft.n_rows(list)).find(|row| {
            let known = draft.row(list, *row, name).trim();
            begins(known) || known.is_empty()
        });
        if let Some(row) = row.filter(|_| field == "operation") {
            field = format!("{list}.{row}.value");
        }
    }
    FormRefusal { field, message }
}

pub(super) fn apply(session: &mut Session, number: Option<u32>, draft: &FormDraft) -> Read {
    let pattern = build(session, number, draft)?;
    session.put_pattern(number.map(place), pattern).map_err(refused_at("words"))
}

/// What buttons of this form do: from fields to JSON and back.
pub(super) fn press(session: &Session, draft: &mut FormDraft, act: &str) {
    let is_json = act == "json";
    if is_json {
        let mut worded = draft.clone();
        worded.set("words", "x");
        if let Ok(pattern) = build(session, None, &worded) {
            draft.set("json", crate::request::pretty(&pattern.request.to_string()));
        }
        draft.set("mode", "json");
        return;
    }
    let request = serde_json::from_str::<Value>(draft.get("json")).unwrap_or_default();
    let table = request["TableName"].as_str().unwrap_or_default().to_owned();
    let operation = draft.get("operation").to_owned();
    let pattern = AccessPattern { operation, request, ..AccessPattern::default() };
    let schema = session.data().store.table(&table).map(Table::schema);
    if let Some(form) = schema.and_then(|schema| PatternForm::of(&pattern, schema)) {
        let mut next = FormDraft::default();
        for name in ["words", "operation", "rate", "items", "units", "json"] {
            next.set(name, draft.get(name));
        }
        fill(&mut next, &table, form);
        *draft = next;
    } else {
        draft.set("beyond", "true");
    }
}

pub(super) fn view(session: &Session, number: Option<u32>, draft: &FormDraft) -> FormView {
    let known = number.filter(|number| session.design().patterns.get(place(*number)).is_some());
    let is_json = draft.get("mode") == "json";
    let mut fields = vec![
        field(draft, "words", "In words", FieldKind::Text)
            .hint("Orders of a customer, newest first"),
    ];
    let operation =
        field(draft, "operation", "Operation", FieldKind::Choice(operations(draft, is_json)));
    if is_json {
        fields.push(operation);
        let json = field(draft, "json", "Request, DynamoDB JSON", FieldKind::Lines);
        let problem =
            build(session, number, &with_words(draft)).err().filter(|it| it.field == "json");
        fields.push(json.problem(problem.map(|it| it.message).unwrap_or_default()));
        let note = if draft.is("beyond") {
            "The request says more than fields can show, so it is edited as JSON."
        } else {
            ""
        };
        let back = vec![("fields".to_owned(), "Edit as fields".to_owned())];
        fields.push(FieldView::plain("", FieldKind::Actions(back)).note(note));
    } else {
        let places = FieldKind::Choice(places(session, draft));
        fields.push(FieldView::plain(
            "",
            FieldKind::Row(vec![operation, field(draft, "place", "Table or index", places)]),
        ));
        fields.extend(request_fields(session, draft));
        let json = vec![("json".to_owned(), "Edit as JSON".to_owned())];
        fields.push(FieldView::plain("", FieldKind::Actions(json)));
    }
    fields.push(FieldView::heading(
        "Test and traffic",
        "With a number of items or a budget stated, the pattern is a test.",
    ));
    fields.push(FieldView::plain(
        "",
        FieldKind::Row(vec![
            field(draft, "items", "Items expected", FieldKind::Number).hint("not stated"),
            field(draft, "units", "Units at most", FieldKind::Number).hint("not stated"),
            field(draft, "rate", "Calls a second", FieldKind::Number).hint("not stated"),
        ]),
    ));
    FormView {
        title: known
            .map_or_else(|| "New access pattern".to_owned(), |n| format!("Access pattern {n}")),
        words: about(session, known),
        fields,
        apply: if known.is_some() { "Save pattern" } else { "Add pattern" },
        remove: known.map(|_| "Remove pattern"),
        slot: 0,
    }
}

/// The entity it is about, as the sample answers.
fn about(session: &Session, number: Option<u32>) -> String {
    let result = session.pattern_results().iter().find(|it| Some(it.number) == number);
    let entity = result.and_then(|it| session.design().entities.get(it.entity?));
    entity.map_or_else(String::new, |entity| {
        format!("About {}, as its answer on the sample shows.", entity.name)
    })
}

fn with_words(draft: &FormDraft) -> FormDraft {
    let mut worded = draft.clone();
    worded.set("words", "x");
    worded
}

fn operations(draft: &FormDraft, is_json: bool) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        OPERATIONS.iter().map(|it| ((*it).to_owned(), (*it).to_owned())).collect();
    let own = draft.get("operation");
    if is_json {
        let names = crate::OPERATIONS.iter().flat_map(|(_, names)| names.iter());
        all = names.map(|it| ((*it).to_owned(), (*it).to_owned())).collect();
    }
    if !all.iter().any(|(known, _)| known == own) {
        all.push((own.to_owned(), own.to_owned()));
    }
    all
}

fn places(session: &Session, draft: &FormDraft) -> Vec<(String, String)> {
    let takes_indexes = matches!(draft.get("operation"), "Query" | "Scan");
    let mut places = Vec::new();
    for table in session.data().store.tables() {
        let schema = table.schema();
        places.push((schema.name.to_string(), schema.name.to_string()));
        for index in schema.indexes().filter(|_| takes_indexes) {
            places.push((
                format!("{}/{}", schema.name, index.name),
                format!("{}, index {}", schema.name, index.name),
            ));
        }
    }
    places
}

/// The fields of the request, as the operation has them.
fn request_fields(session: &Session, draft: &FormDraft) -> Vec<FieldView> {
    let operation = draft.get("operation");
    let mut fields = Vec::new();
    if let Some((_, key)) = key(session, draft)
        && operation != "Scan"
    {
        for attribute in &key.partition {
            fields.push(key_value(draft, attribute, "="));
        }
        for attribute in &key.sort {
            if operation == "Query" {
                fields.push(sort_row(draft, attribute));
            } else {
                fields.push(key_value(draft, attribute, "="));
            }
        }
    }
    match operation {
        "Query" | "Scan" => {
            for row in 0..draft.n_rows("filter") {
                fields.push(filter_row(draft, row));
            }
            fields.push(add_button("filter", "Filter"));
            fields.push(projection(draft));
            let mut row = vec![field(draft, "limit", "Limit", FieldKind::Number).hint("none")];
            row.push(field(draft, "consistent", "Strongly consistent", FieldKind::Check));
            if operation == "Query" {
                row.push(field(draft, "descending", "Descending", FieldKind::Check));
            }
            fields.push(FieldView::plain("", FieldKind::Row(row)));
        }
        "GetItem" => {
            fields.push(projection(draft));
            fields.push(field(draft, "consistent", "Strongly consistent", FieldKind::Check));
        }
        "PutItem" | "UpdateItem" => {
            for row in 0..draft.n_rows("attribute") {
                fields.push(attribute_row(draft, row));
            }
            let words = if operation == "PutItem" { "Attribute" } else { "Attribute to set" };
            fields.push(add_button("attribute", words));
        }
        _ => {}
    }
    fields
}

fn key_value(draft: &FormDraft, attribute: &KeyAttribute, sign: &str) -> FieldView {
    let name = attribute.name.as_str();
    let label = format!("{name} {sign}");
    let hint = if attribute.scalar.letter() == "N" { "42" } else { "ORG#1234" };
    field(draft, &format!("key.{name}"), &label, FieldKind::Code).hint(hint)
}

fn sort_row(draft: &FormDraft, attribute: &KeyAttribute) -> FieldView {
    let name = attribute.name.as_str();
    let signs = COMPARISONS.iter().filter(|(known, ..)| known.is_for_keys());
    let signs = signs.map(|(_, symbol, words)| ((*symbol).to_owned(), (*words).to_owned()));
    let mut sign = field(draft, "sort", name, FieldKind::Choice(signs.collect()));
    if sign.value.is_empty() {
        "=".clone_into(&mut sign.value);
    }
    let value = field(draft, &format!("key.{name}"), "Value", FieldKind::Code).hint("any");
    let mut row = vec![sign, value];
    if draft.get("sort") == "between" {
        row.push(field(draft, "second", "and", FieldKind::Code));
    }
    FieldView::plain("", FieldKind::Row(row))
}

fn filter_row(draft: &FormDraft, row: usize) -> FieldView {
    let at = |name: &str| format!("filter.{row}.{name}");
    let signs =
        COMPARISONS.iter().map(|(_, symbol, words)| ((*symbol).to_owned(), (*words).to_owned()));
    let mut sign =
        field(draft, &at("comparison"), "Comparison", FieldKind::Choice(signs.collect()));
    if sign.value.is_empty() {
        "=".clone_into(&mut sign.value);
    }
    let attribute = field(draft, &at("attribute"), "Filter", FieldKind::Code).hint("status");
    let mut cells = vec![attribute, sign];
    let sign = draft.get(&at("comparison"));
    if sign != "exists" {
        cells.push(field(draft, &at("value"), "Value", FieldKind::Code));
        if sign == "between" {
            cells.push(field(draft, &at("second"), "and", FieldKind::Code));
        }
        cells.push(type_field(draft, &at("type")));
    }
    list_row("filter", row, "filter", cells)
}

fn attribute_row(draft: &FormDraft, row: usize) -> FieldView {
    let at = |name: &str| format!("attribute.{row}.{name}");
    let cells = vec![
        field(draft, &at("name"), "Attribute", FieldKind::Code).hint("status"),
        field(draft, &at("value"), "Value", FieldKind::Code),
        type_field(draft, &at("type")),
    ];
    list_row("attribute", row, "attribute", cells)
}

fn type_field(draft: &FormDraft, name: &str) -> FieldView {
    let kinds: Vec<(&str, &str)> = KINDS.iter().map(|(_, tag, words)| (*tag, *words)).collect();
    let mut of_type = field(draft, name, "Type", FieldKind::Choice(choices(&kinds)));
    if of_type.value.is_empty() {
        "S".clone_into(&mut of_type.value);
    }
    of_type
}

fn projection(draft: &FormDraft) -> FieldView {
    field(draft, "projection", "Attributes returned", FieldKind::Code)
        .hint("all")
        .note("Separate names by commas. Fewer attributes save no read units.")
}

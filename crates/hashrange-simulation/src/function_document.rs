//! A function that reads a table's stream, as JSON.
//!
//! Invariant: what is written reads as the same function.

use hashrange_types::AttributeName;
use serde_json::{Map, Value, json};

use crate::document::{Members, Node, ScenarioError, ms_value, put};
use crate::scenario::FunctionText;
use crate::settings_document::{lag, lag_value};
use crate::world::{FunctionKind, FunctionSettings};

/// Reads `{"table": "Articles", "index": "title", "batch": 10, …}`.
pub(crate) fn read(node: &Node<'_>) -> Result<FunctionText, ScenarioError> {
    let mut members = node.open()?;
    let table = members.need("table")?.text()?.to_owned();
    let region = members.text("region")?.map(Into::into);
    let kind = match (members.take("index"), members.take("count")) {
        (Some(attribute), None) => FunctionKind::Index(AttributeName::new(attribute.text()?)),
        (None, Some(is_idempotent)) => FunctionKind::Count {
            is_idempotent: is_idempotent.word(&[("once", true), ("every", false)])?,
        },
        _ => return Err(members.not("a function with index or count")),
    };
    let mut settings = FunctionSettings::new(kind);
    change(&mut settings, &mut members)?;
    members.end()?;
    Ok(FunctionText { table, region, settings })
}

/// Changes what the members say of how a function reads its stream.
fn change(to: &mut FunctionSettings, members: &mut Members<'_>) -> Result<(), ScenarioError> {
    to.throws_on = members.text("throws_on")?.map(Into::into);
    if let Some(node) = members.take("batch") {
        to.batch_size = node.count(1..=10_000)?;
    }
    to.window_us = members.ms("window_ms")?.unwrap_or(to.window_us);
    let retries = members.take("retries");
    to.retries_max = retries.map(|node| node.count(0..=10_000)).transpose()?;
    let age = members.take("record_age_s");
    to.record_age_s_max = age.map(|node| node.count(60..=604_800)).transpose()?;
    if let Some(node) = members.take("bisect") {
        to.bisects = node.truth()?;
    }
    if let Some(node) = members.take("from") {
        to.is_from_oldest = node.word(&[("oldest", true), ("latest", false)])?;
    }
    to.stream = members.take("stream_ms").map(|node| lag(&node)).transpose()?;
    to.duration = members.take("function_ms").map(|node| lag(&node)).transpose()?;
    to.retry_us = members.ms("retry_ms")?.unwrap_or(to.retry_us);
    Ok(())
}

/// The function as [`read`] takes it.
pub(crate) fn value(function: &FunctionText) -> Value {
    let FunctionText { table, region, settings } = function;
    let mut to = Map::new();
    put(&mut to, "table", Some(table.as_str()));
    put(&mut to, "region", region.as_deref());
    match &settings.kind {
        FunctionKind::Index(attribute) => put(&mut to, "index", Some(attribute.as_str())),
        FunctionKind::Count { is_idempotent } => {
            put(&mut to, "count", Some(if *is_idempotent { "once" } else { "every" }));
        }
    }
    put(&mut to, "throws_on", settings.throws_on.as_deref());
    put(&mut to, "batch", Some(settings.batch_size));
    put(&mut to, "window_ms", Some(ms_value(settings.window_us)));
    put(&mut to, "retries", settings.retries_max);
    put(&mut to, "record_age_s", settings.record_age_s_max);
    put(&mut to, "bisect", Some(settings.bisects));
    put(&mut to, "from", Some(json!(if settings.is_from_oldest { "oldest" } else { "latest" })));
    put(&mut to, "stream_ms", settings.stream.as_ref().map(lag_value));
    put(&mut to, "function_ms", settings.duration.as_ref().map(lag_value));
    put(&mut to, "retry_ms", Some(ms_value(settings.retry_us)));
    Value::Object(to)
}

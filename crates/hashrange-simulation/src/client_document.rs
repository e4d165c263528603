//! How a client behaves, as JSON.
//!
//! Invariant: what is written reads as the same settings.

use serde_json::{Value, json};

use crate::client::{ClientSettings, Latency};
use crate::document::{Node, ScenarioError, ms_value};

/// Most hundredths of the median that the 99th percentile is.
const P99_PERCENT_MAX: u32 = 100_000;

/// Reads `"once"`, `"sdk"`, or an object that changes what `"once"` means.
pub(crate) fn read(node: &Node<'_>) -> Result<ClientSettings, ScenarioError> {
    if !node.value.is_object() {
        let is_sdk = node.word(&[("once", false), ("sdk", true)]);
        let is_sdk = is_sdk.map_err(|_| node.not("once, sdk or an object"))?;
        return Ok(if is_sdk { ClientSettings::sdk() } else { ClientSettings::default() });
    }
    let mut members = node.open()?;
    let mut to = ClientSettings::default();
    if let Some(node) = members.take("attempts") {
        to.attempts_max = node.count(1..=1_000)?;
    }
    to.backoff_base_us = members.ms("backoff_ms")?.unwrap_or(to.backoff_base_us);
    to.backoff_max_us = members.ms("backoff_max_ms")?.unwrap_or(to.backoff_max_us);
    if let Some(node) = members.take("jitter") {
        to.is_jittered = node.truth()?;
    }
    if let Some(node) = members.take("resend_unprocessed") {
        to.resends_unprocessed = node.truth()?;
    }
    if let Some(node) = members.take("connections") {
        to.connections_max = node.count(1..=1_000_000)?;
    }
    if let Some(node) = members.take("queue") {
        to.queue_max = node.count(0..=1_000_000)?;
    }
    if let Some(node) = members.take("latency") {
        to.latency = latency(&node)?;
    }
    members.end()?;
    Ok(to)
}

/// Reads `"none"`, `"model"`, or an object that changes what `"none"` means.
fn latency(node: &Node<'_>) -> Result<Latency, ScenarioError> {
    if !node.value.is_object() {
        let is_model = node.word(&[("none", false), ("model", true)]);
        let is_model = is_model.map_err(|_| node.not("none, model or an object"))?;
        return Ok(if is_model { Latency::MODEL } else { Latency::NONE });
    }
    let mut members = node.open()?;
    let mut to = Latency::NONE;
    to.read_us = members.ms("read_ms")?.unwrap_or(0);
    to.write_us = members.ms("write_ms")?.unwrap_or(0);
    to.page_us = members.ms("page_ms")?.unwrap_or(0);
    to.transaction_us = members.ms("transaction_ms")?.unwrap_or(0);
    to.per_kb_us = members.ms("per_kb_ms")?.unwrap_or(0);
    if let Some(node) = members.take("p99_percent") {
        to.p99_percent = i64::from(node.count(100..=P99_PERCENT_MAX)?);
    }
    members.end()?;
    Ok(to)
}

/// The settings as [`read`] takes them.
pub(crate) fn client_value(client: &ClientSettings) -> Value {
    let latency = &client.latency;
    json!({
        "attempts": client.attempts_max,
        "backoff_ms": ms_value(client.backoff_base_us),
        "backoff_max_ms": ms_value(client.backoff_max_us),
        "jitter": client.is_jittered,
        "resend_unprocessed": client.resends_unprocessed,
        "connections": client.connections_max,
        "queue": client.queue_max,
        "latency": {
            "read_ms": ms_value(latency.read_us),
            "write_ms": ms_value(latency.write_us),
            "page_ms": ms_value(latency.page_us),
            "transaction_ms": ms_value(latency.transaction_us),
            "per_kb_ms": ms_value(latency.per_kb_us),
            "p99_percent": latency.p99_percent,
        },
    })
}

//! A `Workload` as JSON: the `load` of a step.
//!
//! Invariant: what is written reads as the same workload. Words are those of the lessons' `load` where they have
//! them.
//!
//! Not here: how a client behaves (`client_document`).

use serde_json::{Map, Value, json};

use crate::document::{Members, Node, ScenarioError, ms_value, put, seconds_value};
use crate::keys::KeyDistribution;
use crate::scenario::{Act, RequestText};
use crate::step_document::{put_via, via};
use crate::workload::{Pace, Padded, Phase, Rate, Source, Workload};
use crate::{client_document, client_document::client_value};

/// Most requests a second of one source.
const RATE_MAX: u32 = 1_000_000;
/// Most keys of one source.
const KEYS_MAX: u64 = 1_000_000_000_000;
/// Most bytes that an item has.
const ITEM_BYTES_MAX: u32 = 400 * 1_024;
/// Where items are padded unless it is said.
const PAD: &str = "note";

/// Reads the rest of a step whose `load` is this list.
pub(crate) fn act(step: &mut Members<'_>, load: &Node<'_>) -> Result<Act, ScenarioError> {
    let lasts_us = step.take("seconds").map(|node| node.seconds()).transpose()?;
    let client = step.take("client").map(|node| client_document::read(&node)).transpose()?;
    let seed = step.take("seed").map_or(Ok(1), |node| node.whole(0..=u64::MAX))?;
    let items = load.items()?;
    let sources = items.iter().map(|node| source(node, lasts_us));
    let sources = sources.collect::<Result<_, _>>()?;
    Ok(Act::Load(Box::new(Workload { seed, client: client.unwrap_or_default(), sources })))
}

/// Writes the load of a step.
pub(crate) fn put_load(to: &mut Map<String, Value>, workload: &Workload<RequestText>) {
    put(to, "load", Some(workload.sources.iter().map(source_value).collect::<Vec<_>>()));
    put(to, "seed", Some(workload.seed));
    put(to, "client", Some(client_value(&workload.client)));
}

fn source(node: &Node<'_>, lasts_us: Option<i64>) -> Result<Source<RequestText>, ScenarioError> {
    let mut members = node.open()?;
    let operation = members.need("op")?.text()?.to_owned();
    let name = members.text("name")?.unwrap_or(&operation).to_owned();
    let request = match (members.take("request"), members.has("item")) {
        (Some(request), false) => request.value.clone(),
        (None, true) => {
            json!({
                "TableName": members.need("table")?.text()?,
                "Item": members.need("item")?.value,
            })
        }
        _ => return Err(members.not("a load with request, or with table and item")),
    };
    let pace = pace(&mut members, lasts_us)?;
    let mut source = Source::new(name, RequestText { operation, members: request }, pace);
    source.padded = padded(&mut members)?;
    if let Some(node) = members.take("keys") {
        source.keys = keys(&node)?;
    }
    let percent = members.take("consistent_percent");
    source.consistent_percent = percent.map(|node| node.count(0..=100)).transpose()?;
    source.is_sweep = members.take("sweep").map_or(Ok(false), |node| node.truth())?;
    source.region = members.text("region")?.map(Into::into);
    source.via = via(&mut members)?;
    members.end()?;
    Ok(source)
}

fn padded(members: &mut Members<'_>) -> Result<Option<Padded>, ScenarioError> {
    let attribute = members.text("pad")?.unwrap_or(PAD).into();
    let Some(size) = members.take("size") else { return Ok(None) };
    Ok(Some(Padded { attribute, bytes: size.count(1..=ITEM_BYTES_MAX)? }))
}

/// `rate` for some seconds, `phases` one after the other, or `clients` that ask again.
fn pace(members: &mut Members<'_>, lasts_us: Option<i64>) -> Result<Pace, ScenarioError> {
    let own_us = members.take("seconds").map(|node| node.seconds()).transpose()?;
    let lasts_us = own_us.or(lasts_us);
    match (members.take("rate"), members.take("phases"), members.take("clients")) {
        (Some(node), None, None) => {
            let Some(lasts_us) = lasts_us else { return Err(members.lacks("seconds")) };
            Ok(Pace::Open(vec![Phase { lasts_us, rate: rate(&node)? }]))
        }
        (None, Some(phases), None) => {
            let phases = phases.items()?.iter().map(phase).collect::<Result<_, _>>()?;
            Ok(Pace::Open(phases))
        }
        (None, None, Some(clients)) => Ok(Pace::Closed {
            n_clients: clients.count(1..=100_000)?,
            think_us: members.ms("think_ms")?.unwrap_or(0),
            lasts_us,
        }),
        _ => Err(members.not("a load with one of rate, phases and clients")),
    }
}

fn phase(node: &Node<'_>) -> Result<Phase, ScenarioError> {
    let mut members = node.open()?;
    let lasts_us = members.need("seconds")?.seconds()?;
    let rate = rate(&members.need("rate")?)?;
    members.end()?;
    Ok(Phase { lasts_us, rate })
}

/// `150`, or one of `{"ramp": [0, 400]}`, `{"burst": {…}}` and `{"diurnal": {…}}`.
fn rate(node: &Node<'_>) -> Result<Rate, ScenarioError> {
    if !node.value.is_object() {
        return node.count(0..=RATE_MAX).map(Rate::Constant);
    }
    let mut members = node.open()?;
    let per_second = |members: &mut Members<'_>, name| members.need(name)?.count(0..=RATE_MAX);
    let rate = match (members.take("ramp"), members.take("burst"), members.take("diurnal")) {
        (Some(ramp), None, None) => match ramp.items()?.as_slice() {
            [from, to] => {
                Rate::Ramp { from: from.count(0..=RATE_MAX)?, to: to.count(0..=RATE_MAX)? }
            }
            _ => return Err(ramp.not("a list of two rates")),
        },
        (None, Some(burst), None) => {
            let mut of = burst.open()?;
            let (rest, peak) = (per_second(&mut of, "rest")?, per_second(&mut of, "peak")?);
            let (every_us, peak_us) = (of.need("every_ms")?.ms()?, of.need("peak_ms")?.ms()?);
            of.end()?;
            if every_us == 0 || peak_us > every_us {
                return Err(burst.not("a burst whose peak_ms is at most its every_ms"));
            }
            Rate::Burst { rest, peak, every_us, peak_us }
        }
        (None, None, Some(day)) => {
            let mut of = day.open()?;
            let (low, high) = (per_second(&mut of, "low")?, per_second(&mut of, "high")?);
            let day_us = of.need("day_s")?.seconds()?;
            of.end()?;
            if high < low || day_us == 0 {
                return Err(day.not("a day whose high is at least its low"));
            }
            Rate::Diurnal { low, high, day_us }
        }
        _ => return Err(node.not("a number, or one of ramp, burst and diurnal")),
    };
    members.end()?;
    Ok(rate)
}

/// `"sequential"`, or one of `{"uniform": n}`, `{"zipf": n, "exponent": 0.99}`, `{"hot": n, "percent": 60}` and
/// `{"round_robin": n}`.
fn keys(node: &Node<'_>) -> Result<KeyDistribution, ScenarioError> {
    let wanted = "sequential, or one of uniform, zipf, hot and round_robin with a number of keys";
    if node.value.as_str() == Some("sequential") {
        return Ok(KeyDistribution::Sequential);
    }
    if !node.value.is_object() {
        return Err(node.not(wanted));
    }
    let mut members = node.open()?;
    let mut found = Vec::new();
    for kind in ["uniform", "zipf", "hot", "round_robin"] {
        if let Some(n) = members.take(kind) {
            found.push((kind, n.whole(1..=KEYS_MAX)?));
        }
    }
    let keys = match found.as_slice() {
        [("uniform", n)] => KeyDistribution::Uniform { n: *n },
        [("zipf", n)] => {
            let exponent_percent =
                members.take("exponent").map_or(Ok(99), |node| hundredths(&node))?;
            KeyDistribution::Zipf { n: *n, exponent_percent }
        }
        [("hot", n)] => {
            let hot_percent = members.need("percent")?.count(0..=100)?;
            KeyDistribution::HotKey { n: *n, hot_percent }
        }
        [("round_robin", n)] => KeyDistribution::RoundRobin { n: *n },
        _ => return Err(node.not(wanted)),
    };
    members.end()?;
    Ok(keys)
}

/// 0 to 5 in hundredths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "held between 0 and 500 before"
)]
fn hundredths(node: &Node<'_>) -> Result<u32, ScenarioError> {
    let given = node.value.as_f64().filter(|given| (0.0..=5.0).contains(given));
    given
        .map(|given| (given * 100.0).round() as u32)
        .ok_or_else(|| node.not("a number from 0 to 5"))
}

fn source_value(source: &Source<RequestText>) -> Value {
    let mut to = Map::new();
    put(&mut to, "name", Some(source.name.as_str()));
    put(&mut to, "op", Some(source.template.operation.as_str()));
    put(&mut to, "request", Some(source.template.members.clone()));
    if let Some(Padded { attribute, bytes }) = &source.padded {
        put(&mut to, "pad", Some(attribute.as_str()));
        put(&mut to, "size", Some(*bytes));
    }
    match &source.pace {
        Pace::Open(phases) => {
            let value = |phase: &Phase| json!({"seconds": seconds_value(phase.lasts_us), "rate": rate_value(&phase.rate)});
            put(&mut to, "phases", Some(phases.iter().map(value).collect::<Vec<_>>()));
        }
        Pace::Closed { n_clients, think_us, lasts_us } => {
            put(&mut to, "clients", Some(*n_clients));
            put(&mut to, "think_ms", Some(ms_value(*think_us)));
            put(&mut to, "seconds", lasts_us.map(seconds_value));
        }
    }
    put(&mut to, "keys", Some(keys_value(&source.keys)));
    put(&mut to, "consistent_percent", source.consistent_percent);
    put(&mut to, "sweep", source.is_sweep.then_some(true));
    put(&mut to, "region", source.region.as_deref());
    put_via(&mut to, source.via);
    Value::Object(to)
}

fn rate_value(rate: &Rate) -> Value {
    match rate {
        Rate::Constant(rate) => Value::from(*rate),
        Rate::Ramp { from, to } => json!({"ramp": [from, to]}),
        Rate::Burst { rest, peak, every_us, peak_us } => {
            let (every_ms, peak_ms) = (ms_value(*every_us), ms_value(*peak_us));
            json!({"burst": {"rest": rest, "peak": peak, "every_ms": every_ms, "peak_ms": peak_ms}})
        }
        Rate::Diurnal { low, high, day_us } => {
            json!({"diurnal": {"low": low, "high": high, "day_s": seconds_value(*day_us)}})
        }
    }
}

fn keys_value(keys: &KeyDistribution) -> Value {
    match keys {
        KeyDistribution::Uniform { n } => json!({"uniform": n}),
        KeyDistribution::Zipf { n, exponent_percent } => {
            json!({"zipf": n, "exponent": f64::from(*exponent_percent) / 100.0})
        }
        KeyDistribution::HotKey { n, hot_percent } => json!({"hot": n, "percent": hot_percent}),
        KeyDistribution::Sequential => json!("sequential"),
        KeyDistribution::RoundRobin { n } => json!({"round_robin": n}),
    }
}

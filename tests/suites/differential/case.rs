//! A case: requests in order, put to the engine and to the oracle. The first answer that differs ends it; the case is
//! then cut down to the fewest requests that still differ.

use std::fmt;

use hashrange_engine::Database;
use hashrange_types::Timestamp;
use serde_json::Value as Json;

use crate::answer::same;
use crate::control::Control;
use crate::op::{Expected, Op};
use crate::table::Tables;

/// 2026-01-01T00:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// Most characters of a request that are printed.
const SHOWN_MAX: usize = 4_000;

/// Most pages that a read is followed.
const PAGES_MAX: usize = 60;

/// An answer that is not the oracle's.
#[derive(Debug)]
pub(crate) struct Difference {
    /// Position of the request in the case.
    at: usize,
    operation: &'static str,
    request: Json,
    expected: Vec<Json>,
    found: Json,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}\n{}", self.operation, self.request)?;
        for expected in &self.expected {
            writeln!(formatter, "should answer\n{expected}")?;
        }
        writeln!(formatter, "and answers\n{}", self.found)
    }
}

/// What the engine answers: JSON in, JSON out.
pub(crate) fn ask(database: &mut Database, operation: &str, text: &str) -> String {
    let reply = hashrange_types::Operation::from_name(operation)
        .ok_or(hashrange_types::ApiError::UnknownOperation)
        .and_then(|operation| hashrange_wire::decode(operation, text))
        .and_then(|request| database.call(request, NOW).reply);
    match reply {
        Ok(response) => hashrange_wire::encode(&response),
        Err(error) => hashrange_wire::encode_error(&error, &hashrange_types::Voice::default()).body,
    }
}

/// Puts the requests to both; the number of requests, pages included.
pub(crate) fn run(ops: &[Op]) -> Result<usize, Box<Difference>> {
    let mut database = Database::default();
    let mut tables = Tables::default();
    let mut n_requests = 0;
    for (at, op) in ops.iter().enumerate() {
        let mut next = Some(op.clone());
        for _ in 0..PAGES_MAX {
            let Some(op) = next else { break };
            let (operation, request) = op.request();
            let found = ask(&mut database, operation, &request.to_string());
            let found: Json = serde_json::from_str(&found).unwrap_or(Json::String(found));
            n_requests += 1;
            let Expected { answers, is_part } = op.expect(&mut tables);
            let is_right = |expected: &Json| {
                if is_part { has(&found, expected) } else { same(&found, expected) }
            };
            if !answers.iter().any(is_right) {
                let expected = answers;
                return Err(Box::new(Difference { at, operation, request, expected, found }));
            }
            next = op.next_page(&found, &tables);
        }
    }
    Ok(n_requests)
}

/// True if `found` says at least what `part` says.
fn has(found: &Json, part: &Json) -> bool {
    match (found, part) {
        (Json::Object(found), Json::Object(part)) => {
            part.iter().all(|(name, part)| found.get(name).is_some_and(|found| has(found, part)))
        }
        (Json::Array(found), Json::Array(part)) => {
            found.len() == part.len()
                && found.iter().zip(part).all(|(found, part)| has(found, part))
        }
        _ => same(found, part),
    }
}

/// The fewest and simplest requests that still differ.
pub(crate) fn cut_down(ops: Vec<Op>, difference: Box<Difference>) -> (Vec<Op>, Box<Difference>) {
    let mut best = ops;
    let mut difference = difference;
    best.truncate(difference.at + 1);
    loop {
        let n_before = (best.len(), size(&best));
        let mut at = best.len();
        while at > 0 {
            at -= 1;
            if at < best.len() && !matches!(best[at], Op::Control(Control::Create(_))) {
                let mut fewer = best.clone();
                fewer.remove(at);
                if let Err(still) = run(&fewer) {
                    fewer.truncate(still.at + 1);
                    (best, difference) = (fewer, still);
                }
            }
        }
        for at in 0..best.len() {
            let mut candidates = best[at].simpler();
            while let Some(simpler) = candidates.pop() {
                let mut ops = best.clone();
                ops[at] = simpler.clone();
                if let Err(still) = run(&ops)
                    && still.at + 1 == ops.len()
                {
                    candidates = simpler.simpler();
                    (best, difference) = (ops, still);
                }
            }
        }
        if (best.len(), size(&best)) == n_before {
            return (best, difference);
        }
    }
}

fn size(ops: &[Op]) -> usize {
    ops.iter().map(|op| op.request().1.to_string().len()).sum()
}

/// Runs the case of a seed; panics with the requests if an answer differs.
pub(crate) fn check(seed: u64, ops: Vec<Op>) -> usize {
    match run(&ops) {
        Ok(n_requests) => n_requests,
        Err(difference) => {
            let (ops, difference) = cut_down(ops, difference);
            let requests: Vec<String> = ops
                .iter()
                .map(|op| {
                    let (operation, request) = op.request();
                    let text: String = request.to_string().chars().take(SHOWN_MAX).collect();
                    format!("{operation}\n{text}")
                })
                .collect();
            panic!(
                "the engine and the oracle differ; seed {seed}\n{}\n\n{difference}",
                requests.join("\n")
            );
        }
    }
}

//! Steps of lessons beside requests, loads and faults, as JSON: expectations, programs, stopped commits, tables
//! that begin anew, functions and searches.
//!
//! Invariant: what is written reads as the same step.

use serde_json::{Map, Value, json};

use crate::document::{Members, Node, ScenarioError, ms_value, put};
use crate::expectation::Expectation;
use crate::function_document;
use crate::program::Program;
use crate::scenario::{Act, Cue, RequestText};

/// Most replies and answers that one step loses or delays.
const TIMES_MAX: u64 = 1_000_000;

/// Reads `{"expect": {"stale": 20}}`.
pub(crate) fn expect(_: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    Ok(Act::Cue(Box::new(Cue::Expect(Expectation::read(node)?))))
}

/// Reads `{"program": {"actions": […]}}`.
pub(crate) fn program(members: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    let program = Program::read(node)?;
    Ok(Act::Cue(Box::new(Cue::Program(program, crate::step_document::via(members)?))))
}

/// Reads `{"pause": "mid-commit"}`.
pub(crate) fn pause(_: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    node.word(&[("mid-commit", ())])?;
    Ok(Act::Cue(Box::new(Cue::Pause)))
}

/// Reads `{"resume": true}`.
pub(crate) fn resume(_: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    Ok(if node.truth()? { Act::Cue(Box::new(Cue::Resume)) } else { Act::Wait })
}

/// Reads `{"recreate": {"TableName": …}}`, or a list of such CreateTable requests.
pub(crate) fn recreate(_: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    let tables = if node.value.is_array() { node.items()? } else { vec![node.clone()] };
    let table = |node: &Node<'_>| RequestText {
        operation: "CreateTable".to_owned(),
        members: node.value.clone(),
    };
    Ok(Act::Cue(Box::new(Cue::Recreate(tables.iter().map(table).collect()))))
}

/// Reads `{"late_reply": 1, "by_ms": 5000}`.
pub(crate) fn late_reply(members: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    let times = node.whole(1..=TIMES_MAX)?;
    let by_us = members.ms("by_ms")?.ok_or_else(|| members.lacks("by_ms"))?;
    Ok(Act::Cue(Box::new(Cue::DelayReplies { times, by_us })))
}

/// Reads `{"function": {"table": …}}`, which lets one more function read, or `{"function": 0}` with `"on"` or
/// `"lose_answers"`, which is about the first.
pub(crate) fn function(members: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    let cue = if node.value.is_number() {
        let function = usize::try_from(node.count(0..=1_000)?).expect("at most 1,000");
        match (members.take("on"), members.take("lose_answers")) {
            (Some(is_on), None) => Cue::Switch { function, is_on: is_on.truth()? },
            (None, Some(times)) => {
                Cue::LoseAnswers { function, times: times.count(1..=1_000_000)? }
            }
            _ => return Err(members.not("a function with on or lose_answers")),
        }
    } else {
        Cue::Connect(function_document::read(node)?)
    };
    Ok(Act::Cue(Box::new(cue)))
}

/// Reads `{"search": "partiton~", "in": 0}`.
pub(crate) fn search(members: &mut Members<'_>, node: &Node<'_>) -> Result<Act, ScenarioError> {
    let function = members.take("in").map_or(Ok(0), |node| node.count(0..=1_000))?;
    let function = usize::try_from(function).expect("at most 1,000");
    Ok(Act::Cue(Box::new(Cue::Search { function, query: node.text()?.to_owned() })))
}

/// Writes what these read.
pub(crate) fn put_cue(to: &mut Map<String, Value>, cue: &Cue) {
    match cue {
        Cue::Expect(expectation) => put(to, "expect", Some(expectation.to_json())),
        Cue::Program(program, via) => {
            put(to, "program", Some(program.to_json()));
            crate::step_document::put_via(to, *via);
        }
        Cue::Pause => put(to, "pause", Some("mid-commit")),
        Cue::Resume => put(to, "resume", Some(true)),
        Cue::Recreate(tables) => {
            let tables: Vec<&Value> = tables.iter().map(|table| &table.members).collect();
            put(to, "recreate", Some(json!(tables)));
        }
        Cue::DelayReplies { times, by_us } => {
            put(to, "late_reply", Some(*times));
            put(to, "by_ms", Some(ms_value(*by_us)));
        }
        Cue::Connect(function) => put(to, "function", Some(function_document::value(function))),
        Cue::Switch { function, is_on } => {
            put(to, "function", Some(*function));
            put(to, "on", Some(*is_on));
        }
        Cue::LoseAnswers { function, times } => {
            put(to, "function", Some(*function));
            put(to, "lose_answers", Some(*times));
        }
        Cue::Search { function, query } => {
            put(to, "search", Some(query.as_str()));
            put(to, "in", Some(*function).filter(|function| *function != 0));
        }
    }
}

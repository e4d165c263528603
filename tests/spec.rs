//! Literate behaviour: reads `tests/spec/*.md` and runs what the pages say.
//!
//! A page is Markdown. A heading of level 2 or below is a test and begins with an empty database at a fixed
//! moment. Fenced blocks under it run in order:
//!
//! - `setup NAME`: operation names, each followed by its JSON. An empty one runs the setup of that name
//!   from earlier in the page again.
//! - `request OPERATION`: one request.
//! - `response STATUS`: what the request above answers, all of it.
//! - `part STATUS`: the same, but only as far as written: further members are allowed at any depth.
//!   In `setup` and `request`, `<1021 letters>` stands for as many letters.
//! - `advance SECONDS`: time passes. `delays NAME`: changes of tables take their time from here on, as `measured`
//!   on AWS or only a `short` while. `wording EDITION`: messages are those of another edition from here on. All
//!   three are handed to the caller as operations of these names.
//!
//! Not here: how a request is answered; the caller hands that in, so that the same pages can be run against
//! the native engine and against the wasm build.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// Widest line of JSON that is put together, in characters.
const WIDTH: usize = 110;

/// Answers a request: operation and JSON in, status and JSON out.
pub type Answer<'a> = dyn FnMut(&str, &str) -> (u16, String) + 'a;

/// One heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The heading's text.
    pub title: String,
    /// What it runs, in order.
    pub steps: Vec<Step>,
}

/// One fenced block that is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Operations and texts that prepare the database and must succeed.
    Setup(Vec<(String, String)>),
    /// Something about the world: `advance`, `delays` or `wording`, and its argument.
    World(String, String),
    /// A request and, with the line it starts on, what it must answer.
    Request {
        /// The operation.
        operation: String,
        /// Its JSON.
        text: String,
        /// Line of the response block's fence in the page, from 0.
        response_line: usize,
        /// Expected status.
        status: u16,
        /// Expected JSON.
        response: String,
        /// True if the response may have further members.
        is_part: bool,
    },
}

/// Reads a page.
///
/// # Errors
/// A sentence on the first block that makes no sense, with its line.
pub fn parse(page: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut setups: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut asked: Option<(String, String)> = None;
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if line.starts_with("##") {
            let title = line.trim_start_matches('#').trim().to_owned();
            cases.push(Case { title, steps: Vec::new() });
            continue;
        }
        let Some(fence) = line.strip_prefix("```").filter(|fence| !fence.is_empty()) else {
            continue;
        };
        let mut body = String::new();
        for (_, line) in lines.by_ref().take_while(|(_, line)| *line != "```") {
            body.push_str(line);
            body.push('\n');
        }
        let body = written_out(&body);
        let Some(case) = cases.last_mut() else {
            return Err(format!("line {}: a block stands before the first heading", at + 1));
        };
        let (kind, argument) = fence.split_once(' ').unwrap_or((fence, ""));
        match kind {
            "advance" | "delays" | "wording" => {
                case.steps.push(Step::World(kind.to_owned(), argument.to_owned()));
            }
            "setup" => case.steps.push(Step::Setup(setup(&mut setups, argument, &body, at)?)),
            "request" if asked.is_some() => {
                return Err(format!(
                    "line {}: the request before this one has no response",
                    at + 1
                ));
            }
            "request" => asked = Some((argument.to_owned(), body)),
            "response" | "part" => {
                let (operation, text) = asked
                    .take()
                    .ok_or_else(|| format!("line {}: a response without a request", at + 1))?;
                let status = argument
                    .parse()
                    .map_err(|_| format!("line {}: '{argument}' is not a status", at + 1))?;
                let response = body;
                case.steps.push(Step::Request {
                    operation,
                    text,
                    response_line: at,
                    status,
                    response,
                    is_part: kind == "part",
                });
            }
            _ => {}
        }
    }
    if let Some((operation, _)) = asked {
        return Err(format!("the last {operation} has no response"));
    }
    Ok(cases)
}

/// The text with the likes of `<1021 letters>` written out, so that a page can show large items.
fn written_out(text: &str) -> String {
    let mut parts = text.split(" letters>");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let counted = out.rsplit_once('<').and_then(|(before, count)| {
            let count: usize = count.parse().ok()?;
            Some(format!("{before}{}", "x".repeat(count)))
        });
        out = counted.unwrap_or_else(|| format!("{out} letters>"));
        out.push_str(part);
    }
    out
}

/// The requests of a setup block: those written in it, or those of an earlier one of the same name.
fn setup(
    setups: &mut BTreeMap<String, Vec<(String, String)>>,
    name: &str,
    body: &str,
    at: usize,
) -> Result<Vec<(String, String)>, String> {
    if body.trim().is_empty() {
        let known = setups.get(name).cloned();
        return known.ok_or_else(|| format!("line {}: no setup is called '{name}'", at + 1));
    }
    let mut requests: Vec<(String, String)> = Vec::new();
    for line in body.lines() {
        let is_operation = line.chars().all(char::is_alphabetic) && !line.is_empty();
        match requests.last_mut() {
            _ if is_operation => requests.push((line.to_owned(), String::new())),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None => return Err(format!("line {}: a setup starts with an operation", at + 1)),
        }
    }
    setups.insert(name.to_owned(), requests.clone());
    Ok(requests)
}

/// Runs one case. With `answers` the true responses are collected there, by the line of their block.
///
/// # Errors
/// What differed, in full.
pub fn run(
    case: &Case,
    answer: &mut Answer<'_>,
    answers: &mut BTreeMap<usize, (u16, String)>,
) -> Result<(), String> {
    let mut differences = String::new();
    for step in &case.steps {
        match step {
            Step::World(kind, argument) => {
                let (status, reply) = answer(kind, argument);
                if status != 200 {
                    return Err(format!("'{kind} {argument}' was refused: {reply}"));
                }
            }
            Step::Setup(requests) => {
                for (operation, text) in requests {
                    let (status, reply) = answer(operation, text);
                    if status != 200 {
                        return Err(format!("the setup's {operation} was refused: {reply}"));
                    }
                }
            }
            Step::Request { operation, text, response_line, status, response, is_part } => {
                let (found_status, found) = answer(operation, text);
                let expected: Value = serde_json::from_str(response).unwrap_or(Value::Null);
                let found_value: Value = serde_json::from_str(&found).unwrap_or(Value::Null);
                let is_as_expected = if *is_part {
                    has(&found_value, &expected)
                } else {
                    same(&expected, &found_value)
                };
                if found_status != *status || !is_as_expected {
                    let _ = write!(
                        differences,
                        "line {}: {operation} answers {found_status}\n{}\n",
                        response_line + 1,
                        pretty(&found_value)
                    );
                }
                if !is_part {
                    answers.insert(*response_line, (found_status, pretty(&found_value)));
                }
            }
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}

/// True if `found` has what `part` says, members left out at any depth.
fn has(found: &Value, part: &Value) -> bool {
    match (found, part) {
        (Value::Array(found), Value::Array(part)) => {
            found.len() == part.len()
                && found.iter().zip(part).all(|(found, part)| has(found, part))
        }
        (Value::Object(found), Value::Object(part)) => {
            part.iter().all(|(name, part)| found.get(name).is_some_and(|found| has(found, part)))
        }
        _ => same(found, part),
    }
}

/// JSON equality in which `1` and `1.0` are the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// JSON as the pages show it: what fits on a line stays on it, the rest is opened, two spaces a level.
pub fn pretty(value: &Value) -> String {
    let mut out = String::new();
    lay_out(value, 0, 0, &mut out);
    out
}

/// Writes `value` behind `indent` spaces and a name of `before` characters. The outermost object is always open.
fn lay_out(value: &Value, indent: usize, before: usize, out: &mut String) {
    let line = spaced(value);
    let members: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (format!("{}: ", Value::from(name.as_str())), value))
            .collect(),
        Value::Array(values) => values.iter().map(|value| (String::new(), value)).collect(),
        _ => Vec::new(),
    };
    let is_short = indent > 0 && indent + before + line.chars().count() < WIDTH;
    if members.is_empty() || is_short {
        out.push_str(&line);
        return;
    }
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    out.push(open);
    for (at, (name, value)) in members.iter().enumerate() {
        let _ = write!(out, "{}\n{:2$}{name}", if at == 0 { "" } else { "," }, "", indent + 2);
        lay_out(value, indent + 2, name.chars().count(), out);
    }
    let _ = write!(out, "\n{:1$}{close}", "", indent);
}

/// JSON on one line with a space after commas and colons.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            format!("[{}]", values.iter().map(spaced).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), spaced(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        _ => value.to_string(),
    }
}

/// The page with its response blocks replaced by the true answers.
pub fn rewritten(page: &str, answers: &BTreeMap<usize, (u16, String)>) -> String {
    let mut out = String::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some((status, text)) = answers.get(&at) {
            let _ = write!(out, "```response {status}\n{text}\n```\n");
            lines.by_ref().take_while(|(_, line)| *line != "```").for_each(drop);
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

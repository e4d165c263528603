//! Rules about access patterns: refused, scanning, filtering, hot, empty.
//!
//! Not here: how a pattern is judged ([`crate::pattern`]).

use hashrange_expressions::{TokenKind, tokens};
use serde_json::Value;

use super::{Finding, LintRule, Seriousness, Subject};
use crate::document::{AccessPattern, Design};
use crate::expression_attributes::ExpressionAttributes;
use crate::fix::Fix;
use crate::pattern::{Heat, PatternResult, PatternSuite, Served};
use crate::suggest::{UnitPrices, suggest};
use crate::words::{GAP, counted, percent, rate, size, unit_name};

/// Of what one key takes, from here on it is near.
const NEAR_LOAD: f64 = 0.5;

/// From so many calls a second on, a Scan is on a hot path: one a minute is not.
const HOT_PATH_PER_SECOND: f64 = 1.0;
const RARE_PER_SECOND: f64 = 1.0 / 60.0;

/// Items up to which the change that serves a pattern is looked for at once; for more it is a question of its own.
const ITEMS_MAX: u64 = 20_000;

/// The members of requests that hold expressions.
const EXPRESSIONS: [&str; 5] = [
    "KeyConditionExpression",
    "FilterExpression",
    "ProjectionExpression",
    "ConditionExpression",
    "UpdateExpression",
];

pub(super) fn find(design: &Design, suite: &PatternSuite, found: &mut Vec<Finding>) {
    for (result, pattern) in suite.results().iter().zip(&design.patterns) {
        let subject = Subject::Pattern(result.number);
        let finding = match result.served {
            Served::Refused => Some(refused(suite, result, pattern)),
            Served::Scan => Some(scan(design, suite, result)),
            Served::Filtered => waste(design, suite, result),
            Served::ByKey => empty(suite, result),
        };
        found.extend(finding);
        if let Some(heat) = result.hottest().filter(|heat| heat.load() >= NEAR_LOAD) {
            let seriousness =
                if heat.is_hot() { Seriousness::Serious } else { Seriousness::Warning };
            let spread = suggest(design, suite, result.number, UnitPrices::default());
            let advice = spread.into_iter().filter(|it| it.index.is_none()).map(|it| it.sentence);
            found.push(
                Finding::new(LintRule::HotKey, seriousness, subject, heat.sentence())
                    .with([format!("{} of what {} takes", heat.load_text(), heat.key)])
                    .with(advice),
            );
        }
    }
    hot_together(suite.results(), found);
}

/// Keys that get too much from several patterns together, none of which is near the limit alone.
fn hot_together(results: &[PatternResult], found: &mut Vec<Finding>) {
    let mut sums: Vec<(Heat, Vec<String>)> = Vec::new();
    for (result, heat) in results.iter().flat_map(|it| it.heat.iter().map(move |heat| (it, heat))) {
        let is_same = |sum: &&mut (Heat, Vec<String>)| {
            let sum = &sum.0;
            (&sum.table, &sum.index, sum.is_write, &sum.key)
                == (&heat.table, &heat.index, heat.is_write, &heat.key)
        };
        let number = result.number.to_string();
        if heat.load() >= NEAR_LOAD || heat.units_per_second <= 0.0 {
            continue;
        }
        if let Some((sum, numbers)) = sums.iter_mut().find(is_same) {
            sum.units_per_second += heat.units_per_second;
            numbers.push(number);
        } else {
            sums.push((heat.clone(), vec![number]));
        }
    }
    for (sum, numbers) in sums.into_iter().filter(|(sum, _)| sum.load() >= NEAR_LOAD) {
        let table = sum.table.to_string();
        let subject = match &sum.index {
            Some(index) => Subject::Index { table, index: index.to_string() },
            None => Subject::Table(table),
        };
        let seriousness = if sum.is_hot() { Seriousness::Serious } else { Seriousness::Warning };
        let sentence = format!(
            "Patterns {} together bring {}{GAP}{} a second to {} of {}, which is {} of what one key takes.",
            numbers.join(", "),
            rate(sum.units_per_second),
            unit_name(sum.is_write),
            sum.key,
            sum.place(),
            sum.load_text()
        );
        found.push(
            Finding::new(LintRule::HotKey, seriousness, subject, sentence)
                .with(numbers.into_iter().map(|number| format!("pattern {number}"))),
        );
    }
}

/// The change that serves a pattern better, where finding it is quick.
fn better(design: &Design, suite: &PatternSuite, result: &PatternResult) -> Option<Fix> {
    let table = suite.store().table(result.shape.table.as_ref()?.as_str())?;
    if table.items().n_rows() > ITEMS_MAX {
        return None;
    }
    let found = suggest(design, suite, result.number, UnitPrices::default());
    found.into_iter().find_map(|suggestion| suggestion.fix)
}

fn scan(design: &Design, suite: &PatternSuite, result: &PatternResult) -> Finding {
    let seriousness = match result.per_second {
        Some(rate) if rate >= HOT_PATH_PER_SECOND => Seriousness::Serious,
        Some(rate) if rate < RARE_PER_SECOND => Seriousness::Note,
        _ => Seriousness::Warning,
    };
    let rate = result.per_second.map(|it| format!("{} calls a second", rate(it)));
    let subject = Subject::Pattern(result.number);
    Finding::new(LintRule::ScanOnHotPath, seriousness, subject, result.reason())
        .with([result.units_text()])
        .with(rate)
        .fixed_by(better(design, suite, result))
}

fn waste(design: &Design, suite: &PatternSuite, result: &PatternResult) -> Option<Finding> {
    if result.bytes_returned * 2 >= result.bytes_read() {
        return None;
    }
    let wasted = percent(result.waste_bytes(), result.bytes_read());
    let subject = Subject::Pattern(result.number);
    let finding =
        Finding::new(LintRule::FilterWaste, Seriousness::Warning, subject, result.reason())
            .with([format!("{wasted} of {} read is thrown away", size(result.bytes_read()))])
            .fixed_by(better(design, suite, result));
    Some(finding)
}

fn empty(suite: &PatternSuite, result: &PatternResult) -> Option<Finding> {
    let table = suite.store().table(result.shape.table.as_ref()?.as_str())?;
    let has_items = table.items().n_rows() > 0;
    if result.is_write || result.n_examined() > 0 || !has_items {
        return None;
    }
    let sentence = format!(
        "{} So its units say nothing about the real ones: ask for a key the sample has.",
        result.reason()
    );
    let subject = Subject::Pattern(result.number);
    Some(
        Finding::new(LintRule::EmptyAnswer, Seriousness::Note, subject, sentence)
            .with([result.shape.key_condition.clone()]),
    )
}

fn refused(suite: &PatternSuite, result: &PatternResult, pattern: &AccessPattern) -> Finding {
    let subject = Subject::Pattern(result.number);
    let new = |rule, sentence| Finding::new(rule, Seriousness::Serious, subject.clone(), sentence);
    let set = |request: Value, label: String| Fix::SetRequest {
        pattern: result.number,
        operation: pattern.operation.clone(),
        request,
        label,
    };
    let shape = &result.shape;
    let table = shape.table.as_ref().and_then(|table| suite.store().table(table.as_str()));
    let index = shape.index.as_ref().zip(table);
    let index = index.and_then(|(index, table)| table.schema().index(index.as_str()));
    if let Some(index) = index.filter(|index| !index.is_local && shape.is_consistent) {
        let mut request = pattern.request.clone();
        if let Some(members) = request.as_object_mut() {
            members.shift_remove("ConsistentRead");
        }
        let sentence = format!(
            "A global index has eventually consistent reads alone, and {} is one: DynamoDB refuses the request.",
            index.name
        );
        let label = "Read eventually consistent".to_owned();
        return new(LintRule::StrongReadOfGlobalIndex, sentence)
            .with([format!("ConsistentRead on {}", index.name)])
            .fixed_by(Some(set(request, label)));
    }
    let (request, words) = without_reserved_words(&pattern.request);
    if !words.is_empty() {
        let verb = if words.len() == 1 { "is a reserved word" } else { "are reserved words" };
        let sentence = format!(
            "{} {verb}, which an expression must name through ExpressionAttributeNames.",
            words.join(", ")
        );
        let label = format!("Write {} as names", counted(words.len() as u64, "word"));
        return new(LintRule::ReservedWord, sentence)
            .with(words)
            .fixed_by(Some(set(request, label)));
    }
    new(LintRule::RefusedPattern, result.reason())
}

/// The request with every reserved word replaced by a `#name`, and those words.
fn without_reserved_words(request: &Value) -> (Value, Vec<String>) {
    let mut changed = request.clone();
    let mut words: Vec<String> = Vec::new();
    let Some(members) = changed.as_object_mut() else { return (changed, words) };
    let mut expressions = ExpressionAttributes::of(members);
    for member in EXPRESSIONS {
        let Some(Value::String(text)) = members.get_mut(member) else { continue };
        let mut written = String::new();
        let mut end = 0;
        for (kind, span) in tokens(text) {
            if kind != TokenKind::ReservedWord {
                continue;
            }
            let word = span.of(text);
            written.push_str(text.get(end..span.start as usize).unwrap_or_default());
            written.push_str(&expressions.spoken_name(word));
            end = span.end as usize;
            if !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        written.push_str(text.get(end..).unwrap_or_default());
        *text = written;
    }
    if !words.is_empty() {
        expressions.write_into(members);
    }
    (changed, words)
}

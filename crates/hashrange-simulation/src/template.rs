//! `Template`: a request with slots, prepared once and bound for each sending.
//!
//! Slots stand in texts (values of type S, at any depth of items, keys and expression values):
//! `{key}` the key number, `{n}` the running number, `{time}` the simulated microseconds in 16 digits,
//! `{shard:10}` one of ten in turn, `{random:10}` one of ten by chance. `{key:6}` and `{n:6}` are padded with
//! zeros to six digits.
//!
//! Invariant: binding never looks for slots again; texts are visited in the order they were prepared in.

use std::fmt::{self, Write as _};

use hashrange_types::operation::{ExpressionValues, TransactAction, WriteRequest};
use hashrange_types::{AttributeValue, Deferred, Item, Operation, Request, Timestamp};
use smol_str::{SmolStr, SmolStrBuilder};

use crate::random::Random;

/// A request that can't be sent over and over, with the sentence that says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError(String);

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TemplateError {}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(SmolStr),
    Key(usize),
    Running(usize),
    Time,
    Shard(u64),
    Random(u64),
}

/// A request with slots.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    request: Request,
    /// For each text in the order visited: its pieces, if it has slots.
    texts: Vec<Option<Vec<Piece>>>,
    /// Elements that have a key of their own.
    pub(crate) n_elements: usize,
    /// True if a slot is filled by chance.
    pub(crate) has_chance: bool,
}

/// What one sending binds.
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    /// The key number of each element.
    pub(crate) keys: Vec<u64>,
    /// The running number of the request.
    pub(crate) running: u64,
    /// When it was made up.
    pub(crate) at: Timestamp,
    /// What its random slots begin from.
    pub(crate) seed: u64,
    /// Whether it reads from leaders, if the script says.
    pub(crate) is_consistent: Option<bool>,
}

impl Template {
    /// Finds the slots of a request.
    pub(crate) fn new(mut request: Request) -> Result<Self, TemplateError> {
        let mut texts = Vec::new();
        let mut fault = None;
        let mut last = 0;
        visit(&mut request, &mut |text, element| {
            last = element;
            match pieces(text) {
                Ok(found) => texts.push(found),
                Err(error) => fault = fault.take().or(Some(error)),
            }
        });
        if let Some(error) = fault {
            return Err(error);
        }
        let mut all = texts.iter().flatten().flatten();
        let has_chance = all.any(|piece| matches!(piece, Piece::Random(_)));
        Ok(Self { request, texts, n_elements: last + 1, has_chance })
    }

    /// What is asked.
    pub(crate) const fn operation(&self) -> Operation {
        self.request.operation()
    }

    /// The request with its slots filled.
    pub(crate) fn bind(&self, binding: &Binding) -> Request {
        let mut request = self.request.clone();
        let mut texts = self.texts.iter();
        let mut random = Random::new(binding.seed);
        visit(&mut request, &mut |text, element| {
            if let Some(Some(pieces)) = texts.next() {
                *text = filled(pieces, element, binding, &mut random);
            }
        });
        if let Some(is_consistent) = binding.is_consistent {
            set_consistency(&mut request, is_consistent);
        }
        request
    }
}

fn filled(pieces: &[Piece], element: usize, binding: &Binding, random: &mut Random) -> SmolStr {
    let mut text = SmolStrBuilder::new();
    for piece in pieces {
        match piece {
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Key(width) => {
                let key = binding.keys.get(element).copied().unwrap_or(0);
                push_number(&mut text, key, *width);
            }
            Piece::Running(width) => push_number(&mut text, binding.running, *width),
            Piece::Time => push_number(&mut text, binding.at.0.unsigned_abs(), 16),
            Piece::Shard(n) => push_number(&mut text, binding.running % (*n).max(1), 0),
            Piece::Random(n) => push_number(&mut text, random.below(*n), 0),
        }
    }
    text.finish()
}

fn push_number(text: &mut SmolStrBuilder, number: u64, width: usize) {
    write!(text, "{number:0width$}").expect("a text takes any number");
}

/// The pieces of a text; none where it has no slot.
fn pieces(text: &str) -> Result<Option<Vec<Piece>>, TemplateError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((slot, after)) = after.split_once('}') else {
            return Err(TemplateError(format!("The slot in `{text}` does not end: add `}}`.")));
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.into()));
        }
        pieces.push(piece(slot).ok_or_else(|| {
            TemplateError(format!(
                "There is no slot `{{{slot}}}`, in `{text}`: use {{key}}, {{key:6}}, {{n}}, {{n:6}}, {{time}}, \
                 {{shard:10}} or {{random:10}}."
            ))
        })?);
        rest = after;
    }
    if pieces.is_empty() {
        return Ok(None);
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.into()));
    }
    Ok(Some(pieces))
}

fn piece(slot: &str) -> Option<Piece> {
    let (name, given) = slot.split_once(':').unwrap_or((slot, ""));
    let width = || if given.is_empty() { Some(0) } else { given.parse().ok().filter(|n| *n <= 40) };
    let count = || given.parse().ok().filter(|n| *n > 0);
    match name {
        "key" => width().map(Piece::Key),
        "n" => width().map(Piece::Running),
        "time" if given.is_empty() => Some(Piece::Time),
        "shard" => count().map(Piece::Shard),
        "random" => count().map(Piece::Random),
        _ => None,
    }
}

/// Shows every text of a request's values to `see`, with the number of the element it belongs to.
fn visit(request: &mut Request, see: &mut impl FnMut(&mut SmolStr, usize)) {
    match request {
        Request::PutItem(request) => {
            visit_item(&mut request.item, 0, see);
            visit_values(request.values.as_mut(), 0, see);
        }
        Request::UpdateItem(request) => {
            visit_item(&mut request.key, 0, see);
            visit_values(request.values.as_mut(), 0, see);
        }
        Request::DeleteItem(request) => {
            visit_item(&mut request.key, 0, see);
            visit_values(request.values.as_mut(), 0, see);
        }
        Request::GetItem(request) => visit_item(&mut request.key, 0, see),
        Request::Query(request) => visit_values(request.read.values.as_mut(), 0, see),
        Request::Scan(request) => visit_values(request.read.values.as_mut(), 0, see),
        Request::BatchWriteItem(request) => {
            let all = request.tables.iter_mut().flat_map(|(_, writes)| writes);
            for (element, write) in all.enumerate() {
                let (WriteRequest::Put(item) | WriteRequest::Delete(item)) = write;
                visit_item(item, element, see);
            }
        }
        Request::BatchGetItem(request) => {
            let all = request.tables.iter_mut().flat_map(|table| &mut table.keys);
            for (element, key) in all.enumerate() {
                visit_item(key, element, see);
            }
        }
        Request::TransactWriteItems(request) => {
            for (element, one) in request.items.iter_mut().enumerate() {
                match &mut one.action {
                    TransactAction::Put { item } => visit_item(item, element, see),
                    TransactAction::Update { key, .. }
                    | TransactAction::Delete { key }
                    | TransactAction::ConditionCheck { key } => visit_item(key, element, see),
                }
                visit_values(one.values.as_mut(), element, see);
            }
        }
        Request::TransactGetItems(request) => {
            for (element, one) in request.items.iter_mut().enumerate() {
                visit_item(&mut one.key, element, see);
            }
        }
        Request::ExecuteStatement(request) => {
            for value in request.statement.parameters.iter_mut().flatten() {
                visit_value(value, 0, see);
            }
        }
        _ => {}
    }
}

fn visit_item(
    item: &mut Deferred<Item>,
    element: usize,
    see: &mut impl FnMut(&mut SmolStr, usize),
) {
    for value in item.iter_mut().flat_map(Item::values_mut) {
        visit_value(value, element, see);
    }
}

fn visit_values(
    values: Option<&mut ExpressionValues>,
    element: usize,
    see: &mut impl FnMut(&mut SmolStr, usize),
) {
    for (_, value) in values.into_iter().flatten() {
        if let Ok(value) = value {
            visit_value(value, element, see);
        }
    }
}

fn visit_value(
    value: &mut AttributeValue,
    element: usize,
    see: &mut impl FnMut(&mut SmolStr, usize),
) {
    match value {
        AttributeValue::S(text) => see(text, element),
        AttributeValue::L(values) => {
            for value in values {
                visit_value(value, element, see);
            }
        }
        AttributeValue::M(values) => {
            for value in values.values_mut() {
                visit_value(value, element, see);
            }
        }
        _ => {}
    }
}

fn set_consistency(request: &mut Request, is_consistent: bool) {
    match request {
        Request::GetItem(request) => request.consistent_read = is_consistent,
        Request::Query(request) => request.read.consistent_read = is_consistent,
        Request::Scan(request) => request.read.consistent_read = is_consistent,
        Request::BatchGetItem(request) => {
            for table in &mut request.tables {
                table.consistent_read = is_consistent;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(text: &str) -> String {
        let binding = Binding {
            keys: vec![7],
            running: 23,
            at: Timestamp(1_767_225_600_000_000),
            seed: 1,
            is_consistent: None,
        };
        let pieces = pieces(text).unwrap().unwrap();
        filled(&pieces, 0, &binding, &mut Random::new(1)).to_string()
    }

    #[test]
    fn slots_are_filled_and_what_stands_around_them_stays() {
        assert_eq!(fill("USER#{key:6}"), "USER#000007");
        assert_eq!(fill("{time}#{n}"), "1767225600000000#23");
        assert_eq!(fill("DAY#{shard:10}#x"), "DAY#3#x");
        assert!(["0", "1", "2"].contains(&fill("{random:3}").as_str()));
        assert_eq!(pieces("no slot"), Ok(None));
    }

    #[test]
    fn a_slot_that_does_not_exist_is_named() {
        for (text, said) in
            [("a{user}", "no slot `{user}`"), ("a{key", "does not end"), ("{shard:0}", "no slot")]
        {
            let error = pieces(text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}

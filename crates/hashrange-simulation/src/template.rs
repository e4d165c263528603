//! `Template`: a request with slots, prepared once and bound for each sending.
//!
//! Slots stand in texts (values of type S, at any depth of items, keys and expression values):
//! `{key}` the key number, `{n}` the running number from 0, `{time}` the simulated microseconds in 16 digits,
//! `{shard:10}` one of ten in turn, `{random:10}` one of ten by chance. `{n%50+1:04}` is a sum padded with zeros
//! to four digits, `{time:2026-01-01T00:00:00Z:n/3000}` a moment so many seconds later.
//!
//! Invariant: binding never looks for slots again; texts are visited in the order they were prepared in.

use std::fmt::{self, Write as _};

use hashrange_types::operation::{ExpressionValues, TransactAction, WriteRequest};
use hashrange_types::{AttributeValue, Deferred, Item, Number, Operation, Request, Timestamp};
use smol_str::{SmolStr, SmolStrBuilder};

use crate::arithmetic::Arithmetic;
use crate::document::moment;
use crate::padding::{has_items, pad};
use crate::random::Random;
use crate::workload::Padded;

/// What a text begins with that stands for a number with slots, which `{"N": "{n}"}` could not.
pub(crate) const NUMBER: char = '\u{1}';
/// What sums may name.
const VARIABLES: [&str; 2] = ["n", "key"];
/// Most digits to which a number is padded.
const WIDTH_MAX: usize = 40;

/// A request that can't be sent over and over, with the sentence that says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError(String);

impl TemplateError {
    pub(crate) const fn new(sentence: String) -> Self {
        Self(sentence)
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TemplateError {}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(SmolStr),
    Sum(Arithmetic, usize),
    Time,
    /// Seconds after a moment.
    Moment(Timestamp, Arithmetic),
    Shard(u64),
    Random(u64),
}

/// A request with slots.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    request: Request,
    /// For each text in the order visited: its pieces, if it has slots.
    texts: Vec<Option<Pieces>>,
    padded: Option<Padded>,
    /// Elements that have a key of their own.
    pub(crate) n_elements: usize,
    /// True if a slot is filled by chance.
    pub(crate) has_chance: bool,
}

/// A text with slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    is_number: bool,
}

/// What one sending binds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Binding {
    /// The key number of the first element, and those of the others.
    pub(crate) key: u64,
    pub(crate) more_keys: Vec<u64>,
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
    /// Finds the slots of a request. Its items are padded, if that is asked for.
    pub(crate) fn new(
        mut request: Request,
        padded: Option<&Padded>,
    ) -> Result<Self, TemplateError> {
        if padded.is_some() && !has_items(&request) {
            return Err(TemplateError(format!(
                "{} puts no item that could be padded to a size.",
                request.operation().name()
            )));
        }
        let mut texts = Vec::new();
        let mut fault = None;
        let mut last = 0;
        visit(&mut request, &mut |value, element| {
            last = element;
            let AttributeValue::S(text) = value else { return };
            match pieces(text) {
                Ok(found) => texts.push(found),
                Err(error) => fault = fault.take().or(Some(error)),
            }
        });
        if let Some(error) = fault {
            return Err(error);
        }
        let mut all = texts.iter().flatten().flat_map(|text: &Pieces| &text.pieces);
        let has_chance = all.any(|piece| matches!(piece, Piece::Random(_)));
        let padded = padded.cloned();
        Ok(Self { request, texts, padded, n_elements: last + 1, has_chance })
    }

    /// The request, with its slots.
    pub(crate) const fn request(&self) -> &Request {
        &self.request
    }

    /// The slots of the request's item or key, by the position of their attribute; none if there are others, or the
    /// item is padded.
    pub(crate) fn slots_of(&self, item: &Item) -> Option<Vec<(usize, Pieces)>> {
        let mut texts = self.texts.iter();
        let mut slots = Vec::new();
        for (position, (_, value)) in item.iter().enumerate() {
            let mut n_texts = 0;
            visit_value(&mut value.clone(), 0, &mut |_, _| n_texts += 1);
            let of_value = texts.by_ref().take(n_texts);
            if matches!(value, AttributeValue::S(_)) {
                slots.extend(of_value.flatten().map(|pieces| (position, pieces.clone())));
            } else if of_value.flatten().count() > 0 {
                return None;
            }
        }
        let is_all = self.padded.is_none() && texts.flatten().count() == 0;
        is_all.then_some(slots)
    }

    /// What is asked.
    pub(crate) const fn operation(&self) -> Operation {
        self.request.operation()
    }

    /// The request with its slots filled.
    pub(crate) fn bind(&self, binding: &Binding) -> Box<Request> {
        let mut request = Box::new(self.request.clone());
        let mut texts = self.texts.iter();
        let mut random = Random::new(binding.seed);
        visit(&mut request, &mut |value, element| {
            if let Some(Some(pieces)) = texts.next() {
                *value = pieces.filled(element, binding, &mut random);
            }
        });
        if let Some(padded) = &self.padded {
            pad(&mut request, padded);
        }
        if let Some(is_consistent) = binding.is_consistent {
            set_consistency(&mut request, is_consistent);
        }
        request
    }
}

impl Pieces {
    /// The value with its slots filled.
    pub(crate) fn filled(
        &self,
        element: usize,
        binding: &Binding,
        random: &mut Random,
    ) -> AttributeValue {
        let text = filled(&self.pieces, element, binding, random);
        let number = self.is_number.then(|| Number::parse(&text).ok()).flatten();
        number.map_or(AttributeValue::S(text), AttributeValue::N)
    }
}

fn filled(pieces: &[Piece], element: usize, binding: &Binding, random: &mut Random) -> SmolStr {
    let mut text = SmolStrBuilder::new();
    for piece in pieces {
        match piece {
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Sum(sum, width) => {
                push_number(&mut text, sum.value(values(element, binding)), *width);
            }
            Piece::Moment(from, seconds) => {
                let seconds = seconds.value(values(element, binding));
                let moment = Timestamp(from.0.saturating_add(seconds.saturating_mul(1_000_000)));
                let spelled = moment.to_iso();
                text.push_str(spelled.split_once('.').map_or("", |(whole, _)| whole));
                text.push_str("Z");
            }
            Piece::Time => push_number(&mut text, binding.at.0, 16),
            Piece::Shard(n) => push_number(&mut text, signed(binding.running % (*n).max(1)), 0),
            Piece::Random(n) => push_number(&mut text, signed(random.below(*n)), 0),
        }
    }
    text.finish()
}

/// What `n` and `key` are.
fn values(element: usize, binding: &Binding) -> [i64; 2] {
    let key = match element {
        0 => binding.key,
        _ => binding.more_keys.get(element - 1).copied().unwrap_or(0),
    };
    [signed(binding.running), signed(key)]
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn push_number(text: &mut SmolStrBuilder, number: i64, width: usize) {
    const DIGITS_MAX: usize = 20;
    let Some(mut rest) = u64::try_from(number).ok().filter(|_| width <= DIGITS_MAX) else {
        write!(text, "{number:0width$}").expect("a text takes any number");
        return;
    };
    let mut digits = [b'0'; DIGITS_MAX];
    let mut first = DIGITS_MAX;
    while rest > 0 || first == DIGITS_MAX {
        first -= 1;
        digits[first] |= (rest % 10).to_le_bytes()[0];
        rest /= 10;
    }
    let first = first.min(DIGITS_MAX - width);
    text.push_str(std::str::from_utf8(&digits[first..]).expect("digits are text"));
}

/// The pieces of a text; none where it has no slot.
fn pieces(text: &str) -> Result<Option<Pieces>, TemplateError> {
    let mut pieces = Vec::new();
    let number = text.strip_prefix(NUMBER);
    let text = number.unwrap_or(text);
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
                "There is no slot `{{{slot}}}`, in `{text}`: use {{key}}, {{n}}, {{n%50+1:04}}, {{time}}, \
                 {{time:2026-01-01T00:00:00Z:n*60}}, {{shard:10}} or {{random:10}}."
            ))
        })?);
        rest = after;
    }
    if pieces.is_empty() && number.is_none() {
        return Ok(None);
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.into()));
    }
    Ok(Some(Pieces { pieces, is_number: number.is_some() }))
}

fn piece(slot: &str) -> Option<Piece> {
    let (name, given) = slot.split_once(':').unwrap_or((slot, ""));
    let count = || given.parse().ok().filter(|n| *n > 0);
    match name {
        "time" if given.is_empty() => Some(Piece::Time),
        "time" => {
            let (from, seconds) = given.rsplit_once(':')?;
            Some(Piece::Moment(moment(from)?, Arithmetic::parse(seconds, &VARIABLES)?))
        }
        "shard" => count().map(Piece::Shard),
        "random" => count().map(Piece::Random),
        _ => {
            let width = if given.is_empty() { 0 } else { given.parse().ok()? };
            let sum = Arithmetic::parse(name, &VARIABLES)?;
            (width <= WIDTH_MAX).then_some(Piece::Sum(sum, width))
        }
    }
}

/// Shows every text among a request's values to `see`, with the number of the element it belongs to.
pub(crate) fn visit(request: &mut Request, see: &mut impl FnMut(&mut AttributeValue, usize)) {
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
    see: &mut impl FnMut(&mut AttributeValue, usize),
) {
    for value in item.iter_mut().flat_map(Item::values_mut) {
        visit_value(value, element, see);
    }
}

fn visit_values(
    values: Option<&mut ExpressionValues>,
    element: usize,
    see: &mut impl FnMut(&mut AttributeValue, usize),
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
    see: &mut impl FnMut(&mut AttributeValue, usize),
) {
    match value {
        AttributeValue::S(_) => see(value, element),
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
            key: 7,
            more_keys: Vec::new(),
            running: 23,
            at: Timestamp(1_767_225_600_000_000),
            seed: 1,
            is_consistent: None,
        };
        let Pieces { pieces, .. } = pieces(text).unwrap().unwrap();
        filled(&pieces, 0, &binding, &mut Random::new(1)).to_string()
    }

    #[test]
    fn slots_are_filled_and_what_stands_around_them_stays() {
        assert_eq!(fill("USER#{key:6}"), "USER#000007");
        assert_eq!(fill("{time}#{n}"), "1767225600000000#23");
        assert_eq!(fill("{n-23} {n-24} {n-24:04} {key:1}"), "0 -1 -001 7");
        assert_eq!(fill("{key:20}{key:25}"), format!("{:020}{:025}", 7, 7));
        assert_eq!(fill("{9223372036854775807}"), "9223372036854775807");
        assert_eq!(fill("DAY#{shard:10}#x"), "DAY#3#x");
        assert_eq!(fill("sensor-{n%20+1:04}#{(key+n)*2}"), "sensor-0004#60");
        assert_eq!(fill("{time:2026-01-01T00:00:00Z:n*60}"), "2026-01-01T00:23:00Z");
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

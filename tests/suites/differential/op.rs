//! `Op`: one request of a case, what it must answer, the page after it, and simpler requests to try in its place.

use serde_json::Value as Json;

use crate::control::Control;
use crate::expression::Condition;
use crate::read::{BatchGet, GetItem, Read};
use crate::sql::{Select, Statement};
use crate::sql_batch::Statements;
use crate::table::Tables;
use crate::transaction::{TransactGet, TransactWrite};
use crate::write::{Batch, Change, Single, Write};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    Control(Control),
    Get(GetItem),
    Single(Single),
    Batch(Batch),
    BatchGet(BatchGet),
    Read(Read),
    TransactWrite(TransactWrite),
    TransactGet(TransactGet),
    Select(Select),
    Statement(Statement),
    Statements(Statements),
}

/// What may be answered.
pub(crate) struct Expected {
    pub(crate) answers: Vec<Json>,
    /// True if the answer may say more.
    pub(crate) is_part: bool,
}

impl Op {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        match self {
            Self::Control(op) => op.request(),
            Self::Get(op) => op.request(),
            Self::Single(op) => op.request(),
            Self::Batch(op) => op.request(),
            Self::BatchGet(op) => op.request(),
            Self::Read(op) => op.request(),
            Self::TransactWrite(op) => op.request(),
            Self::TransactGet(op) => op.request(),
            Self::Select(op) => op.request(),
            Self::Statement(op) => op.request(),
            Self::Statements(op) => op.request(),
        }
    }

    /// What must be answered; the oracle's tables become what they are afterwards.
    pub(crate) fn expect(&self, tables: &mut Tables) -> Expected {
        let answers = match self {
            Self::Control(op) => {
                let (answers, is_part) = op.expect(tables);
                return Expected { answers, is_part };
            }
            Self::Get(op) => op.expect(tables),
            Self::Single(op) => op.expect(tables),
            Self::Batch(op) => op.expect(tables),
            Self::BatchGet(op) => op.expect(tables),
            Self::Read(op) => op.expect(tables),
            Self::TransactWrite(op) => op.expect(tables),
            Self::TransactGet(op) => op.expect(tables),
            Self::Select(op) => op.expect(tables),
            Self::Statement(op) => op.expect(tables),
            Self::Statements(op) => op.expect(tables),
        };
        Expected { answers, is_part: false }
    }

    /// The request for the page after the one answered; none where that was the last.
    pub(crate) fn next_page(&self, found: &Json, tables: &Tables) -> Option<Self> {
        match self {
            Self::Read(read) => {
                let start = Some(read.page(tables).ok()?.last?);
                Some(Self::Read(Read { start, ..read.clone() }))
            }
            Self::Select(select) => {
                let token = Some(found["NextToken"].as_str()?.to_owned());
                let start = Some(select.read.page(tables).ok()?.last?);
                let read = Read { start, ..select.read.clone() };
                Some(Self::Select(Select { read, token, ..select.clone() }))
            }
            _ => None,
        }
    }

    /// Requests that ask for less.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        match self {
            Self::Single(op) => simpler_writes(&op.write)
                .into_iter()
                .map(|write| Self::Single(Single { write, ..op.clone() }))
                .collect(),
            Self::Statement(op) => simpler_writes(&op.write)
                .into_iter()
                .map(|write| Self::Statement(Statement { write, ..op.clone() }))
                .collect(),
            Self::Statements(op) => fewer(&op.members, |one| {
                let writes = simpler_writes(&one.write).into_iter();
                writes.map(|write| Statement { write, ..one.clone() }).collect()
            })
            .into_iter()
            .map(|members| Self::Statements(Statements { members, ..op.clone() }))
            .collect(),
            Self::Batch(op) => fewer(&op.writes, simpler_writes)
                .into_iter()
                .map(|writes| Self::Batch(Batch { writes, ..op.clone() }))
                .collect(),
            Self::TransactWrite(op) => fewer(&op.writes, simpler_writes)
                .into_iter()
                .map(|writes| Self::TransactWrite(TransactWrite { writes, ..op.clone() }))
                .collect(),
            Self::TransactGet(op) => fewer(&op.gets, |_| Vec::new())
                .into_iter()
                .map(|gets| Self::TransactGet(TransactGet { gets, ..op.clone() }))
                .collect(),
            Self::BatchGet(op) => fewer(&op.tables, |_| Vec::new())
                .into_iter()
                .map(|tables| Self::BatchGet(BatchGet { tables, ..op.clone() }))
                .collect(),
            Self::Read(read) => simpler_reads(read).into_iter().map(Self::Read).collect(),
            Self::Select(op) => simpler_reads(&op.read)
                .into_iter()
                .map(|read| Self::Select(Select { read, ..op.clone() }))
                .collect(),
            Self::Get(_) | Self::Control(_) => Vec::new(),
        }
    }
}

/// The list with one element less, or one of them simpler; never empty.
fn fewer<T: Clone>(all: &[T], simpler: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut lists = Vec::new();
    for at in 0..all.len() {
        if all.len() > 1 {
            let mut list = all.to_vec();
            list.remove(at);
            lists.push(list);
        }
        for element in simpler(&all[at]) {
            let mut list = all.to_vec();
            list[at] = element;
            lists.push(list);
        }
    }
    lists
}

fn simpler_writes(write: &Write) -> Vec<Write> {
    let mut writes = Vec::new();
    let is_check = matches!(write.change, Change::Check(_));
    if let Some(condition) = &write.condition {
        if !is_check {
            writes.push(Write { condition: None, ..write.clone() });
        }
        let conditions = simpler_conditions(condition);
        writes.extend(
            conditions.into_iter().map(|part| Write { condition: Some(part), ..write.clone() }),
        );
    }
    match &write.change {
        Change::Put(item) => {
            // Keys are told from others by their names.
            for name in item.keys().filter(|name| !["pk", "sk"].contains(&name.as_str())) {
                let mut item = item.clone();
                item.remove(name);
                writes.push(Write { change: Change::Put(item), ..write.clone() });
            }
        }
        Change::Update(key, Some(actions)) => {
            for actions in fewer(actions, |_| Vec::new()) {
                let change = Change::Update(key.clone(), Some(actions));
                writes.push(Write { change, ..write.clone() });
            }
        }
        _ => {}
    }
    writes
}

fn simpler_reads(read: &Read) -> Vec<Read> {
    let mut reads = Vec::new();
    if let Some(filter) = &read.filter {
        reads.push(Read { filter: None, ..read.clone() });
        let filters = simpler_conditions(filter);
        reads.extend(filters.into_iter().map(|part| Read { filter: Some(part), ..read.clone() }));
    }
    if read.projection.is_some() {
        reads.push(Read { projection: None, select: None, ..read.clone() });
    }
    if read.limit.is_some() {
        reads.push(Read { limit: None, ..read.clone() });
    }
    if read.segment.is_some() {
        reads.push(Read { segment: None, ..read.clone() });
    }
    reads
}

fn simpler_conditions(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            let wrap = |parts: Vec<Condition>| match condition {
                Condition::And(_) => Condition::And(parts),
                _ => Condition::Or(parts),
            };
            let mut simpler = parts.clone();
            if parts.len() > 2 {
                simpler.extend(fewer(parts, |_| Vec::new()).into_iter().map(wrap));
            }
            simpler
        }
        Condition::Not(part) => vec![part.as_ref().clone()],
        Condition::In(operand, candidates) => fewer(candidates, |_| Vec::new())
            .into_iter()
            .map(|candidates| Condition::In(operand.clone(), candidates))
            .collect(),
        _ => Vec::new(),
    }
}

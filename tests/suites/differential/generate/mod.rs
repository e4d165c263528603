//! Random cases: a table or two, and requests that are well formed for them.
//!
//! Invariant: a request breaks no rule that can be checked without items, except where the oracle knows the message.
//! Values and keys come from small pools, so that requests meet each other's items.

pub(crate) mod expressions;
mod reads;
mod tables;
pub(crate) mod values;
mod writes;

use crate::control::Control;
use crate::op::Op;
use crate::read::Read;
use crate::table::{Definition, Tables};
use hashrange_tests::random::Random;

/// Requests between making the tables and looking at everything.
const REQUESTS: usize = 40;
/// One case of so many has large items.
const LARGE_EVERY: u64 = 25;

/// What a case is made with: choices, and the tables as they are at this point of it.
pub(crate) struct Maker {
    pub(crate) random: Random,
    pub(crate) definitions: Vec<Definition>,
    /// Transactions with a token, to be asked again.
    pub(crate) with_token: Vec<Op>,
    /// True if items are large, so that pages are full.
    pub(crate) is_large: bool,
}

/// The case of a seed.
pub(crate) fn case(seed: u64) -> Vec<Op> {
    let mut maker = Maker {
        random: Random::new(seed),
        definitions: Vec::new(),
        with_token: Vec::new(),
        is_large: seed.is_multiple_of(LARGE_EVERY),
    };
    let n_tables = maker.random.between(1, 2);
    maker.definitions = ["Tab.A", "tab_b"][..n_tables]
        .iter()
        .map(|name| tables::definition(&mut maker.random, name))
        .collect();
    let mut ops: Vec<Op> =
        maker.definitions.iter().cloned().map(|d| Op::Control(Control::Create(d))).collect();
    for _ in 0..maker.random.between(REQUESTS / 2, REQUESTS) {
        ops.push(maker.op());
    }
    ops.extend(everything(&ops));
    ops
}

/// Looks at every table and index.
fn everything(ops: &[Op]) -> Vec<Op> {
    let mut tables = Tables::default();
    for op in ops {
        if let Op::Control(control) = op {
            control.expect(&mut tables);
        }
    }
    let mut last = Vec::new();
    for table in tables.tables.values() {
        let definition = &table.definition;
        last.push(Op::Control(Control::Describe(definition.name.clone())));
        let indexes = definition.indexes.iter().map(|index| Some(index.name.clone()));
        for index in std::iter::once(None).chain(indexes) {
            last.push(Op::Read(Read { index, ..Read::everything(&definition.name) }));
        }
    }
    last
}

impl Maker {
    pub(crate) fn definition(&mut self) -> Definition {
        self.random.pick(&self.definitions).clone()
    }

    fn op(&mut self) -> Op {
        match self.random.below(100) {
            0..=25 => self.put(),
            26..=43 => self.update(),
            44..=48 => self.delete(),
            49..=52 => self.get(),
            53..=60 => self.query(),
            61..=66 => self.scan(),
            67..=69 => self.batch_get(),
            70..=74 => self.batch_write(),
            75..=80 => self.transact_write(),
            81..=83 => self.transact_get(),
            84..=89 => self.select(),
            90..=93 => self.statement(),
            94..=97 => self.statements(),
            _ => self.control(),
        }
    }
}

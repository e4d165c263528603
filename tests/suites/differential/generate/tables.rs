//! Tables with every kind of key and index, and what is done to them.

use super::Maker;
use crate::control::Control;
use crate::op::Op;
use crate::table::{Attribute, Definition, Index, Keys, Projection};
use hashrange_tests::random::Random;

fn attribute(name: &str, letter: &'static str) -> Attribute {
    Attribute { name: name.to_owned(), letter }
}

/// Attributes for index keys, each always of one type.
const INDEXED: [(&str, &str); 4] = [("g1", "S"), ("g2", "N"), ("g3", "B"), ("l1", "N")];

fn indexed(random: &mut Random) -> Attribute {
    let (name, letter) = *random.pick(&INDEXED);
    attribute(name, letter)
}

fn projection(random: &mut Random) -> Projection {
    match random.below(4) {
        0 | 1 => Projection::All,
        2 => Projection::KeysOnly,
        _ => {
            let mut names = vec!["a".to_owned(), "n".to_owned(), "obj".to_owned()];
            names.truncate(random.between(1, 3));
            Projection::Include(names)
        }
    }
}

pub(crate) fn definition(random: &mut Random, name: &str) -> Definition {
    let letters = ["S", "S", "N", "B"];
    let partition = vec![attribute("pk", random.pick::<&str>(&letters))];
    let sort = random.chance(75).then(|| attribute("sk", random.pick::<&str>(&letters)));
    let keys = Keys { partition, sort: sort.into_iter().collect() };
    let mut indexes = Vec::new();
    for name in ["local-1", "Local.2"] {
        if !keys.sort.is_empty() && random.chance(40) {
            indexes.push(Index {
                name: name.to_owned(),
                is_local: true,
                keys: Keys { partition: keys.partition.clone(), sort: vec![indexed(random)] },
                projection: projection(random),
            });
        }
    }
    for name in ["glob", "Glob2"] {
        if random.chance(55) {
            indexes.push(global_index(random, name, &keys));
        }
    }
    let provisioned = random.chance(25).then_some((5, 5));
    let was_on_demand = provisioned.is_none();
    Definition { name: name.to_owned(), keys, indexes, provisioned, was_on_demand }
}

/// A global index on one to four attributes, of which some may be keys of the table.
fn global_index(random: &mut Random, name: &str, table: &Keys) -> Index {
    let mut pool: Vec<Attribute> =
        INDEXED.iter().map(|(name, letter)| attribute(name, letter)).collect();
    pool.extend(table.sort.iter().cloned());
    if random.chance(30) {
        pool.extend(table.partition.iter().cloned());
    }
    let mut take = |n: usize| -> Vec<Attribute> {
        (0..n.min(pool.len())).map(|_| pool.remove(random.below(pool.len()))).collect()
    };
    let shapes = [(1, 0), (1, 0), (1, 1), (1, 1), (1, 1), (2, 1), (1, 2), (2, 2)];
    let (n_partition, n_sort) = shapes[name.len() % 2 + 2 * (table.sort.len() + 1)];
    let keys = Keys { partition: take(n_partition), sort: take(n_sort) };
    Index { name: name.to_owned(), is_local: false, keys, projection: projection(random) }
}

impl Maker {
    pub(super) fn control(&mut self) -> Op {
        let at = self.random.below(self.definitions.len());
        let name = self.definitions[at].name.clone();
        Op::Control(match self.random.below(8) {
            0 => Control::Describe("Nowhere".to_owned()),
            1 | 2 => Control::Describe(name),
            3 => {
                let start = self
                    .random
                    .chance(50)
                    .then(|| (*self.random.pick(&["Tab.A", "tab", "AAA"])).to_owned());
                let limit = self.random.chance(50).then(|| self.random.between(1, 3));
                Control::List { start, limit }
            }
            4 => Control::Create(self.definitions[at].clone()),
            5 => {
                let definition = &mut self.definitions[at];
                let names = ["glob", "Glob2", "new_1"];
                let name_of_index = *self.random.pick(&names);
                let index = global_index(&mut self.random, name_of_index, &definition.keys);
                if definition.provisioned.is_some() {
                    return Op::Control(Control::Describe(name));
                }
                if definition.index(name_of_index).is_none() {
                    definition.indexes.push(index.clone());
                }
                Control::AddIndex(name, index)
            }
            6 => {
                let index = *self.random.pick(&["glob", "Glob2", "new_1"]);
                self.definitions[at].indexes.retain(|other| other.name != index);
                Control::DropIndex(name, index.to_owned())
            }
            _ => match self.definitions[at].provisioned {
                Some((read, write)) => {
                    let more = (read + self.random.next() % 2, write + self.random.next() % 2);
                    self.definitions[at].provisioned = Some(more);
                    Control::Capacity(name, more.0, more.1)
                }
                None => Control::Delete("Nowhere".to_owned()),
            },
        })
    }
}

//! Reads: single ones, batches, pages, statements.

use super::Maker;
use super::expressions::{Heads, condition, paths, sort};
use super::values::{key, key_value};
use super::writes::shown;
use crate::expression::{Path, Sort};
use crate::op::Op;
use crate::read::{BatchGet, GetItem, KeyCondition, Keys, Read};
use crate::sql::Select;
use crate::table::{Definition, Index, Projection};
use crate::transaction::{Get, TransactGet};
use crate::value::Item;

/// Paths of projections: everything, keys whole.
fn heads_of_projection(definition: &Definition) -> Heads {
    let keys = definition.keys.attributes();
    let indexed = definition.indexes.iter().flat_map(|index| index.keys.attributes());
    Heads::with_keys(keys.chain(indexed).map(|attribute| attribute.name.as_str()))
}

impl Maker {
    fn one(&mut self) -> Get {
        let definition = self.definition();
        let heads = heads_of_projection(&definition);
        Get {
            table: definition.name.clone(),
            key: key(&mut self.random, &definition.keys),
            projection: self.random.maybe(50, |random| paths(random, &heads, 4)),
        }
    }

    pub(super) fn get(&mut self) -> Op {
        let get = self.one();
        let is_consistent = self.random.chance(50);
        Op::Get(GetItem { get, is_consistent, shown: shown(&mut self.random) })
    }

    pub(super) fn transact_get(&mut self) -> Op {
        let mut gets: Vec<Get> = Vec::new();
        for _ in 0..self.random.between(1, 5) {
            let get = self.one();
            if gets.iter().all(|other| (&other.table, &other.key) != (&get.table, &get.key)) {
                gets.push(get);
            }
        }
        Op::TransactGet(TransactGet { gets, shown: shown(&mut self.random) })
    }

    pub(super) fn batch_get(&mut self) -> Op {
        let n_tables = self.random.between(1, self.definitions.len());
        let tables = (0..n_tables)
            .map(|at| {
                let definition = self.definitions[at].clone();
                let heads = heads_of_projection(&definition);
                let mut wanted: Vec<Item> = Vec::new();
                for _ in 0..self.random.between(1, 6) {
                    let key = key(&mut self.random, &definition.keys);
                    if !wanted.contains(&key) {
                        wanted.push(key);
                    }
                }
                Keys {
                    table: definition.name,
                    wanted,
                    projection: self.random.maybe(40, |random| paths(random, &heads, 3)),
                    is_consistent: self.random.chance(50),
                }
            })
            .collect();
        Op::BatchGet(BatchGet { tables, shown: shown(&mut self.random) })
    }

    /// The table or one of its indexes.
    fn tree(&mut self, definition: &Definition) -> Option<Index> {
        if definition.indexes.is_empty() || self.random.chance(40) {
            return None;
        }
        Some(self.random.pick(&definition.indexes).clone())
    }

    fn key_condition(&mut self, definition: &Definition, index: Option<&Index>) -> KeyCondition {
        let keys = index.map_or(&definition.keys, |index| &index.keys);
        let random = &mut self.random;
        let partition = keys
            .partition
            .iter()
            .map(|attribute| (attribute.name.clone(), key_value(random, attribute)))
            .collect();
        let n_sorts = random.between(0, keys.sort.len());
        let mut sorts: Vec<(String, Sort)> = Vec::new();
        for (at, attribute) in keys.sort[..n_sorts].iter().enumerate() {
            let asked = if at + 1 < n_sorts {
                Sort::Compare("=", key_value(random, attribute))
            } else {
                sort(random, attribute.letter)
            };
            sorts.push((attribute.name.clone(), asked));
        }
        KeyCondition { partition, sorts }
    }

    /// Filter, projection and the rest of a Query or Scan.
    fn read(&mut self, is_query: bool) -> Read {
        let definition = self.definition();
        let index = self.tree(&definition);
        let keyed = is_query.then(|| self.key_condition(&definition, index.as_ref()));
        let heads = Self::heads_of_read(&definition, index.as_ref(), is_query);
        let projected = projected(&definition, index.as_ref());
        let random = &mut self.random;
        let filter = (!heads.is_empty() && random.chance(45)).then(|| condition(random, &heads, 2));
        let projection = random.maybe(35, |random| paths(random, &projected, 4));
        let is_global = index.as_ref().is_some_and(|index| !index.is_local);
        let is_all = index.as_ref().is_none_or(|index| index.projection == Projection::All);
        let select = match random.below(8) {
            0 if projection.is_some() => Some("SPECIFIC_ATTRIBUTES"),
            _ if projection.is_some() => None,
            1 | 2 => Some("COUNT"),
            3 | 4 if is_all || !is_global => Some("ALL_ATTRIBUTES"),
            5 if index.is_some() => Some("ALL_PROJECTED_ATTRIBUTES"),
            _ => None,
        };
        let segment = (!is_query && random.chance(30)).then(|| {
            let total = u32::try_from(random.between(1, 5)).expect("five fits");
            (u32::try_from(random.below(total as usize)).expect("five fits"), total)
        });
        Read {
            table: definition.name.clone(),
            index: index.map(|index| index.name),
            keyed,
            filter,
            projection,
            select,
            limit: random.maybe(45, |random| random.between(1, 5)),
            is_consistent: !is_global && random.chance(40),
            is_backward: is_query && random.chance(50),
            start: None,
            segment,
            shown: shown(random),
        }
    }

    /// Paths of a filter: no keys of what a Query reads, nothing that a global index lacks.
    fn heads_of_read(definition: &Definition, index: Option<&Index>, is_query: bool) -> Heads {
        let mut heads = projected(definition, index);
        let keys = index.map_or(&definition.keys, |index| &index.keys);
        heads.retain(|name| !is_query || !keys.has(name));
        heads
    }

    pub(super) fn query(&mut self) -> Op {
        Op::Read(self.read(true))
    }

    pub(super) fn scan(&mut self) -> Op {
        Op::Read(self.read(false))
    }

    /// A SELECT: of whole attributes, with a filter on no key at all.
    pub(super) fn select(&mut self) -> Op {
        let is_query = self.random.chance(60);
        let mut read = self.read(is_query);
        let definition = self.definitions.iter().find(|other| other.name == read.table).cloned();
        let definition = definition.expect("a read is of a table that is there");
        let index = read.index.as_ref().and_then(|name| definition.index(name)).cloned();
        let keys = index.as_ref().map_or(&definition.keys, |index| &index.keys);
        let is_in_index =
            |name: &str| index.as_ref().is_none_or(|index| index.projects(&definition.keys, name));
        let is_plain =
            |name: &str| is_in_index(name) && !keys.has(name) && !definition.keys.has(name);
        read.filter = read.filter.filter(|filter| filter.names().into_iter().all(is_plain));
        read.projection = read.projection.map(|paths| {
            let mut names: Vec<String> =
                paths.into_iter().map(|path| path.head).filter(|name| is_in_index(name)).collect();
            names.dedup();
            names.sort();
            names.dedup();
            if names.is_empty() {
                names.push(keys.partition[0].name.clone());
            }
            names.iter().map(|name| Path::top(name)).collect()
        });
        read.select = None;
        read.segment = None;
        let names_one = read.keyed.as_ref().is_some_and(|keyed| {
            keyed.sorts.len() == keys.sort.len()
                && keyed.sorts.iter().all(|(_, sort)| matches!(sort, Sort::Compare("=", _)))
        });
        if names_one {
            read.limit = None;
        }
        let order = keys.sort.first().filter(|_| read.keyed.is_some() && self.random.chance(50));
        let order = order.map(|attribute| attribute.name.clone());
        read.is_backward &= order.is_some();
        Op::Select(Select { read, token: None, order })
    }
}

/// Paths of what a table or index holds; a local index fetches what it lacks.
fn projected(definition: &Definition, index: Option<&Index>) -> Heads {
    let mut heads = heads_of_projection(definition);
    if let Some(index) = index.filter(|index| !index.is_local) {
        heads.retain(|name| index.projects(&definition.keys, name));
    }
    heads
}

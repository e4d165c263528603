//! `Side`: one of two designs as its patterns ran: what is stored, what each pattern took, where it is hot.
//!
//! Invariant: units are the engine's, of the sample.
//!
//! Not here: running the patterns ([`crate::pattern`]).

use hashrange_storage::{Store, TreeRef};

use crate::cost::{PatternUse, Rate, Stored, StoredTable, TargetUse, Usage};
use crate::pattern::{Heat, PatternResult, PatternStatus, PatternSuite, Served};

/// A pattern of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SidePattern {
    /// How it is served.
    pub status: PatternStatus,
    /// How it asks: `Query · base table`.
    pub how: String,
    /// Items returned or written.
    pub n_items: u64,
    /// Requests it takes.
    pub n_requests: u64,
    /// Its words, rate and units.
    pub usage: PatternUse,
}

/// One of two designs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Side {
    /// What it is called.
    pub title: String,
    /// What is stored.
    pub tables: Vec<StoredTable>,
    /// The patterns, in the design's order.
    pub patterns: Vec<SidePattern>,
    /// The hottest key of each table and index, pattern by pattern.
    pub heat: Vec<Heat>,
}

impl Side {
    /// A design whose patterns have run.
    pub fn of(title: &str, suite: &PatternSuite) -> Self {
        let results = suite.results();
        Self {
            title: title.to_owned(),
            tables: stored(suite.store()),
            patterns: results.iter().map(side_pattern).collect(),
            heat: results.iter().flat_map(|result| result.heat.clone()).collect(),
        }
    }

    /// What is paid for.
    pub fn usage(&self) -> Usage {
        Usage {
            patterns: self.patterns.iter().map(|pattern| pattern.usage.clone()).collect(),
            tables: self.tables.clone(),
        }
    }

    /// The hottest key of each table and index and kind, with the load of all patterns that meet there.
    pub(crate) fn hottest(&self) -> Vec<Heat> {
        let mut sums: Vec<Heat> = Vec::new();
        for heat in &self.heat {
            let known = sums.iter_mut().find(|it| {
                (&it.table, &it.index, it.is_write, &it.key)
                    == (&heat.table, &heat.index, heat.is_write, &heat.key)
            });
            match known {
                Some(sum) => sum.units_per_second += heat.units_per_second,
                None => sums.push(heat.clone()),
            }
        }
        sums.sort_by(|one, other| other.load().total_cmp(&one.load()));
        let mut hottest: Vec<Heat> = Vec::new();
        for heat in sums {
            let is_known = |it: &Heat| {
                (&it.table, &it.index, it.is_write) == (&heat.table, &heat.index, heat.is_write)
            };
            if !hottest.iter().any(is_known) {
                hottest.push(heat);
            }
        }
        hottest
    }
}

impl Usage {
    /// What a design's patterns, as they ran, and its sample items are paid for.
    pub fn of(suite: &PatternSuite) -> Self {
        Self {
            patterns: suite.results().iter().map(PatternUse::of).collect(),
            tables: stored(suite.store()),
        }
    }
}

impl PatternUse {
    /// What a pattern took when it ran.
    pub fn of(result: &PatternResult) -> Self {
        // Transactions read the present, and a cache passes them on.
        let is_consistent = result.shape.is_consistent || result.operation == "TransactGetItems";
        let grows =
            result.served == Served::Scan && !result.is_write && result.shape.limit.is_none();
        let uses = result.units.iter().map(|it| TargetUse {
            table: it.table.to_string(),
            index: it.index.as_ref().map(ToString::to_string).unwrap_or_default(),
            is_local: it.is_local,
            is_write: it.is_write,
            is_consistent,
            units: it.units,
            scanned_bytes: (grows && result.units.len() == 1).then(|| result.bytes_read()),
        });
        Self {
            name: result.words.clone(),
            rate: Rate::per_second(result.per_second.unwrap_or(0.0)),
            uses: uses.collect(),
        }
    }
}

fn side_pattern(result: &PatternResult) -> SidePattern {
    let place = match &result.shape.index {
        Some(index) => index.to_string(),
        None => "base table".to_owned(),
    };
    let filter = if result.served == Served::Filtered { " + filter" } else { "" };
    SidePattern {
        status: result.status(),
        how: format!("{}{filter} · {place}", result.operation),
        n_items: result.n_items(),
        n_requests: result.pages.len() as u64,
        usage: PatternUse::of(result),
    }
}

/// What lies in every table and index.
pub(crate) fn stored(store: &Store) -> Vec<StoredTable> {
    let part = |index: &str, is_local, tree: TreeRef<'_>| Stored {
        index: index.to_owned(),
        is_local,
        n_items: tree.n_rows(),
        bytes: tree.size_bytes(),
    };
    let mut tables = Vec::new();
    for table in store.tables() {
        let schema = table.schema();
        let mut parts = vec![part("", false, table.items())];
        for index in schema.indexes() {
            let name = index.name.as_str();
            parts.extend(table.index(name).map(|tree| part(name, index.is_local, tree)));
        }
        tables.push(StoredTable { table: schema.name.to_string(), parts });
    }
    tables
}

//! An event as JSON, and as one line.
//!
//! Invariant: the same events are the same text, natively and in wasm.

use std::fmt::Write as _;

use hashrange_types::{EncodedKey, IndexName, TableName, Timestamp};
use serde_json::{Map, Value};

use crate::cluster::RequestNumber;
use crate::document::ms_value;
use crate::event::{Event, EventKind, EventLog, Place, SplitCause};

impl SplitCause {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Heat => "heat",
            Self::Size => "size",
            Self::Capacity => "capacity",
            Self::Demand => "demand",
        }
    }
}

impl EventKind {
    /// The request that it concerns.
    pub const fn request(&self) -> Option<RequestNumber> {
        match self {
            Self::RequestDone { request, .. }
            | Self::RequestRefused { request, .. }
            | Self::ConditionFailed { request, .. }
            | Self::TokenReplayed { request }
            | Self::CollectionFull { request }
            | Self::ReadServed { request, .. }
            | Self::Throttled { request, .. }
            | Self::TransactionConflict { request } => Some(*request),
            _ => None,
        }
    }

    /// The partition where it happened.
    pub const fn place(&self) -> Option<&Place> {
        match self {
            Self::ReadServed { place, .. }
            | Self::WriteCommitted { place, .. }
            | Self::ReplicaApplied { place, .. }
            | Self::IndexApplied { place, .. }
            | Self::Throttled { place, .. }
            | Self::PartitionSplit { place, .. }
            | Self::LeaderLost { place, .. }
            | Self::LeaderElected { place, .. } => Some(place),
            _ => None,
        }
    }

    /// The table where it happened.
    fn table(&self) -> Option<&TableName> {
        match self {
            Self::TtlExpired { table, .. }
            | Self::TtlSwept { table, .. }
            | Self::CapacityScaled { table, .. }
            | Self::StreamRecord { table, .. }
            | Self::FunctionFailed { table, .. }
            | Self::FunctionCounted { table, .. }
            | Self::FunctionRetried { table, .. }
            | Self::SearchDone { table, .. }
            | Self::BurstEmpty { table, .. }
            | Self::RecordDiscarded { table, .. }
            | Self::SearchUpdated { table, .. }
            | Self::RegionApplied { table, .. }
            | Self::RegionDiscarded { table, .. }
            | Self::RestoreDone { table, .. } => Some(table),
            _ => self.place().map(|place| &place.table),
        }
    }

    /// What else there is to say, as members.
    fn details(&self) -> Vec<(&'static str, Value)> {
        match self {
            Self::RequestDone { operation, units, n_items, .. } => {
                let mut details =
                    vec![("operation", operation.name().into()), ("units", units.as_f64().into())];
                details.extend(n_items.map(|n_items| ("count", n_items.into())));
                details
            }
            Self::RequestRefused { operation, code, units, .. } => vec![
                ("operation", operation.name().into()),
                ("code", (*code).into()),
                ("units", units.as_f64().into()),
            ],
            Self::ConditionFailed { units, has_item, .. } => {
                vec![("charged", units.as_f64().into()), ("item", (*has_item).into())]
            }
            Self::TransactionConflict { .. }
            | Self::TokenReplayed { .. }
            | Self::CollectionFull { .. } => Vec::new(),
            Self::BurstEmpty { index, .. } => of_index(index.as_ref()),
            Self::ReadServed { replica, n_missing, behind_us, .. } => vec![
                ("replica", (*replica).into()),
                ("missing", (*n_missing).into()),
                ("behind_ms", ms_value(*behind_us)),
            ],
            Self::WriteCommitted { key, number, .. } => {
                vec![("key", shown(key).into()), ("change", (*number).into())]
            }
            Self::ReplicaApplied { replica, number, .. } => {
                vec![("replica", (*replica).into()), ("change", (*number).into())]
            }
            Self::IndexApplied { behind_us, .. } => vec![("behind_ms", ms_value(*behind_us))],
            Self::Throttled { key, reason, .. } => {
                let mut details = vec![("reason", reason.spelled().into())];
                details.extend(key.as_ref().map(|key| ("key", shown(key).into())));
                details
            }
            Self::PartitionSplit { upper, at_key, cause, .. } => vec![
                ("upper", (*upper).into()),
                ("at_key", shown(at_key).into()),
                ("for", cause.name().into()),
            ],
            Self::TtlExpired { key, .. } => vec![("key", shown(key).into())],
            Self::TtlSwept { key, late_us, .. } => {
                vec![("key", shown(key).into()), ("late_ms", ms_value(*late_us))]
            }
            Self::StreamRecord { sequence, name, is_expiry, .. } => vec![
                ("sequence", sequence.to_string().into()),
                ("change", (*name).into()),
                ("by", if *is_expiry { "ttl" } else { "client" }.into()),
            ],
            Self::CapacityScaled { index, units, .. } => {
                let mut details = vec![("rcu", units.read.into()), ("wcu", units.write.into())];
                details.extend(of_index(index.as_ref()));
                details
            }
            Self::RestoreDone { n_items, .. } => vec![("items", (*n_items).into())],
            Self::LeaderLost { replica, .. } | Self::LeaderElected { replica, .. } => {
                vec![("replica", (*replica).into())]
            }
            _ => self.details_around(),
        }
    }

    /// The same for what happens around a table: functions, searches, Regions, caches and programs.
    fn details_around(&self) -> Vec<(&'static str, Value)> {
        match self {
            Self::FunctionFailed { n_records, is_lost, age_us, .. } => vec![
                ("records", (*n_records).into()),
                ("lost", (*is_lost).into()),
                ("age_ms", ms_value(*age_us)),
            ],
            Self::FunctionCounted { n_records, .. } => vec![("records", (*n_records).into())],
            Self::FunctionRetried { n_records, n_retries, .. } => {
                vec![("records", (*n_records).into()), ("retries", (*n_retries).into())]
            }
            Self::RecordDiscarded { sequence, cause, .. } => {
                vec![("sequence", sequence.to_string().into()), ("for", cause.name().into())]
            }
            Self::SearchUpdated { sequence, behind_us, .. } => {
                vec![("sequence", sequence.to_string().into()), ("behind_ms", ms_value(*behind_us))]
            }
            Self::RegionApplied { from, key, behind_us, units, .. } => vec![
                ("from", from.as_str().into()),
                ("key", shown(key).into()),
                ("behind_ms", ms_value(*behind_us)),
                ("units", units.as_f64().into()),
            ],
            Self::RegionDiscarded { from, key, .. } => {
                vec![("from", from.as_str().into()), ("key", shown(key).into())]
            }
            Self::Dax { node, operation, result } => vec![
                ("node", (*node).into()),
                ("operation", operation.name().into()),
                ("result", result.name().into()),
            ],
            Self::SearchDone { n_hits, .. } => vec![("hits", (*n_hits).into())],
            Self::ProgramCharged { program, client } => of_program(program, *client),
            Self::ProgramPolled { program, client, n_attempts, waited_us, n_found, is_met } => {
                let mut details = of_program(program, *client);
                details.extend([
                    ("attempts", (*n_attempts).into()),
                    ("waited_ms", ms_value(*waited_us)),
                    ("found", (*n_found).into()),
                    ("met", (*is_met).into()),
                ]);
                details
            }
            Self::ProgramEnded { program, client, run, result, error } => {
                let mut details = of_program(program, *client);
                details.extend([("run", (*run).into()), ("result", result.as_str().into())]);
                details.extend(error.map(|error| ("error", error.into())));
                details
            }
            _ => Vec::new(),
        }
    }
}

fn of_index(index: Option<&IndexName>) -> Vec<(&'static str, Value)> {
    index.map(|index| ("index", index.as_str().into())).into_iter().collect()
}

fn of_program(program: &str, client: u32) -> Vec<(&'static str, Value)> {
    vec![("program", program.into()), ("client", client.into())]
}

/// A key to read: its values' text after the hash, other bytes as dots.
fn shown(key: &EncodedKey) -> String {
    let bytes = key.as_bytes().get(8..).unwrap_or_default();
    let text = String::from_utf8_lossy(bytes);
    let dotted = text.replace(|letter: char| letter.is_control() || letter == '\u{FFFD}', "·");
    let parts: Vec<&str> = dotted.split('·').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { format!("#{:016x}", key.hash()) } else { parts.join("·") }
}

impl Event {
    /// The event as an object: `at_ms` since the run's beginning, `name`, `request`, `table`, `index`,
    /// `partition`, and what else there is to say.
    pub fn to_json(&self, begins_at: Timestamp) -> Value {
        let mut members = Map::new();
        let mut add = |name: &str, value: Value| members.insert(name.to_owned(), value);
        add("at_ms", ms_value(self.at.0 - begins_at.0));
        add("name", self.kind.name().into());
        if let Some(request) = self.kind.request() {
            add("request", request.0.into());
        }
        if let Some(table) = self.kind.table() {
            add("table", table.as_str().into());
        }
        if let Some(place) = self.kind.place() {
            if let Some(index) = &place.index {
                add("index", index.as_str().into());
            }
            add("partition", place.partition.into());
        }
        for (name, value) in self.kind.details() {
            add(name, value);
        }
        Value::Object(members)
    }

    /// The event as a line: milliseconds since the run's beginning, name, place, request and details.
    pub fn line(&self, begins_at: Timestamp) -> String {
        let us = self.at.0 - begins_at.0;
        let mut place = self.kind.table().map(ToString::to_string).unwrap_or_default();
        if let Some(at) = self.kind.place() {
            let index = at.index.as_ref().map(|index| format!("/{index}")).unwrap_or_default();
            let _ = write!(place, "{index} P{}", at.partition);
        }
        let mut line = format!(
            "{:>9}.{:03} ms  {:<20} {place:<20}",
            us.div_euclid(1_000),
            us.rem_euclid(1_000),
            self.kind.name()
        );
        if let Some(request) = self.kind.request() {
            let _ = write!(line, " request={}", request.0);
        }
        for (name, value) in self.kind.details() {
            let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
            let _ = write!(line, " {name}={text}");
        }
        line
    }
}

impl EventLog {
    /// A number that two logs share if they hold the same events: FNV-1a over their lines.
    pub fn fingerprint(&self, begins_at: Timestamp) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        for event in self.iter() {
            for byte in event.line(begins_at).bytes().chain([b'\n']) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
        }
        hash
    }
}

//! `Observed`: what happened since a moment, counted by the members that expectations name.
//!
//! Invariant: it follows from the events alone, and is bounded however many there are.
//!
//! Not here: what a member should be (`expectation`).

use std::collections::BTreeMap;

use hashrange_types::{Operation, Timestamp};
use smol_str::{SmolStr, ToSmolStr};

use crate::cluster::RequestNumber;
use crate::event::{Event, EventKind, Place};

/// Most values that a list keeps; the rest is not looked at.
const LIST_MAX: usize = 10_000;
/// Most rounds that are told apart; what comes later counts for the last.
const ROUNDS_MAX: usize = 10_000;
/// Numbers are kept in millionths, so that halves of units and thousandths of milliseconds are exact.
pub(crate) const ONE: i64 = 1_000_000;

/// How the numbers of several events become one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Added up; nothing is 0.
    Sum,
    /// The greatest; nothing is 0.
    Most,
    /// The first; nothing is none.
    First,
    /// Values in order, and their sum; words in order, and their number.
    List,
}

/// What may be observed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Member {
    Accepted,
    Throttled,
    Refused,
    Reasons,
    Units,
    Items,
    Reads,
    Stale,
    Replicas,
    BehindMs,
    Writes,
    Splits,
    SplitsAtS,
    FirstThrottleS,
    FirstSplitS,
    ScaledAtS,
    Conflicts,
    Elections,
    Expired,
    Swept,
    Records,
    RecordsByTtl,
    Failures,
    Retries,
    Discarded,
    Indexed,
    IteratorAgeMs,
    Dax,
    RegionApplied,
    RegionDiscarded,
    Restored,
    Charged,
    Replays,
    CollectionsFull,
    BurstEmptyS,
    Counted,
    Hits,
    Charges,
    Attempts,
    WaitedMs,
    Found,
    Results,
    Errors,
}

/// By the order of [`Member`].
const MEMBERS: [(&str, Way); 43] = [
    ("accepted", Way::Sum),
    ("throttled", Way::Sum),
    ("refused", Way::Sum),
    ("reasons", Way::Sum),
    ("units", Way::Sum),
    ("items", Way::List),
    ("reads", Way::Sum),
    ("stale", Way::Sum),
    ("replicas", Way::List),
    ("behind_ms", Way::Most),
    ("writes", Way::Sum),
    ("splits", Way::Sum),
    ("splits_at_s", Way::List),
    ("first_throttle_s", Way::First),
    ("first_split_s", Way::First),
    ("scaled_at_s", Way::List),
    ("conflicts", Way::Sum),
    ("elections", Way::Sum),
    ("expired", Way::Sum),
    ("swept", Way::Sum),
    ("records", Way::List),
    ("records_by_ttl", Way::Sum),
    ("failures", Way::Sum),
    ("retries", Way::Sum),
    ("discarded", Way::Sum),
    ("indexed", Way::Sum),
    ("iterator_age_ms", Way::Most),
    ("dax", Way::List),
    ("region_applied", Way::Sum),
    ("region_discarded", Way::Sum),
    ("restored", Way::Sum),
    ("charged", Way::Sum),
    ("replays", Way::Sum),
    ("collections_full", Way::Sum),
    ("burst_empty_s", Way::First),
    ("counted", Way::Sum),
    ("hits", Way::List),
    ("charges", Way::Sum),
    ("attempts", Way::List),
    ("waited_ms", Way::List),
    ("found", Way::List),
    ("results", Way::List),
    ("errors", Way::Sum),
];

/// The member called so, by its position.
pub(crate) fn member(name: &str) -> Option<usize> {
    MEMBERS.iter().position(|(spelled, _)| *spelled == name)
}

/// All names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MEMBERS.iter().map(|(name, _)| *name)
}

/// What was found of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// It did not happen.
    None,
    /// In millionths.
    Number(i64),
    Text(SmolStr),
    List(Vec<Found>),
    Words(BTreeMap<SmolStr, i64>),
}

#[derive(Debug, Clone, Default)]
struct Seen {
    /// One number for each round, in millionths.
    rounds: Vec<Option<i64>>,
    words: BTreeMap<SmolStr, i64>,
    list: Vec<Found>,
}

/// What happened since a moment.
#[derive(Debug, Clone)]
pub struct Observed {
    /// When the round began: what is told in seconds counts from here.
    begins_at: Timestamp,
    /// The load or repeat that is under way.
    round: usize,
    is_round_empty: bool,
    seen: Vec<Seen>,
    throttled: Option<RequestNumber>,
    requests: BTreeMap<Place, [i64; 2]>,
}

impl Observed {
    /// Nothing, from this moment.
    pub fn new(now: Timestamp) -> Self {
        Self {
            begins_at: now,
            round: 0,
            is_round_empty: true,
            seen: vec![Seen::default(); MEMBERS.len()],
            throttled: None,
            requests: BTreeMap::new(),
        }
    }

    /// A load or repeat begins: lists have a number for each, and seconds count from here.
    pub fn begin_round(&mut self, now: Timestamp) {
        self.begins_at = now;
        if !self.is_round_empty && self.round < ROUNDS_MAX {
            self.round += 1;
        }
        self.is_round_empty = true;
    }

    /// Counts an event. Events come in order.
    pub fn note(&mut self, event: &Event) {
        use Member as M;
        let s = event.at.0 - self.begins_at.0;
        match &event.kind {
            EventKind::RequestDone { operation, units, n_items, .. } => {
                if is_of_items(*operation) {
                    self.is_round_empty = false;
                    self.count(M::Accepted, None);
                }
                self.add(M::Units, millionths(*units));
                if let Some(n_items) = n_items {
                    self.list(M::Items, whole(u64::from(*n_items)));
                }
            }
            EventKind::RequestRefused { request, code, units, .. } => {
                self.is_round_empty = false;
                if self.throttled == Some(*request) {
                    self.count(M::Throttled, Some(code));
                } else {
                    self.count(M::Refused, Some(code));
                }
                self.add(M::Units, millionths(*units));
            }
            EventKind::Throttled { request, place, reason, .. } => {
                // A request may be throttled in several places, and is one request.
                if self.throttled.replace(*request) != Some(*request) {
                    self.requests.entry(place.clone()).or_default()[1] += ONE;
                }
                self.count(M::Reasons, Some(&reason.spelled()));
                self.add(M::FirstThrottleS, s);
            }
            EventKind::ReadServed { place, replica, n_missing, behind_us, .. } => {
                self.count(M::Reads, None);
                self.requests.entry(place.clone()).or_default()[0] += ONE;
                self.add(M::Stale, i64::from(*n_missing > 0) * ONE);
                self.add(M::BehindMs, behind_us.saturating_mul(1_000));
                self.list(M::Replicas, i64::from(*replica) * ONE);
            }
            EventKind::WriteCommitted { place, .. } => {
                self.count(M::Writes, None);
                self.requests.entry(place.clone()).or_default()[0] += ONE;
            }
            EventKind::PartitionSplit { cause, .. } => {
                self.count(M::Splits, Some(cause.name()));
                self.add(M::FirstSplitS, s);
                self.moment(M::SplitsAtS, s);
            }
            EventKind::ConditionFailed { units, .. } => self.add(M::Charged, millionths(*units)),
            EventKind::TokenReplayed { .. } => self.count(M::Replays, None),
            EventKind::CollectionFull { .. } => self.count(M::CollectionsFull, None),
            EventKind::BurstEmpty { .. } => self.add(M::BurstEmptyS, s),
            EventKind::CapacityScaled { .. } => self.moment(M::ScaledAtS, s),
            EventKind::LeaderElected { .. } => self.count(M::Elections, None),
            EventKind::TransactionConflict { .. } => self.count(M::Conflicts, None),
            kind => self.note_around(kind),
        }
    }

    /// The same of what happens around tables.
    fn note_around(&mut self, kind: &EventKind) {
        use Member as M;
        match kind {
            EventKind::TtlExpired { .. } => self.count(M::Expired, None),
            EventKind::TtlSwept { .. } => self.count(M::Swept, None),
            EventKind::StreamRecord { name, is_expiry, .. } => {
                self.word(M::Records, name);
                self.add(M::RecordsByTtl, i64::from(*is_expiry) * ONE);
            }
            EventKind::FunctionFailed { age_us, .. } => {
                self.count(M::Failures, None);
                self.add(M::IteratorAgeMs, age_us.saturating_mul(1_000));
            }
            EventKind::FunctionCounted { n_records, .. } => self.add(M::Counted, whole(*n_records)),
            EventKind::SearchDone { n_hits, .. } => self.list(M::Hits, whole(*n_hits)),
            EventKind::FunctionRetried { .. } => self.count(M::Retries, None),
            EventKind::RecordDiscarded { cause, .. } => {
                self.count(M::Discarded, Some(cause.name()));
            }
            EventKind::SearchUpdated { behind_us, .. } => {
                self.count(M::Indexed, None);
                self.add(M::IteratorAgeMs, behind_us.saturating_mul(1_000));
            }
            EventKind::RegionApplied { from, behind_us, .. } => {
                self.count(M::RegionApplied, Some(from));
                self.add(M::BehindMs, behind_us.saturating_mul(1_000));
            }
            EventKind::RegionDiscarded { from, .. } => self.count(M::RegionDiscarded, Some(from)),
            EventKind::Dax { result, .. } => self.word(M::Dax, result.name()),
            EventKind::RestoreDone { n_items, .. } => {
                self.add(M::Restored, whole(*n_items));
            }
            EventKind::ProgramCharged { .. } => self.count(M::Charges, None),
            EventKind::ProgramPolled { n_attempts, waited_us, n_found, .. } => {
                self.list(M::Attempts, whole(u64::from(*n_attempts)));
                self.list(M::WaitedMs, waited_us.saturating_mul(1_000));
                self.list(M::Found, whole(*n_found));
            }
            EventKind::ProgramEnded { result, error, .. } => {
                self.word(M::Results, result);
                if let Some(error) = error {
                    self.count(M::Errors, Some(error));
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, member: Member, millionths: i64) {
        let (_, way) = MEMBERS[member as usize];
        let rounds = &mut self.seen[member as usize].rounds;
        if rounds.len() <= self.round {
            rounds.resize(self.round + 1, None);
        }
        let of_round = &mut rounds[self.round];
        *of_round = Some(match (way, *of_round) {
            (_, None) => millionths,
            (Way::Sum | Way::List, Some(before)) => before.saturating_add(millionths),
            (Way::Most, Some(before)) => before.max(millionths),
            (Way::First, Some(before)) => before,
        });
    }

    fn count(&mut self, member: Member, word: Option<&str>) {
        self.add(member, ONE);
        let Some(word) = word else { return };
        let words = &mut self.seen[member as usize].words;
        match words.get_mut(word) {
            Some(n) => *n += ONE,
            None => {
                words.insert(word.into(), ONE);
            }
        }
    }

    /// A number that is added, and one more of the list.
    fn list(&mut self, member: Member, millionths: i64) {
        self.add(member, millionths);
        self.push(member, Found::Number(millionths));
    }

    /// A word that is counted, and one more of the list.
    fn word(&mut self, member: Member, word: &str) {
        self.count(member, Some(word));
        self.push(member, Found::Text(word.into()));
    }

    /// A moment to the second; several in one second are one.
    fn moment(&mut self, member: Member, us: i64) {
        let second = us.div_euclid(ONE) * ONE;
        if self.seen[member as usize].list.last() != Some(&Found::Number(second)) {
            self.list(member, second);
        }
    }

    fn push(&mut self, member: Member, value: Found) {
        let list = &mut self.seen[member as usize].list;
        if list.len() < LIST_MAX {
            list.push(value);
        }
    }

    /// What was found of a member, as one number.
    pub(crate) fn number(&self, member: usize) -> Found {
        let mut rounds = self.seen[member].rounds.iter().copied().flatten();
        match MEMBERS[member].1 {
            Way::First => rounds.next().map_or(Found::None, Found::Number),
            Way::Most => Found::Number(rounds.max().unwrap_or(0)),
            Way::Sum | Way::List => Found::Number(rounds.sum()),
        }
    }

    /// The same as a list: the values, or one number for each load or repeat.
    pub(crate) fn in_order(&self, member: usize) -> Found {
        let seen = &self.seen[member];
        let way = MEMBERS[member].1;
        if way == Way::List {
            return Found::List(seen.list.clone());
        }
        let n_rounds = self.round + usize::from(!self.is_round_empty || self.round == 0);
        let of_round = |round: usize| match seen.rounds.get(round).copied().flatten() {
            Some(number) => Found::Number(number),
            None if way == Way::First => Found::None,
            None => Found::Number(0),
        };
        Found::List((0..n_rounds).map(of_round).collect())
    }

    /// The same by the words that events have for it.
    pub(crate) fn by_word(&self, member: usize) -> Found {
        Found::Words(self.seen[member].words.clone())
    }

    /// Requests of each of these partitions that were answered or, if asked for, throttled only.
    pub(crate) fn by_partition(&self, partitions: &[Place], only_throttled: bool) -> Found {
        let of = |place: &Place| {
            let [answered, throttled] = self.requests.get(place).copied().unwrap_or_default();
            Found::Number(throttled + if only_throttled { 0 } else { answered })
        };
        Found::List(partitions.iter().map(of).collect())
    }

    /// True if a partition of this table, or index of one, was asked for something.
    pub(crate) fn is_asked(&self, place: &Place) -> bool {
        let is_there = |other: &Place| other.table == place.table && other.index == place.index;
        self.requests.keys().any(is_there)
    }
}

/// True for requests that read or write items, and not tables.
const fn is_of_items(operation: Operation) -> bool {
    use Operation as O;
    matches!(
        operation,
        O::GetItem
            | O::PutItem
            | O::UpdateItem
            | O::DeleteItem
            | O::Query
            | O::Scan
            | O::BatchGetItem
            | O::BatchWriteItem
            | O::TransactGetItems
            | O::TransactWriteItems
            | O::ExecuteStatement
            | O::BatchExecuteStatement
            | O::ExecuteTransaction
    )
}

/// A count in millionths.
pub(crate) fn whole(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX).saturating_mul(ONE)
}

fn millionths(units: hashrange_types::CapacityUnits) -> i64 {
    i64::try_from(units.as_halves()).unwrap_or(i64::MAX).saturating_mul(ONE / 2)
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Number(millionths) => f.write_str(&spelled(*millionths)),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(items) => {
                let shown: Vec<String> = items.iter().take(12).map(ToString::to_string).collect();
                let more = if items.len() > shown.len() { ", …" } else { "" };
                write!(f, "[{}{more}]", shown.join(", "))
            }
            Self::Words(words) if words.is_empty() => f.write_str("none"),
            Self::Words(words) => {
                let of_word = |(word, n): (&SmolStr, &i64)| format!("{word} {}", spelled(*n));
                f.write_str(&words.iter().map(of_word).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A number of millionths, without zeros that say nothing.
pub(crate) fn spelled(millionths: i64) -> SmolStr {
    let (whole, part) = (millionths / ONE, (millionths % ONE).abs());
    let sign = if millionths < 0 && whole == 0 { "-" } else { "" };
    if part == 0 {
        return whole.to_smolstr();
    }
    format!("{sign}{whole}.{part:06}").trim_end_matches('0').into()
}

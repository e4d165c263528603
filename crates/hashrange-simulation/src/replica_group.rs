//! `ReplicaGroup`: the leader and the two followers of one partition.
//!
//! A follower is not a second copy of the data: it is the leader's under the old images of the changes it does
//! not have yet, which the log keeps until both followers have them. A follower that lacks more than the log may
//! hold gets a copy of the leader instead.
//!
//! Invariant: followers apply changes in the order of the log; a drawn delay never overtakes an earlier one. The
//! log is bounded, however long a follower is away.
//!
//! Source: facts 5.1.

use std::collections::{BTreeMap, VecDeque};

use hashrange_storage::{KeyRange, Row};
use hashrange_types::{EncodedKey, Timestamp};

/// Replicas of a partition.
pub const N_REPLICAS: usize = 3;
/// The replica that leads at first.
pub const LEADER: u8 = 0;
/// Bytes of changes that a log holds before followers get a copy instead (model).
const LOG_BYTES_MAX: u64 = 64 * 1_024 * 1_024;
/// Bytes that a change takes in the log besides its old image (model).
const RECORD_BYTES: u64 = 256;

/// Whether a replica gets and gives anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// It works.
    Up,
    /// It answers reads but gets no changes.
    CutOff,
    /// It neither answers nor gets changes.
    Down,
}

#[derive(Debug, Clone)]
struct Replica {
    /// Number of the first change it does not have.
    next: u64,
    /// When the newest change on its way arrives.
    arrives_at: Timestamp,
    health: Health,
}

/// A change that a follower may lack.
#[derive(Debug, Clone)]
struct Record {
    number: u64,
    at: Timestamp,
    key: EncodedKey,
    before: Option<Row>,
}

impl Record {
    fn bytes(&self) -> u64 {
        RECORD_BYTES + self.before.as_ref().map_or(0, |row| u64::from(row.size_bytes))
    }
}

/// What a replica lacks of the items read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Missing {
    /// Changes.
    pub(crate) n_changes: u32,
    /// When the oldest of them was committed.
    pub(crate) since: Option<Timestamp>,
    /// The items as the replica has them.
    pub(crate) old_images: Vec<(EncodedKey, Option<Row>)>,
}

/// The replicas of one partition.
#[derive(Debug, Clone)]
pub(crate) struct ReplicaGroup {
    leader: u8,
    replicas: [Replica; N_REPLICAS],
    log: VecDeque<Record>,
    log_bytes: u64,
    /// Numbers of the changes in the log by key.
    by_key: BTreeMap<EncodedKey, VecDeque<u64>>,
    next: u64,
    /// Until when nobody leads.
    pub(crate) leaderless_until: Option<Timestamp>,
    /// Whose turn it is.
    turn: u8,
}

impl ReplicaGroup {
    pub(crate) fn new(now: Timestamp) -> Self {
        let replica = Replica { next: 1, arrives_at: now, health: Health::Up };
        Self {
            leader: LEADER,
            replicas: [replica.clone(), replica.clone(), replica],
            log: VecDeque::new(),
            log_bytes: 0,
            by_key: BTreeMap::new(),
            next: 1,
            leaderless_until: None,
            turn: 0,
        }
    }

    /// Who leads.
    pub(crate) const fn leader(&self) -> u8 {
        self.leader
    }

    /// The followers, in the order of their numbers.
    pub(crate) fn followers(&self) -> [u8; 2] {
        match self.leader {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }

    /// The number the next change gets.
    pub(crate) const fn next_number(&self) -> u64 {
        self.next
    }

    /// The leader has a change; `delays` say when each follower will. Returns the arrivals to schedule.
    pub(crate) fn commit(
        &mut self,
        key: &EncodedKey,
        before: Option<Row>,
        delays: [i64; 2],
        now: Timestamp,
    ) -> [Option<(u8, Timestamp)>; 2] {
        let number = self.next;
        self.next += 1;
        self.replicas[usize::from(self.leader)].next = self.next;
        let mut arrivals = [None; 2];
        let mut is_lacked = false;
        for (follower, (delay, arrival)) in
            self.followers().into_iter().zip(delays.into_iter().zip(&mut arrivals))
        {
            let replica = &mut self.replicas[usize::from(follower)];
            replica.arrives_at = replica.arrives_at.max(Timestamp(now.0 + delay));
            let is_up = replica.health == Health::Up;
            if replica.arrives_at <= now && replica.next == number && is_up {
                replica.next = self.next;
            } else {
                // What is away gets it when it works again.
                *arrival = is_up.then_some((follower, replica.arrives_at));
                is_lacked |= replica.health != Health::Down;
            }
        }
        if is_lacked {
            self.by_key.entry(key.clone()).or_default().push_back(number);
            let record = Record { number, at: now, key: key.clone(), before };
            self.log_bytes += record.bytes();
            self.log.push_back(record);
            if self.log_bytes > LOG_BYTES_MAX {
                self.copy();
            }
        }
        arrivals
    }

    /// A follower gets all changes up to `number`. False if it gets nothing.
    pub(crate) fn apply(&mut self, follower: u8, number: u64) -> bool {
        let replica = &mut self.replicas[usize::from(follower)];
        if replica.health != Health::Up || replica.next > number {
            return false;
        }
        replica.next = number + 1;
        self.forget();
        true
    }

    /// The log is full: followers that lack its oldest change get a copy of the leader. One that is cut off gets
    /// none, and is too far behind to answer anybody: it is down until it works again.
    fn copy(&mut self) {
        let oldest = self.log.front().map_or(self.next, |record| record.number);
        for replica in &mut self.replicas {
            match replica.health {
                Health::Up if replica.next <= oldest => replica.next = self.next,
                Health::CutOff if replica.next <= oldest => replica.health = Health::Down,
                _ => {}
            }
        }
        self.forget();
    }

    /// Drops the changes that all have who work. One that is down gets a copy when it works again.
    fn forget(&mut self) {
        let working = self.replicas.iter().filter(|replica| replica.health != Health::Down);
        let oldest = working.map(|replica| replica.next).min().unwrap_or(self.next);
        while self.log.front().is_some_and(|record| record.number < oldest) {
            let Some(record) = self.log.pop_front() else { break };
            self.log_bytes -= record.bytes();
            if let Some(numbers) = self.by_key.get_mut(&record.key) {
                numbers.pop_front();
                if numbers.is_empty() {
                    self.by_key.remove(&record.key);
                }
            }
        }
    }

    /// Sets whether a replica works. A replica that works again gets at once what it lacks; returns the number
    /// of the newest change it then has.
    pub(crate) fn set_health(&mut self, replica: u8, health: Health) -> Option<u64> {
        let one = &mut self.replicas[usize::from(replica)];
        // What is cut off had to work before.
        let is_back = health == Health::Up || one.health == Health::Down && health != Health::Down;
        one.health = health;
        let is_behind = is_back && one.next != self.next;
        if is_behind {
            one.next = self.next;
        }
        self.forget();
        is_behind.then_some(self.next - 1)
    }

    /// Makes the working replica that has most the leader, which may be the one that led: what was committed is on
    /// a quorum, so it has, or gets while it takes over, every change that was acknowledged. None if none works.
    pub(crate) fn elect(&mut self) -> Option<u8> {
        let [first, second] = self.followers();
        let working = [first, second, self.leader]
            .into_iter()
            .filter(|replica| self.replicas[usize::from(*replica)].health == Health::Up);
        let best = working.max_by_key(|follower| self.replicas[usize::from(*follower)].next)?;
        self.leader = best;
        self.replicas[usize::from(best)].next = self.next;
        self.leaderless_until = None;
        self.forget();
        Some(best)
    }

    /// Whether a replica works.
    pub(crate) const fn health(&self, replica: u8) -> Health {
        self.replicas[replica as usize].health
    }

    /// The working follower that is furthest behind; the leader if none works.
    pub(crate) fn slowest(&self) -> u8 {
        let working = self.followers().into_iter().filter(|one| self.health(*one) != Health::Down);
        // Of two that are alike behind, the second.
        working
            .min_by_key(|one| (self.replicas[usize::from(*one)].next, u8::MAX - one))
            .unwrap_or(self.leader)
    }

    /// The working replica whose turn it is: leader, first follower, second follower.
    pub(crate) fn in_turn(&mut self) -> u8 {
        for _ in 0..N_REPLICAS {
            let [first, second] = self.followers();
            let chosen = [self.leader, first, second][usize::from(self.turn)];
            self.turn = (self.turn + 1) % 3;
            if self.health(chosen) != Health::Down {
                return chosen;
            }
        }
        self.leader
    }

    /// The replica with this number, or the next that works.
    pub(crate) fn working(&self, number: u64) -> u8 {
        let first = u8::try_from(number % 3).unwrap_or(0);
        let mut order = (0..3).map(|step| (first + step) % 3);
        order.find(|replica| self.health(*replica) != Health::Down).unwrap_or(self.leader)
    }

    /// What `replica` lacks of the items in `range`.
    pub(crate) fn missing(&self, replica: u8, range: &KeyRange) -> Missing {
        let next = self.replicas[usize::from(replica)].next;
        let mut missing = Missing::default();
        if next == self.next || self.log.is_empty() || range.is_empty() {
            return missing;
        }
        let mut see = |key: &EncodedKey, numbers: &VecDeque<u64>| {
            let first = numbers.partition_point(|number| *number < next);
            let Some(record) = numbers.get(first).and_then(|number| self.record(*number)) else {
                return;
            };
            missing.n_changes += u32::try_from(numbers.len() - first).unwrap_or(u32::MAX);
            missing.since = missing.since.into_iter().chain([record.at]).min();
            missing.old_images.push((key.clone(), record.before.clone()));
        };
        if let Some(only) = range.only_key() {
            self.by_key.get(only).into_iter().for_each(|numbers| see(only, numbers));
        } else {
            let range = self.by_key.range((range.lower.clone(), range.upper.clone()));
            range.for_each(|(key, numbers)| see(key, numbers));
        }
        missing
    }

    fn record(&self, number: u64) -> Option<&Record> {
        let at = self.log.partition_point(|record| record.number < number);
        self.log.get(at).filter(|record| record.number == number)
    }

    /// True if no follower lacks anything.
    pub(crate) fn is_settled(&self) -> bool {
        self.replicas.iter().all(|replica| replica.next == self.next)
    }

    /// Gives the changes from `at` on to a new group, which begins as a copy of this one.
    pub(crate) fn split(&mut self, at: &EncodedKey) -> Self {
        let mut upper = self.clone();
        upper.log.retain(|record| record.key >= *at);
        upper.by_key = self.by_key.split_off(at);
        self.log.retain(|record| record.key < *at);
        upper.log_bytes = upper.log.iter().map(Record::bytes).sum();
        self.log_bytes -= upper.log_bytes;
        upper
    }

    /// When each follower will have all it lacks now.
    pub(crate) fn arrivals(&self) -> [(u8, Timestamp); 2] {
        self.followers().map(|follower| (follower, self.replicas[usize::from(follower)].arrives_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(group: &mut ReplicaGroup, n: u64, size_bytes: u32) {
        let row = Row { item: hashrange_types::Item::new(), size_bytes };
        let key = EncodedKey::from_bytes(&[n.to_be_bytes(), n.to_be_bytes()].concat());
        group.commit(&key, Some(row), [0, 0], Timestamp(0));
    }

    #[test]
    fn nothing_is_kept_for_a_replica_that_is_down_and_it_comes_back_as_a_copy() {
        let mut group = ReplicaGroup::new(Timestamp(0));
        group.set_health(2, Health::Down);
        (0..1_000).for_each(|n| write(&mut group, n, 100));
        assert!(group.log.is_empty() && group.by_key.is_empty());
        assert!(!group.is_settled());
        assert_eq!(group.set_health(2, Health::Up), Some(1_000));
        assert!(group.is_settled());
        assert_eq!(group.missing(2, &KeyRange::all()).n_changes, 0);
    }

    #[test]
    fn a_replica_that_is_cut_off_shows_old_images_until_the_log_is_full_and_then_answers_nobody() {
        let mut group = ReplicaGroup::new(Timestamp(0));
        group.set_health(1, Health::CutOff);
        (0..100).for_each(|n| write(&mut group, n, 400_000));
        assert_eq!(group.missing(1, &KeyRange::all()).n_changes, 100);
        (100..1_000).for_each(|n| write(&mut group, n, 400_000));
        assert!(group.log.len() < 200 && group.log_bytes <= LOG_BYTES_MAX);
        assert_eq!(group.health(1), Health::Down);
        assert_eq!(group.set_health(1, Health::Up), Some(1_000));
    }

    #[test]
    fn a_follower_that_is_too_slow_for_the_log_gets_a_copy() {
        let mut group = ReplicaGroup::new(Timestamp(0));
        let key = EncodedKey::from_bytes(&[1; 16]);
        let row = Row { item: hashrange_types::Item::new(), size_bytes: 400_000 };
        for n in 0..1_000 {
            group.commit(&key, Some(row.clone()), [0, 1_000_000_000], Timestamp(n));
            assert!(group.log_bytes <= LOG_BYTES_MAX);
        }
        assert!(group.missing(2, &KeyRange::all()).n_changes > 0);
        assert!(group.log.len() < 200);
    }
}

//! What every bucket held before each step of a run, and what was taken from it.

use std::collections::BTreeMap;

use hashrange_simulation::{BucketLevels, Settings};
use hashrange_types::{CapacityUnits, Timestamp};

use super::Verdict;
use super::dice::Dice;
use super::play::{Play, limited};
use super::requests::{Kinds, Requests};
use crate::script::request;

const SECOND_US: i64 = 1_000_000;

/// Half units of writes and of reads.
type Halves = [u64; 2];

/// What one partition gave in one step.
struct Given {
    at: Timestamp,
    halves: Halves,
}

/// A run whose every step is watched.
struct Meter {
    play: Play,
    provisioned: Option<u64>,
    given: BTreeMap<u32, Vec<Given>>,
    /// The first bucket that was overdrawn.
    overdrawn: Option<String>,
}

pub(super) fn no_partition_admits_above_its_ceiling_and_burst_in_any_second(seed: u64) -> Verdict {
    let meter = watched(seed ^ 0x5EC);
    let settings = meter.play.cluster.settings();
    let write = 2 * settings.partition_write_units;
    let read = 2 * (settings.partition_read_units * settings.eventual_read_percent / 100);
    for (partition, given) in &meter.given {
        for (kind, ceiling) in [write, read].into_iter().enumerate() {
            // A bucket holds a second's units. A single request that costs more goes when it is full.
            let largest = given.iter().map(|one| one.halves[kind]).max().unwrap_or(0);
            let most = 2 * ceiling + largest.saturating_sub(ceiling);
            let mut sum = 0;
            let mut first = 0;
            for one in given {
                sum += one.halves[kind];
                while given[first].at.0 + SECOND_US <= one.at.0 {
                    sum -= given[first].halves[kind];
                    first += 1;
                }
                if sum > most {
                    let what = ["write", "read"][kind];
                    return Err(format!(
                        "partition {partition} gave {sum} half units of {what} in the second to {:?}, not {most}",
                        one.at
                    ));
                }
            }
        }
    }
    Ok(())
}

pub(super) fn tokens_are_never_negative(seed: u64) -> Verdict {
    watched(seed ^ 0x70CE).overdrawn.map_or(Ok(()), Err)
}

fn watched(seed: u64) -> Meter {
    let mut dice = Dice::new(seed);
    let settings = Settings { index_backlog_max: 1_000, ..limited(&mut dice) };
    let provisioned = dice.pick(&[None, Some(1), Some(8)]);
    let kinds = Kinds { writes: 60, is_strong: false, expires: false };
    let requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    let play = Play::new(dice, settings, provisioned, requests);
    let mut meter = Meter { play, provisioned, given: BTreeMap::new(), overdrawn: None };
    for _ in 0..70 {
        let (operation, body) = meter.play.requests.next(&mut meter.play.dice);
        meter.play.cluster.submit(request(operation, &body));
        if meter.play.dice.chance(5) {
            meter.play.divide();
        }
        let us_max = meter.play.dice.pick(&[0, 50_000, 400_000, 3_000_000]);
        let us = meter.play.dice.between(0, us_max);
        meter.pass(us);
    }
    meter
}

impl Meter {
    /// Lets time pass, watching.
    fn pass(&mut self, us: i64) {
        let until = Timestamp(self.play.cluster.now().0 + us);
        while let Some(at) = self.play.cluster.next_at().filter(|at| *at <= until) {
            self.step(at);
        }
        self.play.cluster.run_until(until, 1);
    }

    fn step(&mut self, at: Timestamp) {
        let cluster = &mut self.play.cluster;
        // What buckets hold the microsecond before.
        cluster.run_until(Timestamp(at.0 - 1), 1);
        let has_moved = cluster.now() < at;
        let is_new_second = cluster.now().whole_seconds() != at.whole_seconds();
        let places = cluster.partitions();
        let levels: BTreeMap<u32, BucketLevels> = places
            .iter()
            .filter_map(|place| Some((place.partition, cluster.bucket_levels(place.partition)?)))
            .collect();
        let before = self.totals();
        self.play.cluster.step();
        let after = self.totals();
        let settings = self.play.cluster.settings();
        let is_sure = !(settings.is_by_the_second && is_new_second);
        let slack = u64::from(has_moved);
        let ceilings = [
            2 * settings.partition_write_units,
            2 * (settings.partition_read_units * settings.eventual_read_percent / 100),
        ];
        let has_table = self.provisioned.is_none() || settings.is_adaptive;
        let burst = u64::from(settings.burst_seconds.max(1));
        let table_full = self.provisioned.map_or(8_000, |units| 2 * units * burst);
        let mut trees = BTreeMap::new();
        for (partition, halves) in after {
            let was = before.get(&partition).copied().unwrap_or_default();
            let halves = [halves[0] - was[0], halves[1] - was[1]];
            if halves == [0, 0] {
                continue;
            }
            self.given.entry(partition).or_default().push(Given { at, halves });
            let Some(level) = levels.get(&partition).filter(|_| is_sure) else { continue };
            for (kind, held) in [level.write, level.read].into_iter().enumerate() {
                let bucket = format!("partition {partition}");
                self.check(&bucket, kind, halves[kind], held.as_halves() + slack, ceilings[kind]);
            }
            let place = places.iter().find(|place| place.partition == partition);
            let tree = place.map(|place| place.index.clone());
            let sum: &mut (Halves, Halves) = trees.entry(tree).or_default();
            sum.0 = [sum.0[0] + halves[0], sum.0[1] + halves[1]];
            sum.1 = [level.table_write, level.table_read].map(CapacityUnits::as_halves);
        }
        for (tree, (halves, held)) in trees.into_iter().filter(|_| has_table) {
            for kind in [0, 1] {
                let bucket = format!("table or index {tree:?}");
                self.check(&bucket, kind, halves[kind], held[kind] + slack, table_full);
            }
        }
    }

    /// More than it holds may be taken from a full bucket only, by what costs more than it ever holds.
    fn check(&mut self, bucket: &str, kind: usize, taken: u64, held: u64, full: u64) {
        let is_oversize = held >= full && taken > full;
        if taken > held && !is_oversize && self.overdrawn.is_none() {
            let what = ["writes", "reads"][kind];
            let at = self.play.cluster.now();
            self.overdrawn = Some(format!(
                "at {at:?} {taken} half units of {what} were taken from {bucket}, which held {held} of {full}"
            ));
        }
    }

    /// Half units that each partition gave so far.
    fn totals(&self) -> BTreeMap<u32, Halves> {
        let heat = self.play.cluster.heat();
        heat.map(|(place, heat)| {
            let mut halves = Halves::default();
            for (_, usage) in heat.minutes().chain(heat.seconds().collect::<Vec<_>>()) {
                halves[0] += usage.write.as_halves();
                halves[1] += usage.read.as_halves();
            }
            (place.partition, halves)
        })
        .collect()
    }
}

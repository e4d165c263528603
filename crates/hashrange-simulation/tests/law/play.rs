//! Random settings of a run, and what goes wrong in it: replicas that are cut off or fail, lag, divisions.

use hashrange_simulation::{
    Cluster, EventualReads, Lag, N_REPLICAS, RequestNumber, Settings, SplitCause,
};
use hashrange_types::Timestamp;
use serde_json::json;

use super::Verdict;
use super::dice::Dice;
use super::requests::{PKS, Requests, SKS, key, orders};
use crate::script::{call, request};

/// More than any script makes happen.
const STEPS_MAX: usize = 2_000_000;

fn lag(dice: &mut Dice) -> Lag {
    match dice.below(4) {
        0 => Lag::NONE,
        1 => Lag::Fixed((0..dice.between(1, 4)).map(|_| dice.between(0, 80_000)).collect()),
        _ => {
            let median_us = dice.between(1, 40_000);
            Lag::LongTailed { median_us, p99_us: median_us * dice.between(1, 20) }
        }
    }
}

/// Settings with every kind of delay and no limits.
pub(crate) fn lagging(dice: &mut Dice) -> Settings {
    Settings {
        seed: dice.seed(),
        commit_us: dice.pick(&[0, 0, 2_000, 30_000]),
        transaction_us: dice.pick(&[0, 8_000, 60_000]),
        reply_us: dice.pick(&[0, 1_500, 20_000]),
        election_us: dice.between(1, 500_000),
        followers: [lag(dice), lag(dice)],
        indexes: lag(dice),
        eventual_reads: dice.pick(&[
            EventualReads::Leader,
            EventualReads::Random,
            EventualReads::RoundRobin,
            EventualReads::SlowestFollower,
        ]),
        partition_bytes_max: dice.pick(&[3_000, 20_000, 1_000_000]),
        ..Settings::default()
    }
}

/// The same with limits that are met: partitions that serve few units a second.
pub(crate) fn limited(dice: &mut Dice) -> Settings {
    let units = dice.pick(&[2, 5, 20]);
    Settings {
        has_limits: true,
        partition_write_units: units,
        partition_read_units: units,
        burst_seconds: dice.pick(&[0, 1, 5]),
        burst_seconds_saved: dice.pick(&[0, 3]),
        is_adaptive: dice.chance(60),
        is_by_the_second: dice.chance(30),
        heat_split_after_s: dice.pick(&[None, Some(1), Some(3)]),
        index_backlog_max: dice.pick(&[1, 10, 1_000]),
        ..lagging(dice)
    }
}

/// A cluster with the table `Orders` and what is asked of it.
pub(crate) struct Play {
    pub(crate) dice: Dice,
    pub(crate) cluster: Cluster,
    pub(crate) requests: Requests,
}

impl Play {
    /// Makes the table. `provisioned` is its capacity, and that of its index.
    pub(crate) fn new(
        mut dice: Dice,
        settings: Settings,
        provisioned: Option<u64>,
        mut requests: Requests,
    ) -> Self {
        let mut cluster = Cluster::new(settings);
        cluster.keep_events(100_000);
        let created = call(&mut cluster, "CreateTable", orders(&mut dice, provisioned));
        assert_eq!(created["TableDescription"]["TableStatus"], "ACTIVE", "{created}");
        requests.begins_at_s = cluster.now().whole_seconds();
        if requests.kinds.expires {
            let body = json!({"TableName": "Orders",
                "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "gone_at"}});
            call(&mut cluster, "UpdateTimeToLive", body);
        }
        Self { dice, cluster, requests }
    }

    /// Lets up to so much time pass.
    pub(crate) fn wait(&mut self, us_max: i64) {
        let us = self.dice.between(0, us_max);
        let moment = Timestamp(self.cluster.now().0 + us);
        self.cluster.run_until(moment, STEPS_MAX);
    }

    fn replica(&mut self) -> (u32, u8) {
        let places = self.cluster.partitions();
        (self.dice.pick(&places).partition, u8::try_from(self.dice.below(N_REPLICAS)).expect("few"))
    }

    /// Something goes wrong, or right again.
    pub(crate) fn act(&mut self) {
        let (partition, replica) = self.replica();
        match self.dice.below(9) {
            0 | 1 => self.cluster.fail(partition, replica),
            2 => self.cluster.cut_off(partition, replica),
            3..=5 => self.cluster.restore(partition, replica),
            6 | 7 => self.divide(),
            _ => {
                let name = self.dice.pick(&["lag.followers_ms", "lag.gsi_ms"]);
                let ms = self.dice.below(100);
                self.cluster.set(name, &json!(ms)).expect("lag may change");
            }
        }
    }

    /// Divides the partition of an item, which need not be there, at this item.
    pub(crate) fn divide(&mut self) {
        let key = Requests::key(&mut self.dice);
        let get = request("GetItem", &json!({"TableName": "Orders", "Key": key}));
        if let Some((partition, at)) = self.cluster.locate(get) {
            self.cluster.divide(partition, &at, SplitCause::Demand);
        }
    }

    /// Mends one replica of each partition, whichever it is, and lets elections end.
    pub(crate) fn mend_one_of_each(&mut self) {
        for place in self.cluster.partitions() {
            let replica = u8::try_from(self.dice.below(N_REPLICAS)).expect("few");
            self.cluster.restore(place.partition, replica);
        }
        self.cluster.run_until(Timestamp(self.cluster.now().0 + 10_000_000), STEPS_MAX);
    }

    /// Mends all replicas and lets happen what is due, and then what comes of one more request, since expired
    /// items are looked for when one comes.
    ///
    /// Returns that request's number.
    pub(crate) fn settle(&mut self) -> Result<RequestNumber, String> {
        self.settle_once()?;
        let get = json!({"TableName": "Orders", "Key": key(0, 0)});
        let number = self.cluster.submit(request("GetItem", &get));
        self.settle_once()?;
        Ok(number)
    }

    fn settle_once(&mut self) -> Verdict {
        for place in self.cluster.partitions() {
            for replica in 0..N_REPLICAS {
                self.cluster.restore(place.partition, u8::try_from(replica).expect("few"));
            }
        }
        let mut n_left = STEPS_MAX;
        while n_left > 0 && !self.cluster.is_settled() && self.cluster.step() {
            n_left -= 1;
        }
        // What is left is no replica's or index's: elections, and items that expire one day.
        self.cluster.run_until(Timestamp(self.cluster.now().0 + 3_600_000_000), STEPS_MAX);
        if self.cluster.is_settled() {
            return Ok(());
        }
        Err("an hour after the last request a follower or an index still lacks something".into())
    }
}

/// The keys of all items that scripts are about.
pub(crate) fn all_keys() -> impl Iterator<Item = serde_json::Value> {
    (0..PKS).flat_map(|pk| (0..SKS).map(move |sk| key(pk, sk)))
}

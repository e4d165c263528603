//! `Settings` as JSON: names, units and ranges of what one database is set to.
//!
//! Invariant: what is written reads as the same settings. Names and meanings are those of the shared settings of
//! the lessons (part 2), as far as the crate does what they say.
//!
//! Not here: what a setting does (`settings`).

use std::ops::RangeInclusive;

use hashrange_types::limits::TABLE_CAPACITY_UNITS_MAX;
use serde_json::{Value, json};

use crate::document::{Node, ScenarioError, ms_value};
use crate::settings::{AutoScaling, EventualReads, Lag, Settings};

/// All names, as a refusal lists them.
pub(crate) const NAMES: [&str; 26] = [
    "preset",
    "seed",
    "clock",
    "driver",
    "reply_ms",
    "commit_ms",
    "transaction_ms",
    "election_ms",
    "lag.followers_ms",
    "lag.gsi_ms",
    "eventual_reads",
    "cap.wcu",
    "cap.rcu",
    "eventual_read_percent",
    "burst_seconds",
    "burst_seconds_saved",
    "adaptive",
    "by_the_second",
    "heat_split_after_s",
    "partition_bytes",
    "limits.item_collection_bytes",
    "stream_shards",
    "table_units",
    "autoscaling",
    "gsi_backlog",
    "ttl_sweep_delay_s",
];
const EVENTUAL_READS: [(&str, EventualReads); 4] = [
    ("leader", EventualReads::Leader),
    ("slowest-follower", EventualReads::SlowestFollower),
    ("round-robin", EventualReads::RoundRobin),
    ("random", EventualReads::Random),
];
/// `at-once` admits every request, `cluster` limits throughput.
const DRIVERS: [(&str, bool); 2] = [("at-once", false), ("cluster", true)];
/// True for the lessons'.
const PRESETS: [(&str, bool); 2] = [("realistic", false), ("lesson", true)];

impl Settings {
    /// Changes one setting, such as `lag.gsi_ms`.
    ///
    /// # Errors
    /// A name that does not exist, or a value of the wrong type or out of range.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), ScenarioError> {
        set(self, name, &Node { path: name.to_owned(), value })
    }

    /// All settings as an object, which [`WorldSettings::from_json`](crate::WorldSettings::from_json) reads.
    pub fn to_json(&self) -> Value {
        let eventual = EVENTUAL_READS.iter().find(|(_, reads)| *reads == self.eventual_reads);
        json!({
            "seed": self.seed,
            "clock": format!("{}Z", self.starts_at.to_iso()),
            "driver": DRIVERS[usize::from(self.has_limits)].0,
            "reply_ms": ms_value(self.reply_us),
            "commit_ms": ms_value(self.commit_us),
            "transaction_ms": ms_value(self.transaction_us),
            "election_ms": ms_value(self.election_us),
            "lag": {
                "followers_ms": self.followers.iter().map(lag_value).collect::<Vec<_>>(),
                "gsi_ms": lag_value(&self.indexes),
            },
            "eventual_reads": eventual.map(|(word, _)| *word),
            "cap": {"wcu": self.partition_write_units, "rcu": self.partition_read_units},
            "eventual_read_percent": self.eventual_read_percent,
            "burst_seconds": self.burst_seconds,
            "burst_seconds_saved": self.burst_seconds_saved,
            "adaptive": self.is_adaptive,
            "stream_shards": self.has_stream_shards,
            "by_the_second": self.is_by_the_second,
            "heat_split_after_s": self.heat_split_after_s,
            "partition_bytes": self.partition_bytes_max,
            "limits": {"item_collection_bytes": self.item_collection_bytes_max},
            "table_units": self.table_units_max,
            "autoscaling": self.autoscaling.as_ref().map(scaling_value),
            "gsi_backlog": self.index_backlog_max,
            "ttl_sweep_delay_s": self.ttl_sweep_delay_s,
        })
    }
}

/// True for the lessons' preset.
pub(crate) fn preset(node: &Node<'_>) -> Result<bool, ScenarioError> {
    let preset = node.members()?.into_iter().find(|(name, _)| *name == "preset");
    preset.map_or(Ok(false), |(_, node)| node.word(&PRESETS))
}

/// Changes a setting of a database.
pub(crate) fn set(to: &mut Settings, name: &str, node: &Node<'_>) -> Result<(), ScenarioError> {
    match name {
        // Groups, whose members have a dot in their names.
        "lag" | "cap" | "limits" => {
            for (inner, node) in node.members()? {
                set(to, &format!("{name}.{inner}"), &node)?;
            }
        }
        "preset" => {
            node.word(&PRESETS)?;
        }
        "seed" => to.seed = node.whole(0..=u64::MAX)?,
        "clock" => to.starts_at = node.moment()?,
        "driver" => to.has_limits = node.word(&DRIVERS)?,
        "reply_ms" => to.reply_us = node.ms()?,
        "commit_ms" => to.commit_us = node.ms()?,
        "transaction_ms" => to.transaction_us = node.ms()?,
        // An election that takes no time and can't succeed would be held for ever in one moment.
        "election_ms" => to.election_us = node.ms()?.max(1_000),
        "lag.followers_ms" => to.followers = followers(node)?,
        "lag.gsi_ms" => to.indexes = lag(node)?,
        "eventual_reads" => to.eventual_reads = node.word(&EVENTUAL_READS)?,
        "cap.wcu" => to.partition_write_units = node.whole(1..=TABLE_CAPACITY_UNITS_MAX)?,
        "cap.rcu" => to.partition_read_units = node.whole(1..=TABLE_CAPACITY_UNITS_MAX)?,
        "eventual_read_percent" => to.eventual_read_percent = node.whole(100..=300)?,
        "burst_seconds" => to.burst_seconds = node.count(0..=3_600)?,
        "burst_seconds_saved" => to.burst_seconds_saved = node.count(0..=3_600)?,
        "adaptive" => to.is_adaptive = node.truth()?,
        "stream_shards" => to.has_stream_shards = node.truth()?,
        "by_the_second" => to.is_by_the_second = node.truth()?,
        "heat_split_after_s" => to.heat_split_after_s = count_or_null(node, 1..=86_400)?,
        "ttl_sweep_delay_s" => to.ttl_sweep_delay_s = count_or_null(node, 0..=31_622_400)?,
        "partition_bytes" => to.partition_bytes_max = node.whole(1_024..=1 << 40)?,
        "limits.item_collection_bytes" => {
            to.item_collection_bytes_max = node.whole(1_024..=1 << 40)?;
        }
        "table_units" => to.table_units_max = node.whole(1..=1 << 32)?,
        "autoscaling" => to.autoscaling = scaling(node)?,
        "gsi_backlog" => to.index_backlog_max = node.count(1..=1_000_000)?,
        _ => return Err(node.unknown("setting", &NAMES)),
    }
    Ok(())
}

fn count_or_null(
    node: &Node<'_>,
    range: RangeInclusive<u32>,
) -> Result<Option<u32>, ScenarioError> {
    if node.value.is_null() { Ok(None) } else { node.count(range).map(Some) }
}

/// `null`, or `{"target": 0.7, "after_s": 120}` with any of the members.
fn scaling(node: &Node<'_>) -> Result<Option<AutoScaling>, ScenarioError> {
    if node.value.is_null() {
        return Ok(None);
    }
    let mut to = AutoScaling::default();
    for (name, node) in node.members()? {
        match name {
            "target" => {
                let given = node.value.as_f64();
                let is_given = |percent: &u64| given == Some(target_value(*percent));
                let percent = (20..=90).find(is_given);
                to.target_percent =
                    percent.ok_or_else(|| node.not("0.2 to 0.9 in steps of a hundredth"))?;
            }
            "after_s" => to.after_s = node.count(60..=86_400)?,
            "in_after_s" => to.in_after_s = node.count(60..=86_400)?,
            "min" => to.units_min = node.whole(1..=TABLE_CAPACITY_UNITS_MAX)?,
            "max" => to.units_max = node.whole(1..=TABLE_CAPACITY_UNITS_MAX)?,
            _ => {
                let names = ["target", "after_s", "in_after_s", "min", "max"];
                return Err(node.unknown("member", &names));
            }
        }
    }
    if to.units_min > to.units_max {
        return Err(node.not("an auto scaling whose max is at least its min"));
    }
    Ok(Some(to))
}

fn scaling_value(scaling: &AutoScaling) -> Value {
    json!({
        "target": target_value(scaling.target_percent),
        "after_s": scaling.after_s,
        "in_after_s": scaling.in_after_s,
        "min": scaling.units_min,
        "max": scaling.units_max,
    })
}

/// Hundredths as the fraction that JSON has.
fn target_value(percent: u64) -> f64 {
    hashrange_types::CapacityUnits::whole(percent).as_f64() / 100.0
}

/// Two lags, or one for both followers.
fn followers(node: &Node<'_>) -> Result<[Lag; 2], ScenarioError> {
    if !node.value.is_array() {
        let both = lag(node)?;
        return Ok([both.clone(), both]);
    }
    match node.items()?.as_slice() {
        [first, second] => Ok([lag(first)?, lag(second)?]),
        _ => Err(node.not("a list of two lags")),
    }
}

/// `100`, `[1000, 0]` for one write after the other, or `{"median": 10, "p99": 200}`.
pub(crate) fn lag(node: &Node<'_>) -> Result<Lag, ScenarioError> {
    if node.value.is_array() {
        let delays: Result<Vec<i64>, _> = node.items()?.iter().map(Node::ms).collect();
        return delays.map(Lag::Fixed);
    }
    if !node.value.is_object() {
        let wanted = "milliseconds, a list of them, or {\"median\", \"p99\"}";
        let us = if node.value.is_number() { node.ms()? } else { return Err(node.not(wanted)) };
        return Ok(if us == 0 { Lag::NONE } else { Lag::Fixed(vec![us]) });
    }
    let (mut median_us, mut p99_us) = (None, None);
    for (name, node) in node.members()? {
        match name {
            "median" => median_us = Some(node.ms()?),
            "p99" => p99_us = Some(node.ms()?),
            _ => return Err(node.unknown("member", &["median", "p99"])),
        }
    }
    let median_us = median_us.ok_or_else(|| node.lacks("median"))?;
    let p99_us = p99_us.ok_or_else(|| node.lacks("p99"))?;
    if p99_us < median_us {
        return Err(node.not("a lag whose p99 is at least its median"));
    }
    Ok(Lag::LongTailed { median_us, p99_us })
}

pub(crate) fn lag_value(lag: &Lag) -> Value {
    match lag {
        Lag::Fixed(delays) => match delays.as_slice() {
            [] => Value::from(0),
            [us] => ms_value(*us),
            all => all.iter().map(|us| ms_value(*us)).collect(),
        },
        Lag::LongTailed { median_us, p99_us } => {
            json!({"median": ms_value(*median_us), "p99": ms_value(*p99_us)})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldSettings;

    #[test]
    fn settings_that_are_written_read_as_the_same() {
        let mut odd = Settings::realistic(7);
        odd.followers = [Lag::Fixed(vec![1_000, 0, 500]), Lag::Fixed(vec![1])];
        odd.eventual_reads = EventualReads::SlowestFollower;
        odd.heat_split_after_s = None;
        odd.partition_write_units = 17;
        odd.is_adaptive = false;
        odd.has_stream_shards = true;
        odd.table_units_max = 500;
        odd.autoscaling = Some(AutoScaling { target_percent: 57, ..AutoScaling::default() });
        odd.starts_at = hashrange_types::Timestamp::from_millis(1_700_000_000_007);
        for settings in [Settings::default(), Settings::realistic(3), Settings::lesson(9), odd] {
            let read = WorldSettings::from_json(&settings.to_json()).map(|read| read.cluster);
            assert_eq!(read, Ok(settings));
        }
    }

    #[test]
    fn a_preset_is_read_first_and_the_rest_is_put_over_it() {
        let lesson = json!({"lag": {"gsi_ms": 600}, "preset": "lesson"});
        let read = WorldSettings::from_json(&lesson).unwrap().cluster;
        let expected = Settings { indexes: Lag::Fixed(vec![600_000]), ..Settings::lesson(1) };
        assert_eq!(read, expected);
        assert_eq!(WorldSettings::from_json(&json!({})), Ok(WorldSettings::realistic(1)));
        let mut settings = Settings::lesson(1);
        settings.set("lag.gsi_ms", &json!(5)).unwrap();
        assert_eq!(settings.indexes, Lag::Fixed(vec![5_000]));
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence_with_its_place() {
        for (value, sentence) in [
            (json!([]), "settings must be an object, not []"),
            (
                json!({"seed": -1}),
                "settings.seed must be a whole number from 0 to 18446744073709551615, not -1",
            ),
            (
                json!({"cap": {"rcu": 0}}),
                "settings.cap.rcu must be a whole number from 1 to 40000, not 0",
            ),
            (json!({"adaptive": "no"}), "settings.adaptive must be true or false, not \"no\""),
            (
                json!({"eventual_reads": "follower"}),
                "settings.eventual_reads must be leader or slowest-follower or round-robin or random, not \"follower\"",
            ),
            (
                json!({"lag": {"followers_ms": [1, 2, 3]}}),
                "settings.lag.followers_ms must be a list of two lags, not [1,2,3]",
            ),
            (
                json!({"lag": {"followers_ms": [1, "a"]}}),
                "settings.lag.followers_ms[1] must be milliseconds, a list of them, or {\"median\", \"p99\"}, not \"a\"",
            ),
            (json!({"lag": {"gsi_ms": {"median": 9}}}), "settings.lag.gsi_ms.p99 is missing"),
            (
                json!({"reply_ms": -0.5}),
                "settings.reply_ms must be milliseconds from 0 to 31622400000, not -0.5",
            ),
            (
                json!({"clock": "now"}),
                "settings.clock must be a moment such as \"2026-01-01T00:00:00Z\", not \"now\"",
            ),
        ] {
            assert_eq!(WorldSettings::from_json(&value).unwrap_err().to_string(), sentence);
        }
        let unknown = WorldSettings::from_json(&json!({"lag": {"moon_ms": 1}}));
        let unknown = unknown.unwrap_err().to_string();
        assert!(
            unknown.starts_with(
                "there is no setting settings.lag.moon_ms: choose from preset, seed, "
            ),
            "{unknown}"
        );
    }
}

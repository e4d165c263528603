//! `Settings`: what a run is set to.
//!
//! Invariant: the default is a database without lag, limits and faults, which answers as `Database` does.
//!
//! Figures that AWS does not publish are ours and marked "model".

use hashrange_types::Timestamp;
use hashrange_types::limits::{
    ITEM_COLLECTION_BYTES_MAX, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS,
    TABLE_CAPACITY_UNITS_MAX,
};

/// 2026-01-01T00:00:00Z, where runs begin.
const EPOCH: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// Which replica answers an eventually consistent read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventualReads {
    /// The leader, which is never behind.
    Leader,
    /// The follower that is furthest behind.
    SlowestFollower,
    /// Leader, first follower, second follower, and again.
    RoundRobin,
    /// Any of the three, alike often.
    Random,
}

/// How long something takes to arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lag {
    /// So many microseconds, the first for the first thing, and the last for all that are left.
    Fixed(Vec<i64>),
    /// Drawn from a log-normal distribution. AWS publishes none for DynamoDB (model).
    LongTailed {
        /// Half of all draws are below.
        median_us: i64,
        /// 99 of 100 draws are below.
        p99_us: i64,
    },
}

impl Lag {
    /// No lag.
    pub const NONE: Self = Self::Fixed(Vec::new());

    /// True if nothing is ever late.
    pub fn is_none(&self) -> bool {
        match self {
            Self::Fixed(delays) => delays.iter().all(|us| *us <= 0),
            Self::LongTailed { median_us, .. } => *median_us <= 0,
        }
    }
}

/// How provisioned capacity of tables and indexes follows use, as Application Auto Scaling does it (facts 6.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutoScaling {
    /// Hundredths of the capacity that should be used, 20 to 90.
    pub target_percent: u64,
    /// Seconds above the target, in whole minutes, after which capacity is raised.
    pub after_s: u32,
    /// Seconds well below the target, in whole minutes, after which capacity is lowered.
    pub in_after_s: u32,
    /// Capacity is not lowered below.
    pub units_min: u64,
    /// Capacity is not raised above.
    pub units_max: u64,
}

impl Default for AutoScaling {
    fn default() -> Self {
        Self {
            target_percent: 70,
            after_s: 120,
            in_after_s: 900,
            units_min: 1,
            units_max: TABLE_CAPACITY_UNITS_MAX,
        }
    }
}

/// What a run is set to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches that have nothing to do with each other"
)]
pub struct Settings {
    /// What chance starts from.
    pub seed: u64,
    /// The moment a run begins.
    pub starts_at: Timestamp,
    /// Microseconds from a write's arrival until a quorum has it. A fail-over in between loses it.
    pub commit_us: i64,
    /// Microseconds between prepare and commit of a transaction, during which its items are held.
    pub transaction_us: i64,
    /// Microseconds from an effect to its reply.
    pub reply_us: i64,
    /// How far the first and the second follower are behind.
    pub followers: [Lag; 2],
    /// How far global indexes are behind their table.
    pub indexes: Lag,
    /// Who answers eventually consistent reads.
    pub eventual_reads: EventualReads,
    /// True if throughput is limited.
    pub has_limits: bool,
    /// Write units a second of one partition.
    pub partition_write_units: u64,
    /// Read units a second of one partition's leader.
    pub partition_read_units: u64,
    /// How many hundredths of that eventually consistent reads may reach, since three replicas answer them
    /// (facts, experiment X4).
    pub eventual_read_percent: u64,
    /// Seconds of unused provisioned capacity that are kept.
    pub burst_seconds: u32,
    /// Seconds of unused capacity that a new table has (model).
    pub burst_seconds_saved: u32,
    /// True if a partition may use what others of its table leave.
    pub is_adaptive: bool,
    /// True if units come at the beginning of each second instead of evenly.
    pub is_by_the_second: bool,
    /// Seconds near its ceiling after which a partition is divided; none for never.
    pub heat_split_after_s: Option<u32>,
    /// Bytes at which a partition is divided for its size; lower it to see that with little data.
    pub partition_bytes_max: u64,
    /// Bytes that an item collection may have in a table with local indexes; lower it to see that with little data.
    pub item_collection_bytes_max: u64,
    /// True if a stream has a shard for each partition of its table, as DynamoDB's have; false for one of all keys,
    /// as a `Database` has.
    pub has_stream_shards: bool,
    /// Units a second, of reads and of writes, that the account's quota lets one on-demand table or index use.
    pub table_units_max: u64,
    /// How provisioned capacity follows use; none for not at all.
    pub autoscaling: Option<AutoScaling>,
    /// Index entries that may wait before writes of the table are throttled for them (model).
    pub index_backlog_max: u32,
    /// Microseconds without a leader after one fails: its lease must end first (model).
    pub election_us: i64,
    /// Seconds from an item's expiry until it is swept (`ttl_sweep_delay_s`; AWS says within a few days, so the
    /// figure is a model). None to look every so often, as a `Database` does.
    pub ttl_sweep_delay_s: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            starts_at: EPOCH,
            commit_us: 0,
            transaction_us: 0,
            reply_us: 0,
            followers: [Lag::NONE, Lag::NONE],
            indexes: Lag::NONE,
            eventual_reads: EventualReads::Leader,
            has_limits: false,
            partition_write_units: PARTITION_WRITE_UNITS,
            partition_read_units: PARTITION_READ_UNITS,
            eventual_read_percent: 150,
            burst_seconds: 300,
            burst_seconds_saved: 0,
            is_adaptive: true,
            is_by_the_second: false,
            heat_split_after_s: None,
            partition_bytes_max: 10 * 1_024 * 1_024 * 1_024,
            item_collection_bytes_max: ITEM_COLLECTION_BYTES_MAX,
            has_stream_shards: false,
            table_units_max: TABLE_CAPACITY_UNITS_MAX,
            autoscaling: None,
            index_backlog_max: 1_000,
            election_us: 3_000_000,
            ttl_sweep_delay_s: None,
        }
    }
}

impl Settings {
    /// What the product shows unless a person sets it otherwise: followers and indexes lag with a long tail, any
    /// replica answers, throughput is limited.
    pub fn realistic(seed: u64) -> Self {
        let lag = Lag::LongTailed { median_us: 10_000, p99_us: 200_000 };
        Self {
            seed,
            commit_us: 2_000,
            transaction_us: 8_000,
            reply_us: 1_500,
            followers: [lag.clone(), lag],
            indexes: Lag::LongTailed { median_us: 20_000, p99_us: 400_000 },
            eventual_reads: EventualReads::Random,
            has_limits: true,
            heat_split_after_s: Some(60),
            has_stream_shards: true,
            ..Self::default()
        }
    }

    /// What lessons begin with: nothing lags and every request is admitted until a lesson says so, and then
    /// units come by the second, so that figures can be worked out by hand. Expired items stay for two days.
    pub fn lesson(seed: u64) -> Self {
        Self { seed, is_by_the_second: true, ttl_sweep_delay_s: Some(172_800), ..Self::default() }
    }
}

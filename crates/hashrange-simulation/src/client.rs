//! How a client of the database behaves, and how long its requests take.
//!
//! The time of a request is what the cluster takes (quorum, transaction, reply), the way there and back, and the
//! waits before retries and for a connection. AWS publishes no latency distribution: all figures of
//! [`Latency`] are ours (model).
//!
//! Source: facts 6.8.

use hashrange_engine::Outcome;
use hashrange_storage::Change;
use hashrange_types::{ApiError, Operation};

use crate::random::Random;

/// How a client behaves. The default asks once and its requests take no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSettings {
    /// How often a request is sent at most, the first time included.
    pub attempts_max: u32,
    /// Microseconds that the first retry waits at most; each retry after it at most twice as long.
    pub backoff_base_us: i64,
    /// Microseconds that no retry waits longer than.
    pub backoff_max_us: i64,
    /// True if a retry waits any time up to its most (full jitter), false if it waits the most.
    pub is_jittered: bool,
    /// True if what a batch leaves unprocessed is sent again, as a retry.
    pub resends_unprocessed: bool,
    /// Requests under way at once; those beyond wait.
    pub connections_max: u32,
    /// Requests that wait for a connection; those beyond are dropped.
    pub queue_max: u32,
    /// How long the way takes.
    pub latency: Latency,
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            attempts_max: 1,
            backoff_base_us: 50_000,
            backoff_max_us: 20_000_000,
            is_jittered: true,
            resends_unprocessed: false,
            connections_max: 1_000,
            queue_max: 10_000,
            latency: Latency::NONE,
        }
    }
}

impl ClientSettings {
    /// As SDKs do in their standard mode: three attempts (facts 6.8); the way takes its time (model).
    pub fn sdk() -> Self {
        Self { attempts_max: 3, latency: Latency::MODEL, ..Self::default() }
    }

    /// Microseconds before the attempt after this one, the first being 1.
    pub(crate) fn backoff_us(&self, attempt: u32, random: &mut Random) -> i64 {
        let doublings = attempt.saturating_sub(1).min(30);
        let most = self.backoff_base_us.saturating_mul(1 << doublings).min(self.backoff_max_us);
        match u64::try_from(most) {
            Ok(most_us) if self.is_jittered && most_us > 0 => {
                i64::try_from(random.below(most_us + 1)).unwrap_or(most)
            }
            _ => most.max(0),
        }
    }
}

/// How long the way to the database and back takes, besides what happens there (model).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latency {
    /// Median microseconds of a read by key.
    pub read_us: i64,
    /// Median microseconds of a write.
    pub write_us: i64,
    /// Median microseconds of a page of a Query or Scan, besides its bytes.
    pub page_us: i64,
    /// Median microseconds of a transaction.
    pub transaction_us: i64,
    /// Microseconds more for each KB read or written.
    pub per_kb_us: i64,
    /// How many hundredths of the median the 99th percentile is; 100 for no spread.
    pub p99_percent: i64,
}

impl Latency {
    /// No time.
    pub const NONE: Self = Self {
        read_us: 0,
        write_us: 0,
        page_us: 0,
        transaction_us: 0,
        per_kb_us: 0,
        p99_percent: 100,
    };
    /// Single-digit milliseconds for single items, as the service is described (model).
    pub const MODEL: Self = Self {
        read_us: 1_500,
        write_us: 2_000,
        page_us: 2_500,
        transaction_us: 4_000,
        per_kb_us: 20,
        p99_percent: 400,
    };

    /// Draws how long the way took of a request with this outcome.
    pub(crate) fn draw_us(
        &self,
        operation: Operation,
        outcome: &Outcome,
        random: &mut Random,
    ) -> i64 {
        if *self == Self::NONE {
            return 0;
        }
        let base_us = match operation {
            Operation::GetItem | Operation::BatchGetItem => self.read_us,
            Operation::Query | Operation::Scan => self.page_us,
            Operation::TransactGetItems
            | Operation::TransactWriteItems
            | Operation::ExecuteTransaction => self.transaction_us,
            _ => self.write_us,
        };
        let kilobytes = i64::try_from(bytes(outcome) / 1_024).unwrap_or(0);
        let median_us = base_us + self.per_kb_us * kilobytes;
        random.long_tailed_us(median_us, median_us * self.p99_percent / 100)
    }
}

/// Bytes read and written.
fn bytes(outcome: &Outcome) -> u64 {
    let written = outcome.changes.iter().map(|change| match change {
        Change::Item(change) => change.after.as_ref().map_or(0, |row| u64::from(row.size_bytes)),
        _ => 0,
    });
    outcome.evaluated.bytes_examined + written.sum::<u64>()
}

/// True for errors of which SDKs say that the same request may succeed later.
pub(crate) fn is_retried(error: &ApiError) -> bool {
    is_throttled(error)
        || matches!(error.name(), "InternalServerError" | "TransactionInProgressException")
}

/// True for errors that say there is no room.
pub(crate) const fn is_throttled(error: &ApiError) -> bool {
    matches!(error, ApiError::Throttled(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_retry_may_wait_twice_as_long_as_the_one_before_up_to_the_most() {
        let plain = ClientSettings {
            is_jittered: false,
            backoff_max_us: 300_000,
            ..ClientSettings::default()
        };
        let mut random = Random::new(1);
        let waits = [1, 2, 3, 4, 90].map(|attempt| plain.backoff_us(attempt, &mut random));
        assert_eq!(waits, [50_000, 100_000, 200_000, 300_000, 300_000]);
        let jittered = ClientSettings { is_jittered: true, ..plain };
        let waits: Vec<i64> = (0..1_000).map(|_| jittered.backoff_us(2, &mut random)).collect();
        assert!(waits.iter().all(|us| (0..=100_000).contains(us)));
        let mean = waits.iter().sum::<i64>() / 1_000;
        assert!((45_000..55_000).contains(&mean), "full jitter is even: {mean}");
    }
}

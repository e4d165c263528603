//! `Metrics`: what CloudWatch would show of a table or index, minute by minute.
//!
//! Invariant: counted where partitions are (`cluster::count`), so that both say the same. A day is kept; cloning
//! shares all but the minute at hand.
//!
//! Source: facts 6.7.

use std::collections::VecDeque;
use std::sync::Arc;

use hashrange_types::{CapacityUnits, Timestamp};

use crate::heat::MINUTES_KEPT;
use crate::throttle::{Limit, Reason};

macro_rules! metrics {
    ($($name:ident),* $(,)?) => {
        /// A metric, by CloudWatch's name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Metric {
            $(#[doc = concat!("`", stringify!($name), "`.")] $name,)*
        }

        impl Metric {
            /// Every metric.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// CloudWatch's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }
        }

        const N_METRICS: usize = [$(Metric::$name),*].len();
    };
}

metrics! {
    ConsumedReadCapacityUnits,
    ConsumedWriteCapacityUnits,
    ReadThrottleEvents,
    WriteThrottleEvents,
    ReadProvisionedThroughputThrottleEvents,
    WriteProvisionedThroughputThrottleEvents,
    ReadKeyRangeThroughputThrottleEvents,
    WriteKeyRangeThroughputThrottleEvents,
    ReadAccountLimitThrottleEvents,
    WriteAccountLimitThrottleEvents,
    ReadMaxOnDemandThroughputThrottleEvents,
    WriteMaxOnDemandThroughputThrottleEvents,
    ThrottledRequests,
    ConditionalCheckFailedRequests,
    TransactionConflict,
}

/// One minute of a table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinuteMetrics {
    /// When the minute begins.
    pub at: Timestamp,
    /// Half units of what is consumed, else events.
    counts: [u64; N_METRICS],
}

impl MinuteMetrics {
    const fn new(at: Timestamp) -> Self {
        Self { at, counts: [0; N_METRICS] }
    }

    /// The sum of a metric: units of what is consumed, else events.
    pub fn sum(&self, metric: Metric) -> f64 {
        let count = self.counts[metric as usize];
        match metric {
            Metric::ConsumedReadCapacityUnits | Metric::ConsumedWriteCapacityUnits => {
                CapacityUnits::halves(count).as_f64()
            }
            _ => CapacityUnits::whole(count).as_f64(),
        }
    }

    /// Units consumed of writes or of reads.
    pub(crate) const fn consumed(&self, is_write: bool) -> CapacityUnits {
        CapacityUnits::halves(self.counts[consumed(is_write) as usize])
    }
}

const fn consumed(is_write: bool) -> Metric {
    if is_write { Metric::ConsumedWriteCapacityUnits } else { Metric::ConsumedReadCapacityUnits }
}

/// The minutes of a table or index.
#[derive(Debug, Clone)]
pub(crate) struct Metrics {
    before: Arc<VecDeque<MinuteMetrics>>,
    minute: MinuteMetrics,
}

impl Default for Metrics {
    fn default() -> Self {
        Self { before: Arc::default(), minute: MinuteMetrics::new(Timestamp(0)) }
    }
}

impl Metrics {
    fn add(&mut self, metric: Metric, n: u64, now: Timestamp) {
        let at = Timestamp(now.0.div_euclid(60_000_000) * 60_000_000);
        if at != self.minute.at {
            let done = std::mem::replace(&mut self.minute, MinuteMetrics::new(at));
            if done.counts != [0; N_METRICS] {
                let before = Arc::make_mut(&mut self.before);
                let kept_from = at.0 - MINUTES_KEPT * 60_000_000;
                while before.front().is_some_and(|oldest| oldest.at.0 < kept_from) {
                    before.pop_front();
                }
                before.push_back(done);
            }
        }
        self.minute.counts[metric as usize] += n;
    }

    /// Counts units.
    pub(crate) fn consume(&mut self, is_write: bool, units: CapacityUnits, now: Timestamp) {
        self.add(consumed(is_write), units.as_halves(), now);
    }

    /// Counts a throttle event.
    pub(crate) fn throttle(&mut self, reason: Reason, now: Timestamp) {
        use Metric as M;
        let [all, finer] = match (reason.limit, reason.is_write) {
            (Limit::Provisioned, false) => {
                [M::ReadThrottleEvents, M::ReadProvisionedThroughputThrottleEvents]
            }
            (Limit::Provisioned, true) => {
                [M::WriteThrottleEvents, M::WriteProvisionedThroughputThrottleEvents]
            }
            (Limit::KeyRange, false) => {
                [M::ReadThrottleEvents, M::ReadKeyRangeThroughputThrottleEvents]
            }
            (Limit::KeyRange, true) => {
                [M::WriteThrottleEvents, M::WriteKeyRangeThroughputThrottleEvents]
            }
            (Limit::Account, false) => [M::ReadThrottleEvents, M::ReadAccountLimitThrottleEvents],
            (Limit::Account, true) => [M::WriteThrottleEvents, M::WriteAccountLimitThrottleEvents],
            (Limit::MaxOnDemand, false) => {
                [M::ReadThrottleEvents, M::ReadMaxOnDemandThroughputThrottleEvents]
            }
            (Limit::MaxOnDemand, true) => {
                [M::WriteThrottleEvents, M::WriteMaxOnDemandThroughputThrottleEvents]
            }
        };
        self.add(all, 1, now);
        self.add(finer, 1, now);
    }

    /// Counts something else.
    pub(crate) fn event(&mut self, metric: Metric, now: Timestamp) {
        self.add(metric, 1, now);
    }

    /// Minutes with anything in them, newest first.
    pub(crate) fn minutes(&self) -> impl Iterator<Item = &MinuteMetrics> {
        let is_used = self.minute.counts != [0; N_METRICS];
        is_used.then_some(&self.minute).into_iter().chain(self.before.iter().rev())
    }
}

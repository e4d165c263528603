//! Auto scaling: provisioned capacity follows use, minutes later.
//!
//! It looks at the end of each minute, whether or not anything else happens, and changes capacity by UpdateTable,
//! so that the engine's own rules on how often capacity may be lowered hold.
//!
//! Invariant: nothing is due without auto scaling, or once nothing was used for long and capacity is at its least.
//!
//! Source: facts 6.4.

use hashrange_engine::{execute, plan};
use hashrange_types::operation::{GlobalIndexChange, GlobalIndexUpdate, UpdateTableRequest};
use hashrange_types::{CapacityUnits, ProvisionedThroughput, Request, TableReference, Timestamp};

use super::{Cluster, Due};
use crate::event::EventKind;
use crate::placement::{Tree, TreeName};
use crate::settings::AutoScaling;

/// Hundredths of capacity below the target from which use counts as well below it (model: what the alarms that
/// AWS makes use).
const GAP_PERCENT: u64 = 20;

impl Cluster {
    /// Lets auto scaling look at the end of this minute, if it does not yet.
    pub(super) fn expect_scaling(&mut self) {
        if self.settings.autoscaling.is_none() || self.is_scaling {
            return;
        }
        self.is_scaling = true;
        let next_minute = self.now.whole_seconds().div_euclid(60) + 1;
        self.schedule.add(Timestamp(next_minute * 60_000_000), Due::Scale);
    }

    /// Looks at the minutes that have ended.
    pub(super) fn scale(&mut self) {
        self.is_scaling = false;
        let Some(scaling) = self.settings.autoscaling.clone() else { return };
        let minute = self.now.whole_seconds().div_euclid(60);
        let mut wanted = Vec::new();
        let mut goes_on = false;
        for tree in self.placement.trees_mut() {
            let Some(units) = tree.capacity.provisioned() else { continue };
            let after = ProvisionedThroughput {
                read: wanted_units(&scaling, tree, false, units.read, minute),
                write: wanted_units(&scaling, tree, true, units.write, minute),
            };
            if after != units {
                wanted.push((tree.name.clone(), after));
            }
            let least = scaling.units_min.max(1);
            let kept_us = i64::from(scaling.in_after_s.max(scaling.after_s)) * 1_000_000;
            let is_used = tree
                .metrics
                .minutes()
                .next()
                .is_some_and(|one| one.at.0 + 60_000_000 + kept_us > self.now.0);
            goes_on |= is_used || units.read.max(units.write) > least;
        }
        for (tree, units) in wanted {
            self.set_capacity(tree, units);
        }
        if goes_on {
            self.expect_scaling();
        }
    }

    /// Asks the engine for another capacity. It may refuse: capacity is lowered a few times a day only.
    fn set_capacity(&mut self, (table, index): TreeName, units: ProvisionedThroughput) {
        let mut request = UpdateTableRequest::new(TableReference::by_name(table.clone()));
        match &index {
            None => request.provisioned_throughput = Some(units),
            Some(index) => {
                let update = GlobalIndexChange {
                    name: index.as_str().into(),
                    provisioned_throughput: Some(units),
                    on_demand_maximum: None,
                    warm: None,
                };
                let update = GlobalIndexUpdate { update: Some(update), ..Default::default() };
                request.index_updates = Some(vec![update]);
            }
        }
        let Ok(plan) = plan(&self.store, Request::UpdateTable(request)) else { return };
        let outcome = execute(&self.store, &plan, self.now);
        if outcome.reply.is_ok() {
            self.commit(&outcome);
            self.tell(EventKind::CapacityScaled { table, index, units });
        }
    }
}

/// The capacity to have at the beginning of this minute.
fn wanted_units(
    scaling: &AutoScaling,
    tree: &Tree,
    is_write: bool,
    units: u64,
    minute: i64,
) -> u64 {
    let used = |minutes_ago: u32| {
        let at = (minute - i64::from(minutes_ago)) * 60_000_000;
        let minutes = tree.metrics.minutes().take_while(|one| one.at.0 >= at);
        let found = minutes.filter(|one| one.at.0 == at).last();
        found.map_or(CapacityUnits::ZERO, |one| one.consumed(is_write)).as_halves()
    };
    // Half units of a minute at this many hundredths of the capacity, times 100.
    let level = |percent: u64| units * percent * 60 * 2;
    let target = scaling.target_percent.clamp(20, 90);
    // What a use of this many half units a minute asks for.
    let asked = |halves: u64| {
        (halves * 100).div_ceil(target * 60 * 2).clamp(scaling.units_min.max(1), scaling.units_max)
    };
    let minutes = |seconds: u32| 1..=(seconds / 60).max(1);
    if minutes(scaling.after_s).all(|ago| used(ago) * 100 > level(target)) {
        return asked(used(1)).max(units);
    }
    let low = target.saturating_sub(GAP_PERCENT);
    let age_minutes = minute - tree.created_at.whole_seconds().div_euclid(60);
    let is_old = age_minutes >= i64::from(scaling.in_after_s / 60);
    if is_old && minutes(scaling.in_after_s).all(|ago| used(ago) * 100 < level(low)) {
        let most = minutes(scaling.in_after_s).map(used).max().unwrap_or(0);
        return asked(most).min(units);
    }
    units
}

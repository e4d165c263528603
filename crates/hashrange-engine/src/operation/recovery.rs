//! UpdateContinuousBackups and DescribeContinuousBackups: point-in-time recovery.
//!
//! While it is on, every item change is logged; a restore takes the later ones back (`restore`).
//!
//! Source: facts 3.9 and 8.4.

use hashrange_storage::{Log, Store, Table};
use hashrange_types::operation::{
    ContinuousBackups, DescribeContinuousBackupsRequest, TableStatus,
    UpdateContinuousBackupsRequest,
};
use hashrange_types::table_state::PointInTimeRecovery;
use hashrange_types::{Response, Timestamp};

use super::Answer;
use super::backup::{check_backed_up, find_table};
use crate::life::table_change;

/// Days it reaches back unless the request says otherwise.
const PERIOD_DAYS: u32 = 35;
/// Milliseconds that the latest moment to restore is behind.
const BEHIND_MS: i64 = 300_000;

pub(super) fn update(
    store: &Store,
    request: &UpdateContinuousBackupsRequest,
    now: Timestamp,
) -> Answer {
    let table = find_table(store, &request.table.name)?;
    check_backed_up(&table)?;
    let mut state = table.state().clone();
    state.recovery = request.is_enabled.then(|| PointInTimeRecovery {
        enabled_at: state.recovery.map_or(now, |recovery| recovery.enabled_at),
        period_days: request.period_days.unwrap_or(PERIOD_DAYS),
    });
    let mut after = table.with_state(state);
    if !request.is_enabled {
        after = after.with_log(Log::default());
    }
    let response = continuous(&after, now);
    let change = table_change(&table, after);
    Ok((Response::UpdateContinuousBackups(response), vec![change]))
}

pub(super) fn describe(
    store: &Store,
    request: &DescribeContinuousBackupsRequest,
    now: Timestamp,
) -> Answer {
    let table = find_table(store, &request.table.name)?;
    Ok((Response::DescribeContinuousBackups(continuous(&table, now)), Vec::new()))
}

fn continuous(table: &Table, now: Timestamp) -> ContinuousBackups {
    ContinuousBackups {
        is_enabled: table.state().status != TableStatus::Creating,
        recovery: table.state().recovery,
        window: window(table, now),
    }
}

/// The earliest and latest moment that can be restored.
pub(super) fn window(table: &Table, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let recovery = table.state().recovery?;
    let reach = now.plus_millis(-i64::from(recovery.period_days) * 24 * 3_600 * 1_000);
    let earliest = recovery.enabled_at.max(reach);
    Some((earliest, recovery.enabled_at.max(now.plus_millis(-BEHIND_MS))))
}

//! UpdateTimeToLive and DescribeTimeToLive.
//!
//! Source: facts 3.9 and 8.1. Expired items are removed by `due`.

use hashrange_storage::Store;
use hashrange_types::operation::{
    DescribeTimeToLiveRequest, DescribeTimeToLiveResponse, TableStatus, UpdateTimeToLiveRequest,
};
use hashrange_types::table_state::TimeToLive;
use hashrange_types::{Response, Timestamp, ValidationError};

use super::Answer;
use super::describe_table::find;
use super::update_table::check_ready;
use crate::life::table_change;

/// Milliseconds before the setting can change again.
const COOL_DOWN_MS: i64 = 31 * 60 * 1_000;

pub(super) fn update(store: &Store, request: &UpdateTimeToLiveRequest, now: Timestamp) -> Answer {
    let table = find(store, &request.table.name)?;
    check_ready(&table)?;
    let specification = &request.specification;
    let old = &table.state().time_to_live;
    let refuse = |message: String| Err(ValidationError::new(message).into());
    match &old.attribute {
        Some(attribute) if *attribute != specification.attribute => {
            return refuse(format!(
                "TimeToLive is active on a different AttributeName: current AttributeName is \
                 {attribute}"
            ));
        }
        Some(_) if specification.is_enabled => {
            return refuse("TimeToLive is already enabled".to_owned());
        }
        None if !specification.is_enabled => {
            return refuse("TimeToLive is already disabled".to_owned());
        }
        _ => {}
    }
    let is_early = old.changed_at.is_some_and(|at| at.plus_millis(COOL_DOWN_MS) > now);
    if store.delays().has_cool_downs && is_early {
        let message = "Time to live has been modified multiple times within a fixed interval";
        return refuse(message.to_owned());
    }
    let mut state = table.state().clone();
    let sweep = now.plus_millis(store.delays().time_to_live_sweep);
    state.time_to_live = TimeToLive {
        attribute: specification.is_enabled.then(|| specification.attribute.clone()),
        changed_at: Some(now),
        next_sweep: specification.is_enabled.then_some(sweep),
    };
    let change = table_change(&table, table.with_state(state));
    Ok((Response::UpdateTimeToLive(specification.clone()), vec![change]))
}

pub(super) fn describe(
    store: &Store,
    request: &DescribeTimeToLiveRequest,
    _now: Timestamp,
) -> Answer {
    let table = find(store, &request.table.name)?;
    let status = table.state().status;
    if matches!(status, TableStatus::Creating | TableStatus::Deleting) {
        let word = status.name();
        return Err(ValidationError::new(format!(
            "Cannot describe time to live while table is in {word} state: Current table state is \
             {word}"
        ))
        .into());
    }
    let attribute = table.state().time_to_live.attribute.clone();
    Ok((Response::DescribeTimeToLive(DescribeTimeToLiveResponse { attribute }), Vec::new()))
}

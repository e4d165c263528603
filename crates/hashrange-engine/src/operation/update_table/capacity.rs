//! Billing mode and provisioned capacity in an UpdateTable request.

use std::fmt::Write as _;

use hashrange_storage::Table;
use hashrange_types::operation::UpdateTableRequest;
use hashrange_types::table_state::ThroughputHistory;
use hashrange_types::{ApiError, BillingMode, ProvisionedThroughput, Timestamp};

use super::step::Step;
use crate::life::throughput_of;
use crate::operation::create_table::definition::{check_capacity_quota, check_positive, invalid};

/// Decreases a UTC day that need no waiting, and the milliseconds each further one waits.
const FREE_DECREASES: u32 = 4;
const DECREASE_WAIT_MS: i64 = 3_600_000;

/// The steps for the table itself; capacity of indexes is [`super::index`]'s.
///
/// # Errors
/// The billing rows of facts 4.10.1.
pub(super) fn steps(
    table: &Table,
    request: &UpdateTableRequest,
    now: Timestamp,
) -> Result<Vec<Step>, ApiError> {
    let schema = table.schema();
    let current = throughput_of(schema.billing);
    let asked = request.provisioned_throughput;
    let is_on_demand = request.is_pay_per_request.unwrap_or(current.is_none());
    if is_on_demand {
        if asked.is_some() {
            return Err(invalid(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
                 PAY_PER_REQUEST",
            )
            .into());
        }
        let is_switch = current.is_some() && request.is_pay_per_request.is_some();
        let step = Step::Billing { billing: BillingMode::PayPerRequest, is_switch: true };
        return Ok(if is_switch { vec![step] } else { Vec::new() });
    }
    let Some(asked) = asked else {
        if request.is_pay_per_request.is_some() {
            let rest = "ProvisionedThroughput must be specified when BillingMode is PROVISIONED";
            return Err(invalid(rest).into());
        }
        return Ok(Vec::new());
    };
    check_positive(asked, "provisionedThroughput")?;
    check_capacity_quota("table", Some(asked))?;
    let billing = BillingMode::Provisioned(asked);
    let Some(current) = current else {
        let updated = |name: &str| {
            request
                .index_updates
                .iter()
                .flatten()
                .filter_map(|it| it.update.as_ref())
                .any(|it| it.name == name && it.provisioned_throughput.is_some())
        };
        if let Some(index) = schema.global_indexes.iter().find(|it| !updated(it.name.as_str())) {
            let rest = format!("ProvisionedThroughput is not specified for index: {}", index.name);
            return Err(invalid(&rest).into());
        }
        return Ok(vec![Step::Billing { billing, is_switch: true }]);
    };
    check_change("table", "table", current, asked)?;
    check_decreases(table.state().throughput, current, asked, now)?;
    Ok(vec![Step::Billing { billing, is_switch: false }])
}

/// Refuses capacity that is as it was. `resource` and `provisioned_for` stand in the message.
pub(super) fn check_change(
    resource: &str,
    provisioned_for: &str,
    current: ProvisionedThroughput,
    asked: ProvisionedThroughput,
) -> Result<(), ApiError> {
    if current != asked {
        return Ok(());
    }
    let mut message = format!(
        "The provisioned throughput for the {resource} will not change. The requested value equals the \
         current value."
    );
    for (name, current, asked) in [
        ("ReadCapacityUnits", current.read, asked.read),
        ("WriteCapacityUnits", current.write, asked.write),
    ] {
        let _ = write!(
            message,
            " Current {name} provisioned for the {provisioned_for}: {current}. Requested {name}: {asked}."
        );
    }
    message.push_str(
        " Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher \
         limits.",
    );
    Err(hashrange_types::ValidationError::new(message).into())
}

/// Refuses a decrease beyond the budget of the day.
pub(super) fn check_decreases(
    history: ThroughputHistory,
    current: ProvisionedThroughput,
    asked: ProvisionedThroughput,
    now: Timestamp,
) -> Result<(), ApiError> {
    let n = history.decreases_today(now);
    let Some(last) = history.last_decrease.filter(|_| is_decrease(current, asked)) else {
        return Ok(());
    };
    if n < FREE_DECREASES || last.plus_millis(DECREASE_WAIT_MS) <= now {
        return Ok(());
    }
    Err(ApiError::LimitExceeded(format!(
        "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. \
         After the first {FREE_DECREASES} decreases, each subsequent decrease in the same UTC day can be \
         performed at most once every 3600 seconds. Number of decreases today: {n}. Last decrease at {}Z",
        last.to_iso()
    )))
}

const fn is_decrease(current: ProvisionedThroughput, asked: ProvisionedThroughput) -> bool {
    asked.read < current.read || asked.write < current.write
}

/// The history after a change at `now`.
pub(super) fn noted(
    history: ThroughputHistory,
    current: ProvisionedThroughput,
    asked: ProvisionedThroughput,
    now: Timestamp,
) -> ThroughputHistory {
    let mut after = history;
    if asked.read > current.read || asked.write > current.write {
        after.last_increase = Some(now);
    }
    if is_decrease(current, asked) {
        after.n_decreases = history.decreases_today(now) + 1;
        after.last_decrease = Some(now);
    }
    after
}

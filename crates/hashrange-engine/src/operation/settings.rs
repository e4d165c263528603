//! What is kept as settings alone: resource policies, contributor insights, Kinesis destinations; the
//! global-table calls of 2017; and what is the same for every account.
//!
//! Source: facts 3.8, 3.11 and 3.12. Where the facts give no text, the sentence is ours.

use std::sync::Arc;

use hashrange_storage::{Store, Table};
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    DeleteResourcePolicyRequest, DescribeContributorInsightsRequest, DescribeEndpointsRequest,
    DescribeKinesisRequest, DescribeKinesisResponse, DescribeLimitsRequest, EmptyResponse,
    GetResourcePolicyRequest, GetResourcePolicyResponse, GlobalTableRequest, InsightsOfTable,
    KinesisRequest, KinesisResponse, ListContributorInsightsRequest, ListGlobalTablesRequest,
    PolicyRevision, PutResourcePolicyRequest, UpdateContributorInsightsRequest,
};
use hashrange_types::table_state::{
    ContributorInsights, InsightsMode, KinesisDestination, ResourcePolicy,
};
use hashrange_types::{ApiError, IndexName, Response, TableState, Timestamp, ValidationError};
use smol_str::SmolStr;

use super::Answer;
use super::describe_table::find;
use crate::life::table_change;

/// What stands for "there is no policy" in ExpectedRevisionId.
const NO_POLICY: &str = "NO_POLICY";

/// The table a policy is of, and whether it is of the table's stream.
fn policy_holder(store: &Store, resource: &Resource) -> Result<(Arc<Table>, bool), ApiError> {
    let given = &resource.given;
    let name = resource
        .table()
        .ok_or_else(|| ValidationError::new(format!("Invalid ResourceArn: {given}")))?;
    let not_found = || {
        let message = format!("Requested resource not found: ResourceArn: {given} not found");
        ApiError::exception("ResourceNotFoundException", message)
    };
    let table = store.shared_table(name.as_str()).ok_or_else(not_found)?;
    match resource.below_table("stream") {
        None if resource.is_table() => Ok((table, false)),
        Some(label) if table.state().stream.as_ref().is_some_and(|it| it.label == label) => {
            Ok((table, true))
        }
        _ => Err(not_found()),
    }
}

fn policy_of(state: &mut TableState, is_stream: bool) -> &mut Option<ResourcePolicy> {
    if is_stream { &mut state.stream_policy } else { &mut state.policy }
}

fn no_policy(resource: &Resource) -> ApiError {
    let message =
        format!("Resource-based policy not found for the provided ResourceArn: {}", resource.given);
    ApiError::exception("PolicyNotFoundException", message)
}

fn check_revision(
    policy: Option<&ResourcePolicy>,
    expected: Option<&SmolStr>,
    resource: &Resource,
) -> Result<(), ApiError> {
    let revision = policy.map_or(NO_POLICY, |policy| policy.revision.as_str());
    if expected.is_none_or(|expected| expected == revision) {
        Ok(())
    } else {
        Err(no_policy(resource))
    }
}

pub(super) fn put_policy(
    store: &Store,
    request: &PutResourcePolicyRequest,
    now: Timestamp,
) -> Answer {
    let (table, is_stream) = policy_holder(store, &request.resource)?;
    let mut state = table.state().clone();
    let policy = policy_of(&mut state, is_stream);
    check_revision(policy.as_ref(), request.expected.as_ref(), &request.resource)?;
    let revision = match policy {
        Some(policy) if policy.text == request.policy => policy.revision.clone(),
        _ => now.0.to_string().into(),
    };
    *policy = Some(ResourcePolicy { text: request.policy.clone(), revision: revision.clone() });
    let response = PolicyRevision { revision: Some(revision) };
    let change = table_change(&table, table.with_state(state));
    Ok((Response::PutResourcePolicy(response), vec![change]))
}

pub(super) fn policy(store: &Store, request: &GetResourcePolicyRequest, _now: Timestamp) -> Answer {
    let (table, is_stream) = policy_holder(store, &request.resource)?;
    let policy = policy_of(&mut table.state().clone(), is_stream).clone();
    let policy = policy.ok_or_else(|| no_policy(&request.resource))?;
    Ok((Response::GetResourcePolicy(GetResourcePolicyResponse { policy }), Vec::new()))
}

pub(super) fn delete_policy(
    store: &Store,
    request: &DeleteResourcePolicyRequest,
    _now: Timestamp,
) -> Answer {
    let (table, is_stream) = policy_holder(store, &request.resource)?;
    let mut state = table.state().clone();
    let policy = policy_of(&mut state, is_stream);
    check_revision(policy.as_ref(), request.expected.as_ref(), &request.resource)?;
    let revision = policy.take().map(|policy| policy.revision);
    let change = table_change(&table, table.with_state(state));
    Ok((Response::DeleteResourcePolicy(PolicyRevision { revision }), vec![change]))
}

fn check_index(table: &Table, index: Option<&IndexName>) -> Result<(), ApiError> {
    let Some(name) = index.filter(|name| table.schema().index(name.as_str()).is_none()) else {
        return Ok(());
    };
    let table = &table.schema().name;
    let message = format!("Requested resource not found: Table: {table} Index: {name} not found");
    Err(ApiError::exception("ResourceNotFoundException", message))
}

fn insights_in(table: &Table, index: Option<&IndexName>) -> InsightsOfTable {
    let all = table.state().insights.iter();
    InsightsOfTable {
        table: table.schema().name.clone(),
        index: index.cloned(),
        insights: all.clone().find(|insights| insights.index.as_ref() == index).cloned(),
    }
}

pub(super) fn update_insights(
    store: &Store,
    request: &UpdateContributorInsightsRequest,
    now: Timestamp,
) -> Answer {
    let table = find(store, &request.table.name)?;
    let index = request.index.as_ref();
    check_index(&table, index)?;
    let old = insights_in(&table, index).insights;
    let mut state = table.state().clone();
    state.insights.retain(|insights| insights.index.as_ref() != index);
    state.insights.push(ContributorInsights {
        index: request.index.clone(),
        is_enabled: request.enables,
        mode: request
            .mode
            .or(old.map(|old| old.mode))
            .unwrap_or(InsightsMode::AccessedAndThrottled),
        updated_at: now,
    });
    let after = table.with_state(state);
    let response = insights_in(&after, index);
    let change = table_change(&table, after);
    Ok((Response::UpdateContributorInsights(response), vec![change]))
}

pub(super) fn insights(
    store: &Store,
    request: &DescribeContributorInsightsRequest,
    _now: Timestamp,
) -> Answer {
    let table = find(store, &request.table.name)?;
    check_index(&table, request.index.as_ref())?;
    let insights = insights_in(&table, request.index.as_ref());
    Ok((Response::DescribeContributorInsights(insights), Vec::new()))
}

pub(super) fn list_insights(
    store: &Store,
    request: &ListContributorInsightsRequest,
    _now: Timestamp,
) -> Answer {
    let of_table = |table: &Table| -> Vec<InsightsOfTable> {
        let indexes = table.state().insights.iter().map(|insights| insights.index.clone());
        indexes.map(|index| insights_in(table, index.as_ref())).collect()
    };
    let found = match &request.table {
        Some(table) => of_table(&*find(store, &table.name)?),
        None => store.tables().flat_map(of_table).collect(),
    };
    Ok((Response::ListContributorInsights(found), Vec::new()))
}

/// Changes a destination: `change` gets the one there is and returns the one there is now.
fn kinesis(
    store: &Store,
    request: &KinesisRequest,
    status: &'static str,
    change: impl FnOnce(Option<&KinesisDestination>) -> Result<KinesisDestination, ApiError>,
    wrap: fn(KinesisResponse) -> Response,
) -> Answer {
    let table = find(store, &request.table.name)?;
    let mut state = table.state().clone();
    let is_it = |it: &&mut KinesisDestination| it.stream_arn == request.stream_arn;
    let old = state.kinesis.iter_mut().find(is_it);
    let new = change(old.as_deref())?;
    let precision = new.precision.clone();
    match old {
        Some(old) => *old = new,
        None => state.kinesis.push(new),
    }
    let response = KinesisResponse {
        table: request.table.name.clone(),
        stream_arn: request.stream_arn.clone(),
        status,
        precision,
    };
    Ok((wrap(response), vec![table_change(&table, table.with_state(state))]))
}

fn wrong_destination(request: &KinesisRequest, is_active: bool) -> ApiError {
    let (table, stream) = (&request.table.name, &request.stream_arn);
    let rest = if is_active {
        "Table is already in the state of having active Kinesis streaming destination"
    } else {
        "Table is not in a valid state to change its Kinesis streaming destination"
    };
    ValidationError::new(format!("{rest}. Table: {table} StreamArn: {stream}")).into()
}

pub(super) fn enable_kinesis(store: &Store, request: &KinesisRequest, _now: Timestamp) -> Answer {
    let change = |old: Option<&KinesisDestination>| match old {
        Some(old) if old.is_active => Err(wrong_destination(request, true)),
        _ => Ok(KinesisDestination {
            stream_arn: request.stream_arn.clone(),
            is_active: true,
            precision: request.precision.clone(),
        }),
    };
    kinesis(store, request, "ENABLING", change, Response::EnableKinesisStreamingDestination)
}

pub(super) fn disable_kinesis(store: &Store, request: &KinesisRequest, _now: Timestamp) -> Answer {
    let change = |old: Option<&KinesisDestination>| match old {
        Some(old) if old.is_active => Ok(KinesisDestination { is_active: false, ..old.clone() }),
        _ => Err(wrong_destination(request, false)),
    };
    kinesis(store, request, "DISABLING", change, Response::DisableKinesisStreamingDestination)
}

pub(super) fn update_kinesis(store: &Store, request: &KinesisRequest, _now: Timestamp) -> Answer {
    let change = |old: Option<&KinesisDestination>| match old {
        Some(old) if old.is_active => {
            let precision = request.precision.clone().or_else(|| old.precision.clone());
            Ok(KinesisDestination { precision, ..old.clone() })
        }
        _ => Err(wrong_destination(request, false)),
    };
    kinesis(store, request, "UPDATING", change, Response::UpdateKinesisStreamingDestination)
}

pub(super) fn destinations(
    store: &Store,
    request: &DescribeKinesisRequest,
    _now: Timestamp,
) -> Answer {
    let table = find(store, &request.table.name)?;
    let response = DescribeKinesisResponse {
        table: request.table.name.clone(),
        destinations: table.state().kinesis.clone(),
    };
    Ok((Response::DescribeKinesisStreamingDestination(response), Vec::new()))
}

#[expect(clippy::unnecessary_wraps, reason = "operations are answered by one signature")]
pub(super) fn limits(_store: &Store, _request: &DescribeLimitsRequest, _now: Timestamp) -> Answer {
    Ok((Response::DescribeLimits(EmptyResponse), Vec::new()))
}

#[expect(clippy::unnecessary_wraps, reason = "operations are answered by one signature")]
pub(super) fn endpoints(
    _store: &Store,
    _request: &DescribeEndpointsRequest,
    _now: Timestamp,
) -> Answer {
    Ok((Response::DescribeEndpoints(EmptyResponse), Vec::new()))
}

#[expect(clippy::unnecessary_wraps, reason = "operations are answered by one signature")]
pub(super) fn global_tables(
    _store: &Store,
    _request: &ListGlobalTablesRequest,
    _now: Timestamp,
) -> Answer {
    Ok((Response::ListGlobalTables(EmptyResponse), Vec::new()))
}

/// There is no global table of 2017, since none can be made.
pub(super) fn global_table(
    _store: &Store,
    request: &GlobalTableRequest,
    _now: Timestamp,
) -> Answer {
    let message = format!("Global table not found: {}", request.name);
    Err(ApiError::exception("GlobalTableNotFoundException", message))
}

pub(super) fn no_global_table_of_2017(
    _store: &Store,
    _request: &GlobalTableRequest,
    _now: Timestamp,
) -> Answer {
    Err(ValidationError::new(
        "Global tables version 2017.11.29 cannot be created. Use UpdateTable with ReplicaUpdates \
         (version 2019.11.21).",
    )
    .into())
}

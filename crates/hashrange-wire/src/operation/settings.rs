//! What is kept as settings alone: resource policies, contributor insights, Kinesis destinations, the
//! global-table calls of 2017; and what is the same for every account.

use hashrange_types::limits::TABLE_CAPACITY_UNITS_MAX;
use hashrange_types::operation::{
    DeleteResourcePolicyRequest, DescribeContributorInsightsRequest, DescribeKinesisRequest,
    DescribeKinesisResponse, GetResourcePolicyRequest, GetResourcePolicyResponse,
    GlobalTableRequest, InsightsOfTable, KinesisRequest, KinesisResponse,
    ListContributorInsightsRequest, PolicyRevision, PutResourcePolicyRequest,
    UpdateContributorInsightsRequest,
};
use hashrange_types::table_state::InsightsMode;
use hashrange_types::{Operation, Request, ValidationError};
use smol_str::SmolStr;

use super::create_table::required_choice;
use super::tags::resource;
use crate::constraint::{self, Choices, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::{ObjectWriter, Writer};

/// Capacity an account may reserve in all its tables together.
const ACCOUNT_CAPACITY_UNITS_MAX: u64 = 80_000;

pub(super) fn decode_put_policy(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let resource = resource(&mut members, &mut constraints)?;
    let policy = members.text("Policy")?.map(SmolStr::from);
    let policy = constraints.required(policy, &Place::Root.member("Policy")).unwrap_or_default();
    let expected = members.text("ExpectedRevisionId")?.map(SmolStr::from);
    constraints.finish()?;
    if serde_json::from_str::<serde::de::IgnoredAny>(&policy).is_err() {
        let message = "Invalid policy document: The policy is not valid JSON";
        return Err(ValidationError::new(message).at_member(&["Policy"]).into());
    }
    Ok(Request::PutResourcePolicy(PutResourcePolicyRequest { resource, policy, expected }))
}

pub(super) fn decode_get_policy(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let resource = resource(&mut members, &mut constraints)?;
    constraints.finish()?;
    Ok(Request::GetResourcePolicy(GetResourcePolicyRequest { resource }))
}

pub(super) fn decode_delete_policy(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let resource = resource(&mut members, &mut constraints)?;
    let expected = members.text("ExpectedRevisionId")?.map(SmolStr::from);
    constraints.finish()?;
    Ok(Request::DeleteResourcePolicy(DeleteResourcePolicyRequest { resource, expected }))
}

pub(super) fn encode_revision(response: &PolicyRevision, writer: &mut Writer) {
    writer.object(|object| {
        if let Some(revision) = &response.revision {
            object.text("RevisionId", revision);
        }
    });
}

pub(super) fn encode_policy(response: &GetResourcePolicyResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.text("Policy", &response.policy.text);
        object.text("RevisionId", &response.policy.revision);
    });
}

/// True for enabling.
const ACTION: &Choices<bool> = &[("ENABLE", true), ("DISABLE", false)];

pub(super) fn decode_update_insights(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let root = &Place::Root;
    let table = members.text("TableName")?;
    let index = constraints.index_name(&mut members)?;
    let action = "ContributorInsightsAction";
    let enables = required_choice(&mut members, action, ACTION, root, &mut constraints)?;
    let mode = "ContributorInsightsMode";
    let mode = constraints.choice(&mut members, mode, InsightsMode::ALL, root)?;
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    Ok(Request::UpdateContributorInsights(UpdateContributorInsightsRequest {
        table,
        index,
        enables: enables.unwrap_or_default(),
        mode,
    }))
}

pub(super) fn decode_describe_insights(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    let index = constraints.index_name(&mut members)?;
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    Ok(Request::DescribeContributorInsights(DescribeContributorInsightsRequest { table, index }))
}

pub(super) fn decode_list_insights(mut members: Members) -> Result<Request, Refusal> {
    let table = members.text("TableName")?;
    let table = table.map(|table| constraint::table(Some(table), Plane::Control)).transpose()?;
    Ok(Request::ListContributorInsights(ListContributorInsightsRequest { table }))
}

fn insights(object: &mut ObjectWriter, response: &InsightsOfTable, settled: bool) {
    object.text("TableName", response.table.as_str());
    if let Some(index) = &response.index {
        object.text("IndexName", index.as_str());
    }
    let status = match (&response.insights, settled) {
        (Some(insights), true) if insights.is_enabled => "ENABLED",
        (Some(insights), false) if insights.is_enabled => "ENABLING",
        (Some(_), false) => "DISABLING",
        _ => "DISABLED",
    };
    object.text("ContributorInsightsStatus", status);
    if let Some(insights) = &response.insights {
        object.text("ContributorInsightsMode", insights.mode.name());
    }
}

pub(super) fn encode_updated_insights(response: &InsightsOfTable, writer: &mut Writer) {
    writer.object(|object| insights(object, response, false));
}

pub(super) fn encode_insights(response: &InsightsOfTable, writer: &mut Writer) {
    writer.object(|object| {
        insights(object, response, true);
        if let Some(insights) = &response.insights {
            object.time("LastUpdateDateTime", insights.updated_at);
        }
    });
}

pub(super) fn encode_list_insights(response: &[InsightsOfTable], writer: &mut Writer) {
    writer.object(|object| {
        object.member("ContributorInsightsSummaries").list(response, |w, response| {
            w.object(|object| insights(object, response, true));
        });
    });
}

const PRECISION: &Choices<&str> = &[("MILLISECOND", "MILLISECOND"), ("MICROSECOND", "MICROSECOND")];

/// Reads a request that changes a destination; `wrap` makes the request of it.
pub(super) fn decode_kinesis(
    mut members: Members,
    wrap: fn(KinesisRequest) -> Request,
) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    let place = Place::Root.member("StreamArn");
    let stream_arn = constraints.required(members.text("StreamArn")?, &place).unwrap_or_default();
    let mut precision = None;
    for name in ["EnableKinesisStreamingConfiguration", "UpdateKinesisStreamingConfiguration"] {
        let place = Place::Root.member(name);
        let found = members.read_with(name, |json| {
            let mut members = Members::read(json, name)?;
            let name = "ApproximateCreationDateTimePrecision";
            constraints.choice(&mut members, name, PRECISION, &place)
        })?;
        precision = precision.or(found.flatten());
    }
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    Ok(wrap(KinesisRequest {
        table,
        stream_arn: stream_arn.into(),
        precision: precision.map(SmolStr::new_static),
    }))
}

pub(super) fn decode_describe_kinesis(mut members: Members) -> Result<Request, Refusal> {
    let table = constraint::table(members.text("TableName")?, Plane::Control)?;
    Ok(Request::DescribeKinesisStreamingDestination(DescribeKinesisRequest { table }))
}

pub(super) fn encode_kinesis(response: &KinesisResponse, is_update: bool, writer: &mut Writer) {
    writer.object(|object| {
        object.text("TableName", response.table.as_str());
        object.text("StreamArn", &response.stream_arn);
        object.text("DestinationStatus", response.status);
        if let Some(precision) = &response.precision {
            let name = if is_update {
                "UpdateKinesisStreamingConfiguration"
            } else {
                "EnableKinesisStreamingConfiguration"
            };
            object.member(name).object(|object| {
                object.text("ApproximateCreationDateTimePrecision", precision);
            });
        }
    });
}

pub(super) fn encode_destinations(response: &DescribeKinesisResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.text("TableName", response.table.as_str());
        object.member("KinesisDataStreamDestinations").list(&response.destinations, |w, it| {
            w.object(|object| {
                object.text("StreamArn", &it.stream_arn);
                object.text("DestinationStatus", if it.is_active { "ACTIVE" } else { "DISABLED" });
                if let Some(precision) = &it.precision {
                    object.text("ApproximateCreationDateTimePrecision", precision);
                }
            });
        });
    });
}

/// Reads a request of 2017 that names a global table.
pub(super) fn decode_global_table(
    operation: Operation,
    mut members: Members,
) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let place = Place::Root.member("GlobalTableName");
    let name = constraints.required(members.text("GlobalTableName")?, &place);
    if let Some(name) = &name {
        constraints.name(name, 3, &place);
    }
    constraints.finish()?;
    let request = GlobalTableRequest { name: name.unwrap_or_default().into() };
    Ok(match operation {
        Operation::CreateGlobalTable => Request::CreateGlobalTable(request),
        Operation::UpdateGlobalTable => Request::UpdateGlobalTable(request),
        Operation::UpdateGlobalTableSettings => Request::UpdateGlobalTableSettings(request),
        Operation::DescribeGlobalTableSettings => Request::DescribeGlobalTableSettings(request),
        _ => Request::DescribeGlobalTable(request),
    })
}

pub(super) fn encode_limits(writer: &mut Writer) {
    writer.object(|object| {
        for (name, units) in [
            ("AccountMaxReadCapacityUnits", ACCOUNT_CAPACITY_UNITS_MAX),
            ("AccountMaxWriteCapacityUnits", ACCOUNT_CAPACITY_UNITS_MAX),
            ("TableMaxReadCapacityUnits", TABLE_CAPACITY_UNITS_MAX),
            ("TableMaxWriteCapacityUnits", TABLE_CAPACITY_UNITS_MAX),
        ] {
            object.member(name).integer(units);
        }
    });
}

pub(super) fn encode_endpoints(writer: &mut Writer) {
    writer.object(|object| {
        let address = format!("dynamodb.{}.amazonaws.com", object.region());
        object.member("Endpoints").list([address], |w, address| {
            w.object(|object| {
                object.text("Address", &address);
                object.member("CachePeriodInMinutes").integer(1_440);
            });
        });
    });
}

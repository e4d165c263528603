//! Resource policies and contributor insights on the wire.

use hashrange_types::operation::{
    DeleteResourcePolicyRequest, DescribeContributorInsightsRequest, GetResourcePolicyRequest,
    GetResourcePolicyResponse, InsightsOfTable, ListContributorInsightsRequest, PolicyRevision,
    PutResourcePolicyRequest, UpdateContributorInsightsRequest,
};
use hashrange_types::table_state::InsightsMode;
use hashrange_types::{Request, ValidationError};
use smol_str::SmolStr;

use super::create_table::required_choice;
use super::tags::resource;
use crate::constraint::{self, Choices, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::{ObjectWriter, Writer};

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

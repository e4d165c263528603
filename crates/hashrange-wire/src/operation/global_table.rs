//! The global-table calls of 2017 on the wire.

use hashrange_types::Request;
use hashrange_types::operation::{EmptyResponse, GlobalTableRequest, ListGlobalTablesRequest};

use crate::constraint::{Constraints, Place, Refusal};
use crate::members::Members;
use crate::writer::Writer;

/// Reads GlobalTableName.
fn decode(mut members: Members) -> Result<GlobalTableRequest, Refusal> {
    let mut constraints = Constraints::default();
    let place = Place::Root.member("GlobalTableName");
    let name = constraints.required(members.text("GlobalTableName")?, &place);
    if let Some(name) = &name {
        constraints.name(name, 3, &place);
    }
    constraints.finish()?;
    Ok(GlobalTableRequest { name: name.unwrap_or_default().into() })
}

pub(super) fn decode_create(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::CreateGlobalTable)
}

pub(super) fn decode_describe(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::DescribeGlobalTable)
}

pub(super) fn decode_describe_settings(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::DescribeGlobalTableSettings)
}

pub(super) fn decode_update(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::UpdateGlobalTable)
}

pub(super) fn decode_update_settings(members: Members) -> Result<Request, Refusal> {
    decode(members).map(Request::UpdateGlobalTableSettings)
}

/// There are none, so a limit and a table to start after are only checked.
pub(super) fn decode_list(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let place = |name| Place::Root.member(name);
    if let Some(start) = members.text("ExclusiveStartGlobalTableName")? {
        constraints.name(&start, 3, &place("ExclusiveStartGlobalTableName"));
    }
    if let Some(limit) = members.integer("Limit")? {
        constraints.range(limit, 1, i64::MAX, &place("Limit"));
    }
    constraints.finish()?;
    Ok(Request::ListGlobalTables(ListGlobalTablesRequest))
}

/// There are none.
pub(super) fn encode_list(_: &EmptyResponse, writer: &mut Writer) {
    writer.object(|object| object.member("GlobalTables").list([0_u64; 0], Writer::integer));
}

/// These calls are refused always, so there is nothing to write.
pub(super) fn encode_nothing(_: &EmptyResponse, writer: &mut Writer) {
    writer.object(|_| {});
}

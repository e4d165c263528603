//! DescribeLimits and DescribeEndpoints on the wire: the same for every account.

use hashrange_types::Request;
use hashrange_types::limits::TABLE_CAPACITY_UNITS_MAX;
use hashrange_types::operation::{DescribeEndpointsRequest, DescribeLimitsRequest, EmptyResponse};

use crate::constraint::Refusal;
use crate::members::Members;
use crate::writer::Writer;

/// Capacity an account may reserve in all its tables together.
const ACCOUNT_CAPACITY_UNITS_MAX: u64 = 80_000;

#[expect(clippy::unnecessary_wraps, reason = "operations are read by one signature")]
pub(super) fn decode_limits(_members: Members) -> Result<Request, Refusal> {
    Ok(Request::DescribeLimits(DescribeLimitsRequest))
}

#[expect(clippy::unnecessary_wraps, reason = "operations are read by one signature")]
pub(super) fn decode_endpoints(_members: Members) -> Result<Request, Refusal> {
    Ok(Request::DescribeEndpoints(DescribeEndpointsRequest))
}

pub(super) fn encode_limits(_: &EmptyResponse, writer: &mut Writer) {
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

pub(super) fn encode_endpoints(_: &EmptyResponse, writer: &mut Writer) {
    writer.object(|object| {
        let address = format!("dynamodb.{}.amazonaws.com", object.voice().region);
        object.member("Endpoints").list([address], |w, address| {
            w.object(|object| {
                object.text("Address", &address);
                object.member("CachePeriodInMinutes").integer(1_440);
            });
        });
    });
}

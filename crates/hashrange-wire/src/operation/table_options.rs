//! Settings that CreateTable, UpdateTable and restores take.

use hashrange_types::operation::{
    EncryptionSpecification, StreamSpecification, TableOptions, WarmThroughput,
};
use hashrange_types::table_state::{OnDemandThroughput, StreamViewType, TableClass};
use smol_str::SmolStr;

use crate::constraint::{Choices, Constraints, Place};
use crate::members::{Members, Read};

/// Reads them all from the members of a request.
pub(super) fn options(members: &mut Members, constraints: &mut Constraints) -> Read<TableOptions> {
    Ok(TableOptions {
        stream: stream(members, constraints)?,
        encryption: encryption(members, "SSESpecification", constraints)?,
        class: constraints.choice(members, "TableClass", TableClass::ALL, &Place::Root)?,
        is_protected: members.boolean("DeletionProtectionEnabled")?,
        on_demand_maximum: on_demand_throughput(members)?,
        warm: warm_throughput(members)?,
    })
}

fn stream(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Option<StreamSpecification>> {
    let name = "StreamSpecification";
    let place = Place::Root.member(name);
    members.read_with(name, |json| {
        let mut members = Members::read(json, name)?;
        let enabled = members.boolean("StreamEnabled")?;
        let is_enabled = constraints.required(enabled, &place.member("StreamEnabled"));
        Ok(StreamSpecification {
            is_enabled: is_enabled.unwrap_or_default(),
            view_type: constraints.choice(
                &mut members,
                "StreamViewType",
                StreamViewType::ALL,
                &place,
            )?,
        })
    })
}

const SSE_TYPE: &Choices<bool> = &[("AES256", false), ("KMS", true)];

/// Reads a specification of encryption called `name`.
pub(super) fn encryption(
    members: &mut Members,
    name: &str,
    constraints: &mut Constraints,
) -> Read<Option<EncryptionSpecification>> {
    let place = Place::Root.member(name);
    members.read_with(name, |json| {
        let mut members = Members::read(json, "SSESpecification")?;
        Ok(EncryptionSpecification {
            is_enabled: members.boolean("Enabled")?,
            is_kms: constraints.choice(&mut members, "SSEType", SSE_TYPE, &place)?,
            key: members.text("KMSMasterKeyId")?.map(SmolStr::from),
        })
    })
}

/// Reads OnDemandThroughput.
pub(super) fn on_demand_throughput(members: &mut Members) -> Read<Option<OnDemandThroughput>> {
    on_demand_throughput_at(members, "OnDemandThroughput")
}

/// Reads an OnDemandThroughput called `name`.
pub(super) fn on_demand_throughput_at(
    members: &mut Members,
    name: &str,
) -> Read<Option<OnDemandThroughput>> {
    units(members, name, ["MaxReadRequestUnits", "MaxWriteRequestUnits"])
        .map(|units| units.map(|[read, write]| OnDemandThroughput { read, write }))
}

/// Reads WarmThroughput.
pub(super) fn warm_throughput(members: &mut Members) -> Read<Option<WarmThroughput>> {
    units(members, "WarmThroughput", ["ReadUnitsPerSecond", "WriteUnitsPerSecond"])
        .map(|units| units.map(|[read, write]| WarmThroughput { read, write }))
}

fn units(
    members: &mut Members,
    name: &str,
    [read, write]: [&str; 2],
) -> Read<Option<[Option<i64>; 2]>> {
    members.read_with(name, |json| {
        let mut members = Members::read(json, name)?;
        Ok([members.long(read)?, members.long(write)?])
    })
}

//! UpdateTable on the wire.

use hashrange_types::Request;
use hashrange_types::operation::{
    GlobalIndexChange, GlobalIndexUpdate, ReplicaAction, ReplicaUpdate, UpdateTableRequest,
};
use smol_str::SmolStr;

use super::create_table::{
    BILLING_MODE, GLOBAL_KEY_ELEMENTS_MAX, global_index, index, some_attribute_definitions,
    throughput, unsupported,
};
use super::table_options;
use crate::constraint::{self, Constraints, Place, Plane, Refusal};
use crate::members::{Members, Read};

/// Members this build keeps no state for.
const UNSUPPORTED: [&str; 5] = [
    "MultiRegionConsistency",
    "GlobalTableWitnessUpdates",
    "GlobalTableSettingsReplicationMode",
    "DisassociationProtectionEnabled",
    "VectorIndexUpdates",
];

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let root = &Place::Root;
    let table = members.text("TableName")?;
    let attribute_definitions = some_attribute_definitions(members, &mut constraints)?;
    let is_pay_per_request = constraints.choice(members, "BillingMode", BILLING_MODE, root)?;
    let provisioned_throughput = throughput(members, root, &mut constraints)?;
    let index_updates = index_updates(members, &mut constraints)?;
    let options = table_options::options(members, &mut constraints)?;
    let replica_updates = replica_updates(members, &mut constraints)?;
    let unsupported = unsupported(members, &UNSUPPORTED);
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    Ok(Request::UpdateTable(UpdateTableRequest {
        table,
        attribute_definitions: attribute_definitions.unwrap_or_default(),
        is_pay_per_request,
        provisioned_throughput,
        index_updates,
        options,
        replica_updates,
        unsupported,
    }))
}

fn index_updates(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Option<Vec<GlobalIndexUpdate>>> {
    let name = "GlobalSecondaryIndexUpdates";
    let list = Place::Root.member(name);
    let mut position = 0;
    members.list_of(name, |json| {
        let place = list.element(position);
        position += 1;
        let mut members = Members::read(json, "GlobalSecondaryIndexUpdate")?;
        let create = members.read_with("Create", |json| {
            let mut members = Members::read(json, "CreateGlobalSecondaryIndexAction")?;
            let place = place.member("Create");
            let index = index(&mut members, GLOBAL_KEY_ELEMENTS_MAX, &place, constraints)?;
            global_index(index, &mut members, &place, constraints)
        })?;
        let update = members.read_with("Update", |json| {
            let mut members = Members::read(json, "UpdateGlobalSecondaryIndexAction")?;
            let place = place.member("Update");
            Ok(GlobalIndexChange {
                name: index_name(&mut members, &place, constraints)?,
                provisioned_throughput: throughput(&mut members, &place, constraints)?,
                on_demand_maximum: table_options::on_demand_throughput(&mut members)?,
                warm: table_options::warm_throughput(&mut members)?,
            })
        })?;
        let delete = members.read_with("Delete", |json| {
            let mut members = Members::read(json, "DeleteGlobalSecondaryIndexAction")?;
            index_name(&mut members, &place.member("Delete"), constraints)
        })?;
        Ok(GlobalIndexUpdate { create, update, delete })
    })
}

fn index_name(
    members: &mut Members,
    parent: &Place,
    constraints: &mut Constraints,
) -> Read<SmolStr> {
    let place = parent.member("IndexName");
    let name = constraints.required(members.text("IndexName")?, &place);
    if let Some(name) = &name {
        constraints.name(name, 3, &place);
    }
    Ok(name.map(SmolStr::from).unwrap_or_default())
}

fn replica_updates(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<Option<Vec<ReplicaUpdate>>> {
    let name = "ReplicaUpdates";
    let list = Place::Root.member(name);
    let mut position = 0;
    let updates = members.list_of(name, |json| {
        let place = list.element(position);
        position += 1;
        let mut members = Members::read(json, "ReplicationGroupUpdate")?;
        let mut found = Vec::new();
        for (action_name, action) in [
            ("Create", ReplicaAction::Create),
            ("Update", ReplicaAction::Update),
            ("Delete", ReplicaAction::Delete),
        ] {
            let place = place.member(action_name);
            let region = members.read_with(action_name, |json| {
                let region =
                    Members::read(json, "ReplicationGroupMemberAction")?.text("RegionName")?;
                Ok(constraints.required(region, &place.member("RegionName")).map(SmolStr::from))
            })?;
            found.extend(region.flatten().map(|region| ReplicaUpdate { action, region }));
        }
        Ok(found)
    })?;
    Ok(updates.map(|updates| updates.into_iter().flatten().collect()))
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::UpdateTable;

    use super::*;
    use crate::expect::{accepted, refused};

    #[test]
    fn every_member_is_read() {
        let text = r#"{"TableName": "Orders", "BillingMode": "PROVISIONED",
            "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}],
            "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
            "GlobalSecondaryIndexUpdates": [
                {"Create": {"IndexName": "new", "Projection": {"ProjectionType": "ALL"},
                    "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                    "WarmThroughput": {"ReadUnitsPerSecond": 5}}},
                {"Update": {"IndexName": "old", "OnDemandThroughput": {"MaxReadRequestUnits": 7}}},
                {"Delete": {"IndexName": "gone"}}],
            "ReplicaUpdates": [{"Create": {"RegionName": "eu-west-2"}}],
            "MultiRegionConsistency": "STRONG", "DeletionProtectionEnabled": false}"#;
        let Request::UpdateTable(request) = accepted(UpdateTable, text) else { panic!() };
        assert_eq!(request.is_pay_per_request, Some(false));
        let updates = request.index_updates.unwrap();
        assert_eq!(updates[0].create.as_ref().unwrap().warm.unwrap().read, Some(5));
        let maximum = updates[1].update.as_ref().unwrap().on_demand_maximum.unwrap();
        assert_eq!((maximum.read, maximum.write), (Some(7), None));
        assert_eq!(updates[2].delete.as_deref(), Some("gone"));
        let replicas = request.replica_updates.unwrap();
        assert_eq!(
            (replicas[0].action, &*replicas[0].region),
            (ReplicaAction::Create, "eu-west-2")
        );
        assert_eq!(request.unsupported, ["MultiRegionConsistency"]);
        assert_eq!(request.options.is_protected, Some(false));
    }

    #[test]
    fn constraints_name_the_place_inside_an_update() {
        let text = r#"{"TableName": "Orders", "GlobalSecondaryIndexUpdates": [{"Delete": {}},
            {"Update": {"IndexName": "i!", "ProvisionedThroughput": {"ReadCapacityUnits": 0}}}]}"#;
        let message = refused(UpdateTable, text);
        let at = "globalSecondaryIndexUpdates";
        for part in [
            format!("Value null at '{at}.1.member.delete.indexName'"),
            format!("Value 'i!' at '{at}.2.member.update.indexName'"),
            format!("Value '0' at '{at}.2.member.update.provisionedThroughput.readCapacityUnits'"),
        ] {
            assert!(message.contains(&part), "{part}: {message}");
        }
    }
}

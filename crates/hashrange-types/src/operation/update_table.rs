//! UpdateTable: one change of a table at a time.

use smol_str::SmolStr;

use super::create_table::{AttributeDefinition, GlobalIndexRequest, TableOptions, WarmThroughput};
use crate::table_state::OnDemandThroughput;
use crate::{ProvisionedThroughput, TableReference};

/// An UpdateTable request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateTableRequest {
    /// The table changed.
    pub table: TableReference,
    /// Types of the key attributes of a new index.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// True for PAY_PER_REQUEST, false for PROVISIONED, none where the request does not say.
    pub is_pay_per_request: Option<bool>,
    /// ProvisionedThroughput.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// GlobalSecondaryIndexUpdates.
    pub index_updates: Option<Vec<GlobalIndexUpdate>>,
    /// Streams, encryption, protection and the like.
    pub options: TableOptions,
    /// ReplicaUpdates.
    pub replica_updates: Option<Vec<ReplicaUpdate>>,
    /// Members of the request this build keeps no state for (VectorIndexUpdates and so on).
    pub unsupported: Vec<SmolStr>,
}

impl UpdateTableRequest {
    /// A request that asks for no change yet.
    pub fn new(table: TableReference) -> Self {
        Self {
            table,
            attribute_definitions: Vec::new(),
            is_pay_per_request: None,
            provisioned_throughput: None,
            index_updates: None,
            options: TableOptions::default(),
            replica_updates: None,
            unsupported: Vec::new(),
        }
    }
}

/// One of GlobalSecondaryIndexUpdates: exactly one member should be given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GlobalIndexUpdate {
    /// Create.
    pub create: Option<GlobalIndexRequest>,
    /// Update.
    pub update: Option<GlobalIndexChange>,
    /// Delete: the index's name.
    pub delete: Option<SmolStr>,
}

/// A change of an index's capacity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalIndexChange {
    /// The index.
    pub name: SmolStr,
    /// ProvisionedThroughput.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// OnDemandThroughput.
    pub on_demand_maximum: Option<OnDemandThroughput>,
    /// WarmThroughput.
    pub warm: Option<WarmThroughput>,
}

/// One of ReplicaUpdates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplicaUpdate {
    /// What happens.
    pub action: ReplicaAction,
    /// RegionName.
    pub region: SmolStr,
}

/// What happens to a replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaAction {
    /// It is added.
    Create,
    /// Its settings change.
    Update,
    /// It is removed.
    Delete,
}

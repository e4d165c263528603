//! CreateTable: what a client asks for; the engine checks it and builds a `TableSchema`.

use smol_str::SmolStr;

use crate::key::ScalarType;
use crate::table_state::{OnDemandThroughput, StreamViewType, TableClass, Tag};
use crate::{ProvisionedThroughput, TableName};

/// Role of a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyType {
    /// Partition key.
    Hash,
    /// Sort key.
    Range,
}

/// One element of a KeySchema as sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchemaElement {
    /// The attribute.
    pub attribute: SmolStr,
    /// Its role.
    pub key_type: KeyType,
}

/// One element of AttributeDefinitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeDefinition {
    /// The attribute.
    pub attribute: SmolStr,
    /// Its type.
    pub scalar: ScalarType,
}

/// A Projection as sent: any member may be missing, which the engine reports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectionRequest {
    /// `ALL`, `KEYS_ONLY` or `INCLUDE` (checked when decoded); there is no default.
    pub projection_type: Option<SmolStr>,
    /// NonKeyAttributes.
    pub non_key_attributes: Option<Vec<SmolStr>>,
}

/// A local secondary index as sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexRequest {
    /// Its name, whose characters and length were checked.
    pub name: SmolStr,
    /// Its key.
    pub key_schema: Vec<KeySchemaElement>,
    /// Its projection.
    pub projection: ProjectionRequest,
}

/// A global secondary index as sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalIndexRequest {
    /// What it shares with a local one.
    pub index: IndexRequest,
    /// Its own capacity.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// The most its on-demand requests may use.
    pub on_demand_maximum: Option<OnDemandThroughput>,
    /// Throughput it is made ready for.
    pub warm: Option<WarmThroughput>,
}

/// A WarmThroughput as sent; a member left out stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WarmThroughput {
    /// ReadUnitsPerSecond.
    pub read: Option<i64>,
    /// WriteUnitsPerSecond.
    pub write: Option<i64>,
}

/// A StreamSpecification as sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamSpecification {
    /// StreamEnabled.
    pub is_enabled: bool,
    /// StreamViewType.
    pub view_type: Option<StreamViewType>,
}

/// An SSESpecification as sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncryptionSpecification {
    /// Enabled: a key of AWS KMS rather than DynamoDB's own.
    pub is_enabled: Option<bool>,
    /// True where SSEType is `KMS`, false where it is `AES256`.
    pub is_kms: Option<bool>,
    /// KMSMasterKeyId.
    pub key: Option<SmolStr>,
}

/// Settings that both CreateTable and UpdateTable take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// StreamSpecification.
    pub stream: Option<StreamSpecification>,
    /// SSESpecification.
    pub encryption: Option<EncryptionSpecification>,
    /// TableClass.
    pub class: Option<TableClass>,
    /// DeletionProtectionEnabled.
    pub is_protected: Option<bool>,
    /// OnDemandThroughput.
    pub on_demand_maximum: Option<OnDemandThroughput>,
    /// WarmThroughput.
    pub warm: Option<WarmThroughput>,
}

/// A CreateTable request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTableRequest {
    /// The new table's name, 3 to 255 characters.
    pub table_name: TableName,
    /// Types of all key attributes.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// The primary key.
    pub key_schema: Vec<KeySchemaElement>,
    /// LocalSecondaryIndexes; present but empty is an error the engine reports.
    pub local_indexes: Option<Vec<IndexRequest>>,
    /// GlobalSecondaryIndexes; present but empty is an error the engine reports.
    pub global_indexes: Option<Vec<GlobalIndexRequest>>,
    /// True for PAY_PER_REQUEST, false for PROVISIONED, none where the request does not say.
    pub is_pay_per_request: Option<bool>,
    /// ProvisionedThroughput.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// Streams, encryption, protection and the like.
    pub options: TableOptions,
    /// Tags.
    pub tags: Vec<Tag>,
    /// ResourcePolicy, as JSON text.
    pub policy: Option<SmolStr>,
    /// Members of the request this build keeps no state for (VectorIndexes and so on).
    pub unsupported: Vec<SmolStr>,
}

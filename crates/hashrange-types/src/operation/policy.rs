//! Resource policies of tables and streams. They are kept and never applied.

use smol_str::SmolStr;

use crate::arn::Resource;
use crate::table_state::ResourcePolicy;

/// A PutResourcePolicy request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutResourcePolicyRequest {
    /// The table or stream.
    pub resource: Resource,
    /// The policy's JSON.
    pub policy: SmolStr,
    /// ExpectedRevisionId; `NO_POLICY` stands for none.
    pub expected: Option<SmolStr>,
}

/// A GetResourcePolicy request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetResourcePolicyRequest {
    /// The table or stream.
    pub resource: Resource,
}

/// A DeleteResourcePolicy request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteResourcePolicyRequest {
    /// The table or stream.
    pub resource: Resource,
    /// ExpectedRevisionId.
    pub expected: Option<SmolStr>,
}

/// The response of a put or delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyRevision {
    /// RevisionId; none where there was no policy to delete.
    pub revision: Option<SmolStr>,
}

/// A GetResourcePolicy response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetResourcePolicyResponse {
    /// The policy.
    pub policy: ResourcePolicy,
}

//! TagResource, UntagResource and ListTagsOfResource.

use smol_str::SmolStr;

use crate::arn::Resource;
use crate::table_state::Tag;

/// A TagResource request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagResourceRequest {
    /// The table.
    pub resource: Resource,
    /// Tags to set.
    pub tags: Vec<Tag>,
}

/// An UntagResource request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntagResourceRequest {
    /// The table.
    pub resource: Resource,
    /// Keys of the tags to remove.
    pub keys: Vec<SmolStr>,
}

/// A ListTagsOfResource request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTagsOfResourceRequest {
    /// The table.
    pub resource: Resource,
}

/// A ListTagsOfResource response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTagsOfResourceResponse {
    /// The tags.
    pub tags: Vec<Tag>,
}

//! TagResource, UntagResource and ListTagsOfResource.
//!
//! Source: facts 3.9.

use std::sync::Arc;

use hashrange_storage::{Store, Table};
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    EmptyResponse, ListTagsOfResourceRequest, ListTagsOfResourceResponse, TagResourceRequest,
    UntagResourceRequest,
};
use hashrange_types::table_state::Tag;
use hashrange_types::{ApiError, Response, Timestamp, ValidationError};
use smol_str::SmolStr;

use super::Answer;
use crate::life::table_change;

/// Tags a table may have.
const TAGS_MAX: usize = 50;

pub(super) fn tag(store: &Store, request: &TagResourceRequest, _now: Timestamp) -> Answer {
    if request.tags.is_empty() {
        return Err(ValidationError::new("Atleast one Tag needs to be provided as Input.").into());
    }
    let table = find(store, &request.resource)?;
    check_tags(&table.state().tags, &request.tags)?;
    let mut state = table.state().clone();
    for tag in &request.tags {
        match state.tags.iter_mut().find(|old| old.key == tag.key) {
            Some(old) => old.value = tag.value.clone(),
            None => state.tags.push(tag.clone()),
        }
    }
    Ok((Response::TagResource(EmptyResponse), vec![table_change(&table, table.with_state(state))]))
}

pub(super) fn untag(store: &Store, request: &UntagResourceRequest, _now: Timestamp) -> Answer {
    if request.keys.is_empty() {
        return Err(
            ValidationError::new("Atleast one Tag Key needs to be provided as Input.").into()
        );
    }
    let table = find(store, &request.resource)?;
    let mut state = table.state().clone();
    state.tags.retain(|tag| !request.keys.contains(&tag.key));
    Ok((
        Response::UntagResource(EmptyResponse),
        vec![table_change(&table, table.with_state(state))],
    ))
}

pub(super) fn list(store: &Store, request: &ListTagsOfResourceRequest, _now: Timestamp) -> Answer {
    // Who may not see a table is not told whether it exists.
    let table = find(store, &request.resource).map_err(|error| match error {
        ApiError::Exception { .. } => ApiError::exception(
            "AccessDeniedException",
            format!(
                "User: arn:aws:iam::000000000000:user/hashrange is not authorized to perform: \
                 dynamodb:ListTagsOfResource on resource: {}",
                request.resource.given
            ),
        ),
        error => error,
    })?;
    let tags = table.state().tags.clone();
    Ok((Response::ListTagsOfResource(ListTagsOfResourceResponse { tags }), Vec::new()))
}

/// The table an ARN names.
fn find(store: &Store, resource: &Resource) -> Result<Arc<Table>, ApiError> {
    let given = &resource.given;
    let invalid = || {
        ValidationError::new(format!(
            "Invalid TableArn: Invalid ResourceArn provided as input {given}"
        ))
    };
    let name = resource.table().filter(|_| resource.is_table()).ok_or_else(invalid)?;
    store.shared_table(name.as_str()).ok_or_else(|| {
        let message = format!("Requested resource not found: ResourcArn: {given} not found");
        ApiError::exception("ResourceNotFoundException", message)
    })
}

/// Refuses tags that a table with tags `old` cannot have.
pub(super) fn check_tags(old: &[Tag], new: &[Tag]) -> Result<(), ValidationError> {
    if let Some(tag) = new.iter().find(|tag| tag.key.to_ascii_lowercase().starts_with("aws:")) {
        return Err(ValidationError::new(format!(
            "One or more parameter values were invalid: The tag key {} starts with the reserved prefix aws:",
            tag.key
        )));
    }
    for (position, tag) in new.iter().enumerate() {
        if new[..position].iter().any(|other| other.key == tag.key) {
            return Err(ValidationError::new(format!(
                "One or more parameter values were invalid: Duplicate tag key: {}",
                tag.key
            )));
        }
    }
    let n_added = new.iter().filter(|tag| old.iter().all(|old| old.key != tag.key)).count();
    if old.len() + n_added > TAGS_MAX {
        return Err(ValidationError::new(
            "Number of Tags exceed the current limit for the provided ResourceArn",
        ));
    }
    Ok(())
}

/// Revision of a policy that comes with its table.
pub(super) fn first_revision() -> SmolStr {
    SmolStr::new_static("1")
}

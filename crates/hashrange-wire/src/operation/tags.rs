//! TagResource, UntagResource and ListTagsOfResource on the wire.

use hashrange_types::Request;
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    EmptyResponse, ListTagsOfResourceRequest, ListTagsOfResourceResponse, TagResourceRequest,
    UntagResourceRequest,
};
use hashrange_types::table_state::Tag;
use smol_str::SmolStr;

use crate::constraint::{Constraints, Place, Refusal};
use crate::members::{Members, Read};
use crate::writer::Writer;

/// Longest ARN of a resource.
const ARN_LENGTH_MAX: usize = 1_283;
const KEY_LENGTH_MAX: usize = 128;
const VALUE_LENGTH_MAX: usize = 256;

pub(super) fn decode_tag(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let resource = resource(&mut members, &mut constraints)?;
    let tags = tags(&mut members, &mut constraints)?;
    let tags = constraints.required(tags, &Place::Root.member("Tags")).unwrap_or_default();
    constraints.finish()?;
    Ok(Request::TagResource(TagResourceRequest { resource, tags }))
}

pub(super) fn decode_untag(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let resource = resource(&mut members, &mut constraints)?;
    let list = Place::Root.member("TagKeys");
    let keys = constraints.required(members.texts("TagKeys")?, &list).unwrap_or_default();
    for (position, key) in keys.iter().enumerate() {
        let place = list.element(position);
        let length = key.chars().count();
        constraints.length(length, (1, KEY_LENGTH_MAX), &place, || key.to_string());
    }
    constraints.finish()?;
    Ok(Request::UntagResource(UntagResourceRequest { resource, keys }))
}

pub(super) fn decode_list(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let resource = resource(&mut members, &mut constraints)?;
    constraints.finish()?;
    Ok(Request::ListTagsOfResource(ListTagsOfResourceRequest { resource }))
}

pub(super) fn encode(response: &ListTagsOfResourceResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("Tags").list(&response.tags, |w, tag| {
            w.object(|object| {
                object.text("Key", &tag.key);
                object.text("Value", &tag.value);
            });
        });
    });
}

/// TagResource and UntagResource answer with an empty body.
pub(super) fn encode_nothing(_: &EmptyResponse, _writer: &mut Writer) {}

/// Reads ResourceArn.
pub(super) fn resource(members: &mut Members, constraints: &mut Constraints) -> Read<Resource> {
    arn(members, "ResourceArn", (1, ARN_LENGTH_MAX), constraints)
}

/// Reads an ARN that must be there.
pub(super) fn arn(
    members: &mut Members,
    name: &str,
    lengths: (usize, usize),
    constraints: &mut Constraints,
) -> Read<Resource> {
    let place = Place::Root.member(name);
    let given = constraints.required(members.text(name)?, &place).unwrap_or_default();
    if !given.is_empty() {
        constraints.length(given.len(), lengths, &place, || given.to_string());
    }
    Ok(Resource::new(&given))
}

/// Reads Tags.
pub(super) fn tags(members: &mut Members, constraints: &mut Constraints) -> Read<Option<Vec<Tag>>> {
    let list = Place::Root.member("Tags");
    let mut position = 0;
    members.list_of("Tags", |json| {
        let place = list.element(position);
        position += 1;
        let mut members = Members::read(json, "Tag")?;
        let mut text = |name: &str, lengths: (usize, usize)| -> Read<SmolStr> {
            let place = place.member(name);
            let text = constraints.required(members.text(name)?, &place);
            if let Some(text) = &text {
                let length = text.chars().count();
                constraints.length(length, lengths, &place, || text.to_string());
            }
            Ok(text.map(SmolStr::from).unwrap_or_default())
        };
        Ok(Tag {
            key: text("Key", (1, KEY_LENGTH_MAX))?,
            value: text("Value", (0, VALUE_LENGTH_MAX))?,
        })
    })
}

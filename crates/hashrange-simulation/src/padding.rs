//! Items that are filled up to a size, so that a load's units do not depend on its keys.

use hashrange_types::operation::{TransactAction, WriteRequest};
use hashrange_types::{AttributeName, AttributeValue, Deferred, Item, Request};

use crate::workload::Padded;

/// True for requests that put whole items.
pub(crate) const fn has_items(request: &Request) -> bool {
    matches!(
        request,
        Request::PutItem(_) | Request::BatchWriteItem(_) | Request::TransactWriteItems(_)
    )
}

/// Fills the items of a request up.
pub(crate) fn pad(request: &mut Request, padded: &Padded) {
    match request {
        Request::PutItem(request) => pad_item(&mut request.item, padded),
        Request::BatchWriteItem(request) => {
            for write in request.tables.iter_mut().flat_map(|(_, writes)| writes) {
                if let WriteRequest::Put(item) = write {
                    pad_item(item, padded);
                }
            }
        }
        Request::TransactWriteItems(request) => {
            for one in &mut request.items {
                if let TransactAction::Put { item } = &mut one.action {
                    pad_item(item, padded);
                }
            }
        }
        _ => {}
    }
}

fn pad_item(item: &mut Deferred<Item>, padded: &Padded) {
    let Ok(item) = item else { return };
    let mut text = match item.remove(&padded.attribute) {
        Some(AttributeValue::S(text)) => text.to_string(),
        _ => String::new(),
    };
    let used = item.size_bytes() as usize + padded.attribute.len() + text.len();
    let missing = (padded.bytes as usize).saturating_sub(used);
    text.extend(std::iter::repeat_n('x', missing));
    item.insert(AttributeName::new(&padded.attribute), AttributeValue::S(text.into()));
}

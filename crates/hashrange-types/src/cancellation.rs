//! `CancellationReason`: what one element of a transaction contributed to its end.
//!
//! Source: facts 3.6.

use crate::error::{Throttling, ValidationError};
use crate::item::Item;
use crate::wording::Wording;

/// Why an element stopped a transaction, or that it did not. Reasons stand in the order of the elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CancellationReason {
    /// Nothing is wrong with this element.
    None,
    /// Its condition was false. Carries the item when the caller asked for `ALL_OLD` and there is one.
    ConditionalCheckFailed(Option<Box<Item>>),
    /// A PartiQL INSERT names the key of an item that is there.
    DuplicateItem,
    /// A PartiQL statement names a table that is not there.
    ResourceNotFound,
    /// With local indexes, its item collection has no room for it.
    ItemCollectionSizeLimitExceeded,
    /// Another transaction holds its item.
    TransactionConflict,
    /// There is no room for it.
    Throttled(Box<Throttling>),
    /// It breaks a rule that the transaction finds only when it starts.
    ValidationError(ValidationError),
}

impl CancellationReason {
    /// The code clients match.
    pub fn code(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::ConditionalCheckFailed(_) => "ConditionalCheckFailed",
            Self::DuplicateItem => "DuplicateItem",
            Self::ResourceNotFound => "ResourceNotFound",
            Self::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceeded",
            Self::TransactionConflict => "TransactionConflict",
            Self::Throttled(throttling) => throttling.reason_code(),
            Self::ValidationError(_) => "ValidationError",
        }
    }

    /// What is wrong, in an edition of the wording; none where nothing is.
    pub fn message(&self, wording: Wording) -> Option<String> {
        let fixed = match self {
            Self::None => return None,
            Self::ValidationError(error) => return Some(error.worded(wording)),
            Self::ConditionalCheckFailed(_) => "The conditional request failed",
            Self::DuplicateItem => "Duplicate primary key exists in table",
            Self::ResourceNotFound => "Requested resource not found",
            Self::ItemCollectionSizeLimitExceeded => "Collection size exceeded.",
            Self::TransactionConflict => "Transaction is ongoing for the item",
            Self::Throttled(throttling) => throttling.message,
        };
        Some(fixed.to_owned())
    }

    /// The item that failed its condition, where it was asked for.
    pub fn item(&self) -> Option<&Item> {
        match self {
            Self::ConditionalCheckFailed(item) => item.as_deref(),
            _ => None,
        }
    }
}

//! What TransactGetItems and TransactWriteItems share: keys, distinct items, and how one wrong element ends
//! the whole transaction.
//!
//! Invariant: an empty key value refuses the request; any other fault of a key cancels it, and only the first
//! is reported. Keys are looked at before duplicates.
//!
//! Source: facts 3.6; key checks before duplicates: measured by floci, pull request 3674.

use hashrange_types::limits::TRANSACT_BYTES_MAX;
use hashrange_types::{
    ApiError, CancellationReason, EncodedKey, ErrorPlace, SortedSet, TableReference,
    ValidationError,
};

/// The request's member that lists the elements.
const TRANSACT_ITEMS: &str = "TransactItems";

/// The same error, found inside element `index`, in the member named after its action.
pub(crate) fn at_element(
    error: ValidationError,
    index: usize,
    action: &'static str,
) -> ValidationError {
    let mut path = vec![TRANSACT_ITEMS.to_owned(), index.to_string(), action.to_owned()];
    match &error.place {
        Some(ErrorPlace::Member(inner)) => path.extend(inner.iter().cloned()),
        // A span would be looked for in the first expression of that kind, which may be another element's.
        Some(ErrorPlace::Expression { parameter, .. }) => path.push(parameter.name().to_owned()),
        Some(ErrorPlace::Text { .. }) => return error,
        None => {}
    }
    error.at(ErrorPlace::Member(path))
}

/// The end of a transaction of `n_elements` whose element `index` breaks a rule.
pub(crate) fn canceled_by(error: ValidationError, index: usize, n_elements: usize) -> ApiError {
    let mut reasons = vec![CancellationReason::None; n_elements];
    reasons[index] = CancellationReason::ValidationError(error);
    ApiError::TransactionCanceled(reasons)
}

/// True for errors about an empty value of a key or index key.
pub(crate) fn is_about_empty_key(error: &ValidationError) -> bool {
    ["string", "binary"].iter().any(|kind| {
        error.message.contains(&format!("a key attribute cannot contain an empty {kind} value"))
    })
}

/// The keys of all elements.
///
/// # Errors
/// - [`ApiError::Validation`]: a key value is empty.
/// - [`ApiError::TransactionCanceled`]: a key does not fit its table.
pub(crate) fn settle_keys(
    keys: Vec<Result<EncodedKey, ValidationError>>,
) -> Result<Vec<EncodedKey>, ApiError> {
    let n_elements = keys.len();
    if let Some(error) =
        keys.iter().filter_map(|key| key.as_ref().err()).find(|error| is_about_empty_key(error))
    {
        return Err(error.clone().into());
    }
    let keys = keys.into_iter().enumerate();
    keys.map(|(index, key)| key.map_err(|error| canceled_by(error, index, n_elements))).collect()
}

/// Refuses a transaction that names an item twice.
///
/// # Errors
/// Message 44 of facts 4.10.1.
pub(crate) fn check_distinct<'a>(
    items: impl Iterator<Item = (&'a TableReference, &'a EncodedKey)>,
) -> Result<(), ValidationError> {
    let mut seen = SortedSet::new();
    for (table, key) in items {
        if !seen.insert((&table.name, key)) {
            return Err(ValidationError::new(
                "Transaction request cannot include multiple operations on one item",
            )
            .at_member(&[TRANSACT_ITEMS]));
        }
    }
    Ok(())
}

/// Refuses more than 4 MB: of what a TransactWriteItems sends, or of what a TransactGetItems reads.
///
/// # Errors
/// A message that is known in part only ("size cannot exceed", facts 3.6).
pub(crate) fn check_bytes(size_bytes: u64) -> Result<(), ValidationError> {
    if size_bytes <= TRANSACT_BYTES_MAX {
        return Ok(());
    }
    Err(ValidationError::new("Transaction payload size cannot exceed 4 MB")
        .at_member(&[TRANSACT_ITEMS]))
}

/// The units of the tables of a transaction, in the order in which it names them first.
#[derive(Debug, Default)]
pub(crate) struct ByTable<T>(Vec<(TableReference, T)>);

impl<T: Default> ByTable<T> {
    /// The share of this table.
    pub(crate) fn share(&mut self, table: &TableReference) -> &mut T {
        let found = self.0.iter().position(|(known, _)| known.name == table.name);
        let position = found.unwrap_or_else(|| {
            self.0.push((table.clone(), T::default()));
            self.0.len() - 1
        });
        &mut self.0[position].1
    }

    /// The shares with their tables.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(TableReference, T)> {
        self.0.iter()
    }

    /// The shares with their tables, to keep.
    pub(crate) fn into_shares(self) -> impl Iterator<Item = (TableReference, T)> {
        self.0.into_iter()
    }
}

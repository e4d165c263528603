//! NextToken: where a SELECT goes on, and for which statement that is true.
//!
//! Invariant: a token fits the statement and parameters it was made for and no others; what it says is checked
//! against the reads of the statement, so a forged one reads nothing else.
//!
//! Source: facts 3.7.

use hashrange_types::{EncodedKey, ValidationError};

use crate::page::PageRead;

/// Where the next page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    /// In which of the statement's reads.
    pub(crate) read: usize,
    /// After this key; none for the read's beginning.
    pub(crate) after: Option<EncodedKey>,
}

/// Bytes of a token before its key: the fingerprint, and which read.
const HEAD_BYTES: usize = 9;
/// Bytes every key has: its placement hash.
const KEY_BYTES_MIN: usize = 8;

/// The token for `position` in the statement with this fingerprint.
pub(crate) fn token(fingerprint: u64, position: &Position) -> Vec<u8> {
    let key = position.after.as_ref().map_or(&[][..], EncodedKey::as_bytes);
    let mut bytes = Vec::with_capacity(HEAD_BYTES + key.len());
    bytes.extend_from_slice(&fingerprint.to_be_bytes());
    bytes.push(u8::try_from(position.read).expect("a statement has at most 50 reads"));
    bytes.extend_from_slice(key);
    bytes
}

/// The position a token means.
///
/// # Errors
/// It was made for another statement, or by no one.
pub(crate) fn position(
    token: &[u8],
    fingerprint: u64,
    reads: &[PageRead],
) -> Result<Position, ValidationError> {
    read_position(token, fingerprint, reads).ok_or_else(|| {
        ValidationError::new("NextToken does not match request").at_member(&["NextToken"])
    })
}

fn read_position(token: &[u8], fingerprint: u64, reads: &[PageRead]) -> Option<Position> {
    let key = token.strip_prefix(&fingerprint.to_be_bytes())?;
    let (read, key) = key.split_first()?;
    let read = usize::from(*read);
    let range = &reads.get(read)?.range;
    if key.is_empty() {
        return Some(Position { read, after: None });
    }
    let key = Some(key).filter(|key| key.len() >= KEY_BYTES_MIN).map(EncodedKey::from_bytes)?;
    range.contains(&key).then_some(Position { read, after: Some(key) })
}

//! Request ids: the 52 characters of `x-amzn-RequestId`.
//!
//! Invariant: no two answers of one server have the same id. An id is a name, never a secret.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::header::HeaderValue;

/// Characters of an id: digits and upper-case letters, one for each of 32 values.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV";
/// Characters in an id.
const LENGTH: usize = 52;
/// Characters that hold all of a 64-bit word, five bits each.
const PER_WORD: usize = 13;

/// Where ids come from.
#[derive(Debug)]
pub(crate) struct RequestIds {
    n_given: AtomicU64,
    /// Differs from one start of the server to the next.
    seed: u64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        Self { n_given: AtomicU64::new(0), seed: RandomState::new().build_hasher().finish() }
    }

    /// An id that was not given before.
    pub(crate) fn next(&self) -> HeaderValue {
        let number = self.n_given.fetch_add(1, Ordering::Relaxed);
        let text = text(self.seed, number);
        HeaderValue::from_bytes(&text).expect("digits and letters are a header value")
    }
}

/// The id of request `number`. Its first part tells numbers apart, since [`mixed`] is one to one.
fn text(seed: u64, number: u64) -> [u8; LENGTH] {
    let mut text = [0; LENGTH];
    let mut word = number ^ seed;
    for part in text.chunks_mut(PER_WORD) {
        word = mixed(word);
        let mut rest = word;
        for character in part {
            *character = ALPHABET[usize::try_from(rest & 31).expect("five bits fit any usize")];
            rest >>= 5;
        }
    }
    text
}

/// SplitMix64's finaliser: one to one, and every bit of the input changes about half the output.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_52_upper_case_letters_and_digits() {
        let id = RequestIds::new().next();
        let text = id.to_str().unwrap();
        assert_eq!(text.len(), 52);
        assert!(text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()), "{text}");
    }

    #[test]
    fn no_id_comes_twice() {
        let ids: BTreeSet<_> = (0..10_000).map(|number| text(7, number)).collect();
        assert_eq!(ids.len(), 10_000);
        assert_ne!(text(7, 0), text(8, 0));
    }
}

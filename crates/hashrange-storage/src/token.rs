//! Idempotency tokens: which transactions were done under which token, and when.
//!
//! Invariant: every token is kept once, and found both by its key and by the moment its transaction was done.
//! A clone shares them until one of the two changes: there are few where stores are cloned.
//!
//! Not here: how long a token counts and what a repeated one answers (`hashrange-engine`).
//!
//! Source: facts 2.2 and 3.6.

use std::collections::VecDeque;
use std::sync::Arc;

use hashrange_types::{Operation, Timestamp};
use indexmap::IndexMap;

/// Where a token is unique: each operation has tokens of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenKey {
    /// The operation that was called.
    pub operation: Operation,
    /// The token the client made up.
    pub token: Arc<str>,
}

/// A transaction that was done under a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// When it was done.
    pub completed_at: Timestamp,
    /// What stands for the request's parameters, to tell another request from the same one.
    pub fingerprint: u64,
    /// Bytes of the larger image of each item, before or after, in the order of the request.
    pub image_bytes: Vec<u32>,
}

/// A token before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenChange {
    /// Which token.
    pub key: TokenKey,
    /// What was remembered of it.
    pub before: Option<Arc<Token>>,
    /// What is remembered now.
    pub after: Option<Arc<Token>>,
}

/// The tokens of a store.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tokens(Arc<ByKeyAndTime>);

#[derive(Debug, Clone, Default, PartialEq)]
struct ByKeyAndTime {
    by_key: IndexMap<TokenKey, Arc<Token>>,
    /// In ascending order: tokens are added at the end and forgotten at the start.
    by_time: VecDeque<(Timestamp, TokenKey)>,
}

impl Tokens {
    pub(crate) fn get(&self, key: &TokenKey) -> Option<&Arc<Token>> {
        self.0.by_key.get(key)
    }

    /// The tokens in the order in which their transactions were done.
    pub(crate) fn oldest_first(&self) -> impl Iterator<Item = (&TokenKey, &Arc<Token>)> {
        self.0.by_time.iter().filter_map(|(_, key)| Some((key, self.0.by_key.get(key)?)))
    }

    pub(crate) fn apply(&mut self, change: &TokenChange) {
        let key = &change.key;
        let tokens = Arc::make_mut(&mut self.0);
        if let Some(old) = tokens.by_key.swap_remove(key)
            && let Ok(place) = tokens.by_time.binary_search(&(old.completed_at, key.clone()))
        {
            tokens.by_time.remove(place);
        }
        if let Some(token) = &change.after {
            let moment = (token.completed_at, key.clone());
            let place = tokens.by_time.partition_point(|other| *other < moment);
            tokens.by_time.insert(place, moment);
            tokens.by_key.insert(key.clone(), Arc::clone(token));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Change;
    use crate::store::Store;

    fn key(token: &str) -> TokenKey {
        TokenKey { operation: Operation::TransactWriteItems, token: token.into() }
    }

    fn token(completed_at: i64) -> Arc<Token> {
        let completed_at = Timestamp(completed_at);
        Arc::new(Token { completed_at, fingerprint: 7, image_bytes: vec![1] })
    }

    fn change(name: &str, before: Option<i64>, after: Option<i64>) -> Change {
        let (before, after) = (before.map(token), after.map(token));
        Change::Token(TokenChange { key: key(name), before, after })
    }

    fn listed(store: &Store) -> Vec<(String, i64)> {
        let tokens = store.tokens_oldest_first();
        tokens.map(|(key, token)| (key.token.to_string(), token.completed_at.0)).collect()
    }

    #[test]
    fn tokens_are_found_by_key_and_listed_by_time() {
        let mut store = Store::default();
        store.apply(&change("late", None, Some(9)));
        store.apply(&change("early", None, Some(2)));
        assert_eq!(store.token(&key("late")), Some(&token(9)));
        assert_eq!(store.token(&key("other")), None);
        assert_eq!(listed(&store), [("early".to_owned(), 2), ("late".to_owned(), 9)]);
    }

    #[test]
    fn a_change_of_a_token_can_be_taken_back() {
        let mut store = Store::default();
        let first = change("a", None, Some(2));
        let again = change("a", Some(2), Some(9));
        let removed = change("a", Some(9), None);
        store.apply(&first);
        store.apply(&again);
        assert_eq!(listed(&store), [("a".to_owned(), 9)]);
        store.apply(&removed);
        assert_eq!(listed(&store), []);
        store.apply(&removed.invert());
        assert_eq!(listed(&store), [("a".to_owned(), 9)]);
        store.apply(&again.invert());
        assert_eq!(listed(&store), [("a".to_owned(), 2)]);
        store.apply(&first.invert());
        assert_eq!(listed(&store), []);
    }

    #[test]
    fn a_token_that_keeps_its_time_stays_listed() {
        let mut store = Store::default();
        store.apply(&change("a", None, Some(2)));
        store.apply(&change("a", Some(2), Some(2)));
        assert_eq!(listed(&store), [("a".to_owned(), 2)]);
    }
}

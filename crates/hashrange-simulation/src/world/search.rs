//! `SearchIndex`: words of texts to the items they stand in, as a search engine beside the table keeps them.
//!
//! Invariant: a word is there exactly while an item with it is.

use std::collections::{BTreeMap, BTreeSet};

use hashrange_types::letter_case::lowercase;
use hashrange_types::{EncodedKey, Item};
use smol_str::SmolStr;

/// Edits by which a word may differ from one marked `~`.
const EDITS_MAX: usize = 2;

/// Texts to search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchIndex {
    texts: BTreeMap<EncodedKey, (Item, BTreeSet<SmolStr>)>,
    words: BTreeMap<SmolStr, BTreeSet<EncodedKey>>,
}

impl SearchIndex {
    /// Items in it.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Puts an item's text in the place of its old one; none removes the item.
    pub(super) fn set(&mut self, id: EncodedKey, key: Item, text: Option<&str>) {
        for word in self.texts.remove(&id).map(|(_, words)| words).unwrap_or_default() {
            let is_last = self.words.get_mut(&word).is_some_and(|ids| {
                ids.remove(&id);
                ids.is_empty()
            });
            if is_last {
                self.words.remove(&word);
            }
        }
        if let Some(text) = text {
            let words: BTreeSet<SmolStr> = words(text).collect();
            for word in &words {
                self.words.entry(word.clone()).or_default().insert(id.clone());
            }
            self.texts.insert(id, (key, words));
        }
    }

    /// Keys of the items in which every word of the query stands, the closest first. A word marked `~`, such as
    /// `partiton~`, may differ by two letters.
    pub fn search(&self, query: &str) -> Vec<&Item> {
        let mut found: Option<BTreeMap<&EncodedKey, usize>> = None;
        for term in query.split_whitespace() {
            let (word, edits_max) =
                term.strip_suffix('~').map_or((term, 0), |word| (word, EDITS_MAX));
            let word = lowercase(word);
            let mut hits: BTreeMap<&EncodedKey, usize> = BTreeMap::new();
            for (other, ids) in &self.words {
                let Some(n_edits) = edits(&word, other, edits_max) else { continue };
                for id in ids {
                    let least = hits.entry(id).or_insert(n_edits);
                    *least = n_edits.min(*least);
                }
            }
            found = Some(match found {
                None => hits,
                Some(before) => {
                    before.into_iter().filter_map(|(id, n)| Some((id, n + hits.get(id)?))).collect()
                }
            });
        }
        let mut ranked: Vec<_> =
            found.unwrap_or_default().into_iter().map(|(id, n_edits)| (n_edits, id)).collect();
        ranked.sort_unstable();
        ranked.into_iter().filter_map(|(_, id)| self.texts.get(id).map(|(key, _)| key)).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = SmolStr> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(|word| lowercase(word).into())
}

/// Letters to insert, remove or replace to get from one word to the other; none if more than `max`.
fn edits(one: &str, other: &str, max: usize) -> Option<usize> {
    if max == 0 || one == other {
        return (one == other).then_some(0);
    }
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (n, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], n + 1);
        for at in 0..other.len() {
            let replaced = diagonal + usize::from(other[at] != letter);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row.last().copied().filter(|n| *n <= max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_up_to_a_most() {
        assert_eq!(edits("partiton", "partitions", 2), Some(2));
        assert_eq!(edits("partiton", "partition", 2), Some(1));
        assert_eq!(edits("cat", "dog", 2), None);
        assert_eq!(edits("a", "a", 0), Some(0));
        assert_eq!(edits("a", "b", 0), None);
        assert_eq!(edits("", "ab", 2), Some(2));
    }
}

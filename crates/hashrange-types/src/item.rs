//! `Item`: attributes by name, in the order they were given, and their size.
//!
//! Invariant: none beyond its values' own. Keys are a matter of schemas ([`crate::key`]).

use std::sync::Arc;

use indexmap::IndexMap;

use crate::name::AttributeName;
use crate::value::{AttributeValue, length};

/// Attributes up to which looking at each name is faster than working out where one is.
const FEW: usize = 16;

/// The attributes of an item. Equality ignores their order. Cheap to clone: attributes are shared until one of
/// the two changes.
#[derive(Debug, Clone, Default, Eq)]
pub struct Item(Arc<IndexMap<AttributeName, AttributeValue>>);

impl Item {
    /// An item without attributes.
    pub fn new() -> Self {
        Self::default()
    }

    /// An item with room for `n` attributes.
    pub fn with_capacity(n: usize) -> Self {
        Self(Arc::new(IndexMap::with_capacity(n)))
    }

    /// The value of attribute `name`.
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        if self.0.len() > FEW {
            return self.0.get(name);
        }
        let mut all = self.0.iter();
        all.find_map(|(other, value)| (other.as_str() == name).then_some(value))
    }

    /// True if the two share their attributes, as a clone does with what it was made of.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The value of attribute `name`, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut AttributeValue> {
        Arc::make_mut(&mut self.0).get_mut(name)
    }

    /// The values, to change them, in the order they were given.
    pub fn values_mut(&mut self) -> indexmap::map::ValuesMut<'_, AttributeName, AttributeValue> {
        Arc::make_mut(&mut self.0).values_mut()
    }

    /// True if the item has attribute `name`, whatever its value.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets attribute `name` and returns the value it had.
    pub fn insert(&mut self, name: AttributeName, value: AttributeValue) -> Option<AttributeValue> {
        Arc::make_mut(&mut self.0).insert(name, value)
    }

    /// Removes attribute `name`, keeping the order of the others, and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<AttributeValue> {
        Arc::make_mut(&mut self.0).shift_remove(name)
    }

    /// The attributes in the order they were given.
    pub fn iter(&self) -> indexmap::map::Iter<'_, AttributeName, AttributeValue> {
        self.0.iter()
    }

    /// Number of attributes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Bytes the item counts for limits and capacity: names in UTF-8 and values.
    ///
    /// ```
    /// # use hashrange_types::{AttributeValue, Item};
    /// let mut shirt = Item::new();
    /// shirt.insert("shirt-color".into(), AttributeValue::S("R".into()));
    /// shirt.insert("shirt-size".into(), AttributeValue::S("M".into()));
    /// assert_eq!(shirt.size_bytes(), 23);
    /// ```
    ///
    /// Source: Developer Guide, "DynamoDB item sizes and formats".
    pub fn size_bytes(&self) -> u32 {
        self.0.iter().map(|(name, value)| length(name.as_str().len()) + value.size_bytes()).sum()
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        // Most that are equal have the same order, which is cheaper to see than that another order does not matter.
        self.is_shared_with(other) || self.0.iter().eq(other.0.iter()) || self.0 == other.0
    }
}

impl FromIterator<(AttributeName, AttributeValue)> for Item {
    fn from_iter<I: IntoIterator<Item = (AttributeName, AttributeValue)>>(attributes: I) -> Self {
        Self(Arc::new(attributes.into_iter().collect()))
    }
}

impl IntoIterator for Item {
    type Item = (AttributeName, AttributeValue);
    type IntoIter = indexmap::map::IntoIter<AttributeName, AttributeValue>;
    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<'a> IntoIterator for &'a Item {
    type Item = (&'a AttributeName, &'a AttributeValue);
    type IntoIter = indexmap::map::Iter<'a, AttributeName, AttributeValue>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{NumberSet, StringSet};
    use crate::{AttributeValue as V, Number};

    fn size(name: &str, value: V) -> u32 {
        [(name.into(), value)].into_iter().collect::<Item>().size_bytes()
    }

    #[test]
    fn sizes_follow_the_worked_vectors() {
        let number = |text| Number::parse(text).unwrap();
        assert_eq!(size("pk", V::S("a".into())), 3);
        assert_eq!(size("n", V::N(number("-42"))), 4);
        assert_eq!(size("a", V::L(vec![])), 4);
        assert_eq!(size("a", V::M(IndexMap::new())), 4);
        assert_eq!(size("a", V::M([("b".into(), V::Bool(true))].into_iter().collect())), 7);
        assert_eq!(size("a", V::Ss(StringSet::new(vec!["x".into(), "yy".into()]).unwrap())), 4);
        assert_eq!(size("\u{e9}", V::S("\u{e9}".into())), 4);
        assert_eq!(size("a", V::Null), 2);
        assert_eq!(size("a", V::Ns(NumberSet::new(vec![number("1"), number("-1")]).unwrap())), 6);
        assert_eq!(size("a", V::L(vec![V::S("xy".into()), V::N(number("7"))])), 10);
    }

    #[test]
    fn sets_and_maps_are_equal_in_any_order_and_numbers_by_value() {
        let number = |text| V::N(Number::parse(text).unwrap());
        let map = |a: &str, b: &str| -> V {
            V::M([(a.into(), number("1.0")), (b.into(), number("1.0"))].into_iter().collect())
        };
        assert_eq!(map("x", "y"), map("y", "x"));
        assert_eq!(number("1.0"), number("1"));
        let set = |a: &str, b: &str| StringSet::new(vec![a.into(), b.into()]).unwrap();
        assert_eq!(set("p", "q"), set("q", "p"));
        assert!(StringSet::new(vec!["p".into(), "p".into()]).is_none());
        assert!(StringSet::new(vec![]).is_none());
    }
}

//! Keys: schemas of keys, and key bytes that sort as DynamoDB sorts.
//!
//! Invariant: comparing two [`EncodedKey`]s of one schema byte by byte gives the order of a Scan: placement
//! hash of the partition key first, then partition key, then sort key.
//!
//! The placement hash is the project's reference hash (shared lessons, "Placement hash"): FNV-1a 64 with
//! Murmur's finaliser over the partition key's bytes. AWS does not publish its own; this one is simulated.

use std::sync::Arc;

use crate::item::Item;
use crate::name::AttributeName;
use crate::value::AttributeValue;

/// The three types a key attribute may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScalarType {
    /// Text.
    S,
    /// Number.
    N,
    /// Bytes.
    B,
}

impl ScalarType {
    /// DynamoDB's letter: `S`, `N` or `B`.
    pub const fn letter(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
        }
    }
}

/// One attribute of a key with its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    /// The attribute's name.
    pub name: AttributeName,
    /// The type its values must have.
    pub scalar: ScalarType,
}

/// The attributes that make up a key: partition (HASH) first, then sort (RANGE).
///
/// A table and a local index have one partition and at most one sort attribute; a global index may have up
/// to four of each (facts 1.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchema {
    /// HASH attributes, at least one.
    pub partition: Vec<KeyAttribute>,
    /// RANGE attributes, possibly none.
    pub sort: Vec<KeyAttribute>,
}

impl KeySchema {
    /// All key attributes, partition first.
    pub fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }

    /// True if attribute `name` is part of the key.
    pub fn contains(&self, name: &str) -> bool {
        self.attributes().any(|attribute| attribute.name.as_str() == name)
    }

    /// Copies the key attributes out of an item; attributes it lacks are left out.
    pub fn key_of(&self, item: &Item) -> Item {
        self.attributes()
            .filter_map(|attribute| {
                Some((attribute.name.clone(), item.get(attribute.name.as_str())?.clone()))
            })
            .collect()
    }

    /// True if the item has every key attribute with its type: only then is it in the table or index.
    pub fn matches(&self, item: &Item) -> bool {
        self.attributes().all(|attribute| key_value(attribute, item).is_some())
    }

    /// The key's bytes in scan order, or none where the item lacks a key attribute or has a wrong type.
    pub fn encode(&self, item: &Item) -> Option<EncodedKey> {
        let mut bytes = self.encode_partition(item)?;
        for attribute in &self.sort {
            push_scalar(&mut bytes, key_value(attribute, item)?);
        }
        Some(EncodedKey::from_bytes(&bytes))
    }

    /// The bytes every key with this partition value starts with: hash, then the partition attributes. None where
    /// the item lacks one or has a wrong type.
    pub fn encode_partition(&self, item: &Item) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(64);
        // The hash goes there when all that it is made of is known.
        bytes.extend_from_slice(&[0; 8]);
        let mut hash = PlacementHash::default();
        for attribute in &self.partition {
            let value = key_value(attribute, item)?;
            hash.feed_value(value);
            push_scalar(&mut bytes, value);
        }
        bytes[..8].copy_from_slice(&hash.finish().to_be_bytes());
        Some(bytes)
    }

    /// The placement hash of the item's partition key (simulated: AWS does not publish its own).
    pub fn placement_hash(&self, item: &Item) -> Option<u64> {
        let mut hash = PlacementHash::default();
        for attribute in &self.partition {
            hash.feed_value(key_value(attribute, item)?);
        }
        Some(hash.finish())
    }
}

/// The item's value of a key attribute, if it has one of the right type.
fn key_value<'a>(attribute: &KeyAttribute, item: &'a Item) -> Option<&'a AttributeValue> {
    let value = item.get(attribute.name.as_str())?;
    (value.scalar_type() == Some(attribute.scalar)).then_some(value)
}

/// Key bytes in scan order. Cheap to clone, and most are told apart without a look at what they share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EncodedKey {
    /// The first eight bytes as one number, zeros in the place of missing ones: it sorts as they do.
    first: u64,
    bytes: Arc<[u8]>,
}

impl EncodedKey {
    /// A key of exactly these bytes, for bounds of ranges.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut first = [0; 8];
        let n = bytes.len().min(8);
        first[..n].copy_from_slice(&bytes[..n]);
        Self { first: u64::from_be_bytes(first), bytes: bytes.into() }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The placement hash the key starts with; missing bytes count as zero.
    pub const fn hash(&self) -> u64 {
        self.first
    }

    /// This key followed by another: an index entry is ordered by index key, ties by table key.
    #[must_use]
    pub fn followed_by(&self, tie: &Self) -> Self {
        let mut bytes = Vec::with_capacity(self.bytes.len() + tie.bytes.len());
        bytes.extend_from_slice(&self.bytes);
        bytes.extend_from_slice(&tie.bytes);
        Self::from_bytes(&bytes)
    }
}

/// Appends a scalar so that the bytes sort as the values do and no value's bytes start another's.
///
/// Text and bytes: each 0x00 becomes 0x00 0xFF, and 0x00 0x00 ends them. Numbers end themselves.
pub fn push_scalar(bytes: &mut Vec<u8>, value: &AttributeValue) {
    match value {
        AttributeValue::S(text) => {
            push_escaped(bytes, text.as_bytes());
            bytes.extend_from_slice(&[0, 0]);
        }
        AttributeValue::B(raw) => {
            push_escaped(bytes, raw);
            bytes.extend_from_slice(&[0, 0]);
        }
        AttributeValue::N(number) => number.push_sortable(bytes),
        _ => {}
    }
}

/// Appends the bytes that every text or binary value starting with `prefix` starts with.
pub fn push_scalar_prefix(bytes: &mut Vec<u8>, prefix: &AttributeValue) {
    match prefix {
        AttributeValue::S(text) => push_escaped(bytes, text.as_bytes()),
        AttributeValue::B(raw) => push_escaped(bytes, raw),
        _ => {}
    }
}

fn push_escaped(bytes: &mut Vec<u8>, raw: &[u8]) {
    if !raw.contains(&0) {
        bytes.extend_from_slice(raw);
        return;
    }
    for byte in raw {
        bytes.push(*byte);
        if *byte == 0 {
            bytes.push(0xFF);
        }
    }
}

/// FNV-1a 64 with Murmur's 64-bit finaliser.
struct PlacementHash(u64);

impl Default for PlacementHash {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl PlacementHash {
    /// Adds one key value.
    fn feed_value(&mut self, value: &AttributeValue) {
        match value {
            AttributeValue::S(text) => self.feed(b'S', text.as_bytes()),
            AttributeValue::N(number) => self.feed(b'N', number.to_scientific().as_bytes()),
            AttributeValue::B(bytes) => self.feed(b'B', bytes),
            _ => {}
        }
    }

    /// Adds one value: its type's letter, then its bytes.
    fn feed(&mut self, letter: u8, bytes: &[u8]) {
        let fed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        self.0 = bytes.iter().fold(fed(self.0, letter), |hash, byte| fed(hash, *byte));
    }

    fn finish(self) -> u64 {
        let mut hash = self.0;
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        hash ^ (hash >> 33)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;

    fn schema(scalar: ScalarType) -> KeySchema {
        KeySchema {
            partition: vec![KeyAttribute { name: "pk".into(), scalar: ScalarType::S }],
            sort: vec![KeyAttribute { name: "sk".into(), scalar }],
        }
    }

    fn item(pk: &str, sk: AttributeValue) -> Item {
        [("pk".into(), AttributeValue::S(pk.into())), ("sk".into(), sk)].into_iter().collect()
    }

    #[test]
    fn an_item_without_a_key_attribute_has_no_key() {
        let only_pk: Item = [("pk".into(), AttributeValue::S("a".into()))].into_iter().collect();
        assert_eq!(schema(ScalarType::S).encode(&only_pk), None);
        assert_eq!(schema(ScalarType::N).encode(&item("a", AttributeValue::S("1".into()))), None);
    }

    #[test]
    fn placement_is_that_of_the_reference() {
        // From shared/lessons/reference/ddb.py: key_hash({"S": "ORG#1234"}) and so on.
        let hash = |value: AttributeValue| {
            let scalar = value.scalar_type().unwrap();
            let key = KeySchema {
                partition: vec![KeyAttribute { name: "pk".into(), scalar }],
                sort: vec![],
            };
            key.placement_hash(&[("pk".into(), value)].into_iter().collect()).unwrap()
        };
        assert_eq!(hash(AttributeValue::S("ORG#1234".into())), 0xA5EA_26BC_3C3E_D68F);
        assert_eq!(hash(AttributeValue::N(Number::parse("120").unwrap())), 0x78CC_91E7_6F76_E800);
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod laws {
        use super::*;
        use proptest::prelude::*;

        fn value() -> impl Strategy<Value = AttributeValue> {
            prop_oneof!["[a-c\\x00]{0,4}", ".{0,3}"]
                .prop_map(|text| AttributeValue::S(text.as_str().into()))
        }

        proptest! {
            #[test]
            fn encoded_sort_keys_sort_as_their_values(a in value(), b in value()) {
                let schema = schema(ScalarType::S);
                let (x, y) = (schema.encode(&item("k", a.clone())), schema.encode(&item("k", b.clone())));
                prop_assert_eq!(x.cmp(&y), a.scalar_cmp(&b).unwrap());
            }

            #[test]
            fn encoded_text_starts_with_the_prefix_bytes_exactly_when_the_text_does(a in value(), b in value()) {
                let (mut whole, mut prefix) = (Vec::new(), Vec::new());
                push_scalar(&mut whole, &a);
                push_scalar_prefix(&mut prefix, &b);
                let (AttributeValue::S(a), AttributeValue::S(b)) = (a, b) else { unreachable!() };
                prop_assert_eq!(whole.starts_with(&prefix), a.starts_with(b.as_str()));
            }
        }
    }
}

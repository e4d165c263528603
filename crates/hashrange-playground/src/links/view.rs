//! What the picture of an index draws. Every text is ready to show; places are in the units of the picture's box.

/// The items of a table and the entries an index makes of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinksView {
    /// The table.
    pub table: String,
    /// The index.
    pub index: String,
    /// `Index GSI1 receives 7 of 19 items; 12 have no GSI1PK.`
    pub headline: String,
    /// What else is to be said, a sentence each: what is dropped, who shares it, where it lies.
    pub sentences: Vec<String>,
    /// Width of the box.
    pub width: f32,
    /// Height of the box.
    pub height: f32,
    /// Partitions that hold both sides, for a local index; left, top, width, height.
    pub shared: Vec<[f32; 4]>,
    /// Item collections of the table, at the left.
    pub items: Vec<LinkBlock>,
    /// Item collections of the index, at the right.
    pub entries: Vec<LinkBlock>,
    /// From item to entry.
    pub links: Vec<Link>,
    /// `60 more items are not drawn.`; mostly empty.
    pub rest: String,
    /// For a local index: what its largest item collection holds of the 10 GB it may.
    pub gauge: Option<Gauge>,
    /// What a write to the table does to the index.
    pub writes: Vec<WriteRow>,
    /// Storage and a month's cost, as name and figure.
    pub figures: Vec<(&'static str, String)>,
}

/// Items or entries of one partition key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkBlock {
    /// Left, top, width, height.
    pub place: [f32; 4],
    /// The partition key.
    pub key: String,
    /// In the order of the sort key.
    pub rows: Vec<LinkRow>,
}

/// An item or an entry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkRow {
    /// The item's number in the picture, from 0; its entry has the same.
    pub item: usize,
    /// Its top.
    pub y: f32,
    /// Its entity's letter and colour slot.
    pub letter: String,
    /// See [`Self::letter`].
    pub slot: Option<u8>,
    /// Its entity's name; empty where none is known.
    pub entity: String,
    /// The sort key, else the partition key.
    pub key: String,
    /// `1.2 KB`.
    pub size_text: String,
    /// Of an entry: attributes it holds and those it lacks; of an item outside the index: none.
    pub attributes: Vec<LinkAttribute>,
    /// Why an item is not in the index; empty for members and entries.
    pub absent: String,
}

/// An attribute of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkAttribute {
    /// Its name.
    pub name: String,
    /// True if the entry holds it; false if it is left in the table.
    pub is_projected: bool,
}

/// From an item to its entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The item's number.
    pub item: usize,
    /// The entity's colour slot.
    pub slot: Option<u8>,
    /// Its path, as `d` of an SVG path.
    pub path: String,
    /// How wide, by the bytes that are copied.
    pub width: f32,
}

/// How full an item collection is.
#[derive(Debug, Clone, PartialEq)]
pub struct Gauge {
    /// Share of 10 GB that the table's items take, and the local entries, of 100.
    pub shares: [f32; 2],
    /// The same in words.
    pub text: String,
}

/// What a kind of write does to the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteRow {
    /// `Change an index key`.
    pub what: &'static str,
    /// Writes to the index: 0, 1 or 2.
    pub n_writes: u8,
    /// `+2 to 6 WCU`.
    pub units: String,
}

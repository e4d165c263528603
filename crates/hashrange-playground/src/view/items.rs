//! What the picture shows of items that are being edited: an item's tree, a draft, where a sort key stands.

use super::AttributeField;

/// A line of an item's tree: an attribute, or something in a list or map.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemLine {
    /// Where it is in the item: `/settings/days/0`, in a name `~1` for a slash and `~0` for a tilde.
    pub path: String,
    /// 0 for attributes, 1 for what is in them.
    pub depth: u32,
    /// The attribute, the map's entry or the place in the list, such as `[0]`.
    pub name: String,
    /// Its type: `S`, `N`, `B`, `BOOL`, `NULL`, `L`, `M`, `SS`, `NS` or `BS`.
    pub kind: &'static str,
    /// Its value on one line, shortened.
    pub text: String,
    /// True for attributes of the table's key.
    pub is_key: bool,
    /// True for lists and maps that show what is in them; none for other values.
    pub is_open: Option<bool>,
    /// The line read aloud: `settings, map, 4 entries`.
    pub spoken: String,
}

/// A new item on its way: what has been typed so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemDraft {
    /// Its table.
    pub table: String,
    /// The entity whose templates make its keys, if one does.
    pub entity: Option<String>,
    /// Slots of the entity's templates with what was typed into them.
    pub slots: Vec<(String, String)>,
    /// Its attributes; those that a template makes are empty here.
    pub fields: Vec<AttributeField>,
}

/// How far a draft is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftView {
    /// What makes each key of the table, in the draft's order of fields.
    pub fields: Vec<DraftField>,
    /// `It needs orgId and projectId before it can be kept.`; empty when it is complete.
    pub missing: String,
}

/// What is known of a draft's field beyond what was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftField {
    /// True for attributes of the table's key.
    pub is_key: bool,
    /// What its template makes of the slots, `…` for what is missing; none where it is typed.
    pub made: Option<String>,
}

/// Items as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// A line an item, values between tabs, names in the first line: what spreadsheets paste.
    Tabs,
    /// The same with commas.
    Commas,
    /// A list of items in DynamoDB JSON.
    Json,
    /// A line an item, `{"Item": …}` as exports have it.
    Lines,
}

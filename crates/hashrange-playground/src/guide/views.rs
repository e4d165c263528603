//! What the guided process draws.

use hashrange_design::guide::Question;

/// The five steps with everything in them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GuideView {
    /// The steps, in order.
    pub steps: Vec<GuideStepView>,
    /// Step 1.
    pub entities: Vec<GuideEntityView>,
    /// Items in all, as the entities' counts have it.
    pub total_text: String,
    /// Step 2.
    pub relations: Vec<GuideRelationView>,
    /// Its picture.
    pub diagram: DiagramView,
    /// Questions one click away.
    pub offers: Vec<GuideOfferView>,
    /// Step 3 and on: the questions.
    pub questions: Vec<GuideQuestionView>,
    /// Step 4.
    pub keys: Vec<GuideKeyRow>,
    /// True if every entity has keys.
    pub is_keyed: bool,
    /// Why the items are not those of the keys; empty where they are.
    pub stale: String,
    /// Item collections.
    pub gathers: Vec<GatherView>,
    /// What was looked at of the keys.
    pub checks: Vec<GuideCheckView>,
    /// Other ways to key it.
    pub others: Vec<OtherKeysView>,
    /// Step 5.
    pub proposals: Vec<GuideIndexView>,
    /// Indexes that are there: table, name, keys, entries.
    pub indexes: Vec<[String; 4]>,
    /// True if every question is served by key.
    pub is_green: bool,
    /// Seed and generators of the sample data.
    pub sample: SampleView,
}

/// One step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GuideStepView {
    /// Its name.
    pub title: &'static str,
    /// How far it is.
    pub note: String,
    /// `done`, `open` or `locked`.
    pub state: &'static str,
    /// The sentence above it: what is so.
    pub lead: String,
    /// And why, or what to do.
    pub text: String,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideEntityView {
    /// Its index in the design.
    pub at: usize,
    /// Its name.
    pub name: String,
    /// Its letter.
    pub letter: String,
    /// Its colour slot.
    pub slot: u8,
    /// Its attributes as a line.
    pub line: String,
    /// Each attribute.
    pub attributes: Vec<String>,
    /// The attribute that tells its items apart; empty for a junction.
    pub id: String,
    /// Items in all.
    pub total: u64,
    /// `36 items, 12 each`.
    pub count_text: String,
}

/// A relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideRelationView {
    /// Its index in the design.
    pub at: usize,
    /// Its beginning.
    pub from: String,
    /// Its end.
    pub to: String,
    /// True for many to many, which is to be split.
    pub is_many: bool,
    /// `1 to n`.
    pub kind: &'static str,
    /// Of the end for each beginning; 0 where another parent counts.
    pub each: u32,
    /// `12 each`.
    pub each_text: String,
    /// In words.
    pub words: String,
    /// A name for the entity between.
    pub between: String,
}

/// A question that one click asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideOfferView {
    /// The question.
    pub question: Question,
    /// In words.
    pub words: String,
    /// Letter of its entity.
    pub letter: String,
    /// Colour slot of its entity.
    pub slot: u8,
}

/// A question with what became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GuideQuestionView {
    /// Its number, from 1.
    pub number: u32,
    /// In words.
    pub words: String,
    /// What kind of question it is.
    pub kind: &'static str,
    /// Letter of its entity.
    pub letter: String,
    /// Colour slot of its entity.
    pub slot: u8,
    /// What it lacks, or that its request is somebody's own; empty for neither.
    pub note: String,
    /// `✓`, `◑`, `⚠` or `✗`; empty before keys.
    pub glyph: &'static str,
    /// What the sign says.
    pub status: &'static str,
    /// The operation.
    pub call: String,
    /// Its key condition.
    pub condition: String,
    /// Items returned or written.
    pub returns: String,
    /// Units of a call.
    pub units: String,
    /// True while it needs an index.
    pub is_open: bool,
}

/// The keys of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideKeyRow {
    /// The entity's index in the design.
    pub entity: usize,
    /// Its name.
    pub name: String,
    /// Its letter.
    pub letter: String,
    /// Its colour slot.
    pub slot: u8,
    /// `36 items`.
    pub items_text: String,
    /// Attribute, template, and the sample of each key attribute.
    pub fields: Vec<GuideKeyField>,
    /// Why it is proposed so; empty where it is not as proposed.
    pub because: String,
}

/// A key attribute of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideKeyField {
    /// The attribute.
    pub attribute: String,
    /// `PK, partition key`.
    pub title: String,
    /// Its template, proposed where there is none.
    pub template: String,
    /// True while it is only proposed.
    pub is_proposed: bool,
    /// A key of the sample.
    pub sample: String,
}

/// An item collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatherView {
    /// Its partition key.
    pub key: String,
    /// `53 items`.
    pub items_text: String,
    /// `24.3 KB`.
    pub size_text: String,
    /// Its runs of one entity, in the order of the sort key.
    pub bands: Vec<GatherBand>,
}

/// Items of one entity in a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatherBand {
    /// What their sort keys start with.
    pub prefix: String,
    /// The entity's colour slot.
    pub slot: u8,
    /// `12 items`.
    pub items_text: String,
    /// Their height, 1 to 4.
    pub weight: u32,
}

/// Something looked at of the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideCheckView {
    /// `✓`, `◑` or `✗`.
    pub glyph: &'static str,
    /// What the sign says.
    pub status: &'static str,
    /// What is so.
    pub lead: String,
    /// How it is known.
    pub text: String,
}

/// Another way to key the entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherKeysView {
    /// Its number for [`crate::Session::guide_other_keys`]; none for the present keys.
    pub at: Option<usize>,
    /// What it does.
    pub name: String,
    /// Questions served by key.
    pub by_key: usize,
    /// Questions that are not.
    pub scans: usize,
}

/// An index that is proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideIndexView {
    /// `inverted (SK, PK)`.
    pub title: String,
    /// What kind it is.
    pub kind: &'static str,
    /// What it does.
    pub because: String,
    /// What it costs.
    pub cost: String,
    /// Numbers and words of the questions it serves.
    pub serves: Vec<String>,
    /// What the button says.
    pub button: String,
}

/// The entities as a picture, in px.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiagramView {
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
    /// The cards.
    pub cards: Vec<DiagramCard>,
    /// The lines.
    pub lines: Vec<DiagramLine>,
    /// What it shows, for those who do not see it.
    pub words: String,
}

/// An entity's card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramCard {
    /// Its left edge.
    pub x: i32,
    /// Its top edge.
    pub y: i32,
    /// Its height.
    pub height: i32,
    /// The entity's name.
    pub name: String,
    /// Its letter.
    pub letter: String,
    /// Its colour slot.
    pub slot: u8,
    /// Items in all.
    pub count: String,
    /// Its attributes, line by line.
    pub lines: Vec<String>,
    /// True for an entity between two others.
    pub is_junction: bool,
}

/// A relation's line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramLine {
    /// The line, as a path.
    pub path: String,
    /// Bar and crow's foot, as a path.
    pub ends: String,
    /// `one`, `junction`, `many`, or `was` for what was split.
    pub kind: &'static str,
    /// Texts with their places.
    pub labels: Vec<(i32, i32, String)>,
}

/// The sample data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleView {
    /// Its seed.
    pub seed: u32,
    /// Entities with a count: name, per parent and in all, what is made.
    pub rows: Vec<SampleRow>,
    /// `375 items`.
    pub total_text: String,
}

/// An entity of the sample data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleRow {
    /// The entity's name.
    pub name: String,
    /// Its letter.
    pub letter: String,
    /// Its colour slot.
    pub slot: u8,
    /// Items of each parent, or in all.
    pub each: u32,
    /// `of each organisation`, or `in all`.
    pub of: String,
    /// Smallest and largest size, as typed: `400 to 800`; empty where attributes decide.
    pub bytes: String,
    /// What is made: `name: a person's name`.
    pub makes: String,
    /// Items in all.
    pub total_text: String,
}

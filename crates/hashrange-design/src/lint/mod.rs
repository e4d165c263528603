//! Lint: what in a design is likely to hurt, each finding with its evidence.
//!
//! Invariant: a finding is derived from the design and a suite that ran on it; nothing is found twice. Rules are
//! independent of each other. A silenced finding is still listed, with the reason somebody gave.
//!
//! Not here: what DynamoDB refuses at a single edit (`hashrange-engine`); changing anything ([`crate::fix`]).

mod index;
mod keys;
mod pattern;
mod table;

pub use keys::entity_findings;

use crate::document::{Design, Silenced};
use crate::fix::Fix;
use crate::pattern::PatternSuite;

macro_rules! rules {
    ($($(#[$meta:meta])* $variant:ident => $name:literal, $title:literal;)*) => {
        /// What lint looks for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum LintRule {
            $($(#[$meta])* $variant,)*
        }

        impl LintRule {
            /// All rules, in the order findings of one seriousness are listed.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name under which a rule is silenced in a design's file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// A few words for its chip.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

rules! {
    /// DynamoDB would not make the table.
    RefusedTable => "refused-table", "Table refused";
    /// DynamoDB would refuse the pattern's request.
    RefusedPattern => "refused-pattern", "Refused";
    /// A strongly consistent read is asked of a global index, which has none.
    StrongReadOfGlobalIndex => "strong-read-of-global-index", "Strong read of a GSI";
    /// An expression writes a reserved word out.
    ReservedWord => "reserved-word", "Reserved word";
    /// One key gets more than half of what a partition serves.
    HotKey => "hot-key", "Hot key";
    /// A pattern reads a table or index from end to end.
    ScanOnHotPath => "scan-on-hot-path", "Scan";
    /// A filter throws away more than half of what is read.
    FilterWaste => "filter-waste", "Filter waste";
    /// The design has a local index that the table was made without.
    LateLocalIndex => "late-local-index", "Late LSI";
    /// Items are near 400 KB.
    ItemSizeLimit => "item-size-limit", "400 KB";
    /// An item collection of a table with local indexes is near 10 GB.
    CollectionSizeLimit => "collection-size-limit", "10 GB";
    /// An entity's template for a key of its table is missing.
    MissingKeyTemplate => "missing-key-template", "No key template";
    /// All of an entity's items get one key, since its templates have no slot.
    MissingSlot => "missing-slot", "Missing slot";
    /// Numbers in a sort key are not padded, so that 10 sorts before 9.
    UnpaddedNumber => "unpadded-number", "Unpadded number";
    /// An item could be either of two entities.
    OverlappingEntities => "overlapping-entities", "Overlap";
    /// Many items share few partition keys.
    LowCardinalityKey => "low-cardinality-key", "Few keys";
    /// A partition key is a date, so that all of a day's writes go to one place.
    TimeOrderedKey => "time-ordered-key", "Date as key";
    /// No pattern reads an index.
    UnusedIndex => "unused-index", "Unused index";
    /// An index holds attributes no pattern reads there, and pays for each of their changes.
    OverProjectedIndex => "over-projected-index", "Over-projected";
    /// Updates move entries of an index, each at the price of two writes.
    ChangingIndexKey => "changing-index-key", "Moving entries";
    /// A pattern finds nothing in the sample, so its cost says nothing.
    EmptyAnswer => "empty-answer", "Finds nothing";
}

/// How much a finding hurts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seriousness {
    /// It fails, or will.
    Serious,
    /// It costs money or time.
    Warning,
    /// Good to know.
    Note,
}

impl Seriousness {
    /// The word shown.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Serious => "serious",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A pattern, by number from 1.
    Pattern(u32),
    /// An entity, by its index in the design.
    Entity(usize),
    /// A table.
    Table(String),
    /// An index of a table.
    Index {
        /// The table.
        table: String,
        /// The index.
        index: String,
    },
}

impl Subject {
    /// The subject as a silenced finding names it: by words and names, which outlive a change of order.
    pub fn key(&self, design: &Design) -> String {
        match self {
            Self::Pattern(number) => {
                let at = usize::try_from(*number).unwrap_or(0).checked_sub(1);
                let pattern = at.and_then(|at| design.patterns.get(at));
                format!("pattern {}", pattern.map_or("", |pattern| pattern.words.as_str()))
            }
            Self::Entity(at) => {
                let entity = design.entities.get(*at);
                format!("entity {}", entity.map_or("", |entity| entity.name.as_str()))
            }
            Self::Table(table) => format!("table {table}"),
            Self::Index { table, index } => format!("index {table}/{index}"),
        }
    }
}

/// One thing lint found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: LintRule,
    /// How much it hurts.
    pub seriousness: Seriousness,
    /// What it is about.
    pub subject: Subject,
    /// What is wrong and why it hurts, in one or two sentences.
    pub sentence: String,
    /// What shows it: keys, values, figures.
    pub evidence: Vec<String>,
    /// A change that mends it, where one change does.
    pub fix: Option<Fix>,
    /// Why it is fine as it is, if somebody said so.
    pub silenced: Option<String>,
}

impl Finding {
    pub(crate) fn new(
        rule: LintRule,
        seriousness: Seriousness,
        subject: Subject,
        sentence: String,
    ) -> Self {
        Self {
            rule,
            seriousness,
            subject,
            sentence,
            evidence: Vec::new(),
            fix: None,
            silenced: None,
        }
    }

    pub(crate) fn with(mut self, evidence: impl IntoIterator<Item = String>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    pub(crate) fn fixed_by(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }
}

/// Everything lint finds in a design; `suite` has run to its end on it. Most serious first, silenced ones last.
pub fn lint(design: &Design, suite: &PatternSuite) -> Vec<Finding> {
    let mut found = Vec::new();
    table::find(design, suite, &mut found);
    pattern::find(design, suite, &mut found);
    keys::find(design, suite, &mut found);
    index::find(design, suite, &mut found);
    for finding in &mut found {
        let subject = finding.subject.key(design);
        let known = design
            .silenced
            .iter()
            .find(|it| it.rule == finding.rule.name() && it.subject == subject);
        finding.silenced = known.map(|it| it.reason.clone());
    }
    hashrange_types::sorted::sort_by(&mut found, |a, b| {
        let rank = |it: &Finding| (it.silenced.is_some(), it.seriousness, it.rule);
        rank(a).cmp(&rank(b))
    });
    found
}

/// The design in which a finding is silenced for a reason.
///
/// # Errors
/// One sentence if there is no reason.
pub fn silence(design: &Design, finding: &Finding, reason: &str) -> Result<Design, String> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err("Say why it is fine as it is; the reason is kept with the design.".to_owned());
    }
    let mut silenced = speak(design, finding);
    silenced.silenced.push(Silenced {
        rule: finding.rule.name().to_owned(),
        subject: finding.subject.key(design),
        reason: reason.to_owned(),
        ..Silenced::default()
    });
    Ok(silenced)
}

/// The design in which a finding is no longer silenced.
pub fn speak(design: &Design, finding: &Finding) -> Design {
    let subject = finding.subject.key(design);
    let mut changed = design.clone();
    changed.silenced.retain(|it| it.rule != finding.rule.name() || it.subject != subject);
    changed
}

//! `Voice`: how a database speaks to its clients.

use smol_str::SmolStr;

use crate::wording::Wording;

/// The Region of a database that was not told another.
pub const DEFAULT_REGION: SmolStr = SmolStr::new_static("us-east-1");

/// What a database's texts name, and in which edition they are worded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voice {
    /// The Region that ARNs and some messages name, such as `eu-west-2`.
    pub region: SmolStr,
    /// The edition of the messages.
    pub wording: Wording,
}

impl Default for Voice {
    /// `us-east-1`, in today's wording.
    fn default() -> Self {
        Self { region: DEFAULT_REGION, wording: Wording::default() }
    }
}

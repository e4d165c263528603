//! The words that sample items are made of.
//!
//! Invariant: the numbers of first and last names share no divisor, so that names repeat late.

/// 19 first names.
pub(super) const FIRST: [&str; 19] = [
    "Ada", "Bela", "Chidi", "Dana", "Emil", "Farah", "Goran", "Hana", "Ines", "Jonas", "Keiko",
    "Lior", "Mara", "Nils", "Oona", "Pavel", "Rosa", "Samir", "Tove",
];

/// 16 last names.
pub(super) const LAST: [&str; 16] = [
    "Abara", "Berg", "Costa", "Dvorak", "Endo", "Fischer", "Grant", "Horvat", "Ivanov", "Juhl",
    "Kaya", "Lund", "Moreau", "Novak", "Okafor", "Petit",
];

/// 11 words that go before a noun.
pub(super) const BEFORE: [&str; 11] = [
    "Blue", "Quiet", "Northern", "Spare", "Rapid", "Second", "Open", "Coastal", "Small", "Winter",
    "Plain",
];

/// 13 nouns.
pub(super) const NOUN: [&str; 13] = [
    "harbour", "ledger", "garden", "signal", "bridge", "archive", "workshop", "kitchen", "engine",
    "meadow", "library", "canvas", "orchard",
];

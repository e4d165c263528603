//! Capital and small letters, of every script that has them.
//!
//! The standard library's tables hold each letter by itself, in both directions; every visitor of the page would
//! download them: 13 KB gzipped. These are runs of letters that are alike.
//!
//! Invariant: one letter becomes one letter. Where the other form has several letters, as of a ligature, the letter
//! stays as it is; that a letter may have two small forms, as the Greek sigma, is not looked at.
//!
//! Not here: which characters are letters.

/// The small letter of a capital one; any other character is itself.
///
/// ```
/// use hashrange_types::letter_case::small;
/// assert_eq!(['É', 'Ж', 'ß', '7'].map(small), ['é', 'ж', 'ß', '7']);
/// ```
pub fn small(letter: char) -> char {
    let code = letter as u32;
    let run = RUNS.iter().find(|run| run.holds(code));
    run.and_then(|run| char::from_u32(code.wrapping_add_signed(run.to_small))).unwrap_or(letter)
}

/// The capital letter of a small one; any other character is itself.
pub fn capital(letter: char) -> char {
    let code = letter as u32;
    let of = |run: &Run| code.wrapping_add_signed(-run.to_small);
    let run = RUNS.iter().find(|run| run.holds(of(run)));
    run.and_then(|run| char::from_u32(of(run))).unwrap_or(letter)
}

/// True of a letter that has a capital one.
pub fn is_small(letter: char) -> bool {
    capital(letter) != letter
}

/// True of a letter that has a small one.
pub fn is_capital(letter: char) -> bool {
    small(letter) != letter
}

/// A text in small letters.
pub fn lowercase(text: &str) -> String {
    text.chars().map(small).collect()
}

/// A text whose first letter is a capital one.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(capital);
    first.into_iter().chain(letters).collect()
}

/// Capital letters, one or two apart, whose small letters are all as far behind them.
struct Run {
    first: u32,
    last: u32,
    step: u32,
    to_small: i32,
}

impl Run {
    const fn holds(&self, code: u32) -> bool {
        self.first <= code && code <= self.last && (code - self.first).is_multiple_of(self.step)
    }
}

const fn run(first: u32, last: u32, step: u32, to_small: i32) -> Run {
    Run { first, last, step, to_small }
}

/// Source: Unicode 17, simple case mappings.
#[rustfmt::skip]
const RUNS: [Run; 185] = [
    run(0x41, 0x5a, 1, 32), run(0xc0, 0xd6, 1, 32), run(0xd8, 0xde, 1, 32),
    run(0x100, 0x12e, 2, 1), run(0x132, 0x136, 2, 1), run(0x139, 0x147, 2, 1),
    run(0x14a, 0x176, 2, 1), run(0x178, 0x178, 1, -121), run(0x179, 0x17d, 2, 1),
    run(0x181, 0x181, 1, 210), run(0x182, 0x184, 2, 1), run(0x186, 0x186, 1, 206),
    run(0x187, 0x187, 1, 1), run(0x189, 0x18a, 1, 205), run(0x18b, 0x18b, 1, 1),
    run(0x18e, 0x18e, 1, 79), run(0x18f, 0x18f, 1, 202), run(0x190, 0x190, 1, 203),
    run(0x191, 0x191, 1, 1), run(0x193, 0x193, 1, 205), run(0x194, 0x194, 1, 207),
    run(0x196, 0x196, 1, 211), run(0x197, 0x197, 1, 209), run(0x198, 0x198, 1, 1),
    run(0x19c, 0x19c, 1, 211), run(0x19d, 0x19d, 1, 213), run(0x19f, 0x19f, 1, 214),
    run(0x1a0, 0x1a4, 2, 1), run(0x1a6, 0x1a6, 1, 218), run(0x1a7, 0x1a7, 1, 1),
    run(0x1a9, 0x1a9, 1, 218), run(0x1ac, 0x1ac, 1, 1), run(0x1ae, 0x1ae, 1, 218),
    run(0x1af, 0x1af, 1, 1), run(0x1b1, 0x1b2, 1, 217), run(0x1b3, 0x1b5, 2, 1),
    run(0x1b7, 0x1b7, 1, 219), run(0x1b8, 0x1b8, 1, 1), run(0x1bc, 0x1bc, 1, 1),
    run(0x1c4, 0x1c4, 1, 2), run(0x1c5, 0x1c5, 1, 1), run(0x1c7, 0x1c7, 1, 2),
    run(0x1c8, 0x1c8, 1, 1), run(0x1ca, 0x1ca, 1, 2), run(0x1cb, 0x1db, 2, 1),
    run(0x1de, 0x1ee, 2, 1), run(0x1f1, 0x1f1, 1, 2), run(0x1f2, 0x1f4, 2, 1),
    run(0x1f6, 0x1f6, 1, -97), run(0x1f7, 0x1f7, 1, -56), run(0x1f8, 0x21e, 2, 1),
    run(0x220, 0x220, 1, -130), run(0x222, 0x232, 2, 1), run(0x23a, 0x23a, 1, 10795),
    run(0x23b, 0x23b, 1, 1), run(0x23d, 0x23d, 1, -163), run(0x23e, 0x23e, 1, 10792),
    run(0x241, 0x241, 1, 1), run(0x243, 0x243, 1, -195), run(0x244, 0x244, 1, 69),
    run(0x245, 0x245, 1, 71), run(0x246, 0x24e, 2, 1), run(0x370, 0x372, 2, 1),
    run(0x376, 0x376, 1, 1), run(0x37f, 0x37f, 1, 116), run(0x386, 0x386, 1, 38),
    run(0x388, 0x38a, 1, 37), run(0x38c, 0x38c, 1, 64), run(0x38e, 0x38f, 1, 63),
    run(0x391, 0x3a1, 1, 32), run(0x3a3, 0x3ab, 1, 32), run(0x3cf, 0x3cf, 1, 8),
    run(0x3d8, 0x3ee, 2, 1), run(0x3f4, 0x3f4, 1, -60), run(0x3f7, 0x3f7, 1, 1),
    run(0x3f9, 0x3f9, 1, -7), run(0x3fa, 0x3fa, 1, 1), run(0x3fd, 0x3ff, 1, -130),
    run(0x400, 0x40f, 1, 80), run(0x410, 0x42f, 1, 32), run(0x460, 0x480, 2, 1),
    run(0x48a, 0x4be, 2, 1), run(0x4c0, 0x4c0, 1, 15), run(0x4c1, 0x4cd, 2, 1),
    run(0x4d0, 0x52e, 2, 1), run(0x531, 0x556, 1, 48), run(0x10a0, 0x10c5, 1, 7264),
    run(0x10c7, 0x10c7, 1, 7264), run(0x10cd, 0x10cd, 1, 7264), run(0x13a0, 0x13ef, 1, 38864),
    run(0x13f0, 0x13f5, 1, 8), run(0x1c89, 0x1c89, 1, 1), run(0x1c90, 0x1cba, 1, -3008),
    run(0x1cbd, 0x1cbf, 1, -3008), run(0x1e00, 0x1e94, 2, 1), run(0x1e9e, 0x1e9e, 1, -7615),
    run(0x1ea0, 0x1efe, 2, 1), run(0x1f08, 0x1f0f, 1, -8), run(0x1f18, 0x1f1d, 1, -8),
    run(0x1f28, 0x1f2f, 1, -8), run(0x1f38, 0x1f3f, 1, -8), run(0x1f48, 0x1f4d, 1, -8),
    run(0x1f59, 0x1f5f, 2, -8), run(0x1f68, 0x1f6f, 1, -8), run(0x1f88, 0x1f8f, 1, -8),
    run(0x1f98, 0x1f9f, 1, -8), run(0x1fa8, 0x1faf, 1, -8), run(0x1fb8, 0x1fb9, 1, -8),
    run(0x1fba, 0x1fbb, 1, -74), run(0x1fbc, 0x1fbc, 1, -9), run(0x1fc8, 0x1fcb, 1, -86),
    run(0x1fcc, 0x1fcc, 1, -9), run(0x1fd8, 0x1fd9, 1, -8), run(0x1fda, 0x1fdb, 1, -100),
    run(0x1fe8, 0x1fe9, 1, -8), run(0x1fea, 0x1feb, 1, -112), run(0x1fec, 0x1fec, 1, -7),
    run(0x1ff8, 0x1ff9, 1, -128), run(0x1ffa, 0x1ffb, 1, -126), run(0x1ffc, 0x1ffc, 1, -9),
    run(0x2126, 0x2126, 1, -7517), run(0x212a, 0x212a, 1, -8383), run(0x212b, 0x212b, 1, -8262),
    run(0x2132, 0x2132, 1, 28), run(0x2160, 0x216f, 1, 16), run(0x2183, 0x2183, 1, 1),
    run(0x24b6, 0x24cf, 1, 26), run(0x2c00, 0x2c2f, 1, 48), run(0x2c60, 0x2c60, 1, 1),
    run(0x2c62, 0x2c62, 1, -10743), run(0x2c63, 0x2c63, 1, -3814), run(0x2c64, 0x2c64, 1, -10727),
    run(0x2c67, 0x2c6b, 2, 1), run(0x2c6d, 0x2c6d, 1, -10780), run(0x2c6e, 0x2c6e, 1, -10749),
    run(0x2c6f, 0x2c6f, 1, -10783), run(0x2c70, 0x2c70, 1, -10782), run(0x2c72, 0x2c72, 1, 1),
    run(0x2c75, 0x2c75, 1, 1), run(0x2c7e, 0x2c7f, 1, -10815), run(0x2c80, 0x2ce2, 2, 1),
    run(0x2ceb, 0x2ced, 2, 1), run(0x2cf2, 0x2cf2, 1, 1), run(0xa640, 0xa66c, 2, 1),
    run(0xa680, 0xa69a, 2, 1), run(0xa722, 0xa72e, 2, 1), run(0xa732, 0xa76e, 2, 1),
    run(0xa779, 0xa77b, 2, 1), run(0xa77d, 0xa77d, 1, -35332), run(0xa77e, 0xa786, 2, 1),
    run(0xa78b, 0xa78b, 1, 1), run(0xa78d, 0xa78d, 1, -42280), run(0xa790, 0xa792, 2, 1),
    run(0xa796, 0xa7a8, 2, 1), run(0xa7aa, 0xa7aa, 1, -42308), run(0xa7ab, 0xa7ab, 1, -42319),
    run(0xa7ac, 0xa7ac, 1, -42315), run(0xa7ad, 0xa7ad, 1, -42305), run(0xa7ae, 0xa7ae, 1, -42308),
    run(0xa7b0, 0xa7b0, 1, -42258), run(0xa7b1, 0xa7b1, 1, -42282), run(0xa7b2, 0xa7b2, 1, -42261),
    run(0xa7b3, 0xa7b3, 1, 928), run(0xa7b4, 0xa7c2, 2, 1), run(0xa7c4, 0xa7c4, 1, -48),
    run(0xa7c5, 0xa7c5, 1, -42307), run(0xa7c6, 0xa7c6, 1, -35384), run(0xa7c7, 0xa7c9, 2, 1),
    run(0xa7cb, 0xa7cb, 1, -42343), run(0xa7cc, 0xa7da, 2, 1), run(0xa7dc, 0xa7dc, 1, -42561),
    run(0xa7f5, 0xa7f5, 1, 1), run(0xff21, 0xff3a, 1, 32), run(0x10400, 0x10427, 1, 40),
    run(0x104b0, 0x104d3, 1, 40), run(0x10570, 0x1057a, 1, 39), run(0x1057c, 0x1058a, 1, 39),
    run(0x1058c, 0x10592, 1, 39), run(0x10594, 0x10595, 1, 39), run(0x10c80, 0x10cb2, 1, 64),
    run(0x10d50, 0x10d65, 1, 32), run(0x118a0, 0x118bf, 1, 32), run(0x16e40, 0x16e5f, 1, 32),
    run(0x16ea0, 0x16eb8, 1, 27), run(0x1e900, 0x1e921, 1, 34),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks to which Unicode adds no letters any more.
    fn finished_blocks() -> impl Iterator<Item = char> {
        ('\0'..'\u{590}').chain('\u{1e00}'..'\u{2000}')
    }

    fn one(mut letters: impl Iterator<Item = char>) -> Option<char> {
        letters.next().filter(|_| letters.next().is_none())
    }

    #[test]
    fn a_small_letter_is_the_standard_librarys() {
        for letter in '\0'..=char::MAX {
            assert!(
                small(letter) == letter || Some(small(letter)) == one(letter.to_lowercase()),
                "{letter}"
            );
        }
        for letter in finished_blocks() {
            let expected = one(letter.to_lowercase()).unwrap_or(letter);
            assert_eq!(small(letter), expected, "{letter}");
        }
    }

    #[test]
    fn a_capital_letter_becomes_the_small_one_again() {
        for letter in '\0'..=char::MAX {
            assert!(capital(letter) == letter || small(capital(letter)) == letter, "{letter}");
        }
        for letter in finished_blocks() {
            let Some(standard) = one(letter.to_uppercase()) else { continue };
            let is_its_capital = one(standard.to_lowercase()) == Some(letter);
            assert!(!is_its_capital || capital(letter) == standard, "{letter}");
        }
    }

    #[test]
    fn texts_change_letter_by_letter() {
        assert_eq!(lowercase("ÄRGER 12 №É"), "ärger 12 №é");
        assert_eq!(["élan vital", "", "7 up"].map(capitalised), ["Élan vital", "", "7 up"]);
        assert!(is_small('я') && is_capital('Я') && !is_small('7') && !is_capital('7'));
    }
}

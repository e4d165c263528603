//! SplitMix64 and FNV-1a: chance that is the same everywhere.
//!
//! Source: shared lessons, part 4.2; Steele, Lea and Flood, "Fast splittable pseudorandom number generators".

/// A stream of numbers from one seed.
#[derive(Debug, Clone)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n` - 1; `n` must not be 0.
    pub(crate) const fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// An index into a list of `len` entries, which must not be empty.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        let len = u64::try_from(len).expect("a length fits 64 bits");
        usize::try_from(self.below(len)).expect("smaller than a length")
    }
}

/// FNV-1a, 64 bits.
pub(crate) fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_reference() {
        let mut chance = SplitMix64::new(21);
        assert_eq!([chance.next(), chance.next()], [0x06ca_0a95_b7e8_25c7, 0xea4f_ff29_25fe_d5bf]);
        assert_eq!(fnv1a("Work/Project/1/0,1"), 0x7aa4_c8a0_ab81_699a);
    }
}

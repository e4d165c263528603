//! `Random`: where every choice of a case comes from.
//!
//! Invariant: one seed gives the same choices on every machine, 32-bit ones included.

/// A small generator of evenly spread numbers (`SplitMix64`).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The choices of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("counts fit 64 bits");
        usize::try_from(self.next() % n).expect("what is below a count is one")
    }

    /// From `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// One of the choices, of which there is one at least.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// `make`, `percent` times in a hundred.
    pub fn maybe<T>(&mut self, percent: u64, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(percent).then(|| make(self))
    }

    /// From `low` to `high` things.
    pub fn several<T>(
        &mut self,
        low: usize,
        high: usize,
        mut make: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        (0..self.between(low, high)).map(|_| make(self)).collect()
    }
}

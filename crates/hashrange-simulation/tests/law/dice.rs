//! `Dice`: where every choice of a law's script comes from.

use hashrange_simulation::Random;

/// Choices that one seed stands for, the same on every machine.
pub(crate) struct Dice(Random);

impl Dice {
    /// The choices of this seed. A run's own chance comes from another.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Random::new(seed ^ 0xD1CE))
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.below(n as u64)).expect("below a count")
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.0.below((high - low + 1).unsigned_abs())).expect("in between")
    }

    /// True so many times in a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices.
    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// 64 bits.
    pub(crate) fn seed(&mut self) -> u64 {
        self.0.below(u64::MAX)
    }
}

//! Whether two templates have a text in common: both are walked side by side, character class by character class.
//!
//! Invariant: each pair of places is visited once, so it ends whatever the templates.

/// A character or a class of characters; a class that repeats stands for one or more.
#[derive(Debug, Clone)]
pub(super) struct Step {
    class: Class,
    repeats: bool,
}

#[derive(Debug, Clone)]
enum Class {
    One(char),
    Digit,
    AnyBut(String),
}

impl Step {
    pub(super) const fn one(character: char) -> Self {
        Self { class: Class::One(character), repeats: false }
    }

    pub(super) const fn digit(repeats: bool) -> Self {
        Self { class: Class::Digit, repeats }
    }

    pub(super) fn any_but(separators: &str) -> Self {
        Self { class: Class::AnyBut(separators.to_owned()), repeats: true }
    }
}

impl Class {
    /// True if some character is in both.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(a), Self::One(b)) => a == b,
            (Self::One(one), Self::Digit) | (Self::Digit, Self::One(one)) => one.is_ascii_digit(),
            (Self::One(one), Self::AnyBut(not)) | (Self::AnyBut(not), Self::One(one)) => {
                !not.contains(*one)
            }
            _ => true,
        }
    }
}

/// True if some text is walked to its end by both.
pub(super) fn overlap(a: &[Step], b: &[Step]) -> bool {
    let width = b.len() + 1;
    let mut seen = vec![false; (a.len() + 1) * width];
    let mut open = vec![(0, 0)];
    while let Some((at_a, at_b)) = open.pop() {
        if std::mem::replace(&mut seen[at_a * width + at_b], true) {
            continue;
        }
        if at_a == a.len() && at_b == b.len() {
            return true;
        }
        for (class_a, next_a) in moves(a, at_a) {
            for (class_b, next_b) in moves(b, at_b) {
                if class_a.meets(class_b) {
                    open.push((next_a, next_b));
                }
            }
        }
    }
    false
}

/// What may come at a place, and where it leads: the next step, or the last one once more.
fn moves(steps: &[Step], at: usize) -> impl Iterator<Item = (&Class, usize)> + Clone {
    let again = at.checked_sub(1).map(|before| &steps[before]).filter(|step| step.repeats);
    let next = steps.get(at).map(|step| (&step.class, at + 1));
    again.map(|step| (&step.class, at)).into_iter().chain(next)
}

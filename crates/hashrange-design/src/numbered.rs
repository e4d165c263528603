//! Names told apart by a number.

/// The first of `stem 2`, `stem 3` and so on, joined by `separator`, that is free.
pub(crate) fn numbered(stem: &str, separator: &str, is_free: impl Fn(&str) -> bool) -> String {
    (2..=u32::MAX)
        .map(|n| format!("{stem}{separator}{n}"))
        .find(|name| is_free(name))
        .expect("there are fewer names than numbers")
}

//! Names of tables and indexes that DynamoDB would take.
//!
//! Invariant: a name made here has 3 to 255 characters of `[a-zA-Z0-9_.-]` and is free.

use hashrange_types::name::has_name_characters;

use super::repair::Repairs;
use crate::numbered::numbered;

/// Characters a name may have at most.
const NAME_CHARACTERS_MAX: usize = 255;

/// `name`, made valid and free; `fallback` where there is none.
pub(super) fn valid(
    name: Option<&str>,
    fallback: &str,
    taken: &[&str],
    place: &str,
    repairs: &mut Repairs,
) -> String {
    let wanted = name.unwrap_or(fallback);
    let mut cleaned: String =
        wanted
            .chars()
            .map(|c| {
                if c.is_ascii() && has_name_characters(c.encode_utf8(&mut [0; 4])) {
                    c
                } else {
                    '-'
                }
            })
            .take(NAME_CHARACTERS_MAX)
            .collect();
    if cleaned.len() < 3 {
        cleaned = format!("{cleaned}-{}", fallback.trim_end_matches(|c: char| c.is_ascii_digit()));
    }
    let free = free(&cleaned, |name| taken.contains(&name));
    match name {
        None => repairs.note(place, "no name", format!("it is called {free}")),
        Some(name) if name != free => {
            let name: String = name.chars().take(80).collect();
            let why = if cleaned == wanted { "a second" } else { "an invalid" };
            repairs.note(place, format!("{why} name, \"{name}\""), format!("it is called {free}"));
        }
        Some(_) => {}
    }
    free
}

/// `name`, or `name` with a number if it is taken.
pub(super) fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let stem: String = name.chars().take(NAME_CHARACTERS_MAX - 10).collect();
    numbered(&stem, "-", |name| !is_taken(name))
}

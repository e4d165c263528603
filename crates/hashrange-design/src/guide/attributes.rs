//! Attributes typed as a line, `role, since`: what their sample values are is guessed from their names.
//!
//! Invariant: one attribute tells items apart; where the line names none that could, it is put in front.

use crate::document::Entity;
use crate::sample::{Make, SampleAttribute};
use hashrange_types::letter_case::{capital, lowercase, small};

/// Endings and beginnings of names, and what such attributes hold.
const GUESSES: [(&str, Make, &str); 26] = [
    ("email", Make::Email, ""),
    ("name", Make::Title, ""),
    ("subject", Make::Title, ""),
    ("since", Make::Date, "2026-01-01"),
    ("date", Make::Date, "2026-01-01"),
    ("day", Make::Date, "2026-01-01"),
    ("due", Make::Date, "2026-01-01"),
    ("at", Make::Time, "2026-01-01T08:00:00Z"),
    ("time", Make::Time, "2026-01-01T08:00:00Z"),
    ("count", Make::Number, "1 to 99"),
    ("seats", Make::Number, "1 to 99"),
    ("price", Make::Number, "1 to 99"),
    ("total", Make::Number, "1 to 999"),
    ("amount", Make::Number, "1 to 999"),
    ("budget", Make::Number, "1000 to 90000"),
    ("quantity", Make::Number, "1 to 9"),
    ("score", Make::Number, "1 to 999"),
    ("age", Make::Number, "18 to 80"),
    ("status", Make::Pick, "NEW, ACTIVE, DONE"),
    ("role", Make::Pick, "member, lead, guest"),
    ("title", Make::Pick, "engineer, designer, analyst"),
    ("plan", Make::Pick, "basic, team, business"),
    ("kind", Make::Pick, "first, second, third"),
    ("type", Make::Pick, "first, second, third"),
    ("city", Make::Pick, "Lyon, Porto, Turin, Ghent"),
    ("country", Make::Pick, "FR, PT, IT, BE"),
];

/// Entities that are people.
const PEOPLE: [&str; 8] =
    ["employee", "person", "user", "customer", "member", "author", "student", "player"];

/// An attribute of an entity by its name alone.
pub fn attribute_of(entity: &str, name: &str) -> SampleAttribute {
    let lower = lowercase(name);
    let with = |make: Make, with: &str, every| SampleAttribute {
        name: name.to_owned(),
        make,
        with: with.to_owned(),
        every,
    };
    let is_flag = ["is", "has"].iter().any(|start| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(char::is_uppercase))
    });
    if is_flag {
        return with(Make::Text, "yes", Some(6));
    }
    let guess = GUESSES.iter().find(|(end, ..)| lower.ends_with(end));
    match guess {
        Some((_, Make::Title, _)) if PEOPLE.contains(&lowercase(entity).as_str()) => {
            with(Make::Person, "", None)
        }
        Some((_, make, words)) => with(*make, words, None),
        None => with(Make::Pick, "one, two, three", None),
    }
}

/// The attributes of a line, names separated by commas. What was there before keeps its description. `id` is the one
/// that tells items apart; empty to find it. A junction needs none.
pub fn attributes_of_line(
    entity: &str,
    line: &str,
    id: &str,
    before: &[SampleAttribute],
    needs_id: bool,
) -> Vec<SampleAttribute> {
    let mut names: Vec<&str> = Vec::new();
    for name in line.split([',', ';', '\n']).map(str::trim).filter(|it| !it.is_empty()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let own = plain_id(entity);
    let known = before.iter().find(|it| it.make == Make::Id).map(|it| it.name.as_str());
    let stem = lowercase(entity);
    let found = names
        .iter()
        .find(|it| !id.is_empty() && **it == id)
        .or_else(|| names.iter().find(|it| Some(**it) == known))
        .or_else(|| {
            names.iter().find(|it| {
                let name = lowercase(it);
                let name = name.strip_suffix("id").unwrap_or(&name).to_owned();
                name.is_empty() || (name.len() > 1 && stem.starts_with(&name))
            })
        })
        .copied();
    if needs_id && found.is_none() {
        names.insert(0, &own);
    }
    let id = found.unwrap_or(&own);
    let make = |name: &&str| {
        if *name == id {
            return SampleAttribute {
                name: id.to_owned(),
                make: Make::Id,
                ..SampleAttribute::default()
            };
        }
        let known = before.iter().find(|it| it.name == **name && it.make != Make::Id);
        known.cloned().unwrap_or_else(|| attribute_of(entity, name))
    };
    names.iter().map(make).collect()
}

/// The attributes of an entity as a line.
pub fn line_of(entity: &Entity) -> String {
    let attributes = entity.sample.iter().flat_map(|sample| &sample.attributes);
    attributes.into_iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The identifier an entity of this name gets by itself: `Sensor event` is told by `sensorEvent`.
pub fn plain_id(entity: &str) -> String {
    let mut id = String::new();
    let mut begins_word = false;
    for letter in entity.chars() {
        if !letter.is_alphanumeric() {
            begins_word = !id.is_empty();
        } else if begins_word {
            id.push(capital(letter));
            begins_word = false;
        } else if id.is_empty() {
            id.push(small(letter));
        } else {
            id.push(letter);
        }
    }
    if id.is_empty() { "id".to_owned() } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(entity: &str, line: &str) -> Vec<(String, Make)> {
        let made = attributes_of_line(entity, line, "", &[], true);
        made.into_iter().map(|it| (it.name, it.make)).collect()
    }

    #[test]
    fn a_line_finds_or_makes_the_attribute_that_tells_items_apart() {
        assert_eq!(
            line("Organisation", "org, plan"),
            [("org".to_owned(), Make::Id), ("plan".to_owned(), Make::Pick)]
        );
        assert_eq!(
            line("Sensor event", "at"),
            [("sensorEvent".to_owned(), Make::Id), ("at".to_owned(), Make::Time)]
        );
        assert_eq!(line("User", "name, id")[1].1, Make::Id);
    }

    #[test]
    fn a_flag_is_what_only_some_items_have() {
        let flag = attribute_of("Project", "isOnHold");
        assert_eq!((flag.make, flag.every), (Make::Text, Some(6)));
        assert_eq!(attribute_of("Project", "issue").every, None);
        assert_eq!(attribute_of("Employee", "name").make, Make::Person);
    }
}

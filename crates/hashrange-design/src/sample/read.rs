//! Relations and entities' samples out of a design's JSON.

use serde_json::Value;

use super::{EntitySample, MAKES, Make, Relation, RelationKind, SampleAttribute};
use crate::document::DesignError;
use crate::members::{Members, wrong};

/// Reads one of `relations`.
pub(crate) fn read_relation(mut members: Members) -> Result<Relation, DesignError> {
    let from = members.needed_text("from")?;
    let to = members.needed_text("to")?;
    let kind = match members.text("kind")?.as_str() {
        "" | "1-n" => RelationKind::OneToMany,
        "n-m" => RelationKind::ManyToMany,
        other => {
            return Err(wrong(&members.place_of("kind"), "1-n or n-m", &Value::from(other)));
        }
    };
    Ok(Relation { from, to, kind })
}

/// Reads an entity's `sample`.
pub(crate) fn read_sample(members: &mut Members) -> Result<Option<EntitySample>, DesignError> {
    let place = members.place_of("sample");
    let Some(value) = members.take("sample") else { return Ok(None) };
    let mut members = Members::of(value, &place)?;
    let count = members.whole("count")?.unwrap_or(1);
    let is_skewed = match members.take("is_skewed") {
        None => false,
        Some(Value::Bool(truth)) => truth,
        Some(other) => return Err(wrong(&members.place_of("is_skewed"), "true or false", &other)),
    };
    let bytes = match members.list("bytes")?.as_slice() {
        [] => None,
        [low, high] => {
            let whole = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
            let both = whole(low).zip(whole(high)).filter(|(low, high)| low <= high);
            let place = members.place_of("bytes");
            Some(both.ok_or_else(|| wrong(&place, "two whole numbers, smallest first", low))?)
        }
        [first, ..] => {
            return Err(wrong(&members.place_of("bytes"), "two whole numbers", first));
        }
    };
    let list = members.place_of("attributes");
    let mut attributes = Vec::new();
    for (index, value) in members.list("attributes")?.into_iter().enumerate() {
        let mut members = Members::of(value, &format!("{list}[{index}]"))?;
        let word = members.text("make")?;
        let known = MAKES.iter().find(|(_, known)| *known == word);
        let make = match known {
            Some((make, _)) => *make,
            None if word.is_empty() => Make::Text,
            None => {
                let place = members.place_of("make");
                return Err(wrong(&place, "a kind of sample value", &Value::from(word)));
            }
        };
        attributes.push(SampleAttribute {
            name: members.needed_text("name")?,
            make,
            with: members.text("with")?,
            every: members.whole("every")?.filter(|n| *n > 1),
        });
    }
    Ok(Some(EntitySample { count, is_skewed, attributes, bytes }))
}

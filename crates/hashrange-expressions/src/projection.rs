//! `ProjectionPaths`: keeping the named parts of an item.
//!
//! Invariant: the paths are apart: none is another or leads through it.
//!
//! Source: facts 4.8.

use hashrange_types::{AttributeName, AttributeValue, DocumentPath, Item, PathElement};

/// The paths of a ProjectionExpression or AttributesToGet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectionPaths(Vec<DocumentPath>);

impl ProjectionPaths {
    pub(crate) const fn new(paths: Vec<DocumentPath>) -> Self {
        Self(paths)
    }

    /// Whole attributes, as AttributesToGet asks for.
    pub fn top_level(names: Vec<AttributeName>) -> Self {
        Self(names.into_iter().map(DocumentPath::top).collect())
    }

    /// The paths in the order written.
    pub fn paths(&self) -> &[DocumentPath] {
        &self.0
    }

    /// What `item` has at the paths: maps keep the entries named, lists the elements named, closed up and in
    /// ascending order. Paths that lead nowhere are left out, so the result may be empty.
    pub fn project(&self, item: &Item) -> Item {
        project(&self.0, item)
    }
}

/// The parts of `item` at `paths`, in the item's order.
pub(crate) fn project(paths: &[DocumentPath], item: &Item) -> Item {
    let mut kept = Item::new();
    for (name, value) in item {
        let tails: Vec<&[PathElement]> = paths
            .iter()
            .filter(|path| path.attribute == *name)
            .map(|path| path.elements.as_slice())
            .collect();
        if let Some(value) = project_value(&tails, value) {
            kept.insert(name.clone(), value);
        }
    }
    kept
}

/// The parts of `value` at `tails`, or none where there are none.
fn project_value(tails: &[&[PathElement]], value: &AttributeValue) -> Option<AttributeValue> {
    if tails.iter().any(|tail| tail.is_empty()) {
        return Some(value.clone());
    }
    match value {
        AttributeValue::M(entries) => {
            let kept = entries.iter().filter_map(|(name, value)| {
                let tails = behind(
                    tails,
                    |element| matches!(element, PathElement::Entry(entry) if entry == name),
                );
                Some((name.clone(), project_value(&tails, value)?))
            });
            let kept: indexmap::IndexMap<_, _> = kept.collect();
            (!kept.is_empty()).then_some(AttributeValue::M(kept))
        }
        AttributeValue::L(values) => {
            let kept = values.iter().zip(0_u32..).filter_map(|(value, at)| {
                let tails = behind(tails, |element| *element == PathElement::Index(at));
                project_value(&tails, value)
            });
            let kept: Vec<_> = kept.collect();
            (!kept.is_empty()).then_some(AttributeValue::L(kept))
        }
        _ => None,
    }
}

/// What follows in those tails whose first element is wanted.
fn behind<'a>(
    tails: &[&'a [PathElement]],
    is_wanted: impl Fn(&PathElement) -> bool,
) -> Vec<&'a [PathElement]> {
    tails
        .iter()
        .filter_map(|tail| tail.split_first())
        .filter(|(first, _)| is_wanted(first))
        .map(|(_, rest)| rest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{item, l, m, n, projection, s};

    fn sample() -> Item {
        item(&[
            ("pk", s("k")),
            ("m", m(&[("x", s("1")), ("y", m(&[("z", n("2")), ("w", n("3"))]))])),
            ("l", l(&[n("0"), m(&[("a", n("1")), ("b", n("2"))]), n("2")])),
            ("x.y", n("9")),
        ])
    }

    #[track_caller]
    fn check(text: &str, expected: &[(&str, AttributeValue)]) {
        assert_eq!(projection(text).unwrap().project(&sample()), item(expected), "{text}");
    }

    #[test]
    fn only_the_named_paths_are_kept() {
        check("pk", &[("pk", s("k"))]);
        check("m.x, m.y.z", &[("m", m(&[("x", s("1")), ("y", m(&[("z", n("2"))]))]))]);
        check("#dotted", &[("x.y", n("9"))]);
    }

    #[test]
    fn list_elements_close_up_in_ascending_order() {
        check("l[2], l[0]", &[("l", l(&[n("0"), n("2")]))]);
        check("l[7], l[2]", &[("l", l(&[n("2")]))]);
    }

    #[test]
    fn paths_into_one_list_element_are_merged() {
        check("l[1].a, l[1].b", &[("l", l(&[m(&[("a", n("1")), ("b", n("2"))])]))]);
        check("l[1].b, l[2]", &[("l", l(&[m(&[("b", n("2"))]), n("2")]))]);
    }

    #[test]
    fn missing_paths_are_left_out_with_what_would_hold_them() {
        check("nope, m.nope, l[9], pk.x, m.y.z.q", &[]);
        check("m[0], l.x", &[]);
        check("m.nope, pk", &[("pk", s("k"))]);
    }

    #[test]
    fn whole_attributes_are_kept_for_attributes_to_get() {
        let paths = ProjectionPaths::top_level(vec!["pk".into(), "x.y".into(), "nope".into()]);
        assert_eq!(paths.project(&sample()), item(&[("pk", s("k")), ("x.y", n("9"))]));
    }
}

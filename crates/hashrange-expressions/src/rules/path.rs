//! Paths: reserved words, names that must be defined, and paths that must not meet.

use hashrange_types::{AttributeName, DocumentPath, PathElement, limits};
use smol_str::SmolStr;

use crate::bind::Substitutions;
use crate::error::{ExpressionError, Located};
use crate::lexer::Span;
use crate::parser::tree::{RawName, RawOperand, RawPath, RawStep};
use crate::reserved::is_reserved;

/// Levels of a path, its attribute included: 32 are fine and 33 are not, as measured by Alternator.
const LEVELS_MAX: usize = limits::PATH_DEREFERENCES_MAX;

pub(crate) fn check_path_reserved(path: &RawPath) -> Result<(), Located> {
    let entries = path.steps.iter().filter_map(|step| match step {
        RawStep::Entry(name) => Some(name),
        RawStep::Index(_) => None,
    });
    std::iter::once(&path.head).chain(entries).try_for_each(|name| {
        if name.text.starts_with('#') || !is_reserved(name.text) {
            return Ok(());
        }
        Err(ExpressionError::ReservedWord(name.text.to_owned()).at(name.span))
    })
}

pub(crate) fn check_operand_reserved(operand: &RawOperand) -> Result<(), Located> {
    match operand {
        RawOperand::Path(path) => check_path_reserved(path),
        RawOperand::Value(_) => Ok(()),
        RawOperand::Call(call) => call.arguments.iter().try_for_each(check_operand_reserved),
    }
}

/// The path with its `#names` resolved.
pub(crate) fn resolve_path(
    path: &RawPath,
    substitutions: &mut Substitutions,
) -> Result<DocumentPath, Located> {
    let attribute = AttributeName::new(&resolve_name(path.head, substitutions)?);
    let mut elements = Vec::with_capacity(path.steps.len());
    for step in &path.steps {
        elements.push(match step {
            RawStep::Entry(name) => PathElement::Entry(resolve_name(*name, substitutions)?),
            RawStep::Index(digits) => PathElement::Index(digits.text.parse().map_err(|_| {
                ExpressionError::IndexOutOfRange(digits.text.to_owned()).at(digits.span)
            })?),
        });
    }
    let n_levels = 1 + elements.len();
    if n_levels > LEVELS_MAX {
        return Err(ExpressionError::PathTooDeep(n_levels).at(path.span));
    }
    Ok(DocumentPath { attribute, elements })
}

fn resolve_name(name: RawName, substitutions: &mut Substitutions) -> Result<SmolStr, Located> {
    if !name.text.starts_with('#') {
        return Ok(SmolStr::new(name.text));
    }
    substitutions
        .name(name.text)
        .map(SmolStr::new)
        .ok_or_else(|| ExpressionError::UndefinedName(name.text.to_owned()).at(name.span))
}

/// How two paths relate.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    Apart,
    /// Equal, or one leads through the other.
    Overlap,
    /// They take one value as a list and as a map.
    Conflict,
}

pub(crate) fn meeting(a: &DocumentPath, b: &DocumentPath) -> Meeting {
    if a.attribute != b.attribute {
        return Meeting::Apart;
    }
    for pair in a.elements.iter().zip(&b.elements) {
        match pair {
            (PathElement::Entry(a), PathElement::Entry(b)) if a == b => {}
            (PathElement::Index(a), PathElement::Index(b)) if a == b => {}
            (PathElement::Entry(_), PathElement::Index(_))
            | (PathElement::Index(_), PathElement::Entry(_)) => return Meeting::Conflict,
            _ => return Meeting::Apart,
        }
    }
    Meeting::Overlap
}

/// Checks that no two paths overlap, then that none conflict.
pub(crate) fn check_apart(paths: &[(DocumentPath, Span)]) -> Result<(), Located> {
    let mut conflict = None;
    for (at, (second, span)) in paths.iter().enumerate() {
        for (first, _) in &paths[..at] {
            match meeting(first, second) {
                Meeting::Apart => {}
                Meeting::Overlap => {
                    let error = ExpressionError::Overlap(first.clone(), second.clone());
                    return Err(error.at(*span));
                }
                Meeting::Conflict => {
                    conflict.get_or_insert((first, second, *span));
                }
            }
        }
    }
    match conflict {
        None => Ok(()),
        Some((first, second, span)) => {
            Err(ExpressionError::Conflict(first.clone(), second.clone()).at(span))
        }
    }
}

/// Checks the paths of a projection rule by rule and puts names in place.
pub(crate) fn bind_projection(
    tree: &[RawPath],
    substitutions: &mut Substitutions,
) -> Result<Vec<DocumentPath>, Located> {
    tree.iter().try_for_each(check_path_reserved)?;
    let paths: Vec<(DocumentPath, Span)> = tree
        .iter()
        .map(|path| Ok((resolve_path(path, substitutions)?, path.span)))
        .collect::<Result<_, Located>>()?;
    check_apart(&paths)?;
    Ok(paths.into_iter().map(|(path, _)| path).collect())
}

#[cfg(test)]
mod tests {
    use crate::fixture::{complaint, projection};

    #[track_caller]
    fn check(text: &str, message: &str, blamed: &str) {
        let found = complaint(text, projection(text));
        assert_eq!((found.0.as_str(), found.1.as_str()), (message, blamed), "{text}");
    }

    #[test]
    fn a_projection_may_not_name_a_path_twice_nor_a_part_of_another() {
        let overlap = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ";
        check("a, b, a", &format!("{overlap}[a], path two: [a]"), "a");
        check("a.b, a", &format!("{overlap}[a, b], path two: [a]"), "a");
        check("a[1], #a[01]", &format!("{overlap}[a, [1]], path two: [a, [1]]"), "#a[01]");
        assert!(projection("a.b, a.c[0], a.c[1], x").is_ok());
    }

    #[test]
    fn an_overlap_is_reported_before_a_conflict_that_comes_first() {
        let found = complaint("", projection("a.b, a[0], c, c")).0;
        assert!(found.contains("overlap") && found.contains("[c]"), "{found}");
        let found = complaint("", projection("a.b, a[0]")).0;
        assert!(found.contains("conflict"), "{found}");
    }

    #[test]
    fn a_dot_in_what_a_name_stands_for_is_no_step() {
        let paths = projection("#dotted").unwrap();
        assert_eq!(paths.paths()[0].attribute.as_str(), "x.y");
        assert!(paths.paths()[0].is_top_level());
    }

    #[test]
    fn a_path_has_at_most_32_levels() {
        assert!(projection(&format!("a{}", ".b".repeat(31))).is_ok());
        let text = format!("a{}", ".b".repeat(32));
        let message = "The document path has too many nesting levels; nesting levels: 33";
        check(&text, message, &text);
    }

    #[test]
    fn an_index_fits_32_bits() {
        assert!(projection("a[4294967295]").is_ok());
        check(
            "a[4294967296]",
            "List index is not within the allowable range; index: [4294967296]",
            "4294967296",
        );
    }

    #[test]
    fn reserved_words_come_before_undefined_names() {
        let found = complaint("", projection("#nope, Path")).0;
        assert_eq!(found, "Attribute name is a reserved keyword; reserved keyword: Path");
    }
}

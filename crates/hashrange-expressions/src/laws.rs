//! Laws of whole expressions, tried on generated ones: printing and reading gives the same tree, updates leave other
//! attributes alone, and no text makes anything panic.

use std::fmt::Write as _;

use hashrange_types::operation::{ExpressionNames, ExpressionValues};
use hashrange_types::{AttributeValue, DocumentPath, ExpressionParameter, Item, PathElement};
use proptest::prelude::*;

use crate::fixture::{item, l, m, n, ns, s, ss, usual};
use crate::{Comparator, Condition, Operand, Substitutions, tokens};

/// Writes conditions as expressions, names and values behind placeholders.
#[derive(Default)]
pub(crate) struct Printer {
    pub(crate) text: String,
    names: ExpressionNames,
    values: ExpressionValues,
}

impl Printer {
    /// What the placeholders stand for.
    pub(crate) fn substitutions(&self) -> Substitutions<'_> {
        let names = Some(&self.names).filter(|names| !names.is_empty());
        let values = Some(&self.values).filter(|values| !values.is_empty());
        Substitutions::new(names, values).unwrap()
    }

    pub(crate) fn name(&mut self, name: &str) {
        let key = format!("#n{}", self.names.len());
        self.text.push_str(&key);
        self.names.push((key.into(), name.into()));
    }

    pub(crate) fn path(&mut self, path: &DocumentPath) {
        self.name(path.attribute.as_str());
        for element in &path.elements {
            match element {
                PathElement::Entry(name) => {
                    self.text.push('.');
                    self.name(name);
                }
                PathElement::Index(index) => {
                    write!(self.text, "[{index}]").expect("strings take all text");
                }
            }
        }
    }

    pub(crate) fn value(&mut self, value: &AttributeValue) {
        let key = format!(":v{}", self.values.len());
        self.text.push_str(&key);
        self.values.push((key.into(), Ok(value.clone())));
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(operand) => {
                self.text.push_str("size(");
                self.operand(operand);
                self.text.push(')');
            }
        }
    }

    fn call(&mut self, function: &str, operands: &[&Operand]) {
        self.text.push_str(function);
        self.text.push('(');
        for (at, operand) in operands.iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            self.operand(operand);
        }
        self.text.push(')');
    }

    fn joined(&mut self, conditions: &[Condition], joint: &str) {
        for (at, condition) in conditions.iter().enumerate() {
            if at > 0 {
                self.text.push_str(joint);
            }
            self.part(condition);
        }
    }

    fn part(&mut self, condition: &Condition) {
        let is_joined = matches!(condition, Condition::All(_) | Condition::Any(_));
        self.text.push_str(if is_joined { "(" } else { "" });
        self.condition(condition);
        self.text.push_str(if is_joined { ")" } else { "" });
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::All(conditions) => self.joined(conditions, " AND "),
            Condition::Any(conditions) => self.joined(conditions, " or "),
            Condition::Not(condition) => {
                self.text.push_str("NOT ");
                self.part(condition);
            }
            Condition::Compare { comparator, left, right } => {
                self.operand(left);
                self.text.push_str(comparator.symbol());
                self.operand(right);
            }
            Condition::Between { operand, lower, upper } => {
                self.operand(operand);
                self.text.push_str(" BETWEEN ");
                self.operand(lower);
                self.text.push_str(" AND ");
                self.operand(upper);
            }
            Condition::In { operand, candidates } => {
                self.operand(operand);
                self.call(" IN ", &candidates.iter().collect::<Vec<_>>());
            }
            Condition::AttributeExists(path) => {
                self.call("attribute_exists", &[&Operand::Path(path.clone())]);
            }
            Condition::AttributeNotExists(path) => {
                self.call("attribute_not_exists", &[&Operand::Path(path.clone())]);
            }
            Condition::AttributeType { operand, tag } => {
                let tag = Operand::Value(AttributeValue::S(tag.clone()));
                self.call("attribute_type", &[operand, &tag]);
            }
            Condition::BeginsWith { operand, prefix } => {
                self.call("begins_with", &[operand, prefix]);
            }
            Condition::Contains { operand, member } => self.call("contains", &[operand, member]),
        }
    }
}

fn path() -> impl Strategy<Value = DocumentPath> {
    let element = prop_oneof![
        "[a-z.]{1,3}".prop_map(|name| PathElement::Entry(name.into())),
        (0_u32..9).prop_map(PathElement::Index),
    ];
    ("left[a-c]?", prop::collection::vec(element, 0..3))
        .prop_map(|(name, elements)| DocumentPath { attribute: name.as_str().into(), elements })
}

/// Operands of which a left one never equals a right one, and which have an order.
fn right() -> impl Strategy<Value = Operand> {
    prop_oneof![
        "right[a-c]".prop_map(|name| Operand::Path(DocumentPath::top(name.as_str().into()))),
        "[a-c]{0,3}".prop_map(|text| Operand::Value(s(&text))),
        (0_u32..99).prop_map(|number| Operand::Value(n(&number.to_string()))),
        path().prop_map(|path| Operand::Size(Box::new(Operand::Path(path)))),
    ]
}

fn leaf() -> impl Strategy<Value = Condition> {
    let left = || path().prop_map(Operand::Path);
    let comparator = prop::sample::select(vec![
        Comparator::Equal,
        Comparator::NotEqual,
        Comparator::Less,
        Comparator::LessOrEqual,
        Comparator::Greater,
        Comparator::GreaterOrEqual,
    ]);
    let tag = prop::sample::select(vec!["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"]);
    prop_oneof![
        (comparator, left(), right()).prop_map(|(comparator, left, right)| Condition::Compare {
            comparator,
            left,
            right
        }),
        (left(), 0_u32..50, 50_u32..99).prop_map(|(operand, lower, upper)| Condition::Between {
            operand,
            lower: Operand::Value(n(&lower.to_string())),
            upper: Operand::Value(n(&upper.to_string())),
        }),
        (left(), prop::collection::vec(right(), 1..4))
            .prop_map(|(operand, candidates)| Condition::In { operand, candidates }),
        path().prop_map(Condition::AttributeExists),
        path().prop_map(Condition::AttributeNotExists),
        (left(), tag)
            .prop_map(|(operand, tag)| Condition::AttributeType { operand, tag: tag.into() }),
        (left(), "[a-z]{0,3}").prop_map(|(operand, prefix)| Condition::BeginsWith {
            operand,
            prefix: Operand::Value(s(&prefix)),
        }),
        (left(), right()).prop_map(|(operand, member)| Condition::Contains { operand, member }),
    ]
}

fn tree() -> impl Strategy<Value = Condition> {
    leaf().prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::All),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::Any),
            inner.prop_map(|condition| Condition::Not(Box::new(condition))),
        ]
    })
}

fn sample() -> Item {
    item(&[
        ("a", n("1")),
        ("b", s("text")),
        ("l", l(&[n("1"), m(&[("x", s("y"))])])),
        ("m", m(&[("x", l(&[])), ("y", n("2"))])),
        ("t", ss(&["x", "y"])),
        ("u", ns(&["1", "2"])),
    ])
}

/// Text made of pieces of expressions.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "l",
        "m",
        "#a",
        ":one",
        ":a",
        ":ss",
        ":list",
        "=",
        "<>",
        "<",
        ">=",
        "(",
        ")",
        "[0]",
        "[",
        "]",
        ".x",
        ".",
        ",",
        "+",
        "-",
        " AND ",
        " OR ",
        "NOT ",
        " BETWEEN ",
        " IN ",
        "SET ",
        " REMOVE ",
        " ADD ",
        " DELETE ",
        "size(",
        "if_not_exists(",
        "list_append(",
        "contains(",
        "attribute_exists(",
        "status",
        "7",
        "_",
        "!",
        "é",
        " ",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Updates of the sample item that are well formed, on some of its attributes.
fn updates() -> impl Strategy<Value = String> {
    let set = prop::sample::select(vec![
        "a = a + :one",
        "b = :list",
        "l[5] = :a",
        "l[1].x = b",
        "m.z = if_not_exists(q, :one)",
        "m.x[0] = l[0]",
        "l = list_append(l, :list)",
        "t = u",
        "c = m.y - :two",
    ]);
    let remove = prop::sample::select(vec!["a", "b", "l[0]", "m.x", "m.y, t", "u", "nope"]);
    (set, remove).prop_map(|(set, remove)| format!("SET {set} REMOVE {remove}"))
}

proptest! {
    #[test]
    fn reading_a_printed_condition_gives_the_same_tree(condition in tree()) {
        let mut printer = Printer::default();
        printer.condition(&condition);
        let mut substitutions = printer.substitutions();
        let parameter = ExpressionParameter::Condition;
        let parsed = crate::parse_condition(parameter, &printer.text, &mut substitutions);
        prop_assert_eq!(parsed, Ok(condition));
        prop_assert_eq!(substitutions.check_all_used(), Ok(()));
    }

    #[test]
    fn a_trace_agrees_with_the_condition_in_every_part(condition in tree()) {
        let trace = condition.trace(&sample());
        prop_assert_eq!(trace.holds, condition.holds(&sample()));
        let parts: Vec<bool> = trace.children.iter().map(|child| child.holds).collect();
        match condition {
            Condition::All(_) => prop_assert_eq!(trace.holds, parts.iter().all(|holds| *holds)),
            Condition::Any(_) => prop_assert_eq!(trace.holds, parts.iter().any(|holds| *holds)),
            Condition::Not(_) => prop_assert_eq!(vec![!trace.holds], parts),
            _ => prop_assert!(parts.is_empty()),
        }
    }

    #[test]
    fn an_update_leaves_the_attributes_it_does_not_name(text in updates()) {
        let given = usual();
        let Ok(update) = crate::parse_update(&text, &mut given.substitutions()) else { return Ok(()) };
        let before = sample();
        let after = update.apply(&before).unwrap();
        for (name, value) in &before {
            if update.touched_paths().iter().all(|path| path.attribute != *name) {
                prop_assert_eq!(after.get(name.as_str()), Some(value));
            }
        }
        for (name, _) in &after {
            let is_touched = update.touched_paths().iter().any(|path| path.attribute == *name);
            prop_assert!(before.contains(name.as_str()) || is_touched);
        }
    }

    #[test]
    fn no_text_makes_a_parser_or_an_evaluation_panic(text in prop_oneof![pieces(), any::<String>()]) {
        let given = usual();
        let mut substitutions = given.substitutions();
        tokens(&text);
        let parameter = ExpressionParameter::Filter;
        if let Ok(condition) = crate::parse_condition(parameter, &text, &mut substitutions) {
            condition.trace(&sample());
        }
        if let Ok(update) = crate::parse_update(&text, &mut substitutions) {
            let _ = update.apply(&sample()).map(|item| update.fragment(&item));
        }
        if let Ok(paths) = crate::parse_projection(&text, &mut substitutions) {
            paths.project(&sample());
        }
        let _ = crate::parse_key_condition(&text, &mut substitutions);
    }
}

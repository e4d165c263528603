//! Printing and reading gives the same tree: updates, projections and key conditions. Conditions are in `laws`,
//! statements in `partiql::laws`.

use hashrange_types::{
    AttributeName, AttributeValue, DocumentPath, Item, KeyAttribute, KeySchema, PathElement,
    ScalarType,
};
use proptest::prelude::*;

use crate::fixture::{l, n, ns, s, ss};
use crate::laws::Printer;
use crate::{
    ProjectionPaths, ResolvedKeyCondition, SetValue, SortCondition, UpdateAction, UpdateOperand,
};

impl Printer {
    fn update_operand(&mut self, operand: &UpdateOperand) {
        match operand {
            UpdateOperand::Path(path) => self.path(path),
            UpdateOperand::Value(value) => self.value(value),
            UpdateOperand::IfNotExists { path, otherwise } => {
                self.text.push_str("if_not_exists(");
                self.path(path);
                self.text.push_str(", ");
                self.update_operand(otherwise);
                self.text.push(')');
            }
            UpdateOperand::ListAppend(first, second) => {
                self.text.push_str("list_append(");
                self.update_operand(first);
                self.text.push(',');
                self.update_operand(second);
                self.text.push(')');
            }
        }
    }

    fn set_value(&mut self, value: &SetValue) {
        match value {
            SetValue::Operand(operand) => self.update_operand(operand),
            SetValue::Sum(left, right) => {
                self.update_operand(left);
                self.text.push_str(" + ");
                self.update_operand(right);
            }
            SetValue::Difference(left, right) => {
                self.update_operand(left);
                self.text.push_str(" - ");
                self.update_operand(right);
            }
        }
    }

    fn action(&mut self, action: &UpdateAction) {
        self.path(action.path());
        match action {
            UpdateAction::Set { value, .. } => {
                self.text.push_str(" = ");
                self.set_value(value);
            }
            UpdateAction::Remove { .. } => {}
            UpdateAction::Add { value, .. } | UpdateAction::Delete { value, .. } => {
                self.text.push(' ');
                self.value(value);
            }
        }
    }

    /// Actions of one section stand together.
    fn update(&mut self, actions: &[UpdateAction]) {
        let mut before = "";
        for action in actions {
            let section = section(action);
            self.text.push_str(if section == before { ", " } else { section });
            before = section;
            self.action(action);
        }
    }

    fn sort(&mut self, name: &AttributeName, condition: &SortCondition) {
        let compared = |printer: &mut Self, symbol: &str, value: &AttributeValue| {
            printer.name(name.as_str());
            printer.text.push_str(symbol);
            printer.value(value);
        };
        match condition {
            SortCondition::Equal(value) => compared(self, " = ", value),
            SortCondition::Less(value) => compared(self, " < ", value),
            SortCondition::LessOrEqual(value) => compared(self, " <= ", value),
            SortCondition::Greater(value) => compared(self, " > ", value),
            SortCondition::GreaterOrEqual(value) => compared(self, " >= ", value),
            SortCondition::Between(low, high) => {
                compared(self, " BETWEEN ", low);
                self.text.push_str(" AND ");
                self.value(high);
            }
            SortCondition::BeginsWith(prefix) => {
                self.text.push_str("begins_with(");
                compared(self, ", ", prefix);
                self.text.push(')');
            }
        }
    }
}

const fn section(action: &UpdateAction) -> &'static str {
    match action {
        UpdateAction::Set { .. } => " SET ",
        UpdateAction::Remove { .. } => " REMOVE ",
        UpdateAction::Add { .. } => " ADD ",
        UpdateAction::Delete { .. } => " DELETE ",
    }
}

/// A path that begins with this letter.
fn path_from(letter: char) -> impl Strategy<Value = DocumentPath> {
    let element = prop_oneof![
        "[a-z.]{1,3}".prop_map(|name| PathElement::Entry(name.into())),
        (0_u32..9).prop_map(PathElement::Index),
    ];
    ("[a-c]?", prop::collection::vec(element, 0..3)).prop_map(move |(name, elements)| {
        DocumentPath { attribute: format!("{letter}{name}").as_str().into(), elements }
    })
}

fn number() -> impl Strategy<Value = UpdateOperand> {
    prop_oneof![
        (0_u32..99).prop_map(|number| UpdateOperand::Value(n(&number.to_string()))),
        path_from('r').prop_map(UpdateOperand::Path),
        (path_from('r'), path_from('o')).prop_map(|(path, otherwise)| {
            UpdateOperand::IfNotExists { path, otherwise: Box::new(UpdateOperand::Path(otherwise)) }
        }),
    ]
}

fn list() -> impl Strategy<Value = UpdateOperand> {
    prop_oneof![
        Just(UpdateOperand::Value(l(&[n("1"), s("x")]))),
        path_from('r').prop_map(UpdateOperand::Path),
        path_from('r').prop_map(|path| UpdateOperand::IfNotExists {
            path,
            otherwise: Box::new(UpdateOperand::Value(l(&[])))
        }),
    ]
}

fn set_value() -> impl Strategy<Value = SetValue> {
    prop_oneof![
        number().prop_map(SetValue::Operand),
        "[a-c]{0,3}".prop_map(|text| SetValue::Operand(UpdateOperand::Value(s(&text)))),
        (number(), number()).prop_map(|(left, right)| SetValue::Sum(left, right)),
        (number(), number()).prop_map(|(left, right)| SetValue::Difference(left, right)),
        (list(), list()).prop_map(|(first, second)| {
            SetValue::Operand(UpdateOperand::ListAppend(Box::new(first), Box::new(second)))
        }),
    ]
}

/// Actions on attributes that are all different, section by section.
fn actions() -> impl Strategy<Value = Vec<UpdateAction>> {
    let action = |letter: char| {
        prop_oneof![
            (path_from(letter), set_value())
                .prop_map(|(path, value)| UpdateAction::Set { path, value }),
            path_from(letter).prop_map(|path| UpdateAction::Remove { path }),
            path_from(letter).prop_map(|path| UpdateAction::Add { path, value: ns(&["1", "2"]) }),
            path_from(letter).prop_map(|path| UpdateAction::Add { path, value: n("5") }),
            path_from(letter).prop_map(|path| UpdateAction::Delete { path, value: ss(&["x"]) }),
        ]
    };
    let all = ('g'..='k').map(action).collect::<Vec<_>>();
    let order = Just([" SET ", " REMOVE ", " ADD ", " DELETE "]).prop_shuffle();
    (all, 1_usize..=5, order).prop_map(|(mut actions, n_actions, order)| {
        actions.truncate(n_actions);
        actions.sort_by_key(|action| order.iter().position(|word| *word == section(action)));
        actions
    })
}

fn key_schema() -> KeySchema {
    let attribute = |name: &str, scalar| KeyAttribute { name: AttributeName::new(name), scalar };
    KeySchema {
        partition: vec![attribute("p.1", ScalarType::S), attribute("p2", ScalarType::N)],
        sort: vec![attribute("status", ScalarType::N), attribute("last", ScalarType::S)],
    }
}

fn sort_condition() -> impl Strategy<Value = SortCondition> {
    ("[b-y]{1,3}", 0_u8..7).prop_map(|(text, kind)| {
        let value = s(&text);
        match kind {
            0 => SortCondition::Equal(value),
            1 => SortCondition::Less(value),
            2 => SortCondition::LessOrEqual(value),
            3 => SortCondition::Greater(value),
            4 => SortCondition::GreaterOrEqual(value),
            5 => SortCondition::Between(value, s("z")),
            _ => SortCondition::BeginsWith(value),
        }
    })
}

proptest! {
    #[test]
    fn reading_a_printed_update_gives_the_same_actions(actions in actions()) {
        let mut printer = Printer::default();
        printer.update(&actions);
        let mut substitutions = printer.substitutions();
        let read = crate::parse_update(&printer.text, &mut substitutions);
        let read = read.map(|update| update.actions().to_vec());
        prop_assert_eq!(read.as_ref(), Ok(&actions), "{}", &printer.text);
        prop_assert_eq!(substitutions.check_all_used(), Ok(()));
    }

    #[test]
    fn reading_a_printed_projection_gives_the_same_paths(
        paths in ('g'..='m').map(path_from).collect::<Vec<_>>(),
        n_paths in 1_usize..=7,
    ) {
        let paths = &paths[..n_paths];
        let mut printer = Printer::default();
        for (at, path) in paths.iter().enumerate() {
            printer.text.push_str(if at == 0 { "" } else { " , " });
            printer.path(path);
        }
        let mut substitutions = printer.substitutions();
        let read = crate::parse_projection(&printer.text, &mut substitutions);
        prop_assert_eq!(read.as_ref().map(ProjectionPaths::paths), Ok(paths), "{}", &printer.text);
        prop_assert_eq!(substitutions.check_all_used(), Ok(()));
    }

    #[test]
    fn reading_a_printed_key_condition_gives_the_same_condition(
        partition in ("[a-c]{1,3}", 0_u32..99),
        prefix in 0_u32..99,
        sort in sort_condition(),
        order in Just([0_usize, 1, 2, 3]).prop_shuffle(),
    ) {
        let schema = key_schema();
        let (first, second) = (s(&partition.0), n(&partition.1.to_string()));
        let sort_attribute = AttributeName::new("last");
        let parts = [
            (AttributeName::new("p.1"), SortCondition::Equal(first.clone())),
            (AttributeName::new("p2"), SortCondition::Equal(second.clone())),
            (AttributeName::new("status"), SortCondition::Equal(n(&prefix.to_string()))),
            (sort_attribute.clone(), sort.clone()),
        ];
        let mut printer = Printer::default();
        for (at, part) in order.into_iter().enumerate() {
            printer.text.push_str(if at == 0 { "" } else { " AND " });
            printer.sort(&parts[part].0, &parts[part].1);
        }
        let mut substitutions = printer.substitutions();
        let read = crate::parse_key_condition(&printer.text, &mut substitutions)
            .and_then(|condition| condition.resolve(&schema));
        let names = [AttributeName::new("p.1"), AttributeName::new("p2")];
        let expected = ResolvedKeyCondition {
            partition: names.into_iter().zip([first, second]).collect::<Item>(),
            sort_prefix: vec![(AttributeName::new("status"), n(&prefix.to_string()))],
            sort: Some(sort),
            sort_attribute: Some(sort_attribute),
        };
        prop_assert_eq!(read, Ok(expected), "{}", &printer.text);
        prop_assert_eq!(substitutions.check_all_used(), Ok(()));
    }
}

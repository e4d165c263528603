//! Items in place and in bulk: trees, drafts, copies, find, and text that becomes items.
#![allow(clippy::single_range_in_vec_init, reason = "a list of one range of rows")]

use hashrange_playground::view::{AttributeField, GridRow, Target, TextForm};
use hashrange_playground::{ImportPlan, ItemsTrial, PendingItems, Session};
use proptest::prelude::*;

const TABLE: &str = "OrgDirectory";
const EMPLOYEE: &str = r#"{"PK":{"S":"ORG#1234"},"SK":{"S":"EMPLOYEE#e-07"}}"#;
const ORGANISATION: &str = r#"{"PK":{"S":"ORG#1234"},"SK":{"S":"ORG#1234"}}"#;

fn factory_floor() -> Session {
    Session::open_example("factory-floor", 0).expect("the example opens")
}

fn field(name: &str, kind: &str, text: &str) -> AttributeField {
    AttributeField { name: name.to_owned(), kind: kind.to_owned(), text: text.to_owned() }
}

fn table() -> Target {
    Target { table: TABLE.to_owned(), index: None }
}

fn n_items(session: &Session) -> u64 {
    session.layout(&table(), None).n_items
}

fn seen(session: &Session) -> Vec<u8> {
    session.draft().save()
}

fn tried(session: &Session, items: &PendingItems, plan: &ImportPlan) -> ItemsTrial {
    let mut trial = session.try_import(items, plan, 0).expect("the plan is complete");
    while !trial.step(2) {}
    trial
}

fn read(name: &str, text: &str) -> PendingItems {
    Session::read_items(name, text.as_bytes()).expect("items").expect("items")
}

#[test]
fn a_nested_value_is_opened_changed_and_taken_back() {
    let mut session = factory_floor();
    let before = seen(&session);
    let closed = session.item_lines(TABLE, ORGANISATION, &[]).unwrap();
    let settings = closed.iter().find(|line| line.name == "settings").unwrap();
    assert_eq!(
        (settings.kind, settings.text.as_str(), settings.is_open),
        ("M", "{4}", Some(false))
    );
    let open = session.item_lines(TABLE, ORGANISATION, &["/settings".to_owned()]).unwrap();
    assert_eq!(open.len(), closed.len() + 4);
    let inside = open.iter().find(|line| line.depth == 1).unwrap();
    let mut value = session.field_at(TABLE, ORGANISATION, &inside.path).unwrap();
    (value.kind, value.text) = ("N".to_owned(), "17".to_owned());
    session.set_value(TABLE, ORGANISATION, &inside.path, &value, 0).unwrap();
    assert_eq!(session.undo_label(), Some(format!("changing {}", inside.name)));
    assert_eq!(session.field_at(TABLE, ORGANISATION, &inside.path), Some(value.clone()));
    assert_eq!(session.latest_written().as_deref(), Some(ORGANISATION));
    session.set_value(TABLE, ORGANISATION, &inside.path, &value, 0).unwrap();
    session.undo();
    assert_eq!(seen(&session), before, "what is typed again as it was is no step");
    session.add_value(TABLE, ORGANISATION, "/settings", &field("more", "L", "[]"), 0).unwrap();
    session.add_value(TABLE, ORGANISATION, "/settings/more", &field("", "S", "x"), 0).unwrap();
    session.remove_value(TABLE, ORGANISATION, "/settings/more/0", 0).unwrap();
    session.remove_value(TABLE, ORGANISATION, "/settings/more", 0).unwrap();
    assert_eq!(session.item_lines(TABLE, ORGANISATION, &[]).unwrap(), closed);
    let refusal = session.remove_value(TABLE, ORGANISATION, "/SK", 0).unwrap_err();
    assert_eq!(refusal.name, "ValidationException");
}

#[test]
fn a_draft_of_an_entity_says_what_it_needs_and_is_kept_when_it_has_it() {
    let mut session = factory_floor();
    let n = n_items(&session);
    let mut draft = session.draft_item(TABLE, Some("Project"), Some(EMPLOYEE));
    let slots: Vec<(&str, &str)> =
        draft.slots.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(slots[0].1, "1234", "the collection's key fills its slot: {slots:?}");
    let view = session.draft_view(&draft);
    assert!(view.fields[0].is_key && view.fields[0].made.as_deref() == Some("ORG#1234"));
    assert!(
        view.missing.starts_with("It needs ") && view.missing.contains(slots[1].0),
        "{}",
        view.missing
    );
    let refusal = session.put_draft(&draft, 0).unwrap_err();
    assert_eq!(refusal.message, view.missing);
    assert!(draft.fields.iter().any(|field| field.name == "budget" && field.kind == "N"));
    for (_, text) in draft.slots.iter_mut().skip(1) {
        *text = "77".to_owned();
    }
    assert_eq!(session.draft_view(&draft).missing, "");
    session.put_draft(&draft, 0).unwrap();
    assert_eq!(n_items(&session), n + 1);
    let key = session.latest_written().unwrap();
    assert!(key.contains("PROJECT#") && key.contains("77"), "{key}");
    let refusal = session.put_draft(&draft, 0).unwrap_err();
    assert!(refusal.message.contains("already"), "{}", refusal.message);
    session.undo();
    assert_eq!(n_items(&session), n);
}

#[test]
fn a_draft_without_an_entity_asks_for_the_keys() {
    let session = factory_floor();
    let draft = session.draft_item(TABLE, None, None);
    let names: Vec<&str> = draft.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["PK", "SK"]);
    assert_eq!(session.draft_view(&draft).missing, "It needs PK and SK before it can be kept.");
}

#[test]
fn copies_of_items_take_the_next_free_keys_in_one_step() {
    let mut session = factory_floor();
    let n = n_items(&session);
    let keys = [EMPLOYEE.to_owned(), EMPLOYEE.to_owned(), ORGANISATION.to_owned()];
    session.duplicate_items(TABLE, &keys, 0).unwrap();
    assert_eq!(n_items(&session), n + 3);
    for copy in ["e-08", "e-09"] {
        assert!(session.item_fields(TABLE, &EMPLOYEE.replace("e-07", copy)).is_some(), "{copy}");
    }
    session.undo();
    assert_eq!(n_items(&session), n);
}

#[test]
fn what_is_found_is_what_the_filter_leaves() {
    let session = factory_floor();
    let all = session.layout(&table(), None);
    let rows = session.find(&all, "on_hold");
    assert!(!rows.is_empty());
    for row in &rows {
        let found = session.rows(&all, *row..*row + 1);
        let [GridRow::Item(item)] = found.as_slice() else { panic!("an item") };
        assert!(item.cells.iter().any(|cell| cell.contains("ON_HOLD")), "{item:?}");
        assert_eq!(session.row_of(&all, &item.id), Some(*row));
    }
    let filtered = session.layout_of(&table(), None, "on_hold");
    assert_eq!((filtered.n_shown, filtered.n_items), (Some(rows.len() as u64), all.n_items));
    let shown = session.rows(&filtered, 0..100);
    let n_shown = shown.iter().filter(|row| matches!(row, GridRow::Item(_))).count();
    assert_eq!(n_shown, rows.len());
    let ids = |layout, ranges: Vec<std::ops::Range<u32>>| session.ids(layout, &ranges);
    assert_eq!(
        ids(&filtered, std::iter::once(0..100).collect()),
        ids(&all, rows.iter().map(|row| *row..*row + 1).collect())
    );
    assert_eq!(session.layout_of(&table(), None, "nowhere to be found").n_shown, Some(0));
    let index = Target { index: Some("GSI1".to_owned()), ..table() };
    let layout = session.layout(&index, None);
    let row = session.row_of(&layout, EMPLOYEE).unwrap();
    assert_eq!(session.ids(&layout, &[row..row + 1]), [EMPLOYEE]);
}

#[test]
fn rows_copied_as_text_are_pasted_as_the_same_items() {
    let session = factory_floor();
    let layout = session.layout(&table(), None);
    for form in [TextForm::Json, TextForm::Lines] {
        let text = session.copied(&layout, &[0..100], form);
        let mut emptied = session.clone();
        emptied.delete_items(TABLE, &session.ids(&layout, &[0..100]), 0).unwrap();
        let items = Session::read_pasted(&text).unwrap();
        let plan = emptied.plan_import(&items, TABLE);
        let trial = tried(&emptied, &items, &plan);
        assert_eq!(trial.summary(), "24 items to add");
        emptied.take_import(trial).unwrap();
        assert_eq!(emptied.undo_label().as_deref(), Some("pasting 24 items"));
        let again = emptied.copied(&emptied.layout(&table(), None), &[0..100], form);
        assert!(again == text, "the items are not the same");
    }
    let tabs = session.copied(&layout, &[0..4], TextForm::Tabs);
    assert!(tabs.starts_with("PK\tSK\t"), "{tabs}");
    assert_eq!(tabs.lines().count(), 3, "the names and two items above the next heading");
    let items = Session::read_pasted(&tabs).unwrap();
    assert_eq!(items.summary.split(',').next(), Some("Rows of a spreadsheet"));
}

#[test]
fn rows_that_would_be_refused_are_known_before_anything_changes() {
    let mut session = factory_floor();
    let before = seen(&session);
    let n = n_items(&session);
    let items = read(
        "people.csv",
        "PK,SK,name,seats\n\
         ORG#1234,EMPLOYEE#e-90,New,1\n\
         ORG#1234,EMPLOYEE#e-07,Taken,2\n\
         ORG#1234,EMPLOYEE#e-90,Twice,3\n\
         ORG#1234,,No sort key,4\n\
         ORG#1234,EMPLOYEE#e-91,Other,5\n",
    );
    let mut plan = session.plan_import(&items, TABLE);
    let kinds: Vec<&str> = plan.columns.iter().map(|column| column.kind.as_str()).collect();
    assert_eq!(kinds, ["S", "S", "S", "N"]);
    let trial = tried(&session, &items, &plan);
    assert_eq!(trial.summary(), "2 items to add, 3 left out");
    let places: Vec<&str> = trial.left_out().iter().map(|row| row.place.as_str()).collect();
    assert_eq!(places, ["Line 3", "Line 4", "Line 5"]);
    assert!(trial.left_out()[0].reason.contains("has an item with this key already"));
    assert!(trial.left_out()[1].reason.starts_with("Another row has the same key"));
    assert!(trial.left_out()[2].reason.contains("Missing the key SK"), "{:?}", trial.left_out()[2]);
    assert_eq!(seen(&session), before);
    plan.replaces = true;
    let trial = tried(&session, &items, &plan);
    assert_eq!(trial.summary(), "2 items to add, 2 to replace, 1 left out");
    session.take_import(trial).unwrap();
    assert_eq!(n_items(&session), n + 2);
    assert_eq!(session.undo_label().as_deref(), Some("importing 4 items"));
    session.undo();
    assert_eq!(seen(&session), before);
}

#[test]
fn an_entitys_template_makes_the_keys_from_columns_named_as_its_slots() {
    let session = factory_floor();
    let draft = session.draft_item(TABLE, Some("Employee"), None);
    let header: Vec<&str> = draft.slots.iter().map(|(name, _)| name.as_str()).collect();
    let values: Vec<String> = (0..header.len()).map(|at| format!("x{at}")).collect();
    let items = read("a.csv", &format!("{},name\n{},Ann\n", header.join(","), values.join(",")));
    let plan = session.plan_import(&items, TABLE);
    assert!(plan.entity.is_some(), "an entity is chosen: {header:?}");
    let plan = ImportPlan { entity: Some("Employee".to_owned()), ..plan };
    let trial = tried(&session, &items, &plan);
    assert_eq!((trial.n_ready(), trial.left_out()), (1, [].as_slice()));
    let mut session = session;
    session.take_import(trial).unwrap();
    let key = session.latest_written().unwrap();
    assert!(key.contains("EMPLOYEE#x"), "{key}");
}

#[test]
fn columns_without_the_key_are_no_plan() {
    let session = factory_floor();
    let items = read("a.csv", "name\nAnn\n");
    let plan = session.plan_import(&items, TABLE);
    let problem = session.import_problem(&items, &plan);
    assert!(problem.starts_with("No column gives PK and SK, which every item needs."), "{problem}");
    assert_eq!(session.try_import(&items, &plan, 0).unwrap_err().message, problem);
    let nowhere = session.plan_import(&items, "Nowhere");
    assert!(session.import_problem(&items, &nowhere).starts_with("Items need a table."));
}

#[test]
fn a_batch_goes_into_the_tables_it_names() {
    let session = factory_floor();
    let items = read(
        "batch.json",
        r#"{"RequestItems": {
            "SensorEvents": [{"PutRequest": {"Item": {"PK": {"S": "x"}, "SK": {"S": "y"}}}}],
            "Nowhere": [{"PutRequest": {"Item": {"PK": {"S": "ORG#1"}, "SK": {"S": "new"}}}}]
        }}"#,
    );
    let plan = session.plan_import(&items, TABLE);
    let trial = tried(&session, &items, &plan);
    let text = format!("{} {:?}", trial.summary(), trial.left_out());
    assert!(trial.n_ready() >= 1, "{text}");
    let mut session = session;
    session.take_import(trial).unwrap();
    assert!(session.item_fields(TABLE, r#"{"PK":{"S":"ORG#1"},"SK":{"S":"new"}}"#).is_some());
}

#[test]
fn an_item_of_more_than_400_kb_is_left_out_of_an_import() {
    let session = factory_floor();
    let items = read("a.csv", &format!("PK,SK,bio\na,b,{}\n", "x".repeat(400 * 1_024)));
    let plan = session.plan_import(&items, TABLE);
    let trial = tried(&session, &items, &plan);
    assert!(trial.left_out()[0].reason.contains("maximum allowed size"), "{:?}", trial.left_out());
    assert!(session.clone().take_import(trial).is_err());
}

#[test]
fn neighbours_say_why_they_stand_so() {
    let session = factory_floor();
    let layout = session.layout(&table(), None);
    let row = session.row_of(&layout, EMPLOYEE).unwrap();
    let words = session.order_words(&layout, row).unwrap();
    assert!(
        words.starts_with(
            "EMPLOYEE#e-07 comes before EMPLOYEE#e-12: texts are compared byte by byte"
        ),
        "{words}"
    );
    assert_eq!(layout.order_text, "by the bytes of the text");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_read_as_items_or_refused_in_a_sentence(text in "[\\PC\n\r\t\",;{}\\[\\]:]{0,200}") {
        let session = factory_floor();
        for items in [Some(Session::read_pasted(&text)), Session::read_items("a.csv", text.as_bytes())] {
            match items {
                Some(Ok(items)) => {
                    let plan = session.plan_import(&items, TABLE);
                    if let Ok(mut trial) = session.try_import(&items, &plan, 0) {
                        while !trial.step(50) {}
                    }
                }
                Some(Err(reason)) => prop_assert!(!reason.is_empty()),
                None => {}
            }
        }
    }
}

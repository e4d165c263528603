//! Edits in place: each is one step back, a refused one changes nothing, and tables follow the design.

use hashrange_playground::view::{AttributeField, EntityForm, Refusal, Target};
use hashrange_playground::{
    EntitySample, IndexForm, KeyField, ProjectionForm, Relation, RelationKind, Session, TableForm,
};
use proptest::prelude::*;

const TABLE: &str = "OrgDirectory";
const EMPLOYEE: &str = r#"{"PK":{"S":"ORG#1234"},"SK":{"S":"EMPLOYEE#e-07"}}"#;

fn factory_floor() -> Session {
    Session::open_example("factory-floor", 0).expect("the example opens")
}

fn field(name: &str, kind: &str, text: &str) -> AttributeField {
    AttributeField { name: name.to_owned(), kind: kind.to_owned(), text: text.to_owned() }
}

fn n_items(session: &Session, table: &str) -> u64 {
    let outline = session.outline();
    outline.tables.iter().find(|known| known.name == table).map_or(0, |table| table.n_items)
}

fn text_of(session: &Session, key: &str, name: &str) -> Option<String> {
    let fields = session.item_fields(TABLE, key)?;
    fields.into_iter().find(|field| field.name == name).map(|field| field.text)
}

fn by_name() -> IndexForm {
    IndexForm {
        name: "byName".to_owned(),
        partition: vec![KeyField::text("PK")],
        sort: vec![KeyField::text("name")],
        projection: ProjectionForm::KeysOnly,
        ..IndexForm::default()
    }
}

/// Everything that can be seen of design and items.
fn seen(session: &Session) -> Vec<u8> {
    session.draft().save()
}

#[test]
fn an_attribute_changed_in_place_is_one_step_back() {
    let mut session = factory_floor();
    let before = text_of(&session, EMPLOYEE, "title");
    session.set_attribute(TABLE, EMPLOYEE, &field("title", "S", "Lead"), 0).unwrap();
    assert_eq!(text_of(&session, EMPLOYEE, "title").as_deref(), Some("Lead"));
    assert_eq!(session.undo_label().as_deref(), Some("changing an item of OrgDirectory"));
    assert!(session.undo());
    assert_eq!(text_of(&session, EMPLOYEE, "title"), before);
    assert!(session.redo());
    assert_eq!(text_of(&session, EMPLOYEE, "title").as_deref(), Some("Lead"));
    session.remove_attribute(TABLE, EMPLOYEE, "title", 0).unwrap();
    assert_eq!(text_of(&session, EMPLOYEE, "title"), None);
    assert_eq!(session.history(), []);
}

#[test]
fn a_changed_key_moves_the_item() {
    let mut session = factory_floor();
    let n = n_items(&session, TABLE);
    session.set_attribute(TABLE, EMPLOYEE, &field("SK", "S", "EMPLOYEE#e-99"), 0).unwrap();
    assert_eq!(n_items(&session, TABLE), n);
    assert_eq!(session.item_fields(TABLE, EMPLOYEE), None);
    let moved = EMPLOYEE.replace("e-07", "e-99");
    assert_eq!(text_of(&session, &moved, "name").as_deref(), Some("Ines Moreau"));
}

#[test]
fn a_key_that_another_item_has_is_refused() {
    let mut session = factory_floor();
    let before = seen(&session);
    let key = field("SK", "S", "EMPLOYEE#e-12");
    let Refusal { name, message, .. } =
        session.set_attribute(TABLE, EMPLOYEE, &key, 0).unwrap_err();
    assert_eq!(name, "");
    assert_eq!(
        message,
        "OrgDirectory has an item with the key {\"PK\":{\"S\":\"ORG#1234\"},\"SK\":{\"S\":\"EMPLOYEE#e-12\"}} \
         already. A key belongs to one item: choose another, or change that item."
    );
    assert_eq!(seen(&session), before);
    assert!(!session.can_undo());
}

#[test]
fn what_dynamodb_refuses_is_refused_with_its_words() {
    let mut session = factory_floor();
    for (given, message) in [
        (
            field("SK", "S", ""),
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
             empty string value. Key: SK",
        ),
        (
            field("SK", "N", "7"),
            "One or more parameter values were invalid: Type mismatch for key SK expected: S actual: N",
        ),
        (field("seats", "N", "many"), "The parameter cannot be converted to a numeric value: many"),
    ] {
        let refusal = session.set_attribute(TABLE, EMPLOYEE, &given, 0).unwrap_err();
        assert_eq!((refusal.name, refusal.message.as_str()), ("ValidationException", message));
    }
    let refusal = session.set_attribute(TABLE, EMPLOYEE, &field("tags", "L", "a"), 0).unwrap_err();
    assert_eq!(
        refusal.message,
        "tags must be a list in DynamoDB JSON, such as [{\"S\": \"a\"}], not a."
    );
    let large = field("bio", "S", &"x".repeat(400 * 1_024));
    let refusal = session.set_attribute(TABLE, EMPLOYEE, &large, 0).unwrap_err();
    assert!(refusal.message.contains("Item size has exceeded the maximum allowed size"));
    assert!(!session.can_undo());
}

#[test]
fn items_are_added_and_removed_as_one_step_each() {
    let mut session = factory_floor();
    let n = n_items(&session, TABLE);
    let fields = [
        field("PK", "S", "ORG#1234"),
        field("SK", "S", "EMPLOYEE#new"),
        field("seats", "NS", "1\n2"),
        field("on", "BOOL", "true"),
        field("more", "M", "{\"a\": {\"L\": [{\"NULL\": true}]}}"),
    ];
    session.put_item(TABLE, &fields, None, 0).unwrap();
    assert_eq!(n_items(&session, TABLE), n + 1);
    let new = EMPLOYEE.replace("e-07", "new");
    let kept = session.item_fields(TABLE, &new).unwrap();
    assert_eq!((kept[2].kind.as_str(), kept[2].text.as_str()), ("NS", "1\n2"));
    session.delete_items(TABLE, &[EMPLOYEE.to_owned(), new], 0).unwrap();
    assert_eq!(n_items(&session, TABLE), n - 1);
    assert_eq!(session.undo_label().as_deref(), Some("removing 2 items"));
    session.undo();
    assert_eq!(n_items(&session, TABLE), n + 1);
}

#[test]
fn a_global_index_is_filled_at_once_and_goes_again() {
    let mut session = factory_floor();
    let mut form = session.table_form(TABLE).unwrap();
    form.indexes.push(by_name());
    session.put_table(Some(TABLE), &form, 0).unwrap();
    let target = Target { table: TABLE.to_owned(), index: Some("byName".to_owned()) };
    assert!(session.targets().contains(&target));
    assert_eq!(session.layout(&target, None).n_items, 24);
    assert_eq!(session.rebuilds(), []);
    form.indexes.retain(|index| index.name != "byName");
    session.put_table(Some(TABLE), &form, 0).unwrap();
    assert!(!session.targets().contains(&target));
    session.undo();
    assert!(session.targets().contains(&target));
}

#[test]
fn the_twenty_first_global_index_is_refused() {
    let mut session = factory_floor();
    let mut form = session.table_form(TABLE).unwrap();
    for n in form.indexes.len()..21 {
        form.indexes.push(IndexForm { name: format!("index{n}"), ..by_name() });
    }
    let refusal = session.put_table(Some(TABLE), &form, 0).unwrap_err();
    assert_eq!(refusal.name, "ValidationException");
    assert!(refusal.message.contains("GlobalSecondaryIndex"), "{}", refusal.message);
    assert!(!session.can_undo());
}

#[test]
fn another_key_waits_for_the_table_to_be_made_anew() {
    let mut session = factory_floor();
    let mut form = session.table_form(TABLE).unwrap();
    form.sort = Some(KeyField::text("name"));
    session.put_table(Some(TABLE), &form, 0).unwrap();
    assert_eq!(n_items(&session, TABLE), 24);
    assert!(session.item_fields(TABLE, EMPLOYEE).is_some());
    let rebuilds = session.rebuilds();
    assert_eq!((rebuilds.len(), rebuilds[0].table.as_str()), (1, TABLE));
    let n_lacking = rebuilds[0].n_lacking;
    session.rebuild(TABLE, 0).unwrap();
    assert_eq!(session.rebuilds(), []);
    assert!(n_items(&session, TABLE) <= 24 - n_lacking);
    session.undo();
    assert_eq!(n_items(&session, TABLE), 24);
    assert_eq!(session.rebuilds().len(), 1);
    session.undo();
    assert_eq!(session.rebuilds(), []);
}

#[test]
fn a_new_local_index_waits_too() {
    let mut session = factory_floor();
    let mut form = session.table_form(TABLE).unwrap();
    form.indexes.push(IndexForm { is_local: true, ..by_name() });
    session.put_table(Some(TABLE), &form, 0).unwrap();
    let said = &session.rebuilds()[0].text;
    assert_eq!(
        said,
        "The design gives OrgDirectory other local indexes. A table keeps what it was made with, so it has to be \
         made anew: 24 items can be copied."
    );
}

#[test]
fn a_renamed_table_keeps_its_items_entities_and_patterns() {
    let mut session = factory_floor();
    let mut form = session.table_form(TABLE).unwrap();
    form.name = "Directory".to_owned();
    session.put_table(Some(TABLE), &form, 0).unwrap();
    assert_eq!((n_items(&session, "Directory"), n_items(&session, TABLE)), (24, 0));
    assert_eq!(session.outline().entities[0].table, "Directory");
    let number = session.run_pattern(1, 0);
    assert!(session.entry(number).unwrap().outcome.is_ok());
}

#[test]
fn a_table_from_nothing_takes_items_at_once() {
    let mut session = factory_floor();
    let form = TableForm {
        name: "Notes".to_owned(),
        partition: KeyField { name: "id".to_owned(), scalar: "N".to_owned() },
        ..TableForm::default()
    };
    session.put_table(None, &form, 0).unwrap();
    session.put_item("Notes", &[field("id", "N", "1")], None, 0).unwrap();
    assert_eq!(n_items(&session, "Notes"), 1);
    // The same number written otherwise is the same key.
    session.set_attribute("Notes", r#"{"id":{"N":"1"}}"#, &field("id", "N", "1.0"), 0).unwrap();
    assert_eq!(n_items(&session, "Notes"), 1);
    let refusal = session.put_table(None, &form, 0).unwrap_err();
    assert_eq!(
        refusal.message,
        "The design has a table called Notes already. Choose another name."
    );
    session.remove_table("Notes", 0).unwrap();
    assert!(session.targets().iter().all(|target| target.table != "Notes"));
    session.undo();
    assert_eq!(n_items(&session, "Notes"), 1);
}

#[test]
fn an_entity_is_recognised_as_soon_as_its_template_says_so() {
    let mut session = factory_floor();
    let at = session.outline().entities.iter().position(|it| it.name == "Employee").unwrap();
    let mut form = session.entity_form(at).unwrap();
    form.keys.iter_mut().find(|(name, _)| name == "SK").unwrap().1 = "STAFF#{id}".to_owned();
    session.put_entity(Some(at), &form).unwrap();
    assert_eq!(session.outline().entities[at].n_items, 0);
    session.undo();
    assert_eq!(session.outline().entities[at].n_items, 5);
    let bad = EntityForm { keys: vec![("SK".to_owned(), "STAFF#{".to_owned())], ..form };
    let refusal = session.put_entity(Some(at), &bad).unwrap_err();
    assert_eq!(
        refusal.message,
        "The template of SK cannot be read: the brace at character 7 has no partner."
    );
}

/// One random edit; refusals count as edits that change nothing.
fn edit(session: &mut Session, choice: (u8, u8)) {
    let (kind, which) = choice;
    let key = format!(r#"{{"PK":{{"S":"ORG#1234"}},"SK":{{"S":"EMPLOYEE#e-{which:02}"}}}}"#);
    let mut form = session.table_form(TABLE).unwrap_or_default();
    let _ = match kind % 14 {
        0 => session.set_attribute(TABLE, &key, &field("title", "S", &which.to_string()), 0),
        1 => session.delete_items(TABLE, std::slice::from_ref(&key), 0),
        2 => session.put_item(
            TABLE,
            &[field("PK", "S", "ORG#1234"), field("SK", "S", &format!("EMPLOYEE#e-{which:02}"))],
            None,
            0,
        ),
        3 => {
            form.indexes.push(IndexForm { name: format!("index{}", which % 4), ..by_name() });
            session.put_table(Some(TABLE), &form, 0)
        }
        4 => {
            form.indexes.retain(|index| index.name != format!("index{}", which % 4));
            session.put_table(Some(TABLE), &form, 0)
        }
        5 => {
            session.rename(&format!("Design {which}"));
            Ok(())
        }
        6 => {
            session.remove_entity(usize::from(which % 6));
            Ok(())
        }
        8 => session.set_value(TABLE, &key, "/SK", &field("SK", "S", "EMPLOYEE#moved"), 0),
        9 => session.add_value(TABLE, &key, "", &field("more", "M", "{}"), 0),
        10 => session.add_value(TABLE, &key, "/more", &field("n", "N", &which.to_string()), 0),
        11 => session.remove_value(TABLE, &key, "/name", 0),
        12 => session.duplicate_items(TABLE, std::slice::from_ref(&key), 0),
        13 => {
            let text = format!("PK,SK,n\nORG#1234,EMPLOYEE#e-{which},{which}\nORG#1234,b,2\n");
            let items = Session::read_pasted(&text).expect("rows");
            let plan = session.plan_import(&items, TABLE);
            session.try_import(&items, &plan, 0).and_then(|mut trial| {
                while !trial.step(1) {}
                session.take_import(trial)
            })
        }
        7 => {
            session.move_pattern(usize::from(which % 5), usize::from(which % 7));
            Ok(())
        }
        _ => {
            session.remove_pattern(usize::from(which % 12));
            Ok(())
        }
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn undoing_all_edits_and_making_them_again_leaves_everything_as_it_was(
        choices in proptest::collection::vec((any::<u8>(), 0_u8..24), 1..20),
    ) {
        let mut session = factory_floor();
        let mut states = vec![seen(&session)];
        for choice in choices {
            edit(&mut session, choice);
            let now = seen(&session);
            if states.last() != Some(&now) {
                states.push(now);
            }
        }
        let last = states.last().cloned();
        while session.undo() {}
        prop_assert_eq!(Some(seen(&session)), states.first().cloned());
        while session.redo() {}
        prop_assert_eq!(Some(seen(&session)), last);
        let restored = Session::restore(&session.save()).unwrap();
        prop_assert_eq!(seen(&restored), seen(&session));
    }
}

#[test]
fn a_many_to_many_relation_is_split_by_an_entity_and_sampled() {
    let mut session = factory_floor();
    let names: Vec<String> =
        session.outline().entities.iter().map(|entity| entity.name.clone()).collect();
    let relation =
        |from: &str, to: &str, kind| Relation { from: from.to_owned(), to: to.to_owned(), kind };
    let refusal = session
        .set_relations(&[relation("Project", "Nobody", RelationKind::OneToMany)])
        .unwrap_err();
    assert_eq!(refusal.message, "The design has no entity called Nobody.");
    let lines = [
        relation("Organisation", "Project", RelationKind::OneToMany),
        relation("Organisation", "Employee", RelationKind::OneToMany),
        relation("Project", "Employee", RelationKind::ManyToMany),
    ];
    session.set_relations(&lines).unwrap();
    let refusal = session.split_relation(2, "Project").unwrap_err();
    assert_eq!(
        refusal.message,
        "The entity between Project and Employee needs a name of its own, such as Assignment."
    );
    let at = session.split_relation(2, "Membership").unwrap();
    assert_eq!(at, names.len());
    assert_eq!(session.relations().len(), 4);
    assert!(session.relations().iter().all(|it| it.kind == RelationKind::OneToMany));
    for (at, name) in names.iter().enumerate() {
        let mut form = session.entity_form(at).unwrap();
        let count = match name.as_str() {
            "Organisation" => 2,
            "Project" | "Employee" => 10,
            _ => continue,
        };
        form.sample = Some(EntitySample { count, ..EntitySample::default() });
        session.put_entity(Some(at), &form).unwrap();
    }
    let mut form = session.entity_form(at).unwrap();
    form.keys = vec![
        ("PK".to_owned(), "PROJECT#{project}".to_owned()),
        ("SK".to_owned(), "MEMBER#{employee}".to_owned()),
    ];
    session.put_entity(Some(at), &form).unwrap();
    let mut sampling = session.sampling(1, 0).unwrap();
    assert!(session.clone().take_sample(sampling.clone()).is_err());
    while !sampling.step(7).unwrap() {}
    let text = sampling.text().replace('\u{a0}', " ");
    assert!(text.starts_with("162 items, "), "{text}");
    session.take_sample(sampling).unwrap();
    assert_eq!(n_items(&session, TABLE), 162);
    assert_eq!(session.outline().entities[at].n_items, 120);
    session.undo();
    assert_eq!(n_items(&session, TABLE), 24);
}

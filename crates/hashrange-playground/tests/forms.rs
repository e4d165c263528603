//! The designer's forms: what is typed, what is said of it while it is typed, and the edit it comes to.

use hashrange_playground::view::{FieldKind, FieldView, FormView};
use hashrange_playground::{Arrangement, Form, FormDraft, Session};

fn checked(mut session: Session) -> Session {
    while !session.check_patterns(100).is_done {}
    session
}

fn factory() -> Session {
    checked(Session::open_example("factory-floor", 0).expect("the example opens"))
}

/// A new form's draft with these fields filled in.
fn filled(session: &Session, form: &Form, fields: &[(&str, &str)]) -> FormDraft {
    let mut draft = session.form_draft(form);
    for (name, text) in fields {
        draft.set(name, *text);
    }
    draft
}

fn new_index(table: &str) -> Form {
    Form::Index { table: table.to_owned(), name: None }
}

/// All fields, those in rows included.
fn fields(view: &FormView) -> Vec<FieldView> {
    let mut all = Vec::new();
    for field in &view.fields {
        match &field.kind {
            FieldKind::Row(row) => all.extend(row.clone()),
            _ => all.push(field.clone()),
        }
    }
    all
}

/// Everything a form has to say beside its fields, one line each.
fn said(view: &FormView) -> String {
    let mut lines = vec![view.words.clone()];
    for field in fields(view) {
        lines.push(format!("{}: {}{}", field.label, field.note, field.problem));
        if let FieldKind::Facts(facts) = field.kind {
            lines.extend(facts.iter().map(|fact| format!("{} {}", fact.name, fact.text)));
        }
    }
    lines.join("\n").replace('\u{a0}', " ")
}

#[test]
fn a_form_of_something_there_is_changes_nothing_when_it_is_applied_as_it_was_opened() {
    for card in Session::examples() {
        let mut session = checked(Session::open_example(&card.slug, 0).unwrap());
        let outline = session.outline();
        let tables = outline.tables.iter().map(|it| Form::Table(Some(it.name.clone())));
        let entities = (0..outline.entities.len()).map(|at| Form::Entity(Some(at)));
        let patterns = outline.patterns.iter().map(|it| Form::Pattern(Some(it.number)));
        for form in tables.chain(entities).chain(patterns) {
            let draft = session.form_draft(&form);
            session.apply_form(&form, &draft, 0).unwrap();
            assert_eq!(session.undo_label(), None, "{}: {form:?}", card.slug);
        }
    }
}

#[test]
fn a_pattern_is_edited_by_fields_wherever_they_can_say_it() {
    let session = factory();
    let by_json: Vec<u32> = (1..=9)
        .filter(|n| session.form_draft(&Form::Pattern(Some(*n))).get("mode") == "json")
        .collect();
    // Pattern 9 puts a text that ends in a space, which a field would not keep.
    assert_eq!(by_json, [9]);
}

#[test]
fn a_new_entity_is_checked_while_it_is_typed_and_then_is_in_the_design() {
    let mut session = factory();
    let form = Form::Entity(None);
    let mut draft = filled(&session, &form, &[("name", "Visit"), ("key.PK", "ORG#{org}")]);
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("Visit has no template for SK"), "{text}");
    draft.set("key.SK", "PROJECT#{project}");
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("One key can be both Project and Visit"), "{text}");
    draft.set("key.SK", "VISIT#{n}");
    draft.set("try.n", "7");
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("10 comes before 9. Write it {n:06} to pad it."), "{text}");
    draft.set("key.SK", "VISIT#{n:06}");
    draft.set("try.org", "1234");
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("OrgDirectory PK = ORG#1234, SK = VISIT#000007"), "{text}");
    assert!(text.contains("Nothing is wrong with these templates."), "{text}");
    draft.set("paste", "VISIT#x");
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("VISIT#x does not have the shape VISIT#{n:06}."), "{text}");
    session.apply_form(&form, &draft, 0).unwrap();
    assert_eq!(session.outline().entities.last().unwrap().name, "Visit");
    assert!(session.undo());
    assert_eq!(session.outline().entities.len(), 5);
}

#[test]
fn a_template_that_cannot_be_read_is_refused_at_its_field() {
    let mut session = factory();
    let form = Form::Entity(None);
    let draft = filled(&session, &form, &[("name", "Visit"), ("key.SK", "VISIT#{n")]);
    let refusal = session.apply_form(&form, &draft, 0).unwrap_err();
    assert_eq!(refusal.field, "key.SK");
    assert_eq!(refusal.message, "The brace at character 7 has no partner.");
    let draft = filled(&session, &form, &[("name", "Project")]);
    assert_eq!(session.apply_form(&form, &draft, 0).unwrap_err().field, "name");
}

#[test]
fn an_index_is_tried_says_what_it_would_change_and_is_kept_as_one_step() {
    let mut session = factory();
    let form = new_index("OrgDirectory");
    let draft = filled(&session, &form, &[("name", "nameIndex"), ("partition", "name")]);
    let mut trial = session.try_index("OrgDirectory", None, &draft, 0).unwrap();
    while !trial.step(10) {}
    let text = trial.view(&session).text.replace('\u{a0}', " ");
    assert!(text.starts_with("would serve pattern 7 with 0.5 RCU, not a Scan of 4. "), "{text}");
    let patterns = trial.patterns(&session, &Arrangement::default());
    assert_eq!(patterns.summary, "8 of 9 served well with the draft, 7 without.");
    let row = patterns.groups[0].rows.iter().find(|row| row.number == 7).unwrap();
    assert_eq!(row.was.as_ref().unwrap().operation, "Scan");
    assert_eq!(trial.chart()[0].cells[1].index, "nameIndex");
    assert!(session.outline().tables[0].indexes.iter().all(|it| it.name != "nameIndex"));
    session.apply_form(&form, &draft, 0).unwrap();
    assert!(session.outline().tables[0].indexes.iter().any(|it| it.name == "nameIndex"));
    assert!(session.undo());
    assert!(session.outline().tables[0].indexes.iter().all(|it| it.name != "nameIndex"));
    assert!(!session.can_undo());
}

#[test]
fn an_index_by_an_attribute_that_is_new_fills_the_items_that_its_templates_name() {
    let mut session = factory();
    let form = new_index("OrgDirectory");
    let mut draft = filled(
        &session,
        &form,
        &[("name", "nameIndex"), ("sort", "+"), ("sort.new", "filterName")],
    );
    for (at, entity) in session.outline().entities.iter().enumerate() {
        if matches!(entity.name.as_str(), "Project" | "Organisation" | "Employee") {
            draft.set(&format!("sort.entity.{at}"), format!("{}#{{name}}", entity.name));
        }
    }
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("18 of 24 items; 6 assignments have no filterName."), "{text}");
    assert!(text.contains("other change +"), "{text}");
    session.apply_form(&form, &draft, 0).unwrap();
    let outline = session.outline();
    let index = outline.tables[0].indexes.iter().find(|it| it.name == "nameIndex").unwrap();
    assert_eq!(index.n_entries, 18);
    assert_eq!(outline.entities.iter().map(|it| it.n_items).sum::<u64>(), 64);
}

#[test]
fn the_twenty_first_global_index_is_refused_at_its_name() {
    let mut session = factory();
    let form = new_index("OrgDirectory");
    for n in 0..18 {
        let name = format!("index{n:02}");
        let draft = filled(&session, &form, &[("name", &name), ("partition", "name")]);
        session.apply_form(&form, &draft, 0).unwrap();
    }
    let draft = filled(&session, &form, &[("name", "oneMore"), ("partition", "name")]);
    let refusal = session.apply_form(&form, &draft, 0).unwrap_err();
    assert_eq!(refusal.field, "name");
    assert!(refusal.message.contains("20"), "{}", refusal.message);
}

#[test]
fn another_key_waits_for_the_rebuild_that_undo_takes_back() {
    let mut session = factory();
    let form = Form::Table(Some("OrgDirectory".to_owned()));
    let draft = filled(&session, &form, &[("sort", "name")]);
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("Another key: A table keeps the key it was made with."), "{text}");
    session.apply_form(&form, &draft, 0).unwrap();
    let rebuilds = session.rebuilds();
    assert_eq!(rebuilds.len(), 1);
    assert_eq!(session.outline().tables[0].n_items, 24);
    session.rebuild("OrgDirectory", 0).unwrap();
    assert!(session.rebuilds().is_empty());
    assert!(session.undo());
    assert_eq!(session.rebuilds(), rebuilds);
    assert_eq!(session.outline().tables[0].n_items, 24);
}

#[test]
fn a_table_is_made_with_local_indexes_and_refused_where_dynamodb_does() {
    let mut session = factory();
    let form = Form::Table(None);
    let mut draft = filled(&session, &form, &[("name", "Or")]);
    assert_eq!(session.apply_form(&form, &draft, 0).unwrap_err().field, "name");
    draft.set("name", "Orders");
    draft = session.press_in_form(&form, &draft, "add local");
    draft.set("local.0.name", "byDay");
    assert_eq!(session.apply_form(&form, &draft, 0).unwrap_err().field, "local.0.sort");
    draft.set("local.0.sort", "day");
    draft.set("mode", "provisioned");
    draft.set("read", "many");
    assert_eq!(session.apply_form(&form, &draft, 0).unwrap_err().field, "read");
    draft.set("read", "3");
    session.apply_form(&form, &draft, 0).unwrap();
    let outline = session.outline();
    let table = outline.tables.iter().find(|it| it.name == "Orders").unwrap();
    assert_eq!(table.indexes[0].kind, "local");
    session.remove_formed(&Form::Table(Some("Orders".to_owned())), 0).unwrap();
    assert!(session.outline().tables.iter().all(|it| it.name != "Orders"));
}

#[test]
fn a_pattern_made_by_fields_is_a_test_once_it_states_what_it_expects() {
    let mut session = factory();
    let form = Form::Pattern(None);
    let mut draft = filled(&session, &form, &[("words", "Projects of an organisation")]);
    let refusal = session.apply_form(&form, &draft, 0).unwrap_err();
    assert_eq!((refusal.field.as_str(), refusal.message.as_str()), ("key.PK", "PK needs a value."));
    for (name, text) in
        [("key.PK", "ORG#1234"), ("sort", "begins_with"), ("key.SK", "PROJECT#"), ("items", "9")]
    {
        draft.set(name, text);
    }
    session.apply_form(&form, &draft, 0).unwrap();
    let session = checked(session);
    let table = session.pattern_table(&Arrangement::default());
    let row = table.groups[0].rows.last().unwrap().clone();
    assert_eq!((row.words.as_str(), row.status), ("Projects of an organisation", "served by key"));
    assert!(matches!(row.test, "passed" | "failed"));
}

#[test]
fn a_request_beyond_the_fields_is_edited_as_json_and_stays_whole() {
    let mut session = factory();
    let form = Form::Pattern(Some(4));
    let mut draft = session.form_draft(&form);
    draft = session.press_in_form(&form, &draft, "json");
    assert!(draft.get("json").contains("FilterExpression"), "{}", draft.get("json"));
    let beyond = r##"{"TableName": "OrgDirectory", "FilterExpression": "size(#n) > :n",
        "ExpressionAttributeNames": {"#n": "name"}, "ExpressionAttributeValues": {":n": {"N": "3"}}}"##;
    draft.set("operation", "Scan");
    draft.set("json", beyond);
    draft = session.press_in_form(&form, &draft, "fields");
    assert_eq!(draft.get("mode"), "json");
    let text = said(&session.form_view(&form, &draft));
    assert!(text.contains("says more than fields can show"), "{text}");
    session.apply_form(&form, &draft, 0).unwrap();
    assert_eq!(session.form_draft(&form).get("mode"), "json");
    draft.set("json", "{");
    assert_eq!(session.apply_form(&form, &draft, 0).unwrap_err().field, "json");
}

#[test]
fn rows_of_a_list_close_up_when_one_is_removed() {
    let session = factory();
    let form = Form::Entity(None);
    let mut draft = session.form_draft(&form);
    for name in ["a", "b", "c"] {
        draft = session.press_in_form(&form, &draft, "add attribute");
        let row = draft.get("attribute.n").parse::<usize>().unwrap() - 1;
        draft.set(&format!("attribute.{row}.name"), name);
    }
    draft = session.press_in_form(&form, &draft, "remove attribute.1");
    assert_eq!(draft.get("attribute.n"), "2");
    assert_eq!((draft.get("attribute.0.name"), draft.get("attribute.1.name")), ("a", "c"));
    assert_eq!(draft.get("attribute.2.name"), "");
}

#[test]
fn values_tried_in_the_chart_make_keys_and_a_pasted_key_is_taken_apart() {
    let session = factory();
    let project = session.outline().entities.iter().position(|it| it.name == "Project").unwrap();
    let given = vec![("project".to_owned(), "PROJECT#p-99".to_owned())];
    let row = session.tried_row("OrgDirectory", project, &given).unwrap();
    assert_eq!(row.cells[0].keys[1].text, "PROJECT#p-99");
    let given = vec![("project".to_owned(), "p-7".to_owned())];
    let row = session.tried_row("OrgDirectory", project, &given).unwrap();
    assert_eq!(row.cells[0].keys[1].text, "PROJECT#p-7");
}

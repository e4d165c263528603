//! Designs as files and on the shelf: whatever is in one survives, and a broken file changes nothing.

use hashrange_playground::view::{GridRow, Target};
use hashrange_playground::{IndexForm, KeyField, ProjectionForm, Session, TableForm};
use proptest::prelude::*;

fn reopened(session: &Session) -> Session {
    let pending = Session::read_import("mine.json", session.export_file().as_bytes());
    pending.expect("what was saved is read").into_session(0)
}

fn refusal(text: &str) -> String {
    Session::read_import("mine.json", text.as_bytes()).expect_err("it is broken")
}

#[test]
fn a_design_saved_to_a_file_is_read_back_with_its_data_and_settings() {
    let mut session = Session::first_visit(0);
    for (operation, text) in [
        (
            "UpdateTimeToLive",
            r#"{"TableName":"OrgDirectory","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}}"#,
        ),
        (
            "PutItem",
            r#"{"TableName":"OrgDirectory","Item":{"PK":{"S":"ORG#ü\n\"😀"},"SK":{"S":"A"},"n":{"N":"1E+100"},
            "b":{"B":"AAEC"},"m":{"M":{"l":{"L":[{"NULL":true},{"SS":["a","b"]}]}}}}}"#,
        ),
        ("CreateBackup", r#"{"TableName":"OrgDirectory","BackupName":"one"}"#),
    ] {
        let number = session.run(operation, text, 1_767_225_601_000);
        assert!(session.entry(number).unwrap().outcome.is_ok(), "{operation}");
    }
    let restored = reopened(&session);
    assert_eq!(restored.export_file(), session.export_file());
    assert_eq!(restored.targets(), session.targets());
    for target in session.targets() {
        let rows = |session: &Session| session.rows(&session.layout(&target, None), 0..u32::MAX);
        assert_eq!(rows(&restored), rows(&session));
    }
    assert!(restored.history().is_empty(), "requests stay in the browser");
}

#[test]
fn a_file_can_be_read_by_a_person() {
    let text = Session::first_visit(0).export_file();
    assert!(
        text.starts_with("{\n  \"hashrange\": 1,\n  \"design\": {\n    \"format\": 1,\n"),
        "{text}"
    );
    let is_project = |line: &&str| {
        line.starts_with("    {\"item\":{\"PK\":")
            && line.ends_with("}},")
            && line.contains("PROJECT#p-02")
    };
    assert!(text.lines().any(|line| is_project(&line)), "an item is a line: {text}");
    assert!(text.ends_with("\n  ]\n}\n"));
}

#[test]
fn the_name_of_a_file_is_made_of_the_title() {
    let mut session = Session::first_visit(0);
    assert_eq!(session.export_name(), "factory-floor.hashrange.json");
    for (title, name) in [
        ("  Ärger / \"Shop\"  ", "ärger-shop.hashrange.json"),
        ("", "untitled-design.hashrange.json"),
        ("../..", "design.hashrange.json"),
    ] {
        session.rename(title);
        assert_eq!(session.export_name(), name);
    }
}

#[test]
fn a_newer_or_broken_file_is_refused_with_one_sentence() {
    let text = Session::first_visit(0).export_file();
    assert_eq!(
        refusal(&text.replacen("\"hashrange\": 1", "\"hashrange\": 2", 1)),
        "mine.json cannot be imported. It was saved by a newer version of Hashrange: it has format 2, this page reads format 1. Reload the page to get the newest version. Nothing was changed."
    );
    for (broken, reason) in [
        (text.replacen("\"hashrange\": 1", "\"hashrange\": \"one\"", 1), "must be 1"),
        (text.replacen("\"format\": 1", "\"format\": 9", 1), "This design has format 9"),
        (text.replacen("\"database\"", "\"data\"", 1), "Its database is missing"),
        (text.replacen("\"format\":2", "\"format\":9", 1), "its database has another format"),
        (text.replacen("{\"end\":", "{\"endless\":", 1), "It is damaged: it is nothing that"),
        (text.replacen("\"S\":\"PROJECT#p-02\"", "\"S\":2", 1), "It is damaged: "),
        (text[..text.len() / 2].to_owned(), "This is not JSON"),
    ] {
        let refusal = refusal(&broken);
        assert!(refusal.contains(reason) && refusal.ends_with('.'), "{refusal}");
    }
    let without_an_item: String = text
        .lines()
        .filter(|line| !line.contains("\"PROJECT#p-02\""))
        .fold(String::new(), |text, line| text + line + "\n");
    assert!(
        refusal(&without_an_item).contains("It is damaged"),
        "an item is missing and it is not said"
    );
}

#[test]
fn an_empty_design_is_blank_until_something_is_in_it() {
    let mut session = Session::empty();
    assert!(session.is_blank() && session.targets().is_empty());
    assert_eq!(session.title(), "Untitled design");
    assert!(reopened(&session).is_blank());
    assert!(Session::restore(&session.save()).unwrap().is_blank());
    session.put_table(None, &orders(), 0).unwrap();
    assert!(!session.is_blank());
    session.undo();
    assert!(session.is_blank());
}

#[test]
fn the_shelf_notes_title_items_and_size() {
    let record = Session::first_visit(0).shelf_record(1_234, 77);
    assert_eq!((record.title.as_str(), record.n_items), ("Factory floor", 64));
    assert_eq!((record.n_bytes, record.changed_at, record.deleted_at), (1_234, 77, None));
}

#[test]
fn a_request_that_would_write_is_known_before_it_runs() {
    let session = Session::first_visit(0);
    let key = r#""Key":{"PK":{"S":"ORG#1234"},"SK":{"S":"PROJECT#p-02"}}"#;
    let would = |operation: &str, rest: &str| {
        session.would_change(operation, &format!(r#"{{"TableName":"OrgDirectory"{rest}}}"#), 0)
    };
    assert!(would("DeleteItem", &format!(",{key}")) && would("DeleteTable", ""));
    assert!(!would("Scan", "") && !would("GetItem", &format!(",{key}")) && !would("PutItem", ""));
    let statement =
        r#"{"Statement":"DELETE FROM OrgDirectory WHERE PK='ORG#1234' AND SK='PROJECT#p-02'"}"#;
    assert!(session.would_change("ExecuteStatement", statement, 0));
    assert_eq!(session.history().len(), 1);
}

fn orders() -> TableForm {
    TableForm {
        name: "Orders".to_owned(),
        partition: KeyField::text("PK"),
        sort: Some(KeyField::text("SK")),
        ..TableForm::default()
    }
}

/// One random step of work; refusals count as steps that change nothing.
fn step(session: &mut Session, kind: u8, text: &str) {
    let mut form = session.table_form("Orders").unwrap_or_else(orders);
    let is_new = session.table_form("Orders").is_none();
    let name = (!is_new).then_some("Orders");
    let item = format!(
        r#"{{"TableName":"Orders","Item":{{"PK":{{"S":{text:?}}},"SK":{{"S":"x"}},"n":{{"N":"{kind}"}}}}}}"#
    );
    match kind % 8 {
        0 => session.rename(text),
        1 => {
            form.indexes.push(IndexForm {
                name: format!("by{kind}"),
                partition: vec![KeyField::text("SK")],
                sort: vec![KeyField::text("n")],
                projection: ProjectionForm::KeysOnly,
                ..IndexForm::default()
            });
            let _ = session.put_table(name, &form, 0);
        }
        2 => {
            let _ = session.put_table(name, &form, 0);
        }
        3 => {
            session.run("DeleteItem", &item.replace("Item\"", "Key\""), 0);
        }
        4 => {
            session.undo();
        }
        5 => {
            let pattern = hashrange_playground::view::EntityForm {
                name: text.to_owned(),
                table: "Orders".to_owned(),
                keys: vec![("PK".to_owned(), format!("{text}#{{id}}"))],
                ..Default::default()
            };
            let _ = session.put_entity(None, &pattern);
        }
        6 => {
            let number = session.run("Scan", r#"{"TableName":"Orders"}"#, 0);
            let _ = session.keep_as_pattern(number, text);
        }
        _ => {
            session.run("PutItem", &item, 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_design_survives_save_and_load(
        steps in proptest::collection::vec((any::<u8>(), "[ -~ä😀\n]{0,12}"), 0..24),
    ) {
        let mut session = Session::empty();
        for (kind, text) in steps {
            step(&mut session, kind, &text);
        }
        let file = session.export_file();
        let of_file = reopened(&session);
        prop_assert_eq!(of_file.export_file(), file.clone());
        prop_assert_eq!(of_file.outline().entities, session.outline().entities);
        let kept = Session::restore(&session.save()).unwrap();
        prop_assert_eq!(kept.export_file(), file);
        prop_assert_eq!(kept.history(), session.history());
        for target in session.targets() {
            let rows = |session: &Session, target: &Target| {
                let mut rows = session.rows(&session.layout(target, None), 0..u32::MAX);
                for row in &mut rows {
                    if let GridRow::Item(item) = row {
                        // What the latest write put is marked in the session that wrote it alone.
                        (item.is_written, item.spoken) = (false, String::new());
                    }
                }
                rows
            };
            prop_assert_eq!(rows(&of_file, &target), rows(&session, &target));
            prop_assert_eq!(rows(&kept, &target), rows(&session, &target));
        }
    }

    #[test]
    fn no_damage_to_a_file_makes_reading_it_panic(at in 0_usize..20_000, byte in any::<u8>()) {
        let mut bytes = Session::first_visit(0).export_file().into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Err(reason) = Session::read_import("mine.json", &bytes) {
            prop_assert!(reason.starts_with("mine.json") && reason.ends_with('.'));
        }
    }
}

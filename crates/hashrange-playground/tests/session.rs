//! The session as the page uses it, on the example every screen of the mock shows.

use hashrange_playground::Session;
use hashrange_playground::view::{EntryView, GridRow, OutlineIndex, ReadMark, SegmentKind, Target};
use proptest::prelude::*;

/// Text with plain spaces, as people type them.
fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn factory_floor() -> Session {
    Session::open_example("factory-floor", 0).expect("the example opens")
}

fn table() -> Target {
    Target { table: "OrgDirectory".to_owned(), index: None }
}

fn index(name: &str) -> Target {
    Target { index: Some(name.to_owned()), ..table() }
}

/// Runs a request that must succeed.
fn run(session: &mut Session, operation: &str, text: &str) -> EntryView {
    let number = session.run(operation, text, 0);
    let entry = session.entry(number).expect("it has just run");
    assert!(entry.outcome.is_ok(), "{operation}: {:?}", entry.outcome);
    entry
}

const PUT_NEW: &str = r#"{"TableName": "OrgDirectory", "Item":
    {"PK": {"S": "ORG#1234"}, "SK": {"S": "EMPLOYEE#e-99"}, "name": {"S": "New One"}}}"#;

const ON_HOLD: &str = r##"{"TableName": "OrgDirectory",
    "KeyConditionExpression": "PK = :pk AND begins_with(SK, :sk)",
    "FilterExpression": "#status = :status",
    "ExpressionAttributeNames": {"#status": "status"},
    "ExpressionAttributeValues": {":pk": {"S": "ORG#1234"}, ":sk": {"S": "PROJECT#"}, ":status": {"S": "ON_HOLD"}},
    "Limit": 5}"##;

#[test]
fn a_new_visitor_finds_the_query_of_the_mock_already_run() {
    let session = Session::first_visit(0);
    let entry = session.entry(1).unwrap();
    let result = entry.outcome.unwrap();
    assert_eq!(plain(&result.summary), "2 items in 2 pages");
    let pages: Vec<&str> = result.pages.iter().map(|page| page.text.as_str()).collect();
    assert_eq!(pages, ["5 read, 1 returned", "4 read, 1 returned"]);
    assert_eq!(result.pages[0].end_text, "ended at PROJECT#p-05");
    assert_eq!(result.pages[1].end_text, "no more pages");
    assert_eq!(result.next_page_request, None);
    assert_eq!(
        entry.sentence,
        "Query 1 read 9 items in one band of ORG#1234 and returned 2. The other 7 were filtered out after the read."
    );
    assert_eq!(entry.read_target, Some(table()));
    let table = result.table.unwrap();
    assert_eq!(table.columns[0].name, "SK");
    assert_eq!(table.rows[0].0[0], "PROJECT#p-02");
    assert_eq!(plain(&table.rows[0].1), "2.6 KB");
}

#[test]
fn the_capacity_picture_has_the_numbers_of_the_mock() {
    let entry = Session::first_visit(0).entry(1).unwrap();
    let capacity = entry.capacity.unwrap();
    assert_eq!((capacity.units.as_str(), capacity.unit), ("3.5", "RCU"));
    assert_eq!(capacity.consistency, "eventually consistent");
    let bytes: Vec<Vec<(SegmentKind, u32)>> = capacity
        .bars
        .iter()
        .map(|bar| bar.segments.iter().map(|it| (it.kind, it.bytes)).collect())
        .collect();
    let sum = |page: usize, kinds: &[SegmentKind]| -> u32 {
        let segments = bytes[page].iter().filter(|(kind, _)| kinds.contains(kind));
        segments.map(|(_, bytes)| bytes).sum()
    };
    let read = [SegmentKind::Returned, SegmentKind::Filtered];
    assert_eq!((sum(0, &read), sum(1, &read)), (13_533, 10_869));
    let of = |kind| sum(0, &[kind]) + sum(1, &[kind]);
    assert_eq!(of(SegmentKind::Returned), 5_127);
    assert_eq!(of(SegmentKind::Filtered), 19_275);
    assert_eq!(of(SegmentKind::Rounding), 4_270);
    let captions: Vec<String> = capacity.bars.iter().map(|bar| plain(&bar.caption)).collect();
    assert_eq!(captions, ["page 1: 13.2 KB = 4 units", "page 2: 10.6 KB = 3 units"]);
    assert_eq!(capacity.bars[0].ticks, [0.25, 0.5, 0.75]);
    let legend: Vec<String> = capacity.legend.iter().map(|(_, text)| plain(text)).collect();
    assert_eq!(legend, ["returned 5.0 KB", "read, filtered out 18.8 KB", "rounding 4.2 KB"]);
    assert_eq!(
        plain(&capacity.sentence),
        "Read 23.8 KB to return 5.0 KB: 79 % was filtered out after the read, and you pay for it. The sparse index \
         isOnHold would answer with 0.5 RCU, as far as it holds the attributes."
    );
    let figures: Vec<(String, String)> =
        capacity.comparisons.iter().map(|(label, value)| (label.clone(), plain(value))).collect();
    let expected = [
        ("Strongly consistent", "7 RCU"),
        ("Without Limit", "3 RCU"),
        ("A million calls", "$0.44"),
    ];
    assert_eq!(figures, expected.map(|(label, value)| (label.to_owned(), value.to_owned())));
}

#[test]
fn the_grid_lights_what_was_read_and_marks_the_end_of_the_page() {
    let session = Session::first_visit(0);
    let layout = session.layout(&table(), Some(1));
    let rows = session.rows(&layout, 0..u32::MAX);
    let lit: Vec<(String, ReadMark)> = rows
        .iter()
        .filter_map(|row| match row {
            GridRow::Item(item) => Some((item.sort.rest.clone(), item.read?)),
            _ => None,
        })
        .collect();
    let returned: Vec<&str> = lit
        .iter()
        .filter(|(_, mark)| *mark == ReadMark::Returned)
        .map(|(key, _)| key.as_str())
        .collect();
    assert_eq!(lit.len(), 9);
    assert_eq!(returned, ["p-02", "p-07"]);
    let breaks: Vec<&str> = rows
        .iter()
        .filter_map(|row| match row {
            GridRow::PageBreak { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(breaks, ["Page 1 ends here: Limit 5 reached. LastEvaluatedKey is PROJECT#p-05."]);
    let unlit = session.layout(&table(), None);
    assert_eq!(unlit.tops.len() + 1, layout.tops.len());
}

#[test]
fn the_outline_counts_entities_and_names_kinds_of_indexes() {
    let outline = factory_floor().outline();
    let table = &outline.tables[0];
    assert_eq!((table.name.as_str(), table.n_items), ("OrgDirectory", 24));
    let of = |name: &str| -> &OutlineIndex {
        table.indexes.iter().find(|index| index.name == name).unwrap()
    };
    assert_eq!(
        (of("GSI1").kind, of("GSI1").n_entries, of("GSI1").chip.as_str()),
        ("inverted", 24, "G1")
    );
    assert_eq!(
        (of("isOnHold").kind, of("isOnHold").n_entries, of("isOnHold").chip.as_str()),
        ("sparse", 3, "OH")
    );
    let project = outline.entities.iter().find(|entity| entity.name == "Project").unwrap();
    assert_eq!(
        (project.n_items, project.prefix.as_str(), project.letter.as_str()),
        (11, "PROJECT#", "P")
    );
}

#[test]
fn counts_follow_every_write_and_every_undo() {
    let mut session = factory_floor();
    let employees = |session: &Session| {
        let outline = session.outline();
        outline.entities.iter().find(|entity| entity.name == "Employee").unwrap().n_items
    };
    let before = employees(&session);
    run(&mut session, "PutItem", PUT_NEW);
    assert_eq!(employees(&session), before + 1);
    assert!(session.undo());
    assert_eq!(employees(&session), before);
    assert!(session.redo());
    assert_eq!(employees(&session), before + 1);
}

#[test]
fn an_update_shows_what_the_table_and_each_index_took() {
    let mut session = factory_floor();
    let entry = run(
        &mut session,
        "UpdateItem",
        r##"{"TableName": "OrgDirectory", "Key": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-07"}},
            "UpdateExpression": "SET #n = :n",
            "ExpressionAttributeNames": {"#n": "name"}, "ExpressionAttributeValues": {":n": {"S": "Dock planning"}}}"##,
    );
    let capacity = entry.capacity.unwrap();
    let captions: Vec<String> = capacity.bars.iter().map(|bar| plain(&bar.caption)).collect();
    assert_eq!(captions[0], "base table 2.4 KB = 3");
    assert_eq!(captions[1], "GSI1 2.4 KB = 3");
    assert!(captions[2].starts_with("isOnHold") && captions[2].ends_with("= 1"), "{captions:?}");
    assert_eq!((capacity.units.as_str(), capacity.unit), ("7", "WCU"));
    let of_targets: Vec<String> = capacity
        .by_target
        .iter()
        .map(|(label, units)| format!("{label} {}", plain(units)))
        .collect();
    assert_eq!(&of_targets[..2], ["Base table 3 WCU", "GSI1 3 WCU"]);
    assert!(entry.sentence.starts_with("UpdateItem 1 changed the item ORG#1234 / PROJECT#p-07."));
}

#[test]
fn a_read_that_finds_nothing_says_what_it_cost_and_why() {
    let mut session = factory_floor();
    let query = |key: &str| {
        format!(
            r#"{{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = :pk",
                "ExpressionAttributeValues": {{":pk": {{"S": "{key}"}}}}}}"#
        )
    };
    let entry = run(&mut session, "Query", &query("org#1234"));
    assert_eq!(
        plain(&entry.sentence),
        "Query 1 found nothing, and looking still costs 0.5 RCU. Keys are case-sensitive: there is ORG#1234, but no \
         org#1234."
    );
    assert_eq!(entry.capacity.unwrap().units, "0.5");
    let entry = run(&mut session, "Query", &query("ORG#0"));
    assert!(entry.sentence.ends_with("Nothing has the partition key ORG#0."));
    let entry = run(
        &mut session,
        "GetItem",
        r#"{"TableName": "OrgDirectory", "Key": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-00"}}}"#,
    );
    assert!(
        entry
            .sentence
            .ends_with("There are items under ORG#1234, but none with the sort key PROJECT#p-00."),
        "{}",
        entry.sentence
    );
    assert_eq!(entry.outcome.unwrap().summary, "No item has this key");
}

#[test]
fn a_refusal_has_a_number_an_explanation_and_a_place() {
    let mut session = factory_floor();
    let text = r#"{"TableName": "OrgDirectory", "KeyConditionExpression": "SK = :sk",
        "ExpressionAttributeValues": {":sk": {"S": "😀"}}}"#;
    let number = session.run("Query", text, 0);
    let entry = session.entry(number).unwrap();
    let error = entry.outcome.unwrap_err();
    assert_eq!(error.name, "ValidationException");
    assert_eq!(error.message, "Query condition missed key schema element: PK");
    assert!(error.explanation.starts_with("A Query needs the whole partition key"));
    assert_eq!(entry.capacity, None);
    let row = &session.history()[0];
    assert!(row.is_error);
    assert_eq!(row.outcome_text, "ValidationException");
    assert_eq!(session.check("Query", text).unwrap().message, error.message);
}

#[test]
fn an_error_is_marked_at_its_word() {
    let session = factory_floor();
    let text = ON_HOLD.replace("#status = :status\"", "/* 😀 */status = :status\"");
    let text = text.replace("/* 😀 */", "").replace("\"PROJECT#\"", "\"😀\"");
    let error = session.check("Query", &text).unwrap();
    let place = error.place.expect("the reserved word is in the text");
    let units: Vec<u16> = text.encode_utf16().collect();
    let marked = String::from_utf16(&units[place.start as usize..place.end as usize]).unwrap();
    assert_eq!(marked, "status");
    assert_eq!(place.line, 3);
    assert_eq!(session.check("Query", ON_HOLD), None);
}

#[test]
fn a_false_condition_shows_the_item_and_still_costs() {
    let mut session = factory_floor();
    let number = session.run(
        "PutItem",
        r#"{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "ORG#1234"}},
            "ConditionExpression": "attribute_not_exists(PK)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}"#,
        0,
    );
    let entry = session.entry(number).unwrap();
    let error = entry.outcome.unwrap_err();
    assert_eq!(error.name, "ConditionalCheckFailedException");
    assert!(error.item_json.unwrap().contains("Fenwick Robotics"));
    let capacity = entry.capacity.unwrap();
    assert_eq!((capacity.units.as_str(), capacity.unit), ("1", "WCU"));
    assert!(!session.can_undo());
}

#[test]
fn every_template_runs_on_the_data_it_was_made_from() {
    let targets = factory_floor().targets();
    for target in &targets {
        for operation in [
            "Query",
            "Scan",
            "GetItem",
            "PutItem",
            "UpdateItem",
            "DeleteItem",
            "BatchGetItem",
            "BatchWriteItem",
            "CreateTable",
            "DescribeTable",
            "ListTables",
            "DeleteTable",
        ] {
            let mut session = factory_floor();
            let text = session.template(operation, target, 0);
            assert_eq!(session.check(operation, &text), None, "{operation} on {target:?}: {text}");
            run(&mut session, operation, &text);
        }
    }
    assert_eq!(factory_floor().template("Nonsense", &table(), 0), "{}");
}

#[test]
fn templates_run_on_tables_that_are_empty() {
    let mut session = factory_floor();
    let create = session.template("CreateTable", &table(), 0);
    run(&mut session, "CreateTable", &create);
    let orders = Target { table: "Orders".to_owned(), index: None };
    assert!(session.targets().contains(&orders));
    for operation in [
        "Query",
        "Scan",
        "GetItem",
        "DeleteItem",
        "BatchWriteItem",
        "UpdateItem",
        "PutItem",
        "BatchGetItem",
    ] {
        let text = session.template(operation, &orders, 0);
        run(&mut session, operation, &text);
    }
}

#[test]
fn every_pattern_of_every_example_runs() {
    for card in Session::examples() {
        let mut session = Session::open_example(&card.slug, 0).unwrap();
        assert!(!card.title.is_empty() && card.title == session.title());
        for pattern in session.outline().patterns {
            let number = session.run_pattern(pattern.number, 0);
            let entry = session.entry(number).unwrap();
            assert!(entry.outcome.is_ok(), "{} {}: {:?}", card.slug, pattern.number, entry.outcome);
        }
        assert!(session.outline().patterns.iter().all(|pattern| pattern.units_text.is_some()));
    }
    assert!(Session::open_example("no-such", 0).is_err());
}

#[test]
fn a_pattern_that_is_not_there_is_a_refusal() {
    let mut session = factory_floor();
    let number = session.run_pattern(99, 0);
    assert!(session.entry(number).unwrap().outcome.is_err());
    assert!(session.run_pattern(0, 0) > number);
    assert_eq!(session.next_page(number, 0), None);
    assert_eq!(session.next_page(12_345, 0), None);
    assert_eq!(session.entry(12_345), None);
}

#[test]
fn tables_made_and_deleted_come_back_with_undo() {
    let mut session = factory_floor();
    run(&mut session, "DeleteTable", r#"{"TableName": "OrgDirectory"}"#);
    assert!(!session.targets().contains(&table()));
    assert_eq!(session.undo_label().as_deref(), Some("DeleteTable 1"));
    assert!(session.undo());
    assert_eq!(session.layout(&table(), None).n_items, 24);
    assert_eq!(session.outline(), factory_floor().outline());
    assert!(session.can_redo() && session.redo() && !session.can_redo());
    assert!(!session.targets().contains(&table()));
}

#[test]
fn an_index_tab_shows_the_entries_of_the_index() {
    let session = factory_floor();
    let layout = session.layout(&index("isOnHold"), None);
    assert_eq!(layout.n_items, 3);
    assert_eq!(
        (layout.partition_key.as_str(), layout.sort_key.as_deref()),
        ("PK", Some("isOnHold"))
    );
    let rows = session.rows(&layout, 0..9);
    let item = rows.iter().find_map(|row| match row {
        GridRow::Item(item) => Some(item),
        _ => None,
    });
    assert_eq!(item.unwrap().entity, "Project");
}

#[test]
fn a_saved_session_comes_back_as_it_was() {
    let mut session = Session::first_visit(0);
    run(&mut session, "PutItem", PUT_NEW);
    run(&mut session, "Scan", r#"{"TableName": "OrgDirectory"}"#);
    session.run("Scan", "{", 0);
    let bytes = session.save();

    let restored = Session::restore(&bytes).unwrap();

    assert_eq!(restored.title(), session.title());
    assert_eq!(restored.targets(), session.targets());
    for target in session.targets() {
        let rows = |session: &Session| session.rows(&session.layout(&target, None), 0..u32::MAX);
        // What the latest write put is no longer marked after a reload.
        assert_eq!(rows(&restored), rows(&session.draft()));
    }
    assert_eq!(restored.history(), session.history());
    // The scan saw the data as it is now, so all of it is there again; the query's data has changed since.
    assert_eq!(restored.entry(3), session.entry(3));
    assert_eq!(restored.entry(4), session.entry(4));
    let query = restored.entry(1).unwrap();
    assert_eq!(query.request, session.entry(1).unwrap().request);
    assert_eq!(query.outcome.unwrap_err().name, "Result not kept");
    let again = Session::restore(&restored.save()).unwrap();
    assert_eq!(again.history(), session.history());
    assert_eq!(restored.clone().run("ListTables", "{}", 0), 5);
}

#[test]
fn items_of_a_restored_table_belong_to_the_entities_of_its_source() {
    let mut session = factory_floor();
    let entities = |session: &Session, table: &str| -> Vec<String> {
        let target = Target { table: table.to_owned(), index: None };
        let rows = session.rows(&session.layout(&target, None), 0..u32::MAX);
        let items = rows.into_iter().filter_map(|row| match row {
            GridRow::Item(item) => Some(item.entity),
            _ => None,
        });
        items.collect()
    };
    let number =
        session.run("CreateBackup", r#"{"TableName":"OrgDirectory","BackupName":"one"}"#, 0);
    assert!(session.entry(number).unwrap().outcome.is_ok());
    let text = session.template("RestoreTableFromBackup", &table(), 0);
    session.run("RestoreTableFromBackup", &text, 0);
    let expected = entities(&session, "OrgDirectory");
    assert!(expected.iter().any(|entity| entity == "Project"));
    assert_eq!(entities(&session, "OrgDirectory-restored"), expected);
    run(&mut session, "PutItem", &PUT_NEW.replace("OrgDirectory", "OrgDirectory-restored"));
    let restored = Session::restore(&session.save()).unwrap();
    let after = entities(&restored, "OrgDirectory-restored");
    assert_eq!(after.len(), expected.len() + 1);
    assert_eq!(after, entities(&session, "OrgDirectory-restored"));
    session.undo();
    session.undo();
    assert!(entities(&session, "OrgDirectory-restored").is_empty());
    // A table of another shape is nobody's copy.
    run(
        &mut session,
        "CreateTable",
        r#"{"TableName":"OrgDirectory2","BillingMode":"PAY_PER_REQUEST",
        "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],
        "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}"#,
    );
    run(
        &mut session,
        "PutItem",
        r#"{"TableName":"OrgDirectory2","Item":{"PK":{"S":"ORG#1"},"SK":{"S":"ORG#1"}}}"#,
    );
    assert_eq!(entities(&session, "OrgDirectory2"), [""]);
}

#[test]
fn a_read_with_its_pages_survives_a_reload() {
    let session = Session::first_visit(0);
    let restored = Session::restore(&session.save()).unwrap();
    assert_eq!(restored.entry(1), session.entry(1));
    let rows = |session: &Session| session.rows(&session.layout(&table(), Some(1)), 0..u32::MAX);
    assert_eq!(rows(&restored), rows(&session));
}

#[test]
fn other_versions_and_broken_values_are_refused_with_a_sentence() {
    let bytes = Session::first_visit(0).save();
    let newer = [b"hashrange session 3\n", &bytes[20..]].concat();
    assert!(Session::restore(&newer).unwrap_err().contains("format 3"));
    for length in (0..bytes.len()).step_by(37) {
        assert!(Session::restore(&bytes[..length]).unwrap_err().ends_with('.'));
    }
    assert!(Session::restore(b"{}").is_err());
}

#[test]
fn imports_report_before_anything_changes() {
    let model = br#"{"ModelName": "Pets", "DataModel": [{"TableName": "Pets",
        "KeyAttributes": {"PartitionKey": {"AttributeName": "name", "AttributeType": "S"}},
        "TableData": [{"name": {"S": "Rex"}, "age": {"N": 3}}]}]}"#;
    let pending = Session::read_import("pets.json", model).unwrap();
    let report = pending.report();
    assert_eq!(
        (report.title.as_str(), report.summary.as_str()),
        ("Pets", "1 table, 0 indexes, 1 item")
    );
    assert_eq!(report.repairs.len(), 1);
    let session = pending.into_session(0);
    let pets = Target { table: "Pets".to_owned(), index: None };
    assert_eq!(session.layout(&pets, None).n_items, 1);

    let saved = Session::read_import("mine.hashrange", &session.save()).unwrap();
    assert_eq!(saved.report().summary, "1 table, 0 indexes, 1 item");
    assert_eq!(saved.into_session(0).outline(), session.outline());
}

#[test]
fn foreign_broken_and_huge_files_get_one_sentence() {
    let huge = vec![b' '; 101 * 1_024 * 1_024];
    let deep = "[".repeat(100_000);
    for (name, bytes) in [
        ("empty.json", &b""[..]),
        ("picture.png", &[0x89, b'P', b'N', b'G', 0xFF]),
        ("broken.json", b"{\"DataModel\": ["),
        ("list.json", b"[1, 2]"),
        ("recipe.json", b"{\"seed\": 1, \"groups\": []}"),
        ("package.json", b"{\"name\": \"x\"}"),
        ("newer.json", b"{\"format\": 9}"),
        ("deep.json", deep.as_bytes()),
        ("huge.json", &huge),
    ] {
        let error = Session::read_import(name, bytes).unwrap_err();
        assert!(error.starts_with(name) && error.ends_with('.'), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn undo_and_redo_are_inverse_over_any_writes(writes in proptest::collection::vec((0_u8..4, 0_u8..6), 1..12)) {
        let mut session = factory_floor();
        let picture = |session: &Session| {
            let rows = session.rows(&session.layout(&table(), None), 0..u32::MAX);
            (rows, session.outline().entities)
        };
        let mut pictures = vec![picture(&session)];
        for (kind, key) in writes {
            let key = format!(r#"{{"PK": {{"S": "ORG#9"}}, "SK": {{"S": "PROJECT#{key}"}}}}"#);
            let text = |member: &str| format!(r#"{{"TableName": "OrgDirectory", "{member}": {key}}}"#);
            match kind {
                0 => session.run("DeleteItem", &text("Key"), 0),
                1 => session.run("UpdateItem", &text("Key"), 0),
                _ => session.run("PutItem", &text("Item"), 0),
            };
            let now = picture(&session);
            if pictures.last() != Some(&now) {
                pictures.push(now);
            }
        }
        let mut n_undone = 0;
        while session.can_undo() {
            prop_assert_eq!(&picture(&session), &pictures[pictures.len() - 1 - n_undone]);
            prop_assert!(session.undo());
            n_undone += 1;
        }
        prop_assert_eq!(&picture(&session), &pictures[0]);
        while session.redo() {}
        prop_assert_eq!(Some(&picture(&session)), pictures.last());
    }

    #[test]
    fn no_text_makes_a_session_panic(text in ".{0,60}", operation in "Query|Scan|PutItem|GetItem|Nonsense") {
        let mut session = factory_floor();
        let _ = session.check(&operation, &text);
        let number = session.run(&operation, &text, i64::MAX);
        prop_assert!(session.entry(number).is_some());
        prop_assert!(session.history().len() == 1);
        let _ = Session::read_import(&text, text.as_bytes());
    }

    #[test]
    fn no_damage_to_a_saved_session_makes_it_panic(at in 0_usize..4_000, byte in any::<u8>()) {
        let mut bytes = factory_floor().save();
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = Session::restore(&bytes);
    }

    #[test]
    fn places_of_any_broken_request_are_inside_it(cut in 0_usize..400, insert in "[😀\"{}:,a]{0,3}") {
        let session = factory_floor();
        let cut = (0..=cut.min(ON_HOLD.len())).rev().find(|at| ON_HOLD.is_char_boundary(*at)).unwrap();
        let text = format!("{}{insert}{}", &ON_HOLD[..cut], &ON_HOLD[cut..]);
        if let Some(place) = session.check("Query", &text).and_then(|error| error.place) {
            let n_units = u32::try_from(text.encode_utf16().count()).unwrap();
            prop_assert!(place.start <= place.end && place.end <= n_units);
            prop_assert!(place.line >= 1 && place.column >= 1);
        }
    }
}

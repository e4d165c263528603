//! The designer's views: patterns that run again after each edit, suggestions and findings taken with one click.

use hashrange_playground::{
    Arrangement, FormComparison, FormCondition, PatternColumn, PatternFilter, PatternForm,
    PatternGrouping, Session,
};

fn checked(mut session: Session) -> Session {
    check(&mut session);
    session
}

fn check(session: &mut Session) {
    for _ in 0..10_000 {
        if session.check_patterns(5).is_done {
            return;
        }
    }
    panic!("the patterns come to an end");
}

fn factory_floor() -> Session {
    checked(Session::open_example("factory-floor", 0).expect("the example opens"))
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn status(session: &Session, number: u32) -> &'static str {
    let table = session.pattern_table(&Arrangement::default());
    let mut rows = table.groups.iter().flat_map(|group| &group.rows);
    rows.find(|row| row.number == number).map_or("", |row| row.status)
}

#[test]
fn the_list_shows_each_pattern_with_its_sign_its_units_and_why() {
    let session = factory_floor();
    let table = session.pattern_table(&Arrangement::default());
    assert_eq!(table.summary, "7 of 9 served well; 9 tests passed, 0 failed.");
    let row = &table.groups[0].rows[3];
    assert_eq!((row.glyph, row.status), ("◑", "served, but filtering"));
    assert_eq!(plain(&row.units_text), "3.5 RCU");
    assert_eq!(plain(&row.waste_text), "79 %");
    assert_eq!(plain(&row.bytes_text), "23.8 KB read, 5.0 KB returned");
    assert_eq!((row.letter.as_str(), row.rate_text.as_str()), ("P", "24"));
    let row = &table.groups[0].rows[7];
    assert_eq!(
        row.arms.iter().map(|arm| plain(arm)).collect::<Vec<_>>(),
        ["OrgDirectory 3 WCU", "GSI1 3 WCU"]
    );
    let failing = Arrangement {
        grouping: PatternGrouping::Status,
        filter: PatternFilter { is_failing_only: true, ..PatternFilter::default() },
        ..Arrangement::default()
    };
    let groups = session.pattern_table(&failing).groups;
    assert_eq!(
        groups.iter().map(|it| it.title.as_str()).collect::<Vec<_>>(),
        ["served, but filtering", "needs a Scan"]
    );
    let markdown = session.patterns_as_markdown();
    assert!(markdown.contains("| 7 | Find a project by name | Scan |"), "{markdown}");
    assert!(
        markdown.contains("| $/month |") && markdown.contains("| 0.05 | $0.07 |"),
        "{markdown}"
    );
}

#[test]
fn the_list_says_what_each_pattern_costs_a_month_and_sorts_by_it() {
    let mut session = factory_floor();
    let dearest = |session: &Session| {
        let by_cost = Arrangement {
            column: PatternColumn::Cost,
            is_descending: true,
            ..Arrangement::default()
        };
        let groups = session.pattern_table(&by_cost).groups;
        let rows = groups[0].rows.iter().map(|row| (row.number, row.month_text.clone()));
        rows.collect::<Vec<_>>()
    };
    let rows = dearest(&session);
    let numbers: Vec<u32> = rows.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [9, 2, 8, 4, 1, 6, 5, 3, 7]);
    assert_eq!((rows[0].1.as_str(), rows[8].1.as_str()), ("$1,018.35", "$0.07"));
    // Prices of another Region and of one's own reach the list as they reach the bill.
    session.set_cost("prices.write_request", "1.25").expect("a price");
    assert_eq!(dearest(&session)[0].1, "$2,036.70");
}

#[test]
fn suggestions_taken_with_one_click_make_every_pattern_green_and_undo_takes_them_back() {
    let mut session = factory_floor();
    for (number, label) in [(4, "Ask isOnHold"), (7, "Add the index byName")] {
        let suggestions = session.suggestions(number);
        assert_eq!(suggestions[0].fix.as_deref(), Some(label));
        session.take_suggestion(number, 0, 0).expect("DynamoDB takes it");
        check(&mut session);
        assert_eq!(status(&session, number), "served by key");
    }
    let table = session.pattern_table(&Arrangement::default());
    assert!(table.summary.starts_with("9 of 9 served well"), "{}", table.summary);
    assert!(
        table.changes.iter().any(|it| plain(it).starts_with("Pattern 7: 4 → 0.5 RCU")),
        "{:?}",
        table.changes
    );
    session.undo();
    check(&mut session);
    assert_eq!(status(&session, 7), "needs a Scan");
    assert!(session.take_suggestion(1, 0, 0).is_err());
}

#[test]
fn findings_are_mended_silenced_and_heard_again() {
    let mut session = factory_floor();
    let at = |session: &Session, title: &str| {
        session.findings().iter().position(|it| it.title == title).expect("it is found")
    };
    let projected = at(&session, "Over-projected");
    assert!(session.findings()[projected].fix.is_some());
    session.take_fix(projected, 0).expect("DynamoDB takes it");
    check(&mut session);
    let scan = at(&session, "Scan");
    assert!(session.silence(scan, "").is_err());
    session.silence(scan, "asked once a night").expect("there is a reason");
    check(&mut session);
    let scan = at(&session, "Scan");
    assert_eq!(session.findings()[scan].silenced.as_deref(), Some("asked once a night"));
    let saved = Session::restore(&session.save()).expect("it is read back");
    let saved = checked(saved);
    assert!(saved.findings()[at(&saved, "Scan")].silenced.is_some());
    session.speak(scan);
    check(&mut session);
    assert_eq!(session.findings()[at(&session, "Scan")].silenced, None);
}

#[test]
fn a_request_of_the_history_and_a_form_become_patterns() {
    let mut session = factory_floor();
    let request = r#"{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = :p",
        "ExpressionAttributeValues": {":p": {"S": "ORG#1234"}}}"#;
    let entry = session.run("Query", request, 0);
    session.keep_as_pattern(entry, "Everything").expect("it is a request");
    assert!(session.keep_as_pattern(99, "").is_err());
    let form = PatternForm {
        words: "Latest events".to_owned(),
        operation: "Query".to_owned(),
        index: "bySensor".to_owned(),
        key: vec![("sensorId".to_owned(), "s-001".to_owned())],
        sort: Some(FormCondition {
            attribute: "at".to_owned(),
            comparison: FormComparison::Greater,
            value: "2026".to_owned(),
            ..FormCondition::default()
        }),
        ..PatternForm::default()
    };
    session.put_pattern_form(None, "SensorEvents", &form).expect("the fields fit");
    assert!(session.put_pattern_form(None, "Gone", &form).is_err());
    check(&mut session);
    assert_eq!((status(&session, 10), status(&session, 11)), ("served by key", "served by key"));
}

#[test]
fn the_entity_chart_shows_what_values_make_of_the_templates() {
    let session = factory_floor();
    let chart = session.entity_chart("OrgDirectory", None);
    let names: Vec<&str> = chart.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["Organisation", "Project", "Employee", "Assignment"]);
    assert_eq!(plain(&chart[1].items_text), "11 items");
    let members: Vec<bool> = chart[1].cells.iter().map(|cell| cell.is_member).collect();
    assert_eq!(members, [true, true, true]);
    assert!(!chart[2].cells[2].is_member, "employees are never on hold");
    let values =
        vec![("org".to_owned(), "77".to_owned()), ("project".to_owned(), "p-99".to_owned())];
    let tried = session.entity_chart("OrgDirectory", Some((1, &values)));
    assert_eq!(tried[1].cells[1].keys[0].text, "PROJECT#p-99");
    assert_eq!(session.try_key(1, "SK", "PROJECT#p-99").expect("it fits")[0].1, "p-99");
    assert!(session.try_key(1, "SK", "p-99").is_err());
    assert!(session.entity_chart("Gone", None).is_empty());
}

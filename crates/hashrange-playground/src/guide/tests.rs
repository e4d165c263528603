//! The guided process from nothing to the first article's design.

use super::*;
use hashrange_design::guide::QuestionKind::{
    self, Change, Children, Flagged, One, Related, Under, Value,
};

fn entity(session: &mut Session, name: &str, line: &str, total: u32) {
    let form = GuideEntity {
        name: name.to_owned(),
        line: line.to_owned(),
        total,
        ..GuideEntity::default()
    };
    session.guide_entity(None, &form, 0).unwrap();
}

fn ask(session: &mut Session, kind: QuestionKind, entity: &str, of: &str, attribute: &str) {
    let text = str::to_owned;
    let question =
        Question { kind, entity: text(entity), of: text(of), attribute: text(attribute) };
    session.guide_ask(&question, "", None, None).unwrap();
}

/// Organisations, projects and employees with the article's eight questions; no keys yet.
fn asked() -> Session {
    asked_with("Assignment")
}

/// The same, the entity between projects and employees called so.
fn asked_with(between: &str) -> Session {
    let mut session = Session::empty();
    entity(&mut session, "Organisation", "org, plan", 3);
    entity(&mut session, "Project", "project, name, isOnHold", 36);
    entity(&mut session, "Employee", "employee, name, title", 120);
    session.guide_relate("Organisation", "Project", RelationKind::OneToMany, 0).unwrap();
    session.guide_relate("Organisation", "Employee", RelationKind::OneToMany, 0).unwrap();
    session.guide_relate("Project", "Employee", RelationKind::ManyToMany, 0).unwrap();
    session.split_relation(2, between).unwrap();
    for (kind, entity, of, attribute) in [
        (One, "Organisation", "", ""),
        (Children, "Project", "Organisation", ""),
        (Under, "Organisation", "", ""),
        (Flagged, "Project", "Organisation", "isOnHold"),
        (Related, "Employee", "Project", ""),
        (Related, "Project", "Employee", ""),
        (Value, "Project", "Organisation", "name"),
        (Change, "Project", "", ""),
    ] {
        ask(&mut session, kind, entity, of, attribute);
    }
    session
}

fn run(session: &mut Session) -> String {
    while !session.check_patterns(10).is_done {}
    session.guide().questions.iter().map(|it| it.glyph).collect()
}

fn finished() -> Session {
    let mut session = asked();
    session.guide_keys(0).unwrap();
    run(&mut session);
    while !session.guide().proposals.is_empty() {
        session.guide_index(0, 0).unwrap();
        run(&mut session);
    }
    session
}

#[test]
fn keys_serve_most_questions_and_a_proposed_index_each_of_the_rest() {
    let mut session = asked();
    assert_eq!(session.guide().steps[3].state, "open");
    session.guide_keys(0).unwrap();
    let signs = run(&mut session);
    let guide = session.guide();
    assert_eq!(signs, "✓✓✓◑✓✗◑✓", "{:#?}", guide.questions);
    assert_eq!(session.guide_items(), 3 + 36 + 120 + 216);
    let kinds: Vec<&str> = guide.proposals.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, ["sparse index", "inverted index", "overloaded name index"]);
    let mut session = finished();
    assert_eq!(run(&mut session), "✓".repeat(8), "{:#?}", session.guide().questions);
    let returns: Vec<String> = session.guide().questions.into_iter().map(|it| it.returns).collect();
    assert!(returns.iter().all(|it| it != "0"), "{returns:?}");
    assert!(session.guide().is_green);
}

#[test]
fn an_entity_between_two_is_read_from_both_whatever_it_is_called() {
    for name in ["Assignment", "Project employee", "ProjectEmployee"] {
        let mut session = asked_with(name);
        session.guide_keys(0).unwrap();
        assert_eq!(run(&mut session), "✓✓✓◑✓✗◑✓", "{name}");
        assert_eq!(session.guide().questions[4].returns, "6", "{name}");
    }
}

#[test]
fn undo_leads_back_to_nothing_and_redo_to_the_same_design() {
    let mut session = finished();
    let design = session.design().clone();
    while session.undo() {}
    assert!(session.is_blank());
    while session.redo() {}
    assert_eq!(*session.design(), design);
}

#[test]
fn a_guided_design_survives_its_file() {
    let session = finished();
    let text = session.design().to_json();
    let read = Design::from_json(&text).unwrap();
    assert_eq!(read, *session.design());
    assert!(read.patterns.iter().all(|it| it.question.is_some()));
}

#[test]
fn keys_are_locked_until_something_is_asked() {
    let mut session = Session::empty();
    entity(&mut session, "Order", "order", 5);
    let guide = session.guide();
    assert_eq!(guide.steps[3].state, "locked");
    assert!(guide.steps[3].text.contains("nobody has asked"));
}

#[test]
fn another_way_to_key_it_is_counted_on_the_same_questions() {
    let mut session = finished();
    let others = session.guide().others;
    let alone = others.iter().find(|it| it.name.contains("one key per item")).unwrap();
    assert!(alone.by_key < 8, "{others:?}");
    session.guide_other_keys(alone.at.unwrap(), 0).unwrap();
    let signs = run(&mut session);
    assert!(signs.contains('✗'), "{signs}");
    session.undo();
    assert_eq!(run(&mut session), "✓".repeat(8));
}

#[test]
fn a_request_follows_its_question_until_it_is_somebodys_own() {
    let mut session = finished();
    session.guide_key(1, "SK", "P#{project}", 0).unwrap();
    assert!(session.design().patterns[1].request.to_string().contains("\"P#\""));
    let mut own = session.design().patterns[1].clone();
    own.question = None;
    own.request["Limit"] = 3.into();
    session.put_pattern(Some(1), own).unwrap();
    session.guide_key(1, "SK", "PROJECT#{project}", 0).unwrap();
    assert!(session.design().patterns[1].request.to_string().contains("\"P#\""));
}

//! A session against a copy of itself, its scan-based copy, its relational copy and another example.

use hashrange_playground::Session;
use hashrange_playground::compare::{Rival, markdown};

fn checked(slug: &str) -> Session {
    let mut session = Session::open_example(slug, 0).expect("the example opens");
    while !session.check_patterns(50).is_done {}
    session
}

fn ready(mut rival: Rival) -> Rival {
    while !rival.step(1).expect("every item fits").is_done {}
    rival
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[test]
fn in_a_scan_based_copy_every_pattern_of_every_example_finds_the_same_items() {
    for card in Session::examples() {
        let session = checked(&card.slug);
        let rival = ready(Rival::scan_based(&session, 0).expect("DynamoDB takes the tables"));
        let view = session.compare(&rival);
        let mut kept = session.clone();
        kept.keep_rival(&rival).expect("it is a version of the design");
        while !kept.check_patterns(50).is_done {}
        assert_eq!(kept.title(), session.title());
        for (a, b) in session.pattern_results().iter().zip(kept.pattern_results()) {
            let words = format!("{}: {}", card.slug, a.words);
            assert_eq!(b.refusal, None, "{words}");
            // A page of a few is read whole: sorting is the client's work now.
            if a.shape.limit.is_none() {
                assert_eq!(a.n_items(), b.n_items(), "{words}");
            }
        }
        assert_eq!(view.patterns.len(), session.pattern_results().len());
        assert!(kept.undo());
        assert_eq!(kept.outline().tables, session.outline().tables);
    }
}

#[test]
fn the_factory_floor_without_keys_and_indexes_costs_more_to_read_and_less_to_write() {
    let session = checked("factory-floor");
    let rival = ready(Rival::scan_based(&session, 0).expect("DynamoDB takes the tables"));
    let view = session.compare(&rival);
    assert_eq!(view.titles[1], "Scan-based copy");
    assert_eq!(view.verdict, ("◑", "B costs less and serves fewer patterns well"));
    assert!(view.about.starts_with("The same items and questions"), "{}", view.about);
    assert_eq!(plain(&view.differences[0].what), "OrgDirectory, keys");
    assert_eq!(view.differences[0].sides, ["PK, SK", "id"]);
    let row = |words: &str| {
        let row = view.patterns.iter().find(|row| row.words == words).expect("it is asked");
        row.sides.clone().map(|side| plain(&side.expect("on both sides").units))
    };
    assert_eq!(row("Organisation's projects"), ["3 RCU", "4 RCU"]);
    assert_eq!(row("Record a sensor event"), ["1 + 1 WCU", "1 WCU"]);
    let sum = view.bills.last().expect("the sum");
    assert_eq!(sum.amounts, view.totals);
    let text = markdown(&view);
    assert!(text.contains("| Organisation's projects | ✓ 3\u{a0}RCU | ✗ 4\u{a0}RCU |"), "{text}");
}

#[test]
fn a_copy_kept_before_a_change_shows_the_change_and_can_take_its_place_again() {
    let mut session = checked("factory-floor");
    let rival = ready(Rival::version(&session, "Copy 1".to_owned()));
    let same = session.compare(&rival);
    assert_eq!((same.headline.as_str(), same.differences.len()), ("Both cost the same.", 0));
    assert!(same.patterns.iter().all(|row| row.is_same));
    session.take_suggestion(7, 0, 0).expect("DynamoDB takes the index");
    while !session.check_patterns(50).is_done {}
    let view = session.compare(&rival);
    assert_eq!(view.differences[0].what, "Index byName");
    assert!(!view.patterns[0].is_same);
    session.keep_rival(&rival).expect("it is a version of the design");
    while !session.check_patterns(50).is_done {}
    assert_eq!(session.compare(&rival).differences, []);
    assert_eq!(session.undo_label().as_deref(), Some("keeping Copy 1"));
}

#[test]
fn what_is_no_version_of_the_design_is_compared_but_not_kept() {
    let mut session = checked("factory-floor");
    let other = ready(Rival::other(&checked("file-versions")));
    let view = session.compare(&other);
    assert!(view.patterns.iter().any(|row| row.sides[0].is_none()));
    assert!(!other.can_be_kept());
    let refusal = session.keep_rival(&other).expect_err("it is another design");
    assert!(refusal.message.contains("no version of this design"), "{}", refusal.message);
    let view = session.compare(&ready(Rival::relational()));
    assert_eq!(view.titles[1], "Modelled relationally");
    assert!(view.about.contains("client joins"), "{}", view.about);
}

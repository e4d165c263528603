//! The bill of a session, and its settings.

use hashrange_playground::Session;

fn checked() -> Session {
    let mut session = Session::open_example("factory-floor", 0).expect("the example opens");
    while !session.check_patterns(10).is_done {}
    session
}

#[test]
fn the_bill_follows_the_mode_the_region_and_the_peak_and_each_is_one_step_back() {
    let mut session = checked();
    let first = session.cost(None).bill.total;
    for (name, text) in [("mode", "provisioned"), ("region", "ap-south-1"), ("peak_percent", "900")]
    {
        let before = session.cost(None).bill.total;
        session.set_cost(name, text).unwrap();
        assert_eq!(session.cost_setting(name), text);
        assert_ne!(session.cost(None).bill.total, before, "{name}");
    }
    while session.undo() {}
    assert_eq!(session.cost(None).bill.total, first);
    assert_eq!(session.cost_setting("mode"), "");
}

#[test]
fn a_price_of_one_s_own_is_marked_and_can_be_taken_back() {
    let mut session = checked();
    let key = session.cost(None).prices[0].key;
    let name = format!("prices.{key}");
    session.set_cost(&name, "1.5").unwrap();
    let price = session.cost(None).prices[0].clone();
    assert!(price.is_own);
    assert_eq!(price.number, "1.5");
    session.set_cost(&name, "").unwrap();
    assert!(!session.cost(None).prices[0].is_own);
}

#[test]
fn peak_and_use_of_it_are_one_setting_told_twice() {
    let mut session = checked();
    let texts = |session: &Session| -> Vec<String> {
        let sliders = session.cost(None).sliders;
        sliders.into_iter().map(|it| it.text.replace('\u{a0}', " ")).collect()
    };
    assert_eq!(texts(&session), ["2×", "50 %", "70 %"]);
    session.set_cost("use_percent", "20").unwrap();
    assert_eq!(session.cost_setting("peak_percent"), "500");
    assert_eq!(texts(&session), ["5×", "20 %", "70 %"]);
    let refusal = session.set_cost("use_percent", "0").unwrap_err();
    assert_eq!(refusal.message, "Average use of the peak must be a whole number from 1 to 100.");
    assert!(session.cost(None).price_note.starts_with("List prices as of "));
}

#[test]
fn what_does_not_fit_is_refused_in_one_sentence() {
    let mut session = checked();
    for (name, text, sentence) in [
        (
            "peak_percent",
            "50",
            "cost.peak_percent must be a whole number from 100 to 100000, not a number.",
        ),
        ("peak_percent", "much", "cost.peak_percent must be a whole number, not a text."),
        ("mode", "free", "cost.mode must be on-demand, provisioned or auto-scaled, not a text."),
    ] {
        assert_eq!(session.set_cost(name, text).unwrap_err().message, sentence);
    }
    assert!(!session.can_undo());
}

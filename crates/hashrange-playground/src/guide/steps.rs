//! How far each of the five steps is, and what stands above it.

use super::views::{GuideStepView, GuideView};
use crate::format::counted;

/// The five steps with how far each is.
pub(super) fn steps(view: &GuideView) -> Vec<GuideStepView> {
    let n_entities = view.entities.len();
    let n_many = view.relations.iter().filter(|it| it.is_many).count();
    let n_asked = view.questions.len();
    let n_open = view.questions.iter().filter(|it| it.is_open).count();
    let n_by_key = n_asked - n_open.min(n_asked);
    let state = |is_done: bool, is_locked: bool| match (is_locked, is_done) {
        (true, _) => "locked",
        (false, true) => "done",
        (false, false) => "open",
    };
    let step = |title, note: String, state, lead: &str, text: &str| GuideStepView {
        title,
        note,
        state,
        lead: lead.to_owned(),
        text: text.to_owned(),
    };
    let not_yet = || "not yet".to_owned();
    let n = |n: usize, what: &str| counted(n as u64, what);
    let entities = first_step(n_entities);
    let relations = if view.relations.is_empty() {
        let text = "Drag from one card to another, or choose both ends below. One organisation has many projects: \
                    1 to n.";
        step("Relations", not_yet(), state(false, n_entities == 0), "What belongs to what?", text)
    } else if n_many > 0 {
        step(
            "Relations",
            n(view.relations.len(), "line"),
            "open",
            "An n-to-m line is left.",
            "No single key can hold it. Split it: a small item for each pair is found from either side.",
        )
    } else {
        step(
            "Relations",
            n(view.relations.len(), "line"),
            "done",
            "No n-to-m line is left.",
            "Every line is one to many, so a child can carry its parent’s id.",
        )
    };
    let questions = if n_asked == 0 {
        step(
            "Questions",
            not_yet(),
            state(false, n_entities == 0),
            "What will the application ask?",
            "List nearly everything before there is a key: every later choice is scored against this list.",
        )
    } else {
        step(
            "Questions",
            format!("{n_asked} asked"),
            "done",
            &format!("{} asked.", n(n_asked, "question")),
            "Spend most of the time here. A question forgotten now is a Scan, or another index, later.",
        )
    };
    let mut all = vec![entities, relations, questions];
    all.extend(key_steps(view, (n_asked, n_open, n_by_key)));
    all
}

fn first_step(n_entities: usize) -> GuideStepView {
    let step = |title, note: String, state, lead: &str, text: &str| GuideStepView {
        title,
        note,
        state,
        lead: lead.to_owned(),
        text: text.to_owned(),
    };
    let n = |n: usize, what: &str| counted(n as u64, what);
    let not_yet = || "not yet".to_owned();
    if n_entities == 0 {
        step(
            "Entities",
            not_yet(),
            "open",
            "Name the things first.",
            "What does the application keep? Give each a name, its attributes and how many there are. No keys yet.",
        )
    } else {
        step(
            "Entities",
            n(n_entities, "thing"),
            "done",
            &format!("{} named.", n(n_entities, "thing")),
            "Letter and colour stay with each of them everywhere. Add what is missing, or relate them.",
        )
    }
}

fn key_steps(
    view: &GuideView,
    (n_asked, n_open, n_by_key): (usize, usize, usize),
) -> [GuideStepView; 2] {
    let step = |title, note: String, state, lead: String, text: String| GuideStepView {
        title,
        note,
        state,
        lead,
        text,
    };
    let of = format!("{n_by_key} of {n_asked}");
    let open: Vec<String> =
        view.questions.iter().filter(|it| it.is_open).map(|it| it.number.to_string()).collect();
    let open = open.join(", ");
    let keys = if n_asked == 0 {
        step("Keys", "not yet".to_owned(), "locked", "Not yet.".to_owned(),
            "A key chosen now would answer questions nobody has asked. List the questions first, in step 3.".to_owned())
    } else if !view.is_keyed {
        step("Keys", "not yet".to_owned(), "open", "These keys are proposed.".to_owned(),
            "Children carry their parent’s id as partition key, so one item collection answers several questions. \
             Take them, or type over them.".to_owned())
    } else {
        let text = if n_open == 0 {
            "Every question is answered by key.".to_owned()
        } else {
            format!(
                "Children carry their parent’s id. What is left ({open}) reads more than it returns, and gets an index in step 5."
            )
        };
        step("Keys", of.clone(), "done", format!("{of} questions need nothing more."), text)
    };
    let indexes = if !view.is_keyed || n_asked == 0 {
        step("Indexes", "not yet".to_owned(), "locked", "Not yet.".to_owned(),
            "An index serves a question that the keys leave open. Choose the keys first, in step 4.".to_owned())
    } else if view.is_green {
        step("Indexes", "all green".to_owned(), "done", format!("All {n_asked} questions are served by key."),
            "The design works, with sample data in it. Open the table, see the bill, or go on with the patterns.".to_owned())
    } else {
        step("Indexes", format!("{n_open} to go"), "open",
            format!("{} left: {open}.", counted(n_open as u64, "question")),
            "Each index below exists for a named question, and says what it costs to write and to store.".to_owned())
    };
    [keys, indexes]
}

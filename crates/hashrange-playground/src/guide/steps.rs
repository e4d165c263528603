//! How far each of the five steps is, and what stands above it.

use super::views::{GuideStepView, GuideView};
use crate::format::counted;

const NOT_YET: &str = "not yet";

fn step(
    title: &'static str,
    note: impl Into<String>,
    state: &'static str,
    lead: impl Into<String>,
    text: impl Into<String>,
) -> GuideStepView {
    GuideStepView { title, note: note.into(), state, lead: lead.into(), text: text.into() }
}

fn counted_of(n: usize, what: &str) -> String {
    counted(n as u64, what)
}

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
    let entities = first_step(n_entities);
    let relations = if view.relations.is_empty() {
        let text = "Drag from one card to another, or choose both ends below. One organisation has many projects: \
                    1 to n.";
        step("Relations", NOT_YET, state(false, n_entities == 0), "What belongs to what?", text)
    } else if n_many > 0 {
        step(
            "Relations",
            counted_of(view.relations.len(), "line"),
            "open",
            "An n-to-m line is left.",
            "No single key can hold it. Split it: a small item for each pair is found from either side.",
        )
    } else {
        step(
            "Relations",
            counted_of(view.relations.len(), "line"),
            "done",
            "No n-to-m line is left.",
            "Every line is one to many, so a child can carry its parent’s id.",
        )
    };
    let questions = if n_asked == 0 {
        step(
            "Questions",
            NOT_YET,
            state(false, n_entities == 0),
            "What will the application ask?",
            "List nearly everything before there is a key: every later choice is scored against this list.",
        )
    } else {
        step(
            "Questions",
            format!("{n_asked} asked"),
            "done",
            format!("{} asked.", counted_of(n_asked, "question")),
            "Spend most of the time here. A question forgotten now is a Scan, or another index, later.",
        )
    };
    let mut all = vec![entities, relations, questions];
    all.extend(key_steps(view, (n_asked, n_open, n_by_key)));
    all
}

fn first_step(n_entities: usize) -> GuideStepView {
    if n_entities == 0 {
        step(
            "Entities",
            NOT_YET,
            "open",
            "Name the things first.",
            "What does the application keep? Give each a name, its attributes and how many there are. No keys yet.",
        )
    } else {
        step(
            "Entities",
            counted_of(n_entities, "thing"),
            "done",
            format!("{} named.", counted_of(n_entities, "thing")),
            "Letter and colour stay with each of them everywhere. Add what is missing, or relate them.",
        )
    }
}

fn key_steps(
    view: &GuideView,
    (n_asked, n_open, n_by_key): (usize, usize, usize),
) -> [GuideStepView; 2] {
    let of = format!("{n_by_key} of {n_asked}");
    let open: Vec<String> =
        view.questions.iter().filter(|it| it.is_open).map(|it| it.number.to_string()).collect();
    let open = open.join(", ");
    let keys = if n_asked == 0 {
        step(
            "Keys",
            NOT_YET,
            "locked",
            "Not yet.",
            "A key chosen now would answer questions nobody has asked. List the questions first, in step 3.",
        )
    } else if !view.is_keyed {
        step(
            "Keys",
            NOT_YET,
            "open",
            "These keys are proposed.",
            "Children carry their parent’s id as partition key, so one item collection answers several questions. \
             Take them, or type over them.",
        )
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
        step(
            "Indexes",
            NOT_YET,
            "locked",
            "Not yet.",
            "An index serves a question that the keys leave open. Choose the keys first, in step 4.",
        )
    } else if view.is_green {
        step(
            "Indexes",
            "all green",
            "done",
            format!("All {n_asked} questions are served by key."),
            "The design works, with sample data in it. Open the table, see the bill, or go on with the patterns.",
        )
    } else {
        step(
            "Indexes",
            format!("{n_open} to go"),
            "open",
            format!("{} left: {open}.", counted(n_open as u64, "question")),
            "Each index below exists for a named question, and says what it costs to write and to store.",
        )
    };
    [keys, indexes]
}

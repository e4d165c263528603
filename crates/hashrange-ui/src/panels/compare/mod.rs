//! Two designs side by side: verdict, differences, patterns, bills, sizes and heat.

mod bill;
mod patterns;

use hashrange_playground::Session;
use hashrange_playground::compare::{self, CompareView, DifferenceRow};
use leptos::prelude::expect_context;

use super::design::status;
use crate::browser::clipboard;
use crate::markup::{Element, IntoNode, Node, el};
use crate::signal::RwSignal;
use crate::state::compare::{Choice, Readiness};
use crate::state::workspace::Workspace;
use crate::widgets::{segment, small_icon};

const SHAPES: [&str; 2] = ["Picture", "Table"];
/// Differences shown before the others are asked for.
const SHOWN_MAX: usize = 6;

/// The comparison, in the middle of the page.
pub(crate) fn panel() -> Element {
    let compare = expect_context::<Workspace>().compare;
    let shape = RwSignal::new(SHAPES[0]);
    let drawn = move || {
        let is_picture = shape.get() == SHAPES[0];
        compare.view().get().map(|view| body(view, is_picture))
    };
    el("section.compare-panel")
        .attr("aria-label", "Compare")
        .child(head(shape))
        .child(el("div.strip.verdict").attr("role", "status").child(verdict).child(actions))
        .child(drawn)
}

/// What is compared with what, and how it is shown.
fn head(shape: RwSignal<&'static str>) -> Element {
    let workspace = expect_context::<Workspace>();
    let copy = el("button.button.is-small")
        .on_click(move || {
            if let Some(view) = workspace.compare.view().get_untracked() {
                clipboard::copy(&compare::markdown(&view));
                workspace.screen.announce("The comparison was copied as Markdown.");
            }
        })
        .child(small_icon("copy"))
        .child("Copy as Markdown");
    let keep = el("button.button.is-small")
        .on_click(move || {
            workspace.compare.keep_copy();
            workspace.screen.announce("A copy of the design was kept. Choose it as B.");
        })
        .child(small_icon("plus"))
        .child("Keep a copy");
    el("div.head")
        .child(side("A"))
        .child(el("b").child(move || workspace.session.title().get()))
        .child(el("span.quiet").child("against"))
        .child(el("label.pick").child(side("B")).child(rivals))
        .child(
            el("div.end")
                .child(keep)
                .child(copies())
                .child(segment("Show as", &SHAPES, shape))
                .child(copy),
        )
}

/// How many times over the tables hold the sample, on both sides.
fn copies() -> Element {
    let workspace = expect_context::<Workspace>();
    let value = move || workspace.session.checked(|session| session.cost_setting("copies"));
    let field = el("input.field")
        .attr("inputmode", "numeric")
        .attr("placeholder", "1")
        .value(value)
        .on_value("change", move |text| {
            workspace.edit(|session, _| session.set_cost("copies", &text));
        });
    el("label.copies").child("Sample ×").child(field)
}

/// A letter for a side.
fn side(letter: &'static str) -> Element {
    el("span.side").attr("data-side", letter).child(letter)
}

/// What B can be.
fn rivals() -> Element {
    let workspace = expect_context::<Workspace>();
    let compare = workspace.compare;
    let word = |choice: Choice| match choice {
        Choice::ScanBased => "scan".to_owned(),
        Choice::Relational => "relational".to_owned(),
        Choice::Copy(at) => format!("copy {at}"),
        Choice::Example(slug) => format!("example {slug}"),
    };
    let mut choices = vec![
        (Choice::ScanBased, "Scan-based copy".to_owned()),
        (Choice::Relational, "Modelled relationally".to_owned()),
    ];
    choices.extend(compare.copies().into_iter().enumerate().map(|(at, it)| (Choice::Copy(at), it)));
    choices.extend(Session::examples().into_iter().map(|card| {
        let title = format!("Example: {}", card.title);
        (Choice::Example(card.slug), title)
    }));
    let known: Vec<(String, Choice)> =
        choices.iter().map(|(choice, _)| (word(choice.clone()), choice.clone())).collect();
    let chosen = compare.choice();
    let option = move |(choice, title): (Choice, String)| {
        el("option").attr("selected", choice == chosen).attr("value", word(choice)).child(title)
    };
    el("select.select")
        .attr("aria-label", "Compare with")
        .on_value("change", move |value| {
            let choice = known.iter().find(|(word, _)| *word == value);
            if let Some((_, choice)) = choice {
                compare.choose(choice.clone());
            }
        })
        .children(choices.into_iter().map(option))
}

/// What the comparison comes to, or how far B is.
fn verdict() -> Node {
    let compare = expect_context::<Workspace>().compare;
    let words = |words: String| el("p").child(words).into_node();
    match compare.readiness() {
        Readiness::Running(text) => words(format!("Making B ready. {text}")),
        Readiness::Stopped => words("Stopped before B was ready.".to_owned()),
        Readiness::Refused(reason) => words(reason),
        Readiness::Ready => {
            let Some(view) = compare.view().get() else { return words(String::new()) };
            let (glyph, said) = view.verdict;
            let sentence = el("p")
                .child(el("b").child(view.headline))
                .child(format!(" {} ", view.sentence))
                .child(el("span.quiet").child(view.about));
            vec![status(glyph, said), sentence].into_node()
        }
    }
}

/// What can be done with B now.
fn actions() -> Node {
    let workspace = expect_context::<Workspace>();
    let compare = workspace.compare;
    let buttons = match compare.readiness() {
        Readiness::Running(_) => {
            vec![el("button.button.is-small").on_click(move || compare.stop()).child("Stop")]
        }
        Readiness::Stopped => {
            vec![el("button.button.is-small").on_click(move || compare.go_on()).child("Go on")]
        }
        Readiness::Ready if compare.can_be_kept() => {
            let keep = el("button.button.is-primary.is-small")
                .on_click(move || workspace.keep_rival())
                .child("Keep B");
            let is_copy = matches!(compare.choice(), Choice::Copy(_));
            let discard = is_copy.then(|| {
                el("button.button.is-quiet.is-small")
                    .on_click(move || compare.discard())
                    .child("Discard B")
            });
            std::iter::once(keep).chain(discard).collect()
        }
        _ => Vec::new(),
    };
    buttons.into_node()
}

fn body(view: CompareView, is_picture: bool) -> Element {
    let titles = view.titles;
    let main = el("div")
        .child(patterns::section(view.patterns, view.totals, is_picture))
        .child(bill::section(view.bars, view.bills, is_picture));
    let aside = el("div").child(bill::sizes(view.sizes)).child(bill::heat(view.heat, is_picture));
    el("div.body")
        .child(differences(titles, view.n_differences, view.differences))
        .child(el("div.columns").child(main).child(aside))
}

/// What differs, with what it gives and takes.
fn differences(titles: [String; 2], count: String, mut rows: Vec<DifferenceRow>) -> Element {
    let heading = el("h2").child(count.clone());
    let section = el("section.differences").attr("aria-label", "Differences");
    if rows.is_empty() {
        return section.child(heading);
    }
    let more = rows.split_off(rows.len().min(SHOWN_MAX));
    let [a, b] = titles;
    let table = move |caption: String, rows: Vec<DifferenceRow>| {
        let title = |letter: &'static str, words: &String| {
            el("th").attr("scope", "col").child(side(letter)).child(words.clone())
        };
        let heads = el("tr")
            .child(el("th").attr("scope", "col").child("What differs"))
            .child(title("A", &a))
            .child(title("B", &b))
            .child(el("th").attr("scope", "col").child("Gives"))
            .child(el("th").attr("scope", "col").child("Takes"));
        let row = |row: DifferenceRow| {
            let [a, b] = row.sides;
            el("tr")
                .child(el("th").attr("scope", "row").child(row.what))
                .child(el("td").attr("data-label", "A").child(el("code").child(a)))
                .child(el("td").attr("data-label", "B").child(el("code").child(b)))
                .child(el("td").attr("data-label", "Gives").child(row.gives))
                .child(el("td").attr("data-label", "Takes").child(row.takes))
        };
        let table = el("table.data-table")
            .child(el("caption.visually-hidden").child(caption))
            .child(el("thead").child(heads))
            .child(el("tbody").children(rows.into_iter().map(row)));
        el("div.scroll").attr("tabindex", "0").child(table)
    };
    let rest = (!more.is_empty()).then(|| {
        el("details")
            .child(el("summary").child(format!("{} more", more.len())))
            .child(table("More differences".to_owned(), more))
    });
    section.child(heading).child(table(count, rows)).child(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{html, words};

    fn against(choice: Choice) -> String {
        let prepare = move |workspace: Workspace| {
            workspace.design.run_all();
            workspace.compare.keep_copy();
            workspace.compare.choose(choice);
            workspace.compare.run_all();
        };
        words(&html(prepare, panel)).replace('\u{a0}', " ")
    }

    #[test]
    fn the_verdict_comes_first_and_then_what_differs() {
        let words = against(Choice::ScanBased);
        let at = |text: &str| words.find(text).unwrap_or_else(|| panic!("{text} in {words}"));
        assert!(at("a month") < at("differences"));
        assert!(at("differences") < at("Organisation's projects"), "{words}");
        assert!(at("Keep B") > 0 && !words.contains("Discard B"), "{words}");
        assert!(
            words.contains("writes to tables") && words.contains("OrgDirectory, keys"),
            "{words}"
        );
    }

    #[test]
    fn a_copy_can_be_discarded_and_a_relational_model_can_neither_be_kept() {
        let copy = against(Choice::Copy(0));
        assert!(copy.contains("Both cost the same.") && copy.contains("Discard B"), "{copy}");
        let relational = against(Choice::Relational);
        assert!(!relational.contains("Keep B"), "{relational}");
    }
}

//! Steps 4 and 5: key templates with what they make of the questions, and indexes for what is left.

use hashrange_playground::guide::{GuideIndexView, GuideKeyField, GuideKeyRow, GuideQuestionView};
use leptos::prelude::expect_context;

use super::field::{refusal, tag};
use crate::markup::{Element, IntoNode, Node, el, keyed, nodes, row};
use crate::panels::design::status;
use crate::state::forms::Form;
use crate::state::screen::StageView;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// Step 4.
pub(super) fn step() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let is_locked = move || view.with(|view| view.questions.is_empty());
    let take = move || {
        let is_open = view.with(|view| !view.is_keyed && !view.keys.is_empty());
        is_open.then(|| {
            el("button.button.is-primary")
                .on_click(move || {
                    guide.edit("keys", hashrange_playground::Session::guide_keys);
                })
                .child(small_icon("plus"))
                .child("Use these keys")
        })
    };
    let rows = keyed(move || {
        let keys = view.with(|view| view.keys.clone());
        let draw = |key: GuideKeyRow| {
            row(format!("{} {}", key.entity, key.name), move || key_row(key.entity))
        };
        keys.into_iter().map(draw).collect()
    });
    let stale = move || {
        let stale = view.with(|view| view.stale.clone());
        (!stale.is_empty()).then(|| el("p.problem").attr("role", "alert").child(stale))
    };
    let titles = ["Entity", "Partition key", "Sort key", "Because"];
    let head = el("tr").children(titles.map(|title| el("th").attr("scope", "col").child(title)));
    let table = el("table.data-table.keys")
        .child(el("caption.visually-hidden").child("Key templates"))
        .child(el("thead").child(head))
        .child(el("tbody").child(rows));
    let open = el("div.open-step")
        .child(
            el("header")
                .child(el("h2").child("Primary keys"))
                .child(
                    el("p.quiet").child("Type a template; a slot takes its value from the item."),
                )
                .child(take),
        )
        .child(el("div.scroll").attr("tabindex", "0").child(table))
        .child(refusal("keys"))
        .child(stale)
        .child(results());
    el("div.step-body")
        .child(move || is_locked().then(locked))
        .child(open.attr("hidden", move || is_locked().then_some("")))
}

fn locked() -> Element {
    el("p.locked").child(
        "Not yet. A key chosen now would answer questions nobody has asked. List the questions first.",
    )
}

/// The keys of one entity; fields keep what is typed while the rest of the row follows.
fn key_row(entity: usize) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let own = move || view.with(|view| view.keys.iter().find(|it| it.entity == entity).cloned());
    let first = leptos::prelude::untrack(own);
    let (name, slot) = first.as_ref().map_or((String::new(), 0), |it| (it.name.clone(), it.slot));
    let letter = first.as_ref().map(|it| it.letter.clone()).unwrap_or_default();
    let items = move || own().map(|it| it.items_text).unwrap_or_default();
    let because = move || own().map(|it| it.because).unwrap_or_default();
    let cells = first.into_iter().flat_map(|it| it.fields).enumerate().map(|(at, field)| {
        let now = move || own().and_then(|it| it.fields.into_iter().nth(at));
        el("td").child(key_field((entity, &name), &field, now))
    });
    let cells: Vec<Element> = cells.collect();
    let workspace = expect_context::<Workspace>();
    let open = el("button.link")
        .attr("title", "All fields of the entity")
        .on_click(move || workspace.open_form(Form::Entity(Some(entity))))
        .child(el("b").child(name));
    el("tr")
        .attr("data-slot", slot.to_string())
        .child(
            el("th")
                .attr("scope", "row")
                .child(tag(letter, slot))
                .child(open)
                .child(el("span.quiet").child(items)),
        )
        .children(cells)
        .child(el("td.quiet.words").child(because))
}

fn key_field(
    (entity, name): (usize, &str),
    field: &GuideKeyField,
    now: impl Fn() -> Option<GuideKeyField> + Clone + 'static,
) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let (template, proposed, sample) = (now.clone(), now.clone(), now);
    let attribute = field.attribute.clone();
    el("div")
        .child(
            el("input.field")
                .attr("aria-label", format!("{} of {name}", field.title))
                .attr("spellcheck", "false")
                .attr("data-proposed", move || {
                    proposed().filter(|it| it.is_proposed).map(|_| "true")
                })
                .value(move || template().map(|it| it.template).unwrap_or_default())
                .on_value("input", move |text| guide.type_key(entity, attribute.clone(), text)),
        )
        .child(el("code.quiet").child(move || sample().map(|it| it.sample).unwrap_or_default()))
}

/// The questions with what serves them now.
fn results() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let rows = move || nodes(view.with(|view| view.questions.clone()).into_iter().map(result));
    let titles = ["#", "", "In words", "Call", "Key condition", "Returns", "Units"];
    let head = el("tr").children(titles.map(|title| el("th").attr("scope", "col").child(title)));
    el("section")
        .attr("aria-label", "Questions")
        .child(
            el("header")
                .child(el("h2").child("Questions"))
                .child(el("p.quiet").child("Run again after every keystroke.")),
        )
        .child(
            el("div.scroll").attr("tabindex", "0").child(
                el("table.data-table")
                    .child(el("caption.visually-hidden").child("Questions and what serves them"))
                    .child(el("thead").child(head))
                    .child(el("tbody").child(rows)),
            ),
        )
}

fn result(question: GuideQuestionView) -> Element {
    let sign = (!question.glyph.is_empty()).then(|| status(question.glyph, question.status));
    el("tr")
        .attr("data-open", question.is_open.then_some("true"))
        .child(el("td.number.quiet").child(question.number))
        .child(el("td").child(sign))
        .child(
            el("th").attr("scope", "row").child(question.words).child(
                (!question.note.is_empty()).then(|| el("span.problem").child(question.note)),
            ),
        )
        .child(el("td").child(question.call))
        .child(el("td").child(el("code").child(question.condition)))
        .child(el("td.number").child(question.returns))
        .child(el("td.number.units").child(question.units))
}

/// Step 5.
pub(super) fn indexes() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let proposals = move || {
        let (is_keyed, all) = view.with(|view| (view.is_keyed, view.proposals.clone()));
        if !is_keyed {
            return locked().into_node();
        }
        nodes(all.into_iter().enumerate().map(proposal))
    };
    el("div.step-body")
        .child(move || view.with(|view| view.is_green).then(finish))
        .child(el("div.proposals").child(proposals))
        .child(refusal("index"))
        .child(results())
}

fn proposal((at, index): (usize, GuideIndexView)) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let serves = index.serves.into_iter().map(|words| el("li").child(words));
    el("section.proposal")
        .attr("aria-label", index.title.clone())
        .child(
            el("header")
                .child(el("h2").child(el("code").child(index.title)))
                .child(el("span.pill").child(index.kind)),
        )
        .child(el("p").child(index.because))
        .child(el("ul").children(serves))
        .child(el("p.quiet").child(index.cost))
        .child(
            el("button.button.is-primary")
                .on_click(move || {
                    guide.edit("index", |session, now| session.guide_index(at, now));
                })
                .child(small_icon("plus"))
                .child(index.button),
        )
}

/// Where to go when every question is served.
fn finish() -> Node {
    let screen = expect_context::<Workspace>().screen;
    let places = [
        ("Open the table", StageView::Data),
        ("See the bill", StageView::Cost),
        ("Open the patterns", StageView::Design),
    ];
    let button = |(words, view): (&'static str, StageView)| {
        el("button.button.is-primary").on_click(move || screen.show_view(view)).child(words)
    };
    el("div.finish").children(places.map(button)).into_node()
}

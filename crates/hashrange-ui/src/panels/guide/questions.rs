//! Step 3: what the application asks, before there are keys.

use hashrange_playground::guide::{GuideOfferView, GuideQuestionView, KINDS, Question, kind_needs};
use leptos::prelude::expect_context;

use super::field::{form, refusal, select, tag, text};
use crate::markup::{Element, el, nodes};
use crate::state::forms::Form;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The step.
pub(super) fn step() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let offers = move || nodes(view.with(|view| view.offers.clone()).into_iter().map(offer));
    let asked = move || nodes(view.with(|view| view.questions.clone()).into_iter().map(question));
    el("div.step-body")
        .child(
            el("header")
                .child(el("h2").child("Asked by most applications like this"))
                .child(el("p.quiet").child("one click each")),
        )
        .child(el("ul.offers").attr("aria-label", "Questions to ask").child(offers))
        .child(own_form())
        .child(refusal("question"))
        .child(el("header").child(el("h2").child("Asked")))
        .child(el("ol.asked").attr("aria-label", "Questions asked").child(asked))
}

/// A question in one's own words.
fn own_form() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let names = move || view.with(|view| view.entities.iter().map(|it| it.name.clone()).collect());
    let attributes = move || {
        let name = guide.question.get().entity;
        view.with(|view| {
            let found = view.entities.iter().find(|it| it.name == name);
            found.map(|it| it.attributes.clone()).unwrap_or_default()
        })
    };
    let set = move |change: fn(&mut Question, String)| {
        move |text: String| {
            let mut question = guide.question.get_untracked();
            change(&mut question, text);
            guide.question.set(question);
        }
    };
    let kind = move || {
        let kind = guide.question.get().kind;
        KINDS.iter().find(|it| it.0 == kind).map_or("", |it| it.2).to_owned()
    };
    let kinds = || KINDS.map(|it| it.2.to_owned()).to_vec();
    let choose = set(|question, text| {
        question.kind =
            KINDS.iter().find(|it| it.2 == text).map_or_else(Default::default, |it| it.0);
        let (needs_of, needs_attribute) = kind_needs(question.kind);
        if !needs_of {
            question.of.clear();
        }
        if !needs_attribute {
            question.attribute.clear();
        }
    });
    let [words, expected, rate] = guide.asked;
    let fields = vec![
        text("In your words", "Who is on a project?", words),
        select(["It asks for", "Choose"], kinds, kind, choose),
        select(
            ["Of the entity", "Choose"],
            names,
            move || guide.question.get().entity,
            set(|it, text| it.entity = text),
        ),
        select(
            ["From", "Nothing"],
            names,
            move || guide.question.get().of,
            set(|it, text| it.of = text),
        ),
        select(
            ["Attribute", "None"],
            attributes,
            move || guide.question.get().attribute,
            set(|it, text| it.attribute = text),
        ),
        text("Items expected", "optional", expected),
        text("Calls a second", "optional", rate),
    ];
    let button = el("button.button").child(small_icon("plus")).child("Ask it");
    form("Your own question", move || guide.ask(), fields, button)
}

fn offer(offer: GuideOfferView) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let question = offer.question;
    let button = el("button.chip")
        .on_click(move || {
            guide.edit("question", |session, _| session.guide_ask(&question, "", None, None));
        })
        .child(tag(offer.letter, offer.slot))
        .child(offer.words);
    el("li").child(button)
}

fn question(question: GuideQuestionView) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let number = question.number;
    let words = el("input.field")
        .attr("aria-label", format!("Words of question {number}"))
        .value(question.words.clone())
        .on_value("change", move |text| {
            guide.edit("question", |session, _| session.guide_words(number, &text));
        });
    let remove = el("button.icon-button.is-small")
        .attr("aria-label", format!("Remove {}", question.words))
        .on_click(move || {
            guide.edit("question", |session, _| {
                session.remove_pattern((number as usize).saturating_sub(1));
                Ok(())
            });
        })
        .child(small_icon("close"));
    let workspace = expect_context::<Workspace>();
    let open = el("button.icon-button.is-small")
        .attr("aria-label", format!("All fields of pattern {number}"))
        .attr("title", "All fields")
        .on_click(move || workspace.open_form(Form::Pattern(Some(number))))
        .child(small_icon("edit"));
    el("li")
        .child(el("span.ordinal").child(number))
        .child((!question.letter.is_empty()).then(|| tag(question.letter, question.slot)))
        .child(words)
        .child(el("span.quiet").child(question.kind))
        .child((!question.note.is_empty()).then(|| el("span.problem").child(question.note)))
        .child(open)
        .child(remove)
}

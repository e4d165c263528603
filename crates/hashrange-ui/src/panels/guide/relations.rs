//! Step 2: what belongs to what, by the picture or by two lists.

use hashrange_playground::guide::GuideRelationView;
use leptos::prelude::expect_context;

use super::diagram::picture;
use super::field::{form, refusal, select};
use crate::markup::{Element, el, nodes};
use crate::signal::RwSignal;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The step.
pub(super) fn step() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let names = move || view.with(|view| view.entities.iter().map(|it| it.name.clone()).collect());
    let [from, to] = guide.ends;
    let kinds = move || vec!["1 to n".to_owned(), "n to m".to_owned()];
    let fields = vec![
        select(["One", "Choose"], names, move || from.get(), move |text| from.set(text)),
        select(
            ["Kind", "Choose"],
            kinds,
            move || if guide.is_many.get() { "n to m" } else { "1 to n" }.to_owned(),
            move |text| guide.is_many.set(text == "n to m"),
        ),
        select(["Many", "Choose"], names, move || to.get(), move |text| to.set(text)),
    ];
    let relate = move || {
        guide.relate(&from.get_untracked(), &to.get_untracked());
        from.set(String::new());
        to.set(String::new());
    };
    let button = el("button.button.is-primary").child(small_icon("plus")).child("Relate");
    let rows = move || nodes(view.with(|view| view.relations.clone()).into_iter().map(row));
    let head = ["Relation", "Kind", "From the sample", "In words", ""];
    let head = el("tr").children(head.map(|title| el("th").attr("scope", "col").child(title)));
    el("div.step-body")
        .child(el("header").child(el("h2").child("Relations")).child(
            el("p.quiet").child("drag from one card to another, or press one and then the other"),
        ))
        .child(move || picture(view.with(|view| view.diagram.clone())))
        .child(form("Relation", relate, fields, button))
        .child(refusal("relation"))
        .child(
            el("div.scroll").attr("tabindex", "0").child(
                el("table.data-table")
                    .child(el("caption.visually-hidden").child("Relations"))
                    .child(el("thead").child(head))
                    .child(el("tbody").child(rows)),
            ),
        )
}

/// What takes the place of a line of many to many: a name, and the button.
fn split(at: usize, proposed: String) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let typed = RwSignal::new(proposed);
    let name = el("input.field")
        .attr("aria-label", "Name of the entity between")
        .value(move || typed.get())
        .on_value("input", move |text| typed.set(text));
    let button = el("button.button.is-primary.is-small")
        .on_click(move || {
            let name = typed.get_untracked();
            guide.edit("relation", |session, _| session.split_relation(at, &name).map(|_| ()));
        })
        .child(small_icon("plus"))
        .child(move || format!("Split it by {}", typed.get()));
    el("span.split").child(name).child(button)
}

fn row(relation: GuideRelationView) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let (at, to) = (relation.at, relation.to.clone());
    let split = relation.is_many.then(|| split(at, relation.between));
    let ratio = (relation.each > 0).then(|| {
        el("input")
            .attr("type", "range")
            .attr("min", 1)
            .attr("max", relation.each.max(20) * 2)
            .attr("aria-label", format!("{} of each {}", relation.to, relation.from))
            .value(relation.each.to_string())
            .on_value("change", move |text| {
                let each = text.parse().unwrap_or(1);
                guide.edit("relation", |session, now| session.guide_ratio(&to, each, now));
            })
    });
    let remove = el("button.icon-button.is-small")
        .attr("aria-label", format!("Remove {} to {}", relation.from, relation.to))
        .on_click(move || {
            guide.edit("relation", |session, now| session.guide_unrelate(at, now));
        })
        .child(small_icon("close"));
    el("tr")
        .child(el("th").attr("scope", "row").child(format!("{}, {}", relation.from, relation.to)))
        .child(el("td").child(relation.kind))
        .child(el("td.ratio").child(ratio).child(relation.each_text))
        .child(el("td.words").child(relation.words).child(split))
        .child(el("td").child(remove))
}

//! Beside the steps: why it is done so, what the keys gather, checks, other ways to key it, indexes there are.

use hashrange_playground::guide::{GatherView, GuideCheckView, OtherKeysView};
use leptos::prelude::expect_context;

use crate::markup::{Element, el, nodes};
use crate::panels::design::status;
use crate::panels::sample;
use crate::state::forms::Form;
use crate::state::workspace::Workspace;

/// Why each of the first steps is done: title and words.
const WHY: [(&str, &str); 3] = [
    (
        "Why no keys yet",
        "An item is found by its key alone. Which key is right depends on what is asked, and nothing has been asked yet.",
    ),
    (
        "Why a junction",
        "An item has one partition key. With a list of people inside a project, “what is she on?” would read every \
         project; with copies on both sides, each change is two writes. A junction item holds what belongs to the pair, \
         and an inverted index reads it from the other side.",
    ),
    (
        "Why questions first",
        "Relational tables are drawn first and asked later. Here a question nobody planned is a Scan: it reads all items, \
         and costs more with every item added.",
    ),
];

/// What stands beside the open step.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let guide = workspace.guide;
    let view = guide.view();
    let why = move || {
        WHY.get(guide.step.get()).map(|(title, words)| section(title, el("p").child(*words)))
    };
    let keys = move || {
        (guide.step.get() == 3).then(|| {
            view.with(|view| {
                vec![
                    section(
                        "What the keys gather",
                        el("div").children(view.gathers.clone().into_iter().map(gather)),
                    ),
                    section(
                        "Checks on these keys",
                        el("ul.checks").children(view.checks.clone().into_iter().map(check)),
                    ),
                    section("Other ways to key it", others(view.others.clone())),
                ]
            })
        })
    };
    let indexes = move || {
        (guide.step.get() == 4).then(|| {
            let all = view.with(|view| view.indexes.clone());
            let row = |[table, name, keys, n]: [String; 4]| {
                let form = Form::Index { table, name: Some(name.clone()) };
                let open = el("button.link")
                    .attr("title", "All fields of the index")
                    .on_click(move || workspace.open_form(form.clone()))
                    .child(el("code").child(name));
                el("li")
                    .child(open)
                    .child(" ")
                    .child(el("span.quiet").child(format!("{keys} · {n}")))
            };
            let none = all.is_empty().then(|| el("p.quiet").child("None yet."));
            section(
                "Indexes",
                el("div").child(none).child(el("ul").children(all.into_iter().map(row))),
            )
        })
    };
    el("div.guide-aside-panel").child(why).child(keys).child(indexes).child(sample::panel())
}

fn section(title: &'static str, body: Element) -> Element {
    el("section").attr("aria-label", title).child(el("h2").child(title)).child(body)
}

fn gather(view: GatherView) -> Element {
    let band = |band: hashrange_playground::guide::GatherBand| {
        el("li")
            .attr("data-slot", band.slot.to_string())
            .style("--weight", band.weight)
            .child(el("code").child(band.prefix))
            .child(el("span").child(band.items_text))
    };
    el("div.gather")
        .child(
            el("p")
                .child(el("code").child(view.key))
                .child(el("span.quiet").child(view.items_text))
                .child(el("span.quiet").child(view.size_text)),
        )
        .child(el("ul").children(view.bands.into_iter().map(band)))
}

fn check(view: GuideCheckView) -> Element {
    el("li")
        .child(status(view.glyph, view.status))
        .child(el("span").child(el("b").child(view.lead)).child(" ").child(view.text))
}

fn others(all: Vec<OtherKeysView>) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let row = move |other: OtherKeysView| {
        let name = match other.at {
            None => el("b").child(other.name),
            Some(at) => el("button.link")
                .on_click(move || {
                    guide.edit("keys", |session, now| session.guide_other_keys(at, now));
                })
                .child(other.name),
        };
        el("tr")
            .attr("aria-current", other.at.is_none().then_some("true"))
            .child(el("th").attr("scope", "row").child(name))
            .child(el("td.number").child(other.by_key.to_string()))
            .child(el("td.number").child(other.scans.to_string()))
    };
    let titles = ["Keys", "By key", "Left"];
    let head = el("tr").children(titles.map(|title| el("th").attr("scope", "col").child(title)));
    el("div")
        .child(
            el("table.data-table")
                .child(el("caption.visually-hidden").child("Other ways to key it"))
                .child(el("thead").child(head))
                .child(el("tbody").child(nodes(all.into_iter().map(row)))),
        )
        .child(el("p.quiet").child("Tried on the same questions; press one to key the items so."))
}

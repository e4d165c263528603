//! An index and its table: which item goes where with what, what stays out, and what writing it costs.

mod picture;

use hashrange_playground::links::{Gauge, LinkAttribute, LinkBlock, LinksView};
use leptos::prelude::expect_context;

use crate::markup::{Element, IntoNode, Node, el};
use crate::signal::{Memo, RwSignal};
use crate::state::workspace::Workspace;
use crate::widgets::segment;

const SHAPES: [&str; 2] = ["Picture", "Table"];

/// The index in view, in the middle of the page.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let shape = RwSignal::new(SHAPES[0]);
    let target = workspace.screen.target();
    let view = Memo::new(move |_| {
        let target = target.get()?;
        workspace.session.track_work();
        workspace.session.checked(|session| session.links(&target))
    });
    let strip = move || {
        let words = view.with(|view| view.as_ref().map(|view| view.headline.clone()));
        let none = "This table has no index. One added to it shows here which items are in it, and with what.";
        el("p").child(el("b").child(words.unwrap_or_else(|| none.to_owned())))
    };
    let drawn = move || view.get().map(|view| body(&view, shape.get() == SHAPES[0]));
    el("section.links-panel")
        .attr("aria-label", "Index picture")
        .child(el("div.strip").child(strip).child(segment("Show as", &SHAPES, shape)))
        .child(drawn)
}

fn body(view: &LinksView, is_picture: bool) -> Element {
    let sentences =
        el("ul.sentences").children(view.sentences.iter().map(|it| el("li").child(it.clone())));
    let rest = (!view.rest.is_empty()).then(|| el("p.quiet").child(view.rest.clone()));
    let facts = el("div.facts")
        .child(writes(view))
        .child(figures(view))
        .child(view.gauge.clone().map(gauge));
    let drawn = if is_picture { picture::drawn(view).into_node() } else { table(view) };
    el("div.body")
        .child(sentences)
        .child(el("div.scroll").attr("tabindex", "0").child(drawn))
        .child(rest)
        .child(facts)
}

/// What a write to the table does to the index.
fn writes(view: &LinksView) -> Option<Element> {
    if view.writes.is_empty() {
        return None;
    }
    let head = |words: &'static str| el("th").attr("scope", "col").child(words);
    let rows = view.writes.iter().map(|row| {
        el("tr")
            .child(el("th").attr("scope", "row").child(row.what))
            .child(el("td.number").child(u32::from(row.n_writes)))
            .child(el("td.number").child(row.units.clone()))
    });
    let table = el("table.data-table")
        .child(el("caption.visually-hidden").child("What writes to the table do to the index"))
        .child(
            el("thead").child(
                el("tr")
                    .child(head("A write to the table"))
                    .child(head("Index writes"))
                    .child(head("Units")),
            ),
        )
        .child(el("tbody").children(rows));
    let section = el("section").attr("aria-label", "Each write");
    Some(section.child(el("h2").child("Each write")).child(table))
}

fn figures(view: &LinksView) -> Element {
    let figure = |(name, words): &(&'static str, String)| {
        el("div").child(el("dt").child(*name)).child(el("dd").child(words.clone()))
    };
    el("section")
        .attr("aria-label", "What it holds and costs")
        .child(el("h2").child("What it holds and costs"))
        .child(el("dl").children(view.figures.iter().map(figure)))
}

/// How full the largest item collection is.
fn gauge(gauge: Gauge) -> Element {
    let [items, entries] = gauge.shares;
    let part = |spec: &'static str, share: f32| el(spec).style("width", format!("{share}%"));
    el("section")
        .attr("aria-label", "Item collection")
        .child(el("h2").child("Item collection"))
        .child(
            el("div.gauge")
                .attr("aria-hidden", "true")
                .child(part("i", items))
                .child(part("i.is-index", entries)),
        )
        .child(el("p").child(gauge.text))
}

/// The picture as a table: every item drawn, with its entry.
fn table(view: &LinksView) -> Node {
    let rows = |blocks: &[LinkBlock]| -> Vec<(String, hashrange_playground::links::LinkRow)> {
        let rows = blocks
            .iter()
            .flat_map(|block| block.rows.iter().map(|row| (block.key.clone(), row.clone())));
        rows.collect()
    };
    let entries = rows(&view.entries);
    let names = |attributes: &[LinkAttribute], is_projected: bool| {
        let names = attributes.iter().filter(|it| it.is_projected == is_projected);
        names.map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let key = |(partition, row): &(String, hashrange_playground::links::LinkRow)| {
        format!("{partition} · {} ({})", row.key, row.size_text)
    };
    let row = |item: (String, hashrange_playground::links::LinkRow)| {
        let number = item.1.item;
        let entry = entries.iter().find(|(_, row)| row.item == number);
        let cells = match entry {
            Some(entry) => {
                [key(entry), names(&entry.1.attributes, true), names(&entry.1.attributes, false)]
            }
            None => [format!("not in the index: {}", item.1.absent), String::new(), String::new()],
        };
        el("tr")
            .child(el("th").attr("scope", "row").child(key(&item)))
            .child(el("td").child(item.1.entity))
            .children(cells.map(|cell| el("td").child(cell)))
    };
    let head = |words: &'static str| el("th").attr("scope", "col").child(words);
    let heads = ["Item", "Entity", "Entry", "Projected", "Left in the table"].map(head);
    el("table.data-table")
        .child(el("caption.visually-hidden").child(view.headline.clone()))
        .child(el("thead").child(el("tr").children(heads)))
        .child(el("tbody").children(rows(&view.items).into_iter().map(row)))
        .into_node()
}

#[cfg(test)]
mod tests {
    use hashrange_playground::view::Target;

    use super::*;
    use crate::testing::{html, words};

    fn drawn(index: &'static str) -> String {
        let show = move |workspace: Workspace| {
            workspace.design.run_all();
            let table = "OrgDirectory".to_owned();
            workspace.screen.show_target(Target { table, index: Some(index.to_owned()) });
        };
        html(show, panel)
    }

    #[test]
    fn a_sparse_index_says_who_is_left_out_and_draws_a_link_for_each_entry() {
        let html = drawn("isOnHold");
        assert!(
            words(&html).contains("Index isOnHold receives 3 of 24 items; 21 have no isOnHold.")
        );
        assert_eq!(html.matches("class=\"link\"").count(), 3, "{html}");
        assert!(html.contains("is-dropped"), "{html}");
    }

    #[test]
    fn an_inverted_index_holds_all_with_crossing_links() {
        let html = drawn("GSI1");
        assert_eq!(html.matches("class=\"link\"").count(), 24);
        assert!(words(&html).contains("Inverted:"), "{html}");
    }
}

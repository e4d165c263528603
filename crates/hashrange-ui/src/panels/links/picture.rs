//! The picture: items at the left, entries at the right, links between them.

use hashrange_playground::links::{Link, LinkBlock, LinkRow, LinksView};

use crate::markup::{Element, svg};

/// Attributes named on an entry before they are counted.
const NAMED_MAX: usize = 7;
/// Letters of a key that fit.
const KEY_CHARACTERS: usize = 34;

pub(super) fn drawn(view: &LinksView) -> Element {
    let shared = |[x, y, width, height]: &[f32; 4]| rect("rect.shared", *x, *y, *width, *height);
    let title = |x: f32, words: String| text("text.title", x, 16.0, words);
    svg("svg.links")
        .attr("viewBox", format!("0 0 {} {}", view.width, view.height))
        .attr("role", "img")
        .attr("aria-label", format!("{} {}", view.headline, view.sentences.join(" ")))
        .children(view.shared.iter().map(shared))
        .child(title(12.0, view.table.clone()))
        .child(title(508.0, view.index.clone()))
        .children(view.links.iter().map(link))
        .children(view.items.iter().map(|it| block(it, false)))
        .children(view.entries.iter().map(|it| block(it, true)))
}

fn rect(spec: &'static str, x: f32, y: f32, width: f32, height: f32) -> Element {
    svg(spec)
        .attr("x", x.to_string())
        .attr("y", y.to_string())
        .attr("width", width.to_string())
        .attr("height", height.to_string())
}

fn text(spec: &'static str, x: f32, y: f32, words: String) -> Element {
    svg(spec).attr("x", x.to_string()).attr("y", y.to_string()).child(words)
}

fn link(link: &Link) -> Element {
    svg("path.link")
        .attr("data-slot", link.slot.map(u32::from))
        .attr("d", link.path.clone())
        .attr("stroke-width", link.width.to_string())
}

fn block(block: &LinkBlock, are_entries: bool) -> Element {
    let [x, y, width, height] = block.place;
    svg("g.block")
        .child(rect("rect.box", x, y, width, height))
        .child(text("text.key", x + 8.0, y + 15.0, short(&block.key)))
        .children(block.rows.iter().map(|it| row(it, x, width, are_entries)))
}

fn row(row: &LinkRow, x: f32, width: f32, is_entry: bool) -> Element {
    let is_absent = !is_entry && !row.absent.is_empty();
    let size = if is_absent {
        format!("{} · {}", row.absent, row.size_text)
    } else {
        row.size_text.clone()
    };
    let tag = (!row.letter.is_empty()).then(|| {
        let middle = x + 17.0;
        svg("g.letter")
            .attr("data-slot", row.slot.map(u32::from))
            .child(rect("rect", x + 8.0, row.y + 2.0, 18.0, 16.0).attr("rx", "3"))
            .child(text("text.middle", middle, row.y + 14.0, row.letter.clone()))
    });
    let spec = if is_absent { "g.row.is-absent" } else { "g.row" };
    svg(spec)
        .child(svg("title").child(row.entity.clone()))
        .child(tag)
        .child(text("text.key", x + 32.0, row.y + 14.0, short(&row.key)))
        .child(text("text.end", x + width - 8.0, row.y + 14.0, size))
        .child(is_entry.then(|| attributes(row, x + 32.0)))
}

/// The attributes of an entry: what it holds, and as ghosts what stays in the table.
fn attributes(row: &LinkRow, x: f32) -> Element {
    let n = row.attributes.len();
    let shown = row.attributes.iter().take(NAMED_MAX).map(|it| {
        svg(if it.is_projected { "tspan" } else { "tspan.is-dropped" })
            .attr("dx", "6")
            .child(it.name.clone())
    });
    let more = (n > NAMED_MAX)
        .then(|| svg("tspan.more").attr("dx", "6").child(format!("+{}", n - NAMED_MAX)));
    svg("text.attributes")
        .attr("x", (x - 6.0).to_string())
        .attr("y", (row.y + 29.0).to_string())
        .children(shown)
        .child(more)
}

fn short(words: &str) -> String {
    if words.chars().count() <= KEY_CHARACTERS {
        return words.to_owned();
    }
    let shown: String = words.chars().take(KEY_CHARACTERS - 1).collect();
    format!("{shown}…")
}

//! On-demand against provisioned, as a chart and as a table.

use hashrange_playground::cost::{Chart, Line, LineKind, Spot, Tick, TrafficView};
use leptos::prelude::expect_context;

use crate::markup::{Element, IntoNode, Node, el, svg};
use crate::signal::RwSignal;
use crate::state::workspace::Workspace;
use crate::widgets::segment;

const SHAPES: [&str; 2] = ["Picture", "Table"];
const AXES: [&str; 2] = ["By use", "By traffic"];

/// The charts of one kind of traffic, with the choice of which.
pub(super) fn section(view: TrafficView) -> Element {
    let design = expect_context::<Workspace>().design;
    let (shape, axis) = (RwSignal::new(SHAPES[0]), RwSignal::new(AXES[0]));
    let option = |(at, words): (usize, &String)| {
        el("option")
            .attr("value", at.to_string())
            .attr("selected", at == view.chosen)
            .child(words.clone())
    };
    let choice = el("select.select")
        .attr("aria-label", "Traffic")
        .on_value("change", move |value| design.choose_traffic(value.parse().ok()))
        .children(view.choices.iter().enumerate().map(option));
    let head = el("header")
        .child(el("h2").child("On-demand or provisioned?"))
        .child(choice)
        .child(segment("Axis", &AXES, axis))
        .child(segment("Show as", &SHAPES, shape));
    let (by_use, by_traffic) = (view.by_use, view.by_traffic);
    let drawn = move || {
        let chart = if axis.get() == AXES[0] { &by_use } else { &by_traffic };
        if shape.get() == SHAPES[0] { picture(chart).into_node() } else { table(chart) }
    };
    el("section")
        .attr("aria-label", "On-demand or provisioned")
        .child(head)
        .child(el("p").child(view.sentence))
        .child(el("div.scroll").attr("tabindex", "0").child(drawn))
}

fn text(spec: &'static str, x: f32, y: f32, words: &str) -> Element {
    svg(spec).attr("x", x.to_string()).attr("y", y.to_string()).child(words.to_owned())
}

fn segment_line(spec: &'static str, from: (f32, f32), to: (f32, f32)) -> Element {
    svg(spec)
        .attr("x1", from.0.to_string())
        .attr("y1", from.1.to_string())
        .attr("x2", to.0.to_string())
        .attr("y2", to.1.to_string())
}

fn picture(chart: &Chart) -> Element {
    let [left, top, right, bottom] = chart.plot;
    let across =
        |tick: &Tick| {
            svg("g")
                .child(segment_line("line.grid", (left, tick.at), (right, tick.at)))
                .child(text("text.end", left - 8.0, tick.at + 4.0, &tick.label))
        };
    let under = |tick: &Tick| text("text.middle", tick.at, bottom + 16.0, &tick.label);
    let above = |tick: &Tick| text("text.middle", tick.at, top - 8.0, &tick.label);
    let line = |line: &Line| {
        let spec = match line.kind {
            LineKind::OnDemand => "path.line.is-on-demand",
            LineKind::Provisioned => "path.line.is-provisioned",
            LineKind::AutoScaled => "path.line.is-auto",
        };
        svg("g").child(svg(spec).attr("d", line.path.clone())).children(words(&line.end, 0.0))
    };
    let even = chart.even.as_ref().map(|spot| {
        svg("g")
            .child(segment_line("line.even", (spot.x, top), (spot.x, bottom)))
            .child(point("circle.even", spot))
            .children(words(&Spot { y: top + 14.0, ..spot.clone() }, 10.0))
    });
    let here = |spot: &Spot| svg("g").child(point("circle.here", spot)).children(words(spot, 8.0));
    let middle = left + (right - left) / 2.0;
    svg("svg.chart")
        .attr("viewBox", format!("0 0 {} {}", chart.width, chart.height))
        .attr("role", "img")
        .attr("aria-label", chart.title.clone())
        .child((!chart.band.is_empty()).then(|| svg("path.band").attr("d", chart.band.clone())))
        .children(chart.y_ticks.iter().map(across))
        .children(chart.x_ticks.iter().map(under))
        .children(chart.top_ticks.iter().map(above))
        .child(text("text.middle", middle, bottom + 34.0, &chart.x_name))
        .children(chart.lines.iter().map(line))
        .child(even)
        .children(chart.here.iter().map(here))
}

fn point(spec: &'static str, spot: &Spot) -> Element {
    svg(spec).attr("cx", spot.x.to_string()).attr("cy", spot.y.to_string()).attr("r", "4")
}

/// What is at a spot, `aside` to its right.
fn words(spot: &Spot, aside: f32) -> [Element; 2] {
    let x = spot.x + aside;
    [text("text.strong", x, spot.y, &spot.label), text("text", x, spot.y + 15.0, &spot.caption)]
}

fn table(chart: &Chart) -> Node {
    let mut rows = chart.rows.iter();
    let Some(heading) = rows.next() else { return Node::List(Vec::new()) };
    let title = |words: &String| el("th.number").attr("scope", "col").child(words.clone());
    let row = |cells: &[String; 4]| {
        let [first, rest @ ..] = cells;
        el("tr")
            .child(el("th.number").attr("scope", "row").child(first.clone()))
            .children(rest.iter().map(|cell| el("td.number").child(cell.clone())))
    };
    el("table.data-table")
        .child(el("caption.visually-hidden").child(chart.title.clone()))
        .child(el("thead").child(el("tr").children(heading.iter().map(title))))
        .child(el("tbody").children(rows.map(row)))
        .into_node()
}

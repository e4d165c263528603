//! What the bill counts: Region, capacity mode, peak, sample, and the prices themselves.

use hashrange_playground::cost::{ModeRow, PriceView, REGIONS, SliderView};
use leptos::prelude::expect_context;

use crate::markup::{Element, el};
use crate::state::workspace::Workspace;

const MODES: [&str; 3] = ["on-demand", "provisioned", "auto-scaled"];
const CLASSES: [&str; 2] = ["standard", "standard-ia"];
const NODES: [&str; 2] = ["dax.t3.small", "dax.r5.large"];
const RESERVED: [&str; 3] = ["none", "1-year", "3-years"];

/// Settings that are numbers: name, words and what stands there by default.
const NUMBERS: [(&str, &str, &str); 6] = [
    ("copies", "Tables hold the sample how many times", "1"),
    ("replica_regions", "Other Regions with a replica", "0"),
    ("backups", "Backups kept", "0"),
    ("stream_reads_per_second", "Stream reads a second", "0"),
    ("dax_nodes", "Nodes of DAX", "0"),
    ("dax_hit_percent", "DAX answers, in percent of eventual reads", "90"),
];

/// The settings, beside the bill.
pub(crate) fn panel() -> Element {
    let design = expect_context::<Workspace>().design;
    let modes = move || mode_table(design.cost().with(|view| view.modes.clone()));
    let prices = move || {
        let prices = design.cost().with(|view| view.prices.clone());
        prices.into_iter().map(price).collect::<Vec<_>>()
    };
    el("div.cost-choices-panel")
        .child(
            el("section")
                .attr("aria-label", "What the bill counts")
                .child(el("h2").child("What the bill counts"))
                .child(choice("region", "Region", &REGIONS))
                .child(choice("mode", "Capacity", &MODES))
                .child(choice("table_class", "Table class", &CLASSES))
                .child(choice("reserved", "Reserved capacity", &RESERVED))
                .child(move || {
                    design
                        .cost()
                        .with(|view| view.sliders.clone())
                        .into_iter()
                        .map(slider)
                        .collect::<Vec<_>>()
                })
                .children(NUMBERS.map(number))
                .child(choice("dax_node", "Size of a DAX node", &NODES))
                .child(check("point_in_time_recovery", "Point-in-time recovery"))
                .child(check("free_tier", "Take the free tier off")),
        )
        .child(
            el("section")
                .attr("aria-label", "The whole bill in each mode")
                .child(el("h2").child("The whole bill in each mode"))
                .child(modes),
        )
        .child(
            el("section").attr("aria-label", "Prices").child(
                el("details")
                    .child(el("summary").child("Prices"))
                    .child(
                        el("p.quiet")
                            .child(move || design.cost().with(|view| view.price_note.clone())),
                    )
                    .child(el("ul").child(prices)),
            ),
        )
}

fn choice(name: &'static str, words: &'static str, choices: &'static [&'static str]) -> Element {
    let workspace = expect_context::<Workspace>();
    let chosen = move || {
        let text = workspace.session.checked(|session| session.cost_setting(name));
        if text.is_empty() { choices[0].to_owned() } else { text }
    };
    let select = el("select.select")
        .value(chosen)
        .on_value("change", move |value| {
            workspace.edit(|session, _| session.set_cost(name, &value));
        })
        .children(choices.iter().map(|choice| el("option").attr("value", *choice).child(*choice)));
    el("label.setting").child(el("span").child(words)).child(select)
}

fn number((name, words, default): (&'static str, &'static str, &'static str)) -> Element {
    let workspace = expect_context::<Workspace>();
    let value = move || workspace.session.checked(|session| session.cost_setting(name));
    let field = el("input.field")
        .attr("inputmode", "numeric")
        .attr("placeholder", default)
        .value(value)
        .on_value("change", move |text| {
            workspace.edit(|session, _| session.set_cost(name, &text));
        });
    el("label.setting").child(el("span").child(words)).child(field)
}

/// A number set by sliding, with what it is in words.
fn slider(view: SliderView) -> Element {
    let workspace = expect_context::<Workspace>();
    let [least, most, step] = view.range;
    let name = view.name;
    let field = el("input.slider")
        .attr("type", "range")
        .attr("min", least)
        .attr("max", most)
        .attr("step", step)
        .attr("aria-valuetext", view.text.clone())
        .value(view.value.to_string())
        .on_value("change", move |text| {
            workspace.edit(|session, _| session.set_cost(name, &text));
        });
    el("label.setting.is-slider")
        .child(el("span").child(view.words))
        .child(field)
        .child(el("span.number").child(view.text))
}

fn check(name: &'static str, words: &'static str) -> Element {
    let workspace = expect_context::<Workspace>();
    let is_on = move || workspace.session.checked(|session| session.cost_setting(name) == "true");
    let turn = move |_| {
        let next = if leptos::prelude::untrack(is_on) { "" } else { "true" };
        workspace.edit(|session, _| session.set_cost(name, next));
    };
    el("label.check")
        .child(el("input").attr("type", "checkbox").checked(is_on).on("change", turn))
        .child(words)
}

fn mode_table(modes: Vec<ModeRow>) -> Element {
    let row = |row: ModeRow| {
        el("tr")
            .attr("aria-current", row.is_current.then_some("true"))
            .child(el("th").attr("scope", "row").child(row.name))
            .child(el("td.number").child(row.month))
    };
    el("table.data-table")
        .child(el("caption.visually-hidden").child("A month in each capacity mode"))
        .child(el("tbody").children(modes.into_iter().map(row)))
}

/// A price with a field for one's own.
fn price(view: PriceView) -> Element {
    let workspace = expect_context::<Workspace>();
    let name = format!("prices.{}", view.key);
    let label = format!("{} {}", view.what, view.per);
    let field = el("input.field")
        .attr("aria-label", format!("Price of {label}, in dollars"))
        .attr("inputmode", "decimal")
        .value(view.number)
        .on_value("change", move |text| {
            workspace.edit(|session, _| session.set_cost(&name, &text));
        });
    el("li")
        .child(el("span").child(label).child(el("span.quiet").child(view.confidence)))
        .child(field)
}

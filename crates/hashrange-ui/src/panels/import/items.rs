//! The import dialog once items were read: which column becomes what, and what would be refused.

use hashrange_playground::{ColumnPlan, SourceColumn};
use leptos::prelude::expect_context;

use crate::browser::dom;
use crate::markup::{Element, IntoNode, Node, el, nodes};
use crate::state::import_items::{ItemsImportStore, TrialView};
use crate::state::workspace::Workspace;

/// The types a column can have; the first leaves each value as it is, the second leaves the column out.
const KINDS: [(&str, &str); 12] = [
    ("", "as it is"),
    ("–", "left out"),
    ("S", "S string"),
    ("N", "N number"),
    ("BOOL", "BOOL"),
    ("NULL", "NULL"),
    ("B", "B base64"),
    ("SS", "SS, between commas"),
    ("NS", "NS, between commas"),
    ("BS", "BS, between commas"),
    ("L", "L, DynamoDB JSON"),
    ("M", "M, DynamoDB JSON"),
];

/// The body of the dialog.
pub(super) fn body() -> Node {
    let workspace = expect_context::<Workspace>();
    let import = workspace.import.items;
    vec![
        el("p.summary").child(import.summary()).into_node(),
        target(workspace, import).into_node(),
        columns(workspace, import).into_node(),
        (move || outcome(import.view())).into_node(),
    ]
    .into_node()
}

/// Table, entity, and whether items may be replaced.
fn target(workspace: Workspace, import: ItemsImportStore) -> Element {
    let choice = |label: &'static str, select: Element| {
        el("label").child(el("span").child(label)).child(select)
    };
    let tables = move || {
        let chosen = import.plan().table;
        let names = workspace.session.targets().get().into_iter().filter(|it| it.index.is_none());
        nodes(names.map(move |target| option(target.table.clone(), target.table, &chosen)))
    };
    let table = el("select.select")
        .on_value("change", move |name| import.choose_table(workspace, &name))
        .child(tables);
    let entities = move || {
        let plan = import.plan();
        let chosen = plan.entity.unwrap_or_default();
        let names = workspace.session.ask(|session| session.entities_of(&plan.table));
        let none = option("their columns alone".to_owned(), String::new(), &chosen);
        let all = names.into_iter().map(|name| option(name.clone(), name, &chosen));
        nodes(std::iter::once(none).chain(all.collect::<Vec<_>>()))
    };
    let entity = el("select.select")
        .on_value("change", move |name| {
            import.change_plan(workspace, |plan| {
                plan.entity = Some(name).filter(|it| !it.is_empty());
            });
        })
        .child(entities);
    let replaces = el("input").attr("type", "checkbox").on("change", move |event| {
        let is_checked = dom::is_checked(&event);
        import.change_plan(workspace, |plan| plan.replaces = is_checked);
    });
    el("div.target")
        .child(choice("Into the table", table))
        .child(choice("Keys made by", entity))
        .child(el("label").child(replaces).child(" Replace items that have the same key"))
}

fn option(words: String, value: String, chosen: &str) -> Element {
    let is_chosen = value == chosen;
    el("option").attr("value", value).attr("selected", is_chosen).child(words)
}

/// What becomes of each column.
fn columns(workspace: Workspace, import: ItemsImportStore) -> Element {
    let title = |words: &'static str| el("th").attr("scope", "col").child(words);
    let titles = el("tr").children(["Column", "First value", "Attribute", "Type"].map(title));
    let rows = move || {
        let columns = import.columns().into_iter().enumerate();
        nodes(columns.map(move |(at, (source, plan))| column(workspace, import, at, source, plan)))
    };
    let table = el("table.data-table.columns")
        .child(el("caption.visually-hidden").child("Columns and attributes"))
        .child(el("thead").child(titles))
        .child(el("tbody").child(rows));
    el("div.scrolls")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", "Columns")
        .child(table)
}

fn column(
    workspace: Workspace,
    import: ItemsImportStore,
    at: usize,
    source: SourceColumn,
    plan: ColumnPlan,
) -> Element {
    let attribute = el("input.field")
        .attr("aria-label", format!("Attribute of {}", source.name))
        .attr("spellcheck", "false")
        .value(plan.attribute)
        .on_value("change", move |name| {
            import.change_plan(workspace, |plan| {
                let name = name.trim();
                let kind = workspace.session.ask(|session| {
                    let known = &plan.columns[at].kind;
                    session.import_kind(&plan.table, name, known).to_owned()
                });
                plan.columns[at] = ColumnPlan { attribute: name.to_owned(), kind };
            });
        });
    let kind = el("select.select")
        .attr("aria-label", format!("Type of {}", source.name))
        .on_value("change", move |kind| {
            import.change_plan(workspace, |plan| plan.columns[at].kind = kind);
        })
        .children(KINDS.map(|(kind, words)| option(words.to_owned(), kind.to_owned(), &plan.kind)));
    el("tr")
        .child(el("th").attr("scope", "row").child(source.name))
        .child(el("td").child(el("code").child(source.sample)))
        .child(el("td").child(attribute))
        .child(el("td").child(kind))
}

/// How far the trial is, and what it found.
fn outcome(view: TrialView) -> Node {
    if !view.problem.is_empty() {
        let message =
            el("div.message.is-bad").attr("role", "alert").child(el("p").child(view.problem));
        return message.into_node();
    }
    let progress = (!view.is_done).then(|| {
        el("progress")
            .attr("max", "1")
            .attr("value", view.share.to_string())
            .attr("aria-label", "Looked at so far")
    });
    let summary = el("p.found").attr("role", "status").child(el("b").child(view.summary));
    let n_more = view.n_not_listed;
    let more = (n_more > 0).then(|| el("p.note").child(format!("And {n_more} more.")));
    let table = (!view.left_out.is_empty()).then(|| {
        let title = |words: &'static str| el("th").attr("scope", "col").child(words);
        let row = |row: hashrange_playground::RowLeftOut| {
            el("tr")
                .child(el("th").attr("scope", "row").child(row.place))
                .child(el("td").child(row.reason))
        };
        el("table.data-table.left-out")
            .child(el("caption.visually-hidden").child("Left out"))
            .child(el("thead").child(el("tr").children(["Left out", "Why"].map(title))))
            .child(el("tbody").children(view.left_out.into_iter().map(row)))
    });
    vec![progress.into_node(), summary.into_node(), table.into_node(), more.into_node()].into_node()
}

//! The form of a table: name, keys, capacity, stream, and the local indexes it can be given only when it is made.

use super::{FormDraft, Read, add_button, choices, field, key_types, list_row, refuse, whole};
use crate::edit::{IndexForm, KeyField, ProjectionForm, TableForm};
use crate::session::Session;
use crate::view::{FactView, FieldKind, FieldView, FormRefusal, FormView, Refusal};

const STREAMS: [(&str, &str); 5] = [
    ("", "No stream"),
    ("NEW_AND_OLD_IMAGES", "Items before and after"),
    ("NEW_IMAGE", "Items after"),
    ("OLD_IMAGE", "Items before"),
    ("KEYS_ONLY", "Keys alone"),
];
const MODES: [(&str, &str); 2] = [("", "On-demand"), ("provisioned", "Provisioned")];
pub(super) const PROJECTIONS: [(&str, &str); 3] =
    [("ALL", "ALL"), ("KEYS_ONLY", "KEYS_ONLY"), ("INCLUDE", "INCLUDE")];

/// Why a table that is there gets no local index.
pub(super) const LOCAL_LATE: &str = "A local index can only be made together with its table.";

pub(super) fn draft(session: &Session, name: Option<&str>) -> FormDraft {
    let form = name.and_then(|name| session.table_form(name)).unwrap_or_else(|| TableForm {
        partition: KeyField::text("PK"),
        sort: Some(KeyField::text("SK")),
        ..TableForm::default()
    });
    let mut draft = FormDraft::default();
    draft.set("name", form.name);
    draft.set("partition", form.partition.name);
    draft.set("partition.type", form.partition.scalar);
    let sort = form.sort.unwrap_or_default();
    draft.set("sort", sort.name);
    draft.set("sort.type", sort.scalar);
    if let Some((read, write)) = form.provisioned {
        draft.set("mode", "provisioned");
        draft.set("read", read.to_string());
        draft.set("write", write.to_string());
    }
    draft.set("stream", form.stream.unwrap_or_default());
    draft
}

/// What was typed, as a table's form; what there is of it is `known`.
fn read(draft: &FormDraft, known: Option<TableForm>) -> Read<TableForm> {
    let is_new = known.is_none();
    let mut form = known.unwrap_or_default();
    form.name = draft.trimmed("name");
    form.partition = key_field(draft, "partition");
    if form.partition.name.is_empty() {
        return refuse("partition", "A table needs a partition key, such as PK.");
    }
    form.sort = Some(key_field(draft, "sort")).filter(|it| !it.name.is_empty());
    form.provisioned = if draft.get("mode").is_empty() {
        None
    } else {
        let units =
            |name: &str, what: &str| Ok::<_, FormRefusal>(whole(draft, name, what)?.unwrap_or(5));
        Some((units("read", "The read capacity")?, units("write", "The write capacity")?))
    };
    form.stream = Some(draft.get("stream").to_owned()).filter(|it| !it.is_empty());
    for local in form.indexes.iter_mut().filter(|index| index.is_local) {
        local.partition = vec![form.partition.clone()];
    }
    for row in 0..if is_new { draft.n_rows("local") } else { 0 } {
        form.indexes.push(local(draft, row, &form.partition)?);
    }
    Ok(form)
}

fn local(draft: &FormDraft, row: usize, partition: &KeyField) -> Read<IndexForm> {
    let at = |name: &str| format!("local.{row}.{name}");
    let sort = key_field(draft, &at("sort"));
    if sort.name.is_empty() {
        return refuse(&at("sort"), "A local index sorts by another attribute: name it.");
    }
    Ok(IndexForm {
        name: draft.trimmed(&at("name")),
        is_local: true,
        partition: vec![partition.clone()],
        sort: vec![sort],
        projection: projection(draft, &at("projection")),
    })
}

/// A key attribute out of its two fields.
pub(super) fn key_field(draft: &FormDraft, name: &str) -> KeyField {
    let scalar = draft.get(&format!("{name}.type"));
    let scalar = if scalar.is_empty() { "S" } else { scalar };
    KeyField { name: draft.trimmed(name), scalar: scalar.to_owned() }
}

/// A projection out of its field and the one of the attributes.
pub(super) fn projection(draft: &FormDraft, name: &str) -> ProjectionForm {
    match draft.get(name) {
        "KEYS_ONLY" => ProjectionForm::KeysOnly,
        "INCLUDE" => {
            let names = draft.get(&format!("{name}.include"));
            let names = names.split(',').map(str::trim).filter(|it| !it.is_empty());
            ProjectionForm::Include(names.map(str::to_owned).collect())
        }
        _ => ProjectionForm::All,
    }
}

pub(super) fn apply(
    session: &mut Session,
    name: Option<&str>,
    draft: &FormDraft,
    now: i64,
) -> Read {
    let known = name.and_then(|name| session.table_form(name));
    let form = read(draft, known)?;
    session.put_table(name, &form, now).map_err(|refusal| place(&form, draft, refusal))
}

/// The field a refusal belongs to: DynamoDB names the member.
fn place(form: &TableForm, draft: &FormDraft, refusal: Refusal) -> FormRefusal {
    let message = &refusal.message;
    let row = form
        .indexes
        .iter()
        .filter(|it| it.is_local)
        .position(|it| !it.name.is_empty() && message.contains(&it.name));
    let field = if message.contains("apacity") || message.contains("hroughput") {
        if message.contains("ead") { "read" } else { "write" }.to_owned()
    } else if let Some(row) = row.filter(|row| *row < draft.n_rows("local")) {
        format!("local.{row}.name")
    } else if message.contains("ndexName") || message.contains("ndex name") {
        let empty = (0..draft.n_rows("local"))
            .find(|row| draft.row("local", *row, "name").trim().len() < 3);
        empty.map_or_else(|| "name".to_owned(), |row| format!("local.{row}.name"))
    } else if message.contains("ttribute")
        || message.contains("KeySchema")
        || message.contains("hash key")
    {
        "partition".to_owned()
    } else {
        "name".to_owned()
    };
    super::refused_at(&field)(refusal)
}

pub(super) fn view(session: &Session, name: Option<&str>, draft: &FormDraft) -> FormView {
    let known = name.and_then(|name| session.table_form(name));
    let mut fields = vec![
        field(draft, "name", "Name", FieldKind::Code).hint("Orders"),
        key_row(draft, "partition", "Partition key", "PK"),
        key_row(draft, "sort", "Sort key", "none"),
    ];
    if let Some(known) = &known
        && (known.partition != key_field(draft, "partition")
            || known.sort != Some(key_field(draft, "sort")).filter(|it| !it.name.is_empty()))
    {
        let table = &known.name;
        fields.push(FieldView::words(
            "Another key",
            format!(
                "A table keeps the key it was made with. The design changes at once; {table} keeps its items under the old key until you let it be rebuilt, and undo brings them back."
            ),
        ));
    }
    fields.push(field(draft, "mode", "Capacity", FieldKind::Segment(choices(&MODES))));
    if !draft.get("mode").is_empty() {
        fields.push(FieldView::plain(
            "",
            FieldKind::Row(vec![
                field(draft, "read", "Read units a second", FieldKind::Number).hint("5"),
                field(draft, "write", "Write units a second", FieldKind::Number).hint("5"),
            ]),
        ));
    }
    fields.push(field(draft, "stream", "Stream", FieldKind::Choice(choices(&STREAMS))));
    fields.push(FieldView::heading("Local indexes", "The same partition key, another sort key; strong reads; at most 10 GB for a partition key."));
    if let Some(known) = &known {
        let locals = known.indexes.iter().filter(|index| index.is_local);
        let fact = |index: &IndexForm| {
            let sort = index.sort.first().map_or("", |it| it.name.as_str());
            let text = format!("sorted by {sort}");
            FactView { name: index.name.clone(), text, ..FactView::default() }
        };
        let facts: Vec<FactView> = locals.map(fact).collect();
        if !facts.is_empty() {
            fields.push(FieldView::facts("", facts));
        }
        fields.push(FieldView::words("", LOCAL_LATE));
    } else {
        for row in 0..draft.n_rows("local") {
            fields.push(local_row(draft, row));
        }
        fields.push(add_button("local", "Local index"));
    }
    FormView {
        title: name.map_or_else(|| "New table".to_owned(), |name| format!("Table {name}")),
        words: String::new(),
        fields,
        apply: if known.is_some() { "Save table" } else { "Create table" },
        remove: known.is_some().then_some("Remove table"),
        slot: 0,
    }
}

/// A key attribute: its name and its type.
pub(super) fn key_row(draft: &FormDraft, name: &str, label: &str, hint: &str) -> FieldView {
    let mut of_type = field(draft, &format!("{name}.type"), "Type", FieldKind::Choice(key_types()));
    if of_type.value.is_empty() {
        "S".clone_into(&mut of_type.value);
    }
    let name = field(draft, name, label, FieldKind::Code).hint(hint);
    FieldView::plain("", FieldKind::Row(vec![name, of_type]))
}

fn local_row(draft: &FormDraft, row: usize) -> FieldView {
    let at = |name: &str| format!("local.{row}.{name}");
    let mut of_type = field(draft, &at("sort.type"), "Type", FieldKind::Choice(key_types()));
    if of_type.value.is_empty() {
        "S".clone_into(&mut of_type.value);
    }
    let mut projection =
        field(draft, &at("projection"), "Projection", FieldKind::Choice(choices(&PROJECTIONS)));
    if projection.value.is_empty() {
        "ALL".clone_into(&mut projection.value);
    }
    let mut cells = vec![
        field(draft, &at("name"), "Name", FieldKind::Code).hint("byDay"),
        field(draft, &at("sort"), "Sort key", FieldKind::Code).hint("day"),
        of_type,
        projection,
    ];
    if draft.get(&at("projection")) == "INCLUDE" {
        let names = field(draft, &at("projection.include"), "Attributes", FieldKind::Code);
        cells.push(names.hint("total, status"));
    }
    let name = draft.row("local", row, "name");
    list_row("local", row, if name.is_empty() { "local index" } else { name }, cells)
}

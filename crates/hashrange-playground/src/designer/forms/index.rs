//! The form of an index: its keys out of the attributes there are, what each entity would have in it, and what each
//! projection would hold and cost.
//!
//! Invariant: figures are measured on the table's first items; whether DynamoDB takes the index is for the edit to say.
//!
//! Not here: what the patterns make of it ([`super::super::trial`]).

use hashrange_design::fix::IndexPlan;
use hashrange_engine::capacity::write_units;
use hashrange_storage::{KeyRange, Table};
use hashrange_types::letter_case::{capital, lowercase};
use hashrange_types::{
    CapacityUnits, Item, KeySchema, Projection, ScalarType, SortedMap, TableSchema,
};

use super::table::{LOCAL_LATE, PROJECTIONS, key_field, projection};
use super::{FormDraft, Read, choices, field, key_types, refuse, refused_at};
use crate::edit::{IndexForm, KeyField, ProjectionForm, fill};
use crate::format::{counted, size, units};
use crate::recognition::EntityIndex;
use crate::session::Session;
use crate::view::{FactView, FieldKind, FieldView, FormRefusal, FormView, Refusal};

/// Items measured.
const ITEMS_MAX: usize = 2_000;
/// What a choice of attribute holds for one that is not there yet.
const NEW: &str = "+";

pub(super) fn draft(session: &Session, table: &str, name: Option<&str>) -> FormDraft {
    let mut draft = FormDraft::default();
    let form = session.table_form(table).unwrap_or_default();
    let index = name.and_then(|name| form.index(name)).cloned().unwrap_or_else(|| IndexForm {
        partition: vec![form.partition.clone()],
        ..IndexForm::default()
    });
    draft.set("name", index.name);
    draft.set("kind", if index.is_local { "local" } else { "global" });
    for (part, fields) in [("partition", index.partition), ("sort", index.sort)] {
        let first = fields.into_iter().next().unwrap_or_default();
        draft.set(part, first.name);
        draft.set(&format!("{part}.type"), first.scalar);
    }
    let (kind, names) = match index.projection {
        ProjectionForm::All => ("ALL", Vec::new()),
        ProjectionForm::KeysOnly => ("KEYS_ONLY", Vec::new()),
        ProjectionForm::Include(names) => ("INCLUDE", names),
    };
    draft.set("projection", kind);
    draft.set("projection.include", names.join(", "));
    draft
}

/// The attribute chosen for a part of the key: one there is, or a new one.
fn chosen(draft: &FormDraft, part: &str, known: &SortedMap<String, Seen>) -> Option<KeyField> {
    match draft.get(part) {
        "" => None,
        NEW => Some(key_field(draft, &format!("{part}.new"))),
        name => {
            let scalar = known.get(name).map_or("S", |seen| seen.scalar.letter());
            Some(KeyField { name: name.to_owned(), scalar: scalar.to_owned() })
        }
    }
}

/// An index as typed, with the templates of the entities for attributes that are new.
struct Typed {
    form: IndexForm,
    templates: Vec<(usize, String, String)>,
}

fn read(session: &Session, table: &str, name: Option<&str>, draft: &FormDraft) -> Read<Typed> {
    let known = attributes(session, table);
    let old = session.table_form(table).unwrap_or_default();
    let old = name.and_then(|name| old.index(name)).cloned().unwrap_or_default();
    let partition = chosen(draft, "partition", &known).unwrap_or_default();
    let sort = chosen(draft, "sort", &known);
    for (part, attribute) in [("partition", Some(&partition)), ("sort", sort.as_ref())] {
        if attribute.is_some_and(|it| it.name.is_empty()) {
            let place =
                if draft.get(part) == NEW { format!("{part}.new") } else { part.to_owned() };
            return refuse(&place, "An index needs this attribute: choose one, or name a new one.");
        }
    }
    // The form shows the first attribute of each part; those after it stay as they are.
    let rest = |part: &[KeyField]| part.iter().skip(1).cloned().collect::<Vec<_>>();
    let mut form = IndexForm {
        name: draft.trimmed("name"),
        is_local: draft.get("kind") == "local",
        partition: vec![partition.clone()],
        sort: sort.iter().cloned().collect(),
        projection: projection(draft, "projection"),
    };
    form.partition.extend(rest(&old.partition));
    form.sort.extend(rest(&old.sort));
    let mut templates = Vec::new();
    let new = ["partition", "sort"].iter().filter(|part| draft.get(part) == NEW);
    for (part, attribute) in new.filter_map(|part| Some((part, chosen(draft, part, &known)?))) {
        for (at, entity) in session.design().entities.iter().enumerate() {
            let name = format!("{part}.entity.{at}");
            let text = draft.trimmed(&name);
            if entity.table != table || text.is_empty() {
                continue;
            }
            if let Err(reason) = hashrange_design::KeyTemplate::parse(&text) {
                return refuse(&name, super::entity::sentence(&reason.to_string()));
            }
            templates.push((at, attribute.name.clone(), text));
        }
    }
    Ok(Typed { form, templates })
}

pub(super) fn apply(
    session: &mut Session,
    table: &str,
    name: Option<&str>,
    draft: &FormDraft,
    now: i64,
) -> Read {
    let trial = session.try_index(table, name, draft, now)?;
    trial.keep(session);
    Ok(())
}

/// Gives the session the index as typed: new attributes are filled into the items, then the index is made over them.
pub(in crate::designer) fn put(
    session: &mut Session,
    table: &str,
    name: Option<&str>,
    draft: &FormDraft,
    now: i64,
) -> Read<String> {
    let Typed { form, templates } = read(session, table, name, draft)?;
    if form.name.is_empty() {
        return refuse("name", "An index needs a name, such as byName.");
    }
    let Some(mut of_table) = session.table_form(table) else {
        return refuse("name", format!("The design has no table called {table}."));
    };
    if name != Some(form.name.as_str()) && of_table.index(&form.name).is_some() {
        return refuse(
            "name",
            format!("{table} has an index called {} already. Choose another name.", form.name),
        );
    }
    match of_table.indexes.iter_mut().find(|it| Some(it.name.as_str()) == name) {
        Some(known) => *known = form.clone(),
        None => of_table.indexes.push(form.clone()),
    }
    if !templates.is_empty() {
        fill::with_templates(session, table, &templates);
    }
    session.put_table(Some(table), &of_table, now).map_err(|refusal| place(&form, refusal))?;
    Ok(form.name)
}

pub(super) fn remove(
    session: &mut Session,
    table: &str,
    name: &str,
    now: i64,
) -> Result<(), Refusal> {
    let Some(mut form) = session.table_form(table) else { return Ok(()) };
    form.indexes.retain(|index| index.name != name);
    session.put_table(Some(table), &form, now)
}

/// The field a refusal belongs to: DynamoDB names the member.
fn place(form: &IndexForm, refusal: Refusal) -> FormRefusal {
    let message = refusal.message.as_str();
    let has = |pieces: &[&str]| pieces.iter().any(|piece| message.contains(piece));
    let field = if has(&["NonKeyAttributes", "rojection"]) {
        "projection"
    } else if has(&[
        "KeySchema",
        "ttributeDefinitions",
        "AttributeName",
        "attribute of a table's keys",
    ]) {
        let is_sort = form.sort.first().is_some_and(|it| message.contains(&it.name));
        if is_sort { "sort" } else { "partition" }
    } else {
        "name"
    };
    refused_at(field)(refusal)
}

/// What is known of an attribute that could be a key.
struct Seen {
    scalar: ScalarType,
    n_items: u64,
}

/// Attributes that could be keys: those that are, then what the first items carry.
fn attributes(session: &Session, table: &str) -> SortedMap<String, Seen> {
    let mut known: SortedMap<String, Seen> = SortedMap::new();
    let Some(table) = session.data().store.table(table) else { return known };
    let schema = table.schema();
    let indexes = schema.indexes().map(|index| index.key);
    for attribute in indexes.chain([&schema.key]).flat_map(KeySchema::attributes) {
        known.insert(attribute.name.to_string(), Seen { scalar: attribute.scalar, n_items: 0 });
    }
    for item in items(table) {
        for (name, value) in item {
            let Some(scalar) = value.scalar_type() else { continue };
            let seen = known.get_or_insert_with(name.to_string(), || Seen { scalar, n_items: 0 });
            seen.n_items += u64::from(seen.scalar == scalar);
        }
    }
    known
}

fn items(table: &Table) -> impl Iterator<Item = &Item> {
    table.items().range(&KeyRange::all(), true).take(ITEMS_MAX).map(|(_, row)| &row.item)
}

pub(super) fn view(
    session: &Session,
    table: &str,
    name: Option<&str>,
    draft: &FormDraft,
) -> FormView {
    let known = attributes(session, table);
    let is_local = draft.get("kind") == "local";
    let mut fields = vec![
        field(draft, "name", "Name", FieldKind::Code).hint("byStatus"),
        field(
            draft,
            "kind",
            "Kind",
            FieldKind::Segment(choices(&[("global", "Global"), ("local", "Local")])),
        )
        .fixed(true)
        .note(LOCAL_LATE),
    ];
    let mut keys = Vec::new();
    for (part, label) in [("partition", "Partition key"), ("sort", "Sort key")] {
        let names = known.keys().map(|name| (name.clone(), name.clone()));
        let none = (part == "sort").then(|| (String::new(), "none".to_owned()));
        let new = (NEW.to_owned(), "new attribute…".to_owned());
        let all = none.into_iter().chain(names).chain([new]).collect();
        keys.push(
            field(draft, part, label, FieldKind::Choice(all))
                .fixed(is_local && part == "partition"),
        );
    }
    fields.push(FieldView::plain("Keys", FieldKind::Row(keys)));
    for part in ["partition", "sort"] {
        if draft.get(part) == NEW {
            fields.extend(new_attribute(session, table, draft, part));
        } else if let Some(attribute) = chosen(draft, part, &known) {
            fields.push(held(session, table, &attribute.name));
        }
    }
    fields.extend(measured(session, table, name, draft));
    FormView {
        title: name.map_or_else(|| "New index".to_owned(), |name| format!("Index {name}")),
        words: String::new(),
        fields,
        apply: "Apply index",
        remove: name.filter(|_| !is_local).map(|_| "Remove index"),
        slot: 0,
    }
}

/// The name, the type and each entity's template of an attribute that is not there yet.
fn new_attribute(session: &Session, table: &str, draft: &FormDraft, part: &str) -> Vec<FieldView> {
    let name = format!("{part}.new");
    let mut of_type = field(draft, &format!("{name}.type"), "Type", FieldKind::Choice(key_types()));
    if of_type.value.is_empty() {
        "S".clone_into(&mut of_type.value);
    }
    let row =
        vec![field(draft, &name, "New attribute", FieldKind::Code).hint("filterName"), of_type];
    let mut fields = vec![FieldView::plain("", FieldKind::Row(row))];
    let entities = session.design().entities.iter().enumerate();
    for (at, entity) in entities.filter(|(_, entity)| entity.table == table) {
        let own = format!("{part}.entity.{at}");
        let made = FieldKind::Template(String::new());
        let hint = format!("{}#{{name}}", entity.name.chars().map(capital).collect::<String>());
        let note = if draft.get(&own).trim().is_empty() {
            "left unset: stays out of the index"
        } else {
            ""
        };
        fields.push(field(draft, &own, &entity.name, made).hint(hint).note(note));
    }
    fields
}

/// What each entity has in an attribute.
fn held(session: &Session, table: &str, attribute: &str) -> FieldView {
    let survey = session.survey(table);
    let entities = session.design().entities.iter().enumerate();
    let facts = entities.filter(|(_, entity)| entity.table == table).map(|(at, entity)| {
        let face =
            EntityIndex::try_from(at).ok().and_then(|at| session.work.recognition.face(Some(at)));
        let seen = survey.and_then(|survey| survey.entity(at));
        let n = seen.and_then(|seen| seen.attributes.get(attribute).copied()).unwrap_or(0);
        let template = entity.keys.get(attribute).cloned().unwrap_or_default();
        let text = match (template.is_empty(), n) {
            (false, _) => String::new(),
            (true, 0) => "left unset: stays out of the index".to_owned(),
            (true, n) => format!("as the item has it, in {}", counted(n, "item")),
        };
        FactView {
            name: String::new(),
            letter: entity.tag.clone(),
            slot: face.map_or(0, |face| face.slot),
            template,
            text,
            is_problem: false,
        }
    });
    FieldView::facts(attribute, facts.collect())
}

/// The items the index would hold, and what entries would be and cost with each projection.
fn measured(
    session: &Session,
    table: &str,
    name: Option<&str>,
    draft: &FormDraft,
) -> Vec<FieldView> {
    let Some(stored) = session.data().store.table(table) else { return Vec::new() };
    let typed = read(session, table, name, draft);
    let Ok(Typed { form, templates }) = typed else { return projections(draft, &[]) };
    let mut schema = stored.schema().clone();
    schema.global_indexes.clear();
    schema.local_indexes.clear();
    let names = match projection(draft, "projection") {
        ProjectionForm::Include(names) => names,
        _ => Vec::new(),
    };
    let include = names.iter().map(|name| name.as_str().into()).collect();
    let kinds = [Projection::All, Projection::KeysOnly, Projection::Include(include)];
    let schemas: Vec<TableSchema> =
        kinds.into_iter().filter_map(|kind| with(&schema, &form, kind)).collect();
    let (mut n_items, mut n_entries, mut bytes) = (0_u64, 0_u64, [0_u64; 3]);
    let mut lacking: SortedMap<String, u64> = SortedMap::new();
    for item in items(stored) {
        n_items += 1;
        let item = fill::filled(item, session, table, &templates);
        let mut is_in = false;
        for (at, schema) in schemas.iter().enumerate() {
            if let Some(entry) =
                schema.indexes().next().and_then(|index| index.entry(schema, &item))
            {
                bytes[at] += u64::from(entry.size_bytes());
                is_in = true;
            }
        }
        if is_in {
            n_entries += 1;
        } else {
            let recognition = &session.work.recognition;
            let face = recognition.face(session.work.recognition.entity_of(table, &item));
            let noun = face.map_or_else(|| "item".to_owned(), |face| lowercase(&face.name));
            *lacking.get_or_insert_with(noun, || 0) += 1;
        }
    }
    let sizes: Vec<u64> = bytes.iter().map(|all| all.checked_div(n_entries).unwrap_or(0)).collect();
    let mut fields = projections(draft, if n_entries == 0 { &[] } else { &sizes });
    let lacks = form.sort.iter().chain(&form.partition).find(|it| {
        let key = &stored.schema().key;
        !key.contains(&it.name)
    });
    let lacks = lacks.map_or_else(|| "its key".to_owned(), |it| it.name.clone());
    let scope = if stored.items().n_rows() > n_items { "the first " } else { "" };
    let mut text = format!("{n_entries} of {scope}{}", counted(n_items, "item"));
    let out: Vec<String> = lacking.iter().map(|(noun, n)| counted(*n, noun)).collect();
    if !out.is_empty() {
        let have = if n_items - n_entries == 1 { "has" } else { "have" };
        text = format!("{text}; {} {have} no {lacks}", out.join(", "));
    }
    fields.push(
        FieldView::plain("Items", FieldKind::Share(share(n_entries, n_items)))
            .note(format!("{text}.")),
    );
    if n_entries > 0 {
        let at =
            PROJECTIONS.iter().position(|(kind, _)| *kind == draft.get("projection")).unwrap_or(0);
        fields.push(FieldView::facts("Each write", writes(&form, sizes[at])));
    }
    fields
}

#[expect(clippy::cast_precision_loss, reason = "a share of a bar")]
fn share(part: u64, whole: u64) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

/// The schema with the index alone.
fn with(schema: &TableSchema, form: &IndexForm, projection: Projection) -> Option<TableSchema> {
    let keys = |fields: &[KeyField]| -> Vec<(String, ScalarType)> {
        let scalar = |letter: &str| match letter {
            "N" => ScalarType::N,
            "B" => ScalarType::B,
            _ => ScalarType::S,
        };
        fields.iter().map(|it| (it.name.clone(), scalar(&it.scalar))).collect()
    };
    let name = if form.name.len() < 3 { "index".to_owned() } else { form.name.clone() };
    let plan = IndexPlan {
        name,
        is_local: false,
        partition: keys(&form.partition),
        sort: keys(&form.sort).into_iter().next(),
        projection,
    };
    plan.added_to(schema)
}

fn projections(draft: &FormDraft, sizes: &[u64]) -> Vec<FieldView> {
    let options = PROJECTIONS.iter().enumerate().map(|(at, (kind, words))| {
        let detail = sizes.get(at).map_or_else(String::new, |bytes| {
            let figures = format!("{}, {}", size(*bytes), units(entry_units(*bytes), true));
            let names = draft.trimmed("projection.include");
            if *kind == "INCLUDE" && !names.is_empty() {
                format!("{names}: {figures}")
            } else {
                figures
            }
        });
        ((*kind).to_owned(), (*words).to_owned(), detail)
    });
    // The smallest first.
    let mut options: Vec<_> = options.collect();
    options.rotate_left(1);
    let mut fields = vec![field(draft, "projection", "Projection", FieldKind::Options(options))];
    if draft.get("projection") == "INCLUDE" {
        let names = field(draft, "projection.include", "Attributes held", FieldKind::Code);
        fields.push(
            names.hint("name, status").note("Separate names by commas; keys are held anyway."),
        );
    }
    fields
}

fn entry_units(bytes: u64) -> CapacityUnits {
    write_units(u32::try_from(bytes).unwrap_or(u32::MAX))
}

/// What the index adds to each write of an item that is in it.
fn writes(form: &IndexForm, bytes: u64) -> Vec<FactView> {
    let one = entry_units(bytes);
    let plus = |n: CapacityUnits| format!("+{}", units(n, true));
    let key = form.sort.first().or(form.partition.first()).map_or("", |it| it.name.as_str());
    let fact =
        |name: &str, text: String| FactView { name: name.to_owned(), text, ..FactView::default() };
    let mut facts = vec![
        fact("add or delete", plus(one)),
        fact(&format!("change of {key}"), plus(one.times(2))),
    ];
    match &form.projection {
        ProjectionForm::All => facts.push(fact("other change", plus(one))),
        ProjectionForm::KeysOnly => facts.push(fact("other change", "+0".to_owned())),
        ProjectionForm::Include(names) => {
            facts.push(fact(&format!("change of {}", names.join(", ")), plus(one)));
            facts.push(fact("other change", "+0".to_owned()));
        }
    }
    facts
}

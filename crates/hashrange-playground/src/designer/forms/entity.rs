//! The form of an entity: its name and letter, a key template for each key attribute, and how its sample is made.
//!
//! Invariant: what the live check says is found as lint finds it, in a design that has the entity as typed; it looks
//! at the first items of the table alone, so that typing never waits.

use hashrange_design::key_check::{self, KeyTried};
use hashrange_design::survey::Survey;
use hashrange_design::template::Slots;
use hashrange_design::{Design, Entity, KeyTemplate, lint};
use hashrange_storage::Table;
use hashrange_types::TableSchema;

use super::{FormDraft, Read, add_button, field, list_row, refuse, refused_at, same, whole};
use crate::edit::{EntitySample, MAKES, Make, RelationKind, SampleAttribute};
use crate::format::counted;
use crate::recognition::EntityIndex;
use crate::session::Session;
use crate::view::{EntityForm, FactView, FieldKind, FieldView, FormView};

/// Items of the table that the live check looks at.
const ITEMS_MAX: usize = 1_000;
/// Fewer different values of a slot than this are few, where there are many items.
const VALUES_MIN: u64 = 10;
/// As many items, and few values say something.
const ITEMS_MIN: u64 = 20;

/// What can be put into a template at its end, and what it is for.
const PIECES: [(&str, &str); 5] = [
    ("{id}", "a value as it is"),
    ("{n:06}", "a number, six digits"),
    ("{day}", "a day, 2026-03-02"),
    ("{time}", "a moment, 2026-03-02T08:00:00Z"),
    ("#", "a divider"),
];

pub(super) fn draft(session: &Session, at: Option<usize>) -> FormDraft {
    let mut draft = FormDraft::default();
    let form = at.and_then(|at| session.entity_form(at)).unwrap_or_else(|| EntityForm {
        table: session.design().table_names().next().unwrap_or_default().to_owned(),
        sample: Some(EntitySample { count: 10, ..EntitySample::default() }),
        ..EntityForm::default()
    });
    draft.set("name", form.name);
    draft.set("letter", form.letter);
    draft.set("table", form.table);
    for (attribute, template) in form.keys {
        draft.set(&format!("key.{attribute}"), template);
    }
    let Some(sample) = form.sample else { return draft };
    draft.set("count", sample.count.to_string());
    draft.set("skewed", if sample.is_skewed { "true" } else { "" });
    if let Some((low, high)) = sample.bytes {
        draft.set("bytes.low", low.to_string());
        draft.set("bytes.high", high.to_string());
    }
    for attribute in sample.attributes {
        let row = draft.add_row("attribute");
        let make = MAKES.iter().find(|(make, _)| *make == attribute.make);
        draft.set_row("attribute", row, "name", attribute.name);
        draft.set_row("attribute", row, "make", make.map_or("", |(_, word)| *word));
        draft.set_row("attribute", row, "with", attribute.with);
        let every = attribute.every.map(|n| n.to_string());
        draft.set_row("attribute", row, "every", every.unwrap_or_default());
    }
    draft
}

/// What was typed, as an entity's form.
fn read(session: &Session, at: Option<usize>, draft: &FormDraft) -> Read<EntityForm> {
    let mut keys: Vec<(String, String)> = Vec::new();
    for (attribute, _) in attributes(session, at, draft.get("table")) {
        let text = draft.trimmed(&format!("key.{attribute}"));
        if !text.is_empty() {
            if let Err(reason) = KeyTemplate::parse(&text) {
                return refuse(&format!("key.{attribute}"), sentence(&reason.to_string()));
            }
            keys.push((attribute, text));
        }
    }
    Ok(EntityForm {
        name: draft.trimmed("name"),
        table: draft.get("table").to_owned(),
        letter: draft.trimmed("letter"),
        keys,
        sample: sample(draft)?,
    })
}

fn sample(draft: &FormDraft) -> Read<Option<EntitySample>> {
    let mut sample = EntitySample { is_skewed: draft.is("skewed"), ..EntitySample::default() };
    let count = whole(draft, "count", "The count")?;
    for row in 0..draft.n_rows("attribute") {
        let name = draft.row("attribute", row, "name").trim().to_owned();
        let at = |name: &str| format!("attribute.{row}.{name}");
        if name.is_empty() {
            return refuse(&at("name"), "An attribute needs a name.");
        }
        if sample.attributes.iter().any(|known| known.name == name) {
            return refuse(&at("name"), format!("The attribute {name} is there twice."));
        }
        let word = draft.row("attribute", row, "make");
        let make = MAKES.iter().find(|(_, known)| *known == word);
        let every: Option<u32> = whole(draft, &at("every"), "Every how many items")?;
        sample.attributes.push(SampleAttribute {
            name,
            make: make.map_or(Make::Text, |(make, _)| *make),
            with: draft.row("attribute", row, "with").trim().to_owned(),
            every: every.filter(|n| *n > 1),
        });
    }
    let (low, high): (Option<u32>, Option<u32>) = (
        whole(draft, "bytes.low", "The smallest size")?,
        whole(draft, "bytes.high", "The largest size")?,
    );
    sample.bytes = match (low, high) {
        (Some(low), Some(high)) if low > high => {
            return refuse("bytes.high", "The largest size is below the smallest one.");
        }
        (None, None) => None,
        (low, high) => low.or(high).zip(high.or(low)),
    };
    let is_empty = count.is_none() && sample == EntitySample::default();
    sample.count = count.unwrap_or(1);
    Ok((!is_empty).then_some(sample))
}

pub(super) fn apply(session: &mut Session, at: Option<usize>, draft: &FormDraft) -> Read {
    let form = read(session, at, draft)?;
    session.put_entity(at, &form).map_err(|refusal| {
        let is_of_table = refusal.message.contains("no table called");
        refused_at(if is_of_table { "table" } else { "name" })(refusal)
    })
}

/// The attributes a template is asked for, each with what it is the key of: those of the table's keys, then those the
/// entity has templates for already.
fn attributes(session: &Session, at: Option<usize>, table: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    if let Some(schema) = session.data().store.table(table).map(Table::schema) {
        let places = std::iter::once((schema.name.as_str(), &schema.key));
        let indexes: Vec<_> = schema.indexes().collect();
        let places = places.chain(indexes.iter().map(|index| (index.name.as_str(), index.key)));
        for (place, key) in places {
            let parts = [("partition", &key.partition), ("sort", &key.sort)];
            for (part, attribute) in
                parts.iter().flat_map(|(part, of)| of.iter().map(move |it| (part, it)))
            {
                let role_of = format!("{part} key of {place}");
                match found.iter_mut().find(|(name, _)| *name == attribute.name.as_str()) {
                    Some((_, uses)) => *uses = format!("{uses}, {role_of}"),
                    None => found.push((attribute.name.to_string(), role_of)),
                }
            }
        }
    }
    let known = at.and_then(|at| session.design().entities.get(at));
    for name in known.into_iter().flat_map(|entity| entity.keys.keys()) {
        if !found.iter().any(|(other, _)| other == name) {
            found.push((name.clone(), "no key: tells items apart".to_owned()));
        }
    }
    found
}

pub(super) fn view(session: &Session, at: Option<usize>, draft: &FormDraft) -> FormView {
    let tables = same(session.design().table_names().map(str::to_owned));
    let checked = Checked::of(session, at, draft);
    let mut fields = vec![FieldView::plain(
        "",
        FieldKind::Row(vec![
            field(draft, "name", "Name", FieldKind::Text).hint("Order"),
            field(draft, "letter", "Letter", FieldKind::Text).hint("O"),
            field(draft, "table", "Table", FieldKind::Choice(tables)),
        ]),
    )];
    fields.push(FieldView::heading(
        "Key templates",
        "Text stays as it is; a {slot} takes its value from the item. Keys sort as text, so pad numbers and write dates as 2026-03-02.",
    ));
    for (attribute, uses) in attributes(session, at, draft.get("table")) {
        let name = format!("key.{attribute}");
        let made = checked.made(&attribute);
        let parsed = KeyTemplate::parse(draft.get(&name).trim()).err();
        let is_empty = draft.get(&name).trim().is_empty();
        let problem = parsed.filter(|_| !is_empty).map(|it| sentence(&it.to_string()));
        fields.push(
            field(draft, &name, &attribute, FieldKind::Template(made))
                .hint("ORDER#{orderId}")
                .note(uses)
                .problem(problem.unwrap_or_default()),
        );
    }
    let pieces = PIECES.map(|(piece, what)| (format!("insert {piece}"), format!("{piece} {what}")));
    let into = draft.get("at").strip_prefix("key.").unwrap_or_default();
    let label = if into.is_empty() { "Insert".to_owned() } else { format!("Insert into {into}") };
    fields.push(FieldView::plain(&label, FieldKind::Actions(pieces.to_vec())));
    fields.extend(checked.fields(draft));
    fields.extend(sample_fields(session, at, draft));
    let entity = at.and_then(|at| session.design().entities.get(at));
    let slot = at.unwrap_or(session.design().entities.len());
    let face =
        EntityIndex::try_from(slot).ok().and_then(|at| session.work.recognition.face(Some(at)));
    FormView {
        title: entity.map_or_else(|| "New entity".to_owned(), |it| format!("Entity {}", it.name)),
        words: checked.words,
        fields,
        apply: if entity.is_some() { "Save entity" } else { "Add entity" },
        remove: entity.is_some().then_some("Remove entity"),
        slot: face.map_or_else(|| u8::try_from(slot % 8).unwrap_or(0), |face| face.slot),
    }
}

fn sample_fields(session: &Session, at: Option<usize>, draft: &FormDraft) -> Vec<FieldView> {
    let name = at.and_then(|at| session.design().entities.get(at)).map(|it| it.name.as_str());
    let parent = name.and_then(|name| {
        let relations = &session.design().relations;
        let parent =
            relations.iter().find(|it| it.to == name && it.kind == RelationKind::OneToMany);
        parent.map(|it| it.from.clone())
    });
    let count = match &parent {
        Some(parent) => format!("Items of each {parent}"),
        None => "Items".to_owned(),
    };
    let mut fields = vec![
        FieldView::heading(
            "Sample items",
            "What Generate makes of this entity: the same seed gives the same items.",
        ),
        FieldView::plain(
            "",
            FieldKind::Row(vec![
                field(draft, "count", &count, FieldKind::Number),
                field(draft, "bytes.low", "Smallest, bytes", FieldKind::Number).hint("as it comes"),
                field(draft, "bytes.high", "Largest, bytes", FieldKind::Number).hint("as it comes"),
            ]),
        ),
        field(
            draft,
            "skewed",
            "The first parent has the most: half of it the second, a third of it the third",
            FieldKind::Check,
        ),
    ];
    let makes: Vec<(String, String)> = MAKES
        .iter()
        .map(|(make, word)| ((*word).to_owned(), make_words(*make).to_owned()))
        .collect();
    for row in 0..draft.n_rows("attribute") {
        let at = |name: &str| format!("attribute.{row}.{name}");
        let word = draft.row("attribute", row, "make");
        let make =
            MAKES.iter().find(|(_, known)| *known == word).map_or(Make::Text, |(make, _)| *make);
        let with = make.with_means();
        let mut cells = vec![
            field(draft, &at("name"), "Attribute", FieldKind::Code).hint("status"),
            field(draft, &at("make"), "Values", FieldKind::Choice(makes.clone())),
        ];
        if cells[1].value.is_empty() {
            "text".clone_into(&mut cells[1].value);
        }
        cells.push(
            field(draft, &at("with"), "Of", FieldKind::Text).hint(with).fixed(with.is_empty()),
        );
        cells.push(field(draft, &at("every"), "Every", FieldKind::Number).hint("1, all items"));
        let name = draft.row("attribute", row, "name");
        fields.push(list_row(
            "attribute",
            row,
            if name.is_empty() { "attribute" } else { name },
            cells,
        ));
    }
    fields.push(add_button("attribute", "Attribute"));
    fields
}

/// A kind of sample value with the type it has.
const fn make_words(make: Make) -> &'static str {
    match make {
        Make::Id => "id, such as p-04 (S)",
        Make::Text => "the same text (S)",
        Make::Pick => "one of several texts (S)",
        Make::Person => "a person's name (S)",
        Make::Email => "an e-mail address (S)",
        Make::Title => "a name for a thing (S)",
        Make::Number => "a whole number (N)",
        Make::Date => "a day (S)",
        Make::Time => "a moment in UTC (S)",
        Make::Hex => "hexadecimal digits (S)",
        Make::Flag => "0 or 1, in turn (N)",
        Make::Filler => "sentences up to the size (S)",
    }
}

/// The entity as typed, tried with values and on the items of its table.
struct Checked {
    words: String,
    schema: Option<TableSchema>,
    entity: Entity,
    seen: Option<hashrange_design::survey::EntitySurvey>,
    values: Slots,
    pasted: String,
    problems: Vec<String>,
}

impl Checked {
    fn of(session: &Session, at: Option<usize>, draft: &FormDraft) -> Self {
        let table = draft.get("table");
        let mut entity = Entity {
            name: draft.trimmed("name"),
            table: table.to_owned(),
            tag: draft.trimmed("letter"),
            ..Entity::default()
        };
        if entity.name.is_empty() {
            "This entity".clone_into(&mut entity.name);
        }
        for (attribute, _) in attributes(session, at, table) {
            let text = draft.trimmed(&format!("key.{attribute}"));
            if KeyTemplate::parse(&text).is_ok() {
                entity.keys.insert(attribute, text);
            }
        }
        let mut entities = session.design().entities.clone();
        let at = at.filter(|at| *at < entities.len()).unwrap_or(entities.len());
        if at < entities.len() {
            entities[at] = entity.clone();
        } else {
            entities.push(entity.clone());
        }
        let design = Design { entities, ..session.design().clone() };
        let survey = session.data().store.shared_table(table).map(|table| {
            let mut survey = Survey::new(table, &design.entities);
            survey.step(ITEMS_MAX);
            survey
        });
        let seen = survey.as_ref().and_then(|survey| survey.entity(at)).cloned();
        let problems =
            survey.as_ref().map(|survey| problems(&design, at, survey)).unwrap_or_default();
        let n_items = seen.as_ref().map_or(0, |seen| seen.n_items);
        let words = match (&survey, entity.keys.is_empty()) {
            (None, _) => "There is no table of this name yet.".to_owned(),
            (_, true) => "Its key templates say which items are of this entity.".to_owned(),
            _ => format!(
                "{} of {table} {} of this shape.",
                counted(n_items, "item"),
                if n_items == 1 { "is" } else { "are" }
            ),
        };
        let mut values: Slots = key_check::slots(&entity)
            .into_iter()
            .map(|slot| {
                let slots = seen.iter().flat_map(|seen| &seen.slots);
                let value =
                    slots.filter(|it| it.slot == slot).find_map(|it| it.values.iter().next());
                (slot, value.cloned().unwrap_or_default())
            })
            .collect();
        let of_sample = values.clone();
        let pasted = pasted(&entity, draft.get("paste"), &mut values);
        for (slot, value) in &mut values {
            let own = draft.trimmed(&format!("try.{slot}"));
            if !own.is_empty() {
                *value = own;
            }
        }
        let schema = survey.map(|survey| survey.table().schema().clone());
        let mut problems = problems;
        if let Some(schema) = &schema {
            let tried = values.iter().filter(|it| !of_sample.contains(it));
            problems
                .extend(tried.filter_map(|(slot, value)| unpadded(&entity, schema, slot, value)));
        }
        Self { words, schema, entity, seen, values, pasted, problems }
    }

    /// The key that the values give this attribute.
    fn made(&self, attribute: &str) -> String {
        let template =
            self.entity.keys.get(attribute).and_then(|text| KeyTemplate::parse(text).ok());
        template.and_then(|template| template.fill(&self.values).ok()).unwrap_or_default()
    }

    /// The live check: fields for values, the keys they give, and what is wrong in words.
    fn fields(&self, draft: &FormDraft) -> Vec<FieldView> {
        let mut fields = vec![FieldView::heading(
            "Try values",
            "Type values, or paste a whole key; those of the sample stand there first.",
        )];
        let mut row = vec![
            field(draft, "paste", "Paste a key", FieldKind::Code)
                .hint("ORG#1234")
                .problem(self.pasted.clone()),
        ];
        for (slot, value) in &self.values {
            let own = field(draft, &format!("try.{slot}"), slot, FieldKind::Code);
            row.push(own.hint(value.clone()));
        }
        fields.push(FieldView::plain("", FieldKind::Row(row)));
        let mut facts = Vec::new();
        let problem = |text: String| FactView { text, is_problem: true, ..FactView::default() };
        if let Some(schema) = &self.schema {
            for place in
                key_check::try_values(&self.entity, schema, self.seen.as_ref(), &self.values)
            {
                facts.push(key_fact(schema.name.as_str(), place));
            }
        }
        facts.extend(self.problems.iter().cloned().map(problem));
        if self.problems.is_empty() && self.schema.is_some() && !self.entity.keys.is_empty() {
            let text = "Nothing is wrong with these templates.".to_owned();
            facts.push(FactView { text, ..FactView::default() });
        }
        fields.push(FieldView::facts("", facts));
        fields
    }
}

/// The keys of a place, or why there are none.
fn key_fact(table: &str, place: key_check::TriedKeys) -> FactView {
    let name = place.index.unwrap_or_else(|| table.to_owned());
    let mut keys = Vec::new();
    let mut is_problem = false;
    for key in place.attributes {
        let text = match key.tried {
            KeyTried::Text(text) => format!("{} = {text}", key.attribute),
            KeyTried::Problem(problem) => {
                is_problem = true;
                format!("{}: {problem}", key.attribute)
            }
            KeyTried::Attribute => format!("{} as the item has it", key.attribute),
            KeyTried::Absent if name == table => {
                is_problem = true;
                format!("{} has no template", key.attribute)
            }
            KeyTried::Absent => {
                let text = format!("Not in this index: no {}.", key.attribute);
                return FactView { name, text, ..FactView::default() };
            }
        };
        keys.push(text);
    }
    let between = if is_problem { " " } else { ", " };
    FactView { name, text: keys.join(between), is_problem, ..FactView::default() }
}

/// What lint finds wrong with the entity, and slots of few values.
fn problems(design: &Design, at: usize, survey: &Survey) -> Vec<String> {
    let found = lint::entity_findings(design, at, survey);
    let mut problems: Vec<String> = found.into_iter().map(|finding| finding.sentence).collect();
    let key = &survey.table().schema().key;
    let slots = survey.entity(at).into_iter().flat_map(|seen| &seen.slots);
    for slot in slots {
        let is_partition = key.partition.iter().any(|it| it.name.as_str() == slot.attribute);
        let n_values = slot.values.len() as u64;
        if is_partition
            && slot.n_items >= ITEMS_MIN
            && n_values < VALUES_MIN
            && n_values * 10 <= slot.n_items
        {
            problems.push(format!(
                "{{{}}} has {} in {} of the sample: so few partition keys share all the traffic.",
                slot.slot,
                counted(n_values, "value"),
                counted(slot.n_items, "item")
            ));
        }
    }
    problems
}

/// A number tried in a sort key that its template does not pad.
fn unpadded(entity: &Entity, schema: &TableSchema, slot: &str, value: &str) -> Option<String> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    // What is a table's partition key is a name rather than a number, though an inverted index sorts by it.
    let keys: Vec<_> = schema.indexes().map(|index| index.key).chain([&schema.key]).collect();
    let sorts = keys.iter().flat_map(|key| &key.sort);
    let mut sorts = sorts.filter(|it| !schema.key.partition.contains(it));
    let attribute = sorts.find(|it| {
        let template = entity.keys.get(it.name.as_str());
        template.is_some_and(|text| text.contains(&format!("{{{slot}}}")))
    })?;
    is_number.then(|| {
        format!(
            "{{{slot}}} of {} holds a number of any length, and keys sort as text: 10 comes before 9. Write it \
             {{{slot}:06}} to pad it.",
            attribute.name
        )
    })
}

/// Takes values out of a pasted key; what is wrong with it otherwise.
fn pasted(entity: &Entity, text: &str, values: &mut Slots) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let mut reason = "There is no template to read it with.".to_owned();
    for template in entity.keys.values() {
        match key_check::try_key(template, text) {
            Ok(found) => {
                for (slot, value) in found {
                    if let Some((_, now)) = values.iter_mut().find(|(known, _)| *known == slot) {
                        *now = value;
                    }
                }
                return String::new();
            }
            Err(why) => reason = why,
        }
    }
    reason
}

/// `The brace at character 3 has no partner.`
pub(super) fn sentence(reason: &str) -> String {
    let mut characters = reason.chars();
    let first: String = characters.next().map(char::to_uppercase).into_iter().flatten().collect();
    format!("{first}{}.", characters.as_str())
}

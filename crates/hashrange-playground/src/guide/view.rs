//! What each step shows, out of design, items and the patterns' latest run.

use hashrange_design::Entity;
use hashrange_design::guide::{
    KINDS, QuestionKind, Samples, derive, id_of, line_of, offered, other_keys, parents,
    propose_indexes, propose_keys,
};
use hashrange_design::lint::LintRule;
use hashrange_design::pattern::{PatternStatus, Served};
use hashrange_design::sample::{MAKES, RelationKind, n_items, n_items_of};
use hashrange_design::table_form::TableForm;
use hashrange_engine::capacity::{read_units, write_units};
use hashrange_types::CapacityUnits;
use hashrange_types::letter_case::lowercase;
use hashrange_types::limits::STORAGE_OVERHEAD_BYTES;

use super::views::{
    GuideCheckView, GuideEntityView, GuideIndexView, GuideKeyField, GuideKeyRow, GuideOfferView,
    GuideQuestionView, GuideRelationView, GuideView, OtherKeysView, SampleRow, SampleView,
};
use super::{SEED, diagram, gather};
use crate::format::{counted, size, units};
use crate::recognition::EntityIndex;
use crate::session::Session;

impl Session {
    /// The guided process as it stands.
    pub fn guide(&self) -> GuideView {
        let design = self.design();
        let entities: Vec<GuideEntityView> =
            design.entities.iter().enumerate().map(|(at, it)| self.entity_view(at, it)).collect();
        let samples = Samples::of(design, &self.data().store);
        let keys = self.key_rows(&samples);
        let is_keyed =
            !keys.is_empty() && keys.iter().all(|row| row.fields.iter().all(|it| !it.is_proposed));
        let questions = self.question_views(is_keyed);
        let total: u64 = entities.iter().map(|it| it.total).sum();
        let is_green =
            !questions.is_empty() && is_keyed && questions.iter().all(|it| it.glyph == "✓");
        let mut view = GuideView {
            diagram: diagram::diagram(design, &entities),
            relations: self.relation_views(),
            offers: self.offer_views(),
            gathers: if is_keyed { gather::gathers(self) } else { Vec::new() },
            checks: if is_keyed { self.key_checks() } else { Vec::new() },
            others: self.other_views(&samples),
            proposals: if is_keyed { self.index_views(&samples) } else { Vec::new() },
            indexes: self.index_list(),
            sample: self.sample_view(),
            total_text: counted(total, "item"),
            stale: if is_keyed { self.stale() } else { String::new() },
            entities,
            questions,
            keys,
            is_keyed,
            is_green,
            steps: Vec::new(),
        };
        view.steps = super::steps::steps(&view);
        view
    }

    fn entity_view(&self, at: usize, entity: &Entity) -> GuideEntityView {
        let design = self.design();
        let attributes = entity.sample.iter().flat_map(|sample| &sample.attributes);
        let total = if entity.sample.is_some() { n_items_of(design, entity) } else { 0 };
        let each = entity.sample.as_ref().map_or(0, |sample| sample.count);
        let count_text = match parents(design, &entity.name).first() {
            Some(parent) => {
                format!("{}, {each} of each {}", counted(total, "item"), lowercase(&parent.name))
            }
            None => counted(total, "item"),
        };
        let (letter, slot) = self.face(&entity.name);
        GuideEntityView {
            at,
            name: entity.name.clone(),
            letter,
            slot,
            line: line_of(entity),
            attributes: attributes.into_iter().map(|it| it.name.clone()).collect(),
            id: id_of(entity).unwrap_or_default().to_owned(),
            total,
            count_text,
        }
    }

    fn face(&self, name: &str) -> (String, u8) {
        let at = self.design().entities.iter().position(|it| it.name == name);
        let face = at.and_then(|at| EntityIndex::try_from(at).ok());
        let face = self.work.recognition.face(face);
        face.map_or((String::new(), 0), |face| (face.letter.clone(), face.slot))
    }

    fn relation_views(&self) -> Vec<GuideRelationView> {
        let design = self.design();
        let view = |(at, relation): (usize, &hashrange_design::sample::Relation)| {
            let is_many = relation.kind == RelationKind::ManyToMany;
            let (from, to) = (lowercase(&relation.from), lowercase(&relation.to));
            let up = parents(design, &relation.to);
            let is_first = up.first().is_some_and(|it| it.name == relation.from);
            let of = |name: &str| design.entities.iter().find(|it| it.name == name);
            let counts = of(&relation.from).zip(of(&relation.to));
            let (n_from, n_to) = counts.map_or((1, 0), |(from, to)| {
                (n_items_of(design, from).max(1), n_items_of(design, to))
            });
            let sample = of(&relation.to).and_then(|it| it.sample.as_ref());
            let each = sample.map_or(0, |sample| sample.count);
            let each_text = match (is_many, is_first) {
                (true, _) => String::new(),
                (false, true) => format!("{each} each"),
                (false, false) => {
                    let tenths = n_to * 10 / n_from;
                    format!("{}.{} each", tenths / 10, tenths % 10)
                }
            };
            let words = match (is_many, up.len()) {
                (true, _) => format!(
                    "One {from} has several {}, and one {to} several {}: no single key can hold that.",
                    hashrange_design::words::plural(&to),
                    hashrange_design::words::plural(&from)
                ),
                (false, n) if n > 1 => format!("One {to} joins one {from} with another entity."),
                _ => format!("Each {to} belongs to one {from}."),
            };
            GuideRelationView {
                at,
                from: relation.from.clone(),
                to: relation.to.clone(),
                is_many,
                kind: if is_many { "n to m" } else { "1 to n" },
                each: if is_first && !is_many { each } else { 0 },
                each_text,
                words,
                between: format!("{} {}", relation.from, lowercase(&relation.to)),
            }
        };
        design.relations.iter().enumerate().map(view).collect()
    }

    fn offer_views(&self) -> Vec<GuideOfferView> {
        let offered = offered(self.design()).into_iter();
        offered
            .map(|question| {
                let (letter, slot) = self.face(&question.entity);
                GuideOfferView { words: question.words(), question, letter, slot }
            })
            .collect()
    }

    fn question_views(&self, is_keyed: bool) -> Vec<GuideQuestionView> {
        let results = self.pattern_results();
        let view = |(number, pattern): (u32, &hashrange_design::AccessPattern)| {
            let result = results.iter().find(|it| it.number == number && it.words == pattern.words);
            let result = result.filter(|_| is_keyed);
            let question = pattern.question.as_ref();
            let (letter, slot) = question.map_or((String::new(), 0), |it| self.face(&it.entity));
            let kind = question.and_then(|it| KINDS.iter().find(|kind| kind.0 == it.kind));
            let note = match question.map(|it| it.check(self.design())) {
                None => "A request of your own: it does not follow the keys.".to_owned(),
                Some(Err(reason)) => reason,
                Some(Ok(())) => String::new(),
            };
            let mut view = GuideQuestionView {
                number,
                words: pattern.words.clone(),
                kind: kind.map_or("Own request", |kind| kind.2),
                letter,
                slot,
                note,
                ..GuideQuestionView::default()
            };
            if let Some(result) = result {
                let status = result.status();
                view.glyph = status.glyph();
                view.status = status.words();
                view.call.clone_from(&result.operation);
                if let Some(index) = &result.shape.index {
                    view.call = format!("{} {index}", result.operation);
                }
                view.condition = match (result.shape.key_condition.as_str(), status) {
                    ("", PatternStatus::Scan) => {
                        format!("no key: reads all {}", counted(result.n_examined(), "item"))
                    }
                    (condition, _) => condition.to_owned(),
                };
                view.returns = result.n_items().to_string();
                view.units = result.units_text();
                view.is_open = !result.is_green();
                if status == PatternStatus::Refused {
                    view.note = result.reason();
                }
            }
            view
        };
        (1..).zip(&self.design().patterns).map(view).collect()
    }

    fn key_rows(&self, samples: &Samples) -> Vec<GuideKeyRow> {
        let design = self.design();
        let row = |proposal: hashrange_design::guide::KeyProposal| {
            let entity = &design.entities[proposal.entity];
            let mut is_as_proposed = true;
            let titles = ["partition key", "sort key"];
            let fields = proposal.keys.iter().zip(titles).map(|((attribute, proposed), title)| {
                let own = entity.keys.get(attribute);
                is_as_proposed &= own.is_none_or(|own| own == proposed);
                GuideKeyField {
                    title: format!("{attribute}, {title}"),
                    template: own.unwrap_or(proposed).clone(),
                    is_proposed: own.is_none(),
                    sample: samples.key(entity, attribute).unwrap_or_default(),
                    attribute: attribute.clone(),
                }
            });
            let fields = fields.collect();
            let (letter, slot) = self.face(&entity.name);
            GuideKeyRow {
                entity: proposal.entity,
                name: entity.name.clone(),
                letter,
                slot,
                items_text: counted(n_items_of(design, entity), "item"),
                fields,
                because: if is_as_proposed { proposal.because } else { String::new() },
            }
        };
        propose_keys(design).into_iter().map(row).collect()
    }

    /// Why the items do not go with the keys.
    fn stale(&self) -> String {
        let design = self.design();
        if let Err(error) = hashrange_design::sample::recipe_of(design, u64::from(SEED)) {
            return error.to_string();
        }
        if self.guide_is_fresh() {
            return String::new();
        }
        let wanted = n_items(design);
        format!(
            "The keys make {} of {} items: some have the same key, or the items were made before the keys. Make the \
             sample again.",
            crate::format::count(self.guide_items()),
            crate::format::count(wanted)
        )
    }

    fn key_checks(&self) -> Vec<GuideCheckView> {
        let design = self.design();
        let wanted = n_items(design);
        let there = self.guide_items();
        let check = |sign: u8, lead: String, text: String| GuideCheckView {
            glyph: ["✓", "◑", "✗"][usize::from(sign)],
            status: ["fine", "note", "wrong"][usize::from(sign)],
            lead,
            text,
        };
        let (items, keys) = (counted(wanted, "item"), counted(there, "key"));
        let mut checks = vec![if there >= wanted {
            check(0, "Every item has its own key.".to_owned(), format!("{items}, {keys}."))
        } else {
            let text = format!("{items}, {keys}: a later item replaces an earlier one.");
            check(2, "Some items share a key.".to_owned(), text)
        }];
        let findings = self.lint();
        let found = |rule: LintRule| findings.iter().find(|it| it.rule == rule);
        checks.push(if let Some(found) = found(LintRule::OverlappingEntities) {
            check(1, "Templates overlap.".to_owned(), found.sentence.clone())
        } else {
            let mut prefixes: Vec<&str> = Vec::new();
            for entity in &design.entities {
                for template in entity.keys.values() {
                    let prefix = template.split('{').next().unwrap_or_default();
                    if !prefix.is_empty() && !prefixes.contains(&prefix) {
                        prefixes.push(prefix);
                    }
                }
            }
            check(0, "Prefixes do not overlap.".to_owned(), format!("{}.", prefixes.join(", ")))
        });
        let roots: Vec<&Entity> =
            design.entities.iter().filter(|it| parents(design, &it.name).is_empty()).collect();
        let few = roots.iter().find(|it| n_items_of(design, it) < 20 && wanted > 100);
        checks.push(match few {
            Some(few) => {
                let n = counted(n_items_of(design, few), &lowercase(&few.name));
                let text = "If one of them is large, its key is hot.".to_owned();
                check(1, format!("{n} share all writes."), text)
            }
            None => check(
                0,
                "Writes spread over many keys.".to_owned(),
                "No partition key stands for a large part of them.".to_owned(),
            ),
        });
        checks.push(match found(LintRule::UnpaddedNumber) {
            Some(found) => check(1, "A number sorts as text.".to_owned(), found.sentence.clone()),
            None => check(
                0,
                "No bare number in a sort key.".to_owned(),
                "Nothing needs padding.".to_owned(),
            ),
        });
        checks
    }

    fn other_views(&self, samples: &Samples) -> Vec<OtherKeysView> {
        let design = self.design();
        let asked: Vec<_> = design.patterns.iter().filter_map(|it| it.question.clone()).collect();
        if asked.is_empty() {
            return Vec::new();
        }
        let mut views: Vec<OtherKeysView> = Vec::new();
        let mut count = |at: Option<usize>, name: String, design: &hashrange_design::Design| {
            let is_by_key = |question: &&hashrange_design::guide::Question| {
                let found = derive(design, question, samples);
                found.is_some_and(|it| it.served == Served::ByKey)
            };
            let by_key = asked.iter().filter(is_by_key).count();
            views.push(OtherKeysView { at, name, by_key, scans: asked.len() - by_key });
        };
        let keys = |design: &hashrange_design::Design| -> Vec<_> {
            design.entities.iter().map(|it| it.keys.clone()).collect()
        };
        if design.entities.iter().any(|it| !it.keys.is_empty()) {
            count(None, "as here".to_owned(), design);
        }
        for (at, (name, other)) in other_keys(design).into_iter().enumerate() {
            if keys(&other) != keys(design) {
                count(Some(at), name, &other);
            }
        }
        views
    }

    fn index_views(&self, samples: &Samples) -> Vec<GuideIndexView> {
        let design = self.design();
        let view = |proposal: hashrange_design::guide::IndexProposal| {
            let table = self.data().store.table(&proposal.table);
            let (mut n, mut bytes, mut largest) = (0, 0, 0);
            for name in &proposal.holds {
                let at = design.entities.iter().position(|it| it.name == *name);
                let seen = at.and_then(|at| self.survey(&proposal.table)?.entity(at));
                let Some(seen) = seen else { continue };
                let flag = |index: &hashrange_design::fix::IndexPlan| {
                    let keys = index.partition.iter().chain(&index.sort);
                    keys.filter_map(|(name, _)| seen.attributes.get(name).copied()).min()
                };
                let held = match &proposal.index {
                    Some(index) if proposal.templates.is_empty() => flag(index),
                    _ => None,
                };
                let held = held.unwrap_or(seen.n_items);
                n += held;
                bytes += seen.bytes * held / seen.n_items.max(1) + STORAGE_OVERHEAD_BYTES * held;
                largest = largest.max(seen.bytes / seen.n_items.max(1));
            }
            let entry = u32::try_from(largest).unwrap_or(u32::MAX);
            let more = units(write_units(entry), true);
            let cost = format!(
                "{more} more for each item written that is in it; {} in {}{}.",
                size(bytes),
                counted(n, "entry"),
                if table.is_some_and(|table| table.items().n_rows() > 0) {
                    ", filled at once"
                } else {
                    ""
                }
            );
            let results = self.pattern_results();
            let serves = proposal.serves.iter().map(|number| {
                let found = results.iter().find(|it| it.number == *number);
                let now = found.map_or(
                    CapacityUnits::ZERO,
                    hashrange_design::pattern::PatternResult::total_units,
                );
                let then =
                    found.map_or(CapacityUnits::ZERO, |it| read_units(it.bytes_returned, false));
                let words = design.patterns.get((*number as usize).saturating_sub(1));
                let words = words.map_or("", |it| it.words.as_str());
                let then = units(then, false);
                format!(
                    "{number}. {words}: {} to {then}",
                    hashrange_design::words::units_number(now)
                )
            });
            let serves = serves.collect();
            let (title, button) = titled(&proposal);
            GuideIndexView {
                title,
                kind: proposal.kind,
                because: proposal.because,
                cost,
                serves,
                button,
            }
        };
        propose_indexes(design, samples).into_iter().map(view).collect()
    }

    fn index_list(&self) -> Vec<[String; 4]> {
        let mut list = Vec::new();
        for table in &self.design().tables {
            let form = TableForm::of(table);
            let there = self.data().store.table(&form.name);
            for index in &form.indexes {
                let keys: Vec<&str> =
                    index.partition.iter().chain(&index.sort).map(|it| it.name.as_str()).collect();
                let n = there
                    .and_then(|it| it.index(&index.name))
                    .map_or(0, hashrange_storage::TreeRef::n_rows);
                list.push([
                    form.name.clone(),
                    index.name.clone(),
                    keys.join(", "),
                    counted(n, "entry"),
                ]);
            }
        }
        list
    }

    /// The sample data that the entities describe.
    pub fn sample_view(&self) -> SampleView {
        let design = self.design();
        let mut total = 0;
        let mut rows = Vec::new();
        for entity in &design.entities {
            let Some(sample) = &entity.sample else { continue };
            let n = n_items_of(design, entity);
            total += n;
            let made = sample.attributes.iter().map(|it| {
                let at = MAKES.iter().position(|(make, _)| *make == it.make).unwrap_or_default();
                let every = it.every.map(|n| format!(" for every {n}th")).unwrap_or_default();
                let what = format!("{} {}", MADE[at], it.with);
                format!("{}: {}{every}", it.name, what.trim())
            });
            let up = parents(design, &entity.name);
            let (letter, slot) = self.face(&entity.name);
            rows.push(SampleRow {
                name: entity.name.clone(),
                letter,
                slot,
                each: sample.count,
                of: up.first().map_or_else(
                    || "in all".to_owned(),
                    |up| format!("of each {}", lowercase(&up.name)),
                ),
                bytes: sample.bytes.map(|(a, b)| format!("{a} to {b}")).unwrap_or_default(),
                makes: made.collect::<Vec<_>>().join("; "),
                total_text: counted(n, "item"),
            });
        }
        SampleView { seed: design.seed.unwrap_or(SEED), rows, total_text: counted(total, "item") }
    }
}

/// What each of [`MAKES`] is in a sentence, before the words it is made with.
const MADE: [&str; MAKES.len()] = [
    "an id",
    "",
    "one of",
    "a person’s name",
    "an email address",
    "a title",
    "",
    "a day from",
    "a time from",
    "hexadecimal digits",
    "0 or 1, in turn",
    "filler",
];

/// What a proposal is called, and what its button says.
fn titled(proposal: &hashrange_design::guide::IndexProposal) -> (String, String) {
    let Some(index) = &proposal.index else {
        let names = proposal.holds.join(", ");
        return (names.clone(), format!("Put {names} into it"));
    };
    let mut keys: Vec<&str> = index.partition.iter().map(|(name, _)| name.as_str()).collect();
    keys.extend(index.sort.as_ref().map(|(name, _)| name.as_str()));
    (format!("{} ({})", index.name, keys.join(", ")), format!("Add {}", index.name))
}

/// True if a kind of question needs another entity, and an attribute.
pub fn kind_needs(kind: QuestionKind) -> (bool, bool) {
    match kind {
        QuestionKind::Children | QuestionKind::Related => (true, false),
        QuestionKind::Value | QuestionKind::Flagged => (true, true),
        QuestionKind::Change => (false, true),
        QuestionKind::One | QuestionKind::Under | QuestionKind::Add => (false, false),
    }
}

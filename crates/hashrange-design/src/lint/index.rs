//! Rules about indexes: nobody reads them, they hold too much, their entries move.

use hashrange_expressions::{Substitutions, parse_update};
use hashrange_types::limits::{NON_KEY_ATTRIBUTES_MAX, WRITE_UNIT_BYTES};
use hashrange_types::schema::IndexSchema;
use hashrange_types::{AttributeName, Operation, Projection, Request, TableSchema};

use super::{Finding, LintRule, Seriousness, Subject};
use crate::document::Design;
use crate::fix::Fix;
use crate::pattern::{PatternResult, PatternSuite, Served};
use crate::suggest::{Asked, asked_attributes};
use crate::survey::Survey;
use crate::words::{GAP, rate, size};

pub(super) fn find(design: &Design, suite: &PatternSuite, found: &mut Vec<Finding>) {
    // Without patterns nothing tells what an index is for.
    if design.patterns.is_empty() {
        return;
    }
    for survey in suite.surveys() {
        let schema = survey.table().schema();
        if !design.table_names().any(|name| name == schema.name.as_str()) {
            continue;
        }
        for index in schema.indexes() {
            let readers: Vec<&PatternResult> = suite
                .results()
                .iter()
                .filter(|result| {
                    result.shape.table.as_ref() == Some(&schema.name)
                        && result.shape.index.as_ref() == Some(index.name)
                })
                .collect();
            if readers.is_empty() {
                found.push(unused(suite, schema, index));
            } else {
                found.extend(over_projected(design, survey, index, &readers));
            }
            found.extend(changing_key(design, suite, schema, index));
        }
    }
}

fn subject(schema: &TableSchema, index: IndexSchema<'_>) -> Subject {
    Subject::Index { table: schema.name.to_string(), index: index.name.to_string() }
}

fn unused(suite: &PatternSuite, schema: &TableSchema, index: IndexSchema<'_>) -> Finding {
    let writes: f64 = suite
        .results()
        .iter()
        .flat_map(|result| result.units.iter().map(move |units| (result, units)))
        .filter(|(_, units)| units.is_write && units.index.as_ref() == Some(index.name))
        .filter(|(_, units)| units.table == schema.name)
        .map(|(result, units)| units.units.as_f64() * result.per_second.unwrap_or(0.0))
        .sum();
    let cost = if writes > 0.0 {
        format!(", and its upkeep takes {}{GAP}WCU a second", rate(writes))
    } else {
        ", and every write of an item in it is paid twice".to_owned()
    };
    let table = schema.name.to_string();
    let sentence = format!("No pattern reads {}{cost}.", index.name);
    let fix = Fix::RemoveIndex { table, index: index.name.to_string() };
    let rule = LintRule::UnusedIndex;
    Finding::new(rule, Seriousness::Warning, subject(schema, index), sentence).fixed_by(Some(fix))
}

fn over_projected(
    design: &Design,
    survey: &Survey,
    index: IndexSchema<'_>,
    readers: &[&PatternResult],
) -> Option<Finding> {
    let schema = survey.table().schema();
    if *index.projection == Projection::KeysOnly
        || readers.iter().any(|reader| reader.served == Served::Refused)
    {
        return None;
    }
    let needed = needed(design, survey, readers)?;
    let idle = idle_entities(design, survey, index, &needed);
    if idle.is_empty() {
        return None;
    }
    let is_key = |name: &str| index.key.contains(name) || schema.key.contains(name);
    let mut names: Vec<AttributeName> = Vec::new();
    for name in needed.into_iter().filter(|name| !is_key(name)).map(AttributeName::from) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let projection = match names.len() {
        0 => Some(Projection::KeysOnly),
        n if n <= NON_KEY_ATTRIBUTES_MAX => Some(Projection::Include(names)),
        _ => None,
    };
    let fix = projection.map(|projection| Fix::SetProjection {
        table: schema.name.to_string(),
        index: index.name.to_string(),
        projection,
    });
    let sentence = format!(
        "{} holds attributes that no pattern reads there, and each change of them is written twice.",
        index.name
    );
    let rule = LintRule::OverProjectedIndex;
    Some(
        Finding::new(rule, Seriousness::Warning, subject(schema, index), sentence)
            .with(idle)
            .fixed_by(fix),
    )
}

/// What readers ask for by name, or else all attributes of the entity they are about; none if that is not known.
fn needed(design: &Design, survey: &Survey, readers: &[&PatternResult]) -> Option<Vec<String>> {
    let mut needed: Vec<String> = Vec::new();
    for reader in readers {
        let pattern = design.patterns.get(usize::try_from(reader.number).ok()?.checked_sub(1)?)?;
        let operation = Operation::from_name(&pattern.operation)?;
        let request = hashrange_wire::decode(operation, &pattern.request.to_string()).ok()?;
        match asked_attributes(&request)? {
            Asked::Names(names) => needed.extend(names.iter().map(AttributeName::to_string)),
            Asked::All => {
                let seen = survey.entity(reader.entity?)?;
                needed.extend(seen.attributes.keys().cloned());
            }
        }
    }
    Some(needed)
}

/// Entities of the index with attributes in it that nobody needs and that cost write units of their own.
fn idle_entities(
    design: &Design,
    survey: &Survey,
    index: IndexSchema<'_>,
    needed: &[String],
) -> Vec<String> {
    let schema = survey.table().schema();
    let tree = survey.tree(Some(index.name.as_str()));
    let is_unread = |name: &String| {
        index.projects(schema, name)
            && !needed.contains(name)
            && !index.key.contains(name)
            && !schema.key.contains(name)
    };
    let mut idle = Vec::new();
    for (entity, seen) in survey.entities() {
        let is_in_index = tree.is_none_or(|tree| tree.by_entity.contains_key(&entity));
        let bytes = seen.bytes / seen.n_items.max(1);
        // Below a write unit there is nothing to save.
        let costs = bytes > u64::from(WRITE_UNIT_BYTES);
        if is_in_index && costs && seen.attributes.keys().any(is_unread) {
            let name = design.entities.get(entity).map_or("item", |it| it.name.as_str());
            idle.push(format!("{name}: {} an entry", size(bytes)));
        }
    }
    idle
}

/// Updates that set an attribute of the index's key.
fn changing_key(
    design: &Design,
    suite: &PatternSuite,
    schema: &TableSchema,
    index: IndexSchema<'_>,
) -> Option<Finding> {
    let mut moving = Vec::new();
    for (result, pattern) in suite.results().iter().zip(&design.patterns) {
        let Some(operation) = Operation::from_name(&pattern.operation) else { continue };
        let request = hashrange_wire::decode(operation, &pattern.request.to_string());
        let Ok(Request::UpdateItem(update)) = request else { continue };
        let Some(text) = update.update_expression.filter(|_| update.table.name == schema.name)
        else {
            continue;
        };
        let substitutions = Substitutions::new(update.names.as_ref(), update.values.as_ref());
        let Ok(parsed) = substitutions.and_then(|mut it| parse_update(&text, &mut it)) else {
            continue;
        };
        let paths = parsed.touched_paths();
        if paths.iter().any(|path| index.key.contains(path.attribute.as_str())) {
            moving.push(format!("pattern {}, {}", result.number, result.words));
        }
    }
    if moving.is_empty() {
        return None;
    }
    let sentence = format!(
        "Updates change the key of {}: its entry is removed in one place and written in another, two writes each time.",
        index.name
    );
    let rule = LintRule::ChangingIndexKey;
    Some(Finding::new(rule, Seriousness::Note, subject(schema, index), sentence).with(moving))
}

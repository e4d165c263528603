//! Key templates proposed for each entity, and other ways to key the same entities.
//!
//! Invariant: a proposal has slots that the entity's own identifier or those of its parents fill.

use super::{id_of, parents, plain_id};
use crate::document::{Design, Entity};
use crate::table_form::TableForm;
use hashrange_types::letter_case::{capital, lowercase};

/// Keys proposed for one entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyProposal {
    /// The entity's index in the design.
    pub entity: usize,
    /// Key attribute and template.
    pub keys: Vec<(String, String)>,
    /// Why so, in a few words.
    pub because: String,
}

/// A slot for an entity's identifier behind its prefix: `ORG#{org}`.
fn prefixed(entity: &Entity) -> String {
    let id = id_of(entity).map_or_else(|| plain_id(&entity.name), str::to_owned);
    let stem = id.strip_suffix("Id").or_else(|| id.strip_suffix("_id")).unwrap_or(&id);
    let stem = if stem.eq_ignore_ascii_case("id") { entity.name.as_str() } else { stem };
    let prefix: String = stem.chars().filter(|it| it.is_alphanumeric()).collect();
    format!("{}#{{{id}}}", prefix.chars().map(capital).collect::<String>())
}

/// Children carry their parent's identifier; a junction stands under its first parent and is sorted by its second.
pub fn propose_keys(design: &Design) -> Vec<KeyProposal> {
    let propose = |(at, entity): (usize, &Entity)| {
        let up = parents(design, &entity.name);
        let own = prefixed(entity);
        let (partition, sort, because) = match up.as_slice() {
            [] => (own.clone(), own, "its own id, for whatever belongs to it".to_owned()),
            [parent] => (prefixed(parent), own, "children carry the parent’s id".to_owned()),
            [first, second, ..] => {
                let because = format!(
                    "under the {}; the {} sorts",
                    lowercase(&first.name),
                    lowercase(&second.name)
                );
                (prefixed(first), prefixed(second), because)
            }
        };
        KeyProposal { entity: at, keys: keyed(design, entity, partition, sort), because }
    };
    design.entities.iter().enumerate().map(propose).collect()
}

fn keyed(
    design: &Design,
    entity: &Entity,
    partition: String,
    sort: String,
) -> Vec<(String, String)> {
    let table = design.table(&entity.table);
    let form = table.map(TableForm::of).unwrap_or_default();
    match form.sort {
        Some(field) => vec![(form.partition.name, partition), (field.name, sort)],
        None => vec![(form.partition.name, sort)],
    }
}

/// Other ways to key the entities, each with its name: children under their own identifier one by one, and every item
/// under its own.
pub fn other_keys(design: &Design) -> Vec<(String, Design)> {
    let mut others = Vec::new();
    let proposed = propose_keys(design);
    let keys = |design: &mut Design, at: usize, keys: &[(String, String)]| {
        for (attribute, template) in keys {
            design.entities[at].keys.insert(attribute.clone(), template.clone());
        }
    };
    let mut base = design.clone();
    for proposal in &proposed {
        keys(&mut base, proposal.entity, &proposal.keys);
    }
    others.push(("children under their parent, as proposed".to_owned(), base.clone()));
    let is_child = |entity: &&Entity| parents(design, &entity.name).len() == 1;
    if let Some(at) = design.entities.iter().position(|it| is_child(&it)) {
        let mut own = base.clone();
        let template = prefixed(&design.entities[at]);
        let pair = keyed(design, &design.entities[at], template.clone(), template.clone());
        keys(&mut own, at, &pair);
        let name = lowercase(&design.entities[at].name);
        others.push((format!("{template} for each {name}"), own));
    }
    let mut alone = base;
    for (at, entity) in design.entities.iter().enumerate() {
        let up = parents(design, &entity.name);
        let template = if up.len() > 1 {
            let both: Vec<String> = up.iter().map(|it| prefixed(it)).collect();
            both.join("#")
        } else {
            prefixed(entity)
        };
        let pair = keyed(design, entity, template.clone(), template);
        keys(&mut alone, at, &pair);
    }
    others.push(("one key per item, its id".to_owned(), alone));
    others
}

//! Keys that lie where a load wants them: `on:P3` asks for a key in the fourth partition of its table.
//!
//! Invariant: the same table and partition give the same key.

use hashrange_types::{AttributeValue, Request};
use smol_str::format_smolstr;

use crate::template::{Binding, Template, TemplateError, visit};
use crate::workload::Workload;
use crate::world::World;

/// What such a text begins with.
const MARK: &str = "on:P";
/// Keys that are tried.
const TRIES_MAX: u32 = 100_000;

/// The workload with keys in the places of such texts; none if it has no such text.
pub(crate) fn placed(
    workload: &Workload,
    world: &World,
) -> Result<Option<Workload>, TemplateError> {
    let mut placed = None;
    for (n, source) in workload.sources.iter().enumerate() {
        let Some(position) = wanted(&source.template)? else { continue };
        let region = source.region.as_deref().and_then(|name| world.region(name)).unwrap_or(0);
        let found = found(&source.template, position, world, region)?;
        placed.get_or_insert_with(|| workload.clone()).sources[n].template = found;
    }
    Ok(placed)
}

/// The partition that a request wants its key in.
fn wanted(request: &Request) -> Result<Option<usize>, TemplateError> {
    let mut wanted = Vec::new();
    visit(&mut request.clone(), &mut |value, _| {
        let AttributeValue::S(text) = value else { return };
        wanted.extend(text.strip_prefix(MARK).and_then(|number| number.parse::<usize>().ok()));
    });
    match wanted.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => {
            Err(TemplateError::new(format!("A request has one key {MARK}n, not {}.", wanted.len())))
        }
    }
}

fn found(
    request: &Request,
    position: usize,
    world: &World,
    region: usize,
) -> Result<Request, TemplateError> {
    let binding = Binding::default();
    let cluster = world.cluster(region);
    for n in 0..TRIES_MAX {
        let mut tried = request.clone();
        visit(&mut tried, &mut |value, _| {
            if let AttributeValue::S(text) = value
                && text.starts_with(MARK)
            {
                *text = format_smolstr!("P{position}-{n}");
            }
        });
        let bound = Template::new(tried.clone(), None)?.bind(&binding);
        let Some((partition, _)) = cluster.locate(*bound) else { break };
        if cluster.position(partition) == Some(position) {
            return Ok(tried);
        }
    }
    Err(TemplateError::new(format!(
        "There is no partition P{position} for the key {MARK}{position}: they are counted from P0."
    )))
}

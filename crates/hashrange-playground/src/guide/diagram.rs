//! The entity diagram: cards in rows by what they belong to, and lines between them.
//!
//! Invariant: no two cards overlap; an entity between two of one row stands between them.

use hashrange_design::Design;
use hashrange_design::guide::parents;
use hashrange_design::sample::RelationKind;

use super::views::{DiagramCard, DiagramLine, DiagramView, GuideEntityView};

const CARD: i32 = 176;
const GAP_X: i32 = 96;
const GAP_Y: i32 = 92;
const MARGIN: i32 = 12;
/// Room over a row for the trace of a line.
const TRACE: i32 = 30;
/// Lines of attributes on a card.
const LINES_MAX: usize = 4;

/// The picture of a design's entities and relations.
pub(super) fn diagram(design: &Design, entities: &[GuideEntityView]) -> DiagramView {
    let rows = rows(design);
    let height_of = |at: &usize| {
        let n = entities[*at].attributes.len().clamp(1, LINES_MAX);
        46 + 18 * i32::try_from(n).unwrap_or(0)
    };
    let width_of = |row: &Vec<usize>| {
        let n = i32::try_from(row.len()).unwrap_or(0);
        n * CARD + (n - 1).max(0) * GAP_X
    };
    let widest = rows.iter().map(width_of).max().unwrap_or(0);
    let mut cards: Vec<(usize, DiagramCard)> = Vec::new();
    let is_between = |at: &usize| parents(design, &design.entities[*at].name).len() > 1;
    // The trace of a line that was split runs over the first row.
    let has_trace = rows.first().is_some_and(|row| row.iter().any(is_between));
    let mut y = MARGIN + if has_trace { TRACE } else { 0 };
    for row in &rows {
        let tallest = row.iter().map(height_of).max().unwrap_or(0);
        let mut x = MARGIN + (widest - width_of(row)) / 2;
        for at in row {
            let height = height_of(at);
            cards.push((*at, card(design, &entities[*at], x, y + (tallest - height) / 2, height)));
            x += CARD + GAP_X;
        }
        y += tallest + GAP_Y;
    }
    let find = |name: &str| cards.iter().find(|(_, card)| card.name == name).map(|(_, card)| card);
    let mut lines = Vec::new();
    let mut words = Vec::new();
    for (at, relation) in design.relations.iter().enumerate() {
        let (Some(from), Some(to)) = (find(&relation.from), find(&relation.to)) else { continue };
        let is_many = relation.kind == RelationKind::ManyToMany;
        let ends = if is_many { "many to many" } else { "one to many" };
        words.push(format!("{} to {}: {ends}", relation.from, relation.to));
        let siblings: Vec<usize> = (0..design.relations.len())
            .filter(|other| design.relations[*other].from == relation.from)
            .collect();
        let place = siblings.iter().position(|it| *it == at).unwrap_or(0);
        lines.push(line(from, to, is_many, place, siblings.len()));
    }
    for entity in &design.entities {
        let up = parents(design, &entity.name);
        if let [one, other, ..] = up.as_slice()
            && let (Some(own), Some(one), Some(other)) =
                (find(&entity.name), find(&one.name), find(&other.name))
        {
            lines.extend(trace(own, one, other));
        }
    }
    cards.sort_by_key(|(at, _)| *at);
    DiagramView {
        width: widest + 2 * MARGIN,
        height: (y - GAP_Y + MARGIN).max(0),
        cards: cards.into_iter().map(|(_, card)| card).collect(),
        lines,
        words: words.join("; "),
    }
}

fn card(design: &Design, entity: &GuideEntityView, x: i32, y: i32, height: i32) -> DiagramCard {
    let mut lines: Vec<String> = entity.attributes.iter().take(LINES_MAX).cloned().collect();
    if entity.attributes.len() > LINES_MAX {
        lines[LINES_MAX - 1] = format!("and {} more", entity.attributes.len() - LINES_MAX + 1);
    }
    DiagramCard {
        x,
        y,
        height,
        name: entity.name.clone(),
        letter: entity.letter.clone(),
        slot: entity.slot,
        count: crate::format::count(entity.total),
        lines,
        is_junction: parents(design, &entity.name).len() > 1,
    }
}

/// Where the n-to-m line ran that the entity between two others took the place of.
fn trace(between: &DiagramCard, one: &DiagramCard, other: &DiagramCard) -> Option<DiagramLine> {
    let (left, right) = if one.x < other.x { (one, other) } else { (other, one) };
    let top = left.y.min(right.y).min(between.y);
    let is_over = left.x < between.x && between.x < right.x && left.y.abs_diff(right.y) < 60;
    if !is_over {
        return None;
    }
    let (a, b) = (left.x + CARD, right.x);
    let (from, to) = (left.y + 14, right.y + 14);
    // A curve comes three quarters of the way to where it is drawn.
    let pull = top - TRACE;
    let path = format!("M{a} {from}C{} {pull}, {} {pull}, {b} {to}", a + 50, b - 50);
    let labels = vec![(a.midpoint(b), top - 18, "was n to m".to_owned())];
    Some(DiagramLine { path, ends: String::new(), kind: "was", labels })
}

/// Entities by row, by their indexes in the design.
fn rows(design: &Design) -> Vec<Vec<usize>> {
    let n = design.entities.len();
    let position = |name: &str| design.entities.iter().position(|it| it.name == name);
    let ups: Vec<Vec<usize>> = design
        .entities
        .iter()
        .map(|it| parents(design, &it.name).iter().filter_map(|up| position(&up.name)).collect())
        .collect();
    let mut depth = vec![0_usize; n];
    // Relations in a circle stop growing here.
    for _ in 0..n {
        for at in 0..n {
            let above = ups[at].iter().map(|up| depth[*up]).max();
            let is_between = ups[at].len() > 1;
            depth[at] = above.map_or(0, |above| above + usize::from(!is_between)).min(n);
        }
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
    for at in 0..n {
        if ups[at].len() < 2 {
            rows[depth[at]].push(at);
        }
    }
    for at in 0..n {
        if ups[at].len() > 1 {
            let row = &mut rows[depth[at]];
            let first = row.iter().position(|it| ups[at].contains(it));
            row.insert(first.map_or(row.len(), |first| first + 1), at);
        }
    }
    rows.retain(|row| !row.is_empty());
    rows
}

/// The line from `from` to `to`, the `place`th of `n` that leave `from`.
fn line(
    from: &DiagramCard,
    to: &DiagramCard,
    is_many: bool,
    place: usize,
    n: usize,
) -> DiagramLine {
    let kind = match (is_many, to.is_junction) {
        (true, _) => "many",
        (false, true) => "junction",
        (false, false) => "one",
    };
    let middle = |card: &DiagramCard| card.y + card.height / 2;
    let is_beside = from.y < to.y + to.height && to.y < from.y + from.height;
    if is_beside {
        let side = if from.x < to.x { 1 } else { -1 };
        let x0 = if side > 0 { from.x + CARD } else { from.x };
        let x1 = if side > 0 { to.x } else { to.x + CARD };
        let y = middle(from).midpoint(middle(to));
        let is_far = (x1 - x0).abs() > GAP_X;
        if is_far {
            // Over what stands between.
            let top = from.y.min(to.y) - 8;
            let (a, b) = (from.x + CARD / 2, to.x + CARD / 2);
            let path = format!("M{a} {} C{a} {}, {b} {}, {b} {}", from.y, top - 24, top - 24, to.y);
            let label = if is_many { "n to m" } else { "1 to n" };
            let labels = vec![(a.midpoint(b), top - 16, label.to_owned())];
            return DiagramLine { path, ends: String::new(), kind, labels };
        }
        let path = format!("M{x0} {y}H{x1}");
        let foot =
            |x: i32, side: i32| format!("M{x} {}L{} {y}L{x} {}", y - 6, x - 11 * side, y + 6);
        let bar = |x: i32, side: i32| format!("M{} {}v12", x + 8 * side, y - 6);
        let ends = if is_many {
            foot(x0, -side) + &foot(x1, side)
        } else {
            bar(x0, side) + &foot(x1, side)
        };
        let words = if is_many { ["n", "m"] } else { ["1", "n"] };
        let labels = vec![
            (x0 + 17 * side, y - 9, words[0].to_owned()),
            (x1 - 18 * side, y - 9, words[1].to_owned()),
        ];
        return DiagramLine { path, ends, kind, labels };
    }
    let is_down = from.y < to.y;
    let side = if is_down { 1 } else { -1 };
    let spread = i32::try_from(place).unwrap_or(0) * 2 + 1 - i32::try_from(n).unwrap_or(1);
    let x0 = from.x + CARD / 2 + spread * 30 / i32::try_from(n.max(1)).unwrap_or(1).clamp(1, 3);
    let x1 = to.x + CARD / 2;
    let y0 = if is_down { from.y + from.height } else { from.y };
    let y1 = if is_down { to.y } else { to.y + to.height };
    let turn = y0.midpoint(y1);
    let path = format!("M{x0} {y0}V{turn}H{x1}V{y1}");
    let foot =
        |x: i32, y: i32, side: i32| format!("M{} {y}L{x} {}L{} {y}", x - 6, y - 11 * side, x + 6);
    let bar = format!("M{} {}h12", x0 - 6, y0 + 8 * side);
    let ends = if is_many { foot(x0, y0, -side) } else { bar } + &foot(x1, y1, side);
    let words = if is_many { ["n", "m"] } else { ["1", "n"] };
    let labels = vec![
        (x0 + 12, y0 + 22 * side, words[0].to_owned()),
        (x1 + 14, y1 - 14 * side, words[1].to_owned()),
    ];
    DiagramLine { path, ends, kind, labels }
}

//! Where items, entries and links stand in the picture.
//!
//! Invariant: both sides are blocks of one partition key each, from top to bottom in key order; of a local index the
//! two blocks of a partition begin at the same height.

use hashrange_types::{EncodedKey, sorted};

use super::view::{Link, LinkBlock, LinkRow, LinksView};

const WIDTH: f32 = 1_000.0;
const LEFT: [f32; 2] = [12.0, 360.0];
const RIGHT: [f32; 2] = [508.0, 480.0];
const TOP: f32 = 28.0;
const HEAD: f32 = 22.0;
const ITEM: f32 = 22.0;
const ENTRY: f32 = 36.0;
const GAP: f32 = 12.0;
/// Widths of links.
const THIN: f32 = 1.25;
const THICK: f32 = 4.0;

/// An item to draw.
pub(super) struct Drawn {
    pub(super) partition: String,
    pub(super) row: LinkRow,
    pub(super) linked: Option<Linked>,
}

/// Its entry.
pub(super) struct Linked {
    pub(super) partition: String,
    pub(super) order: Option<EncodedKey>,
    pub(super) bytes: u32,
    pub(super) row: LinkRow,
}

/// Rows of one partition key.
type Group = (String, Vec<LinkRow>);

/// Places everything.
pub(super) fn place(view: &mut LinksView, drawn: Vec<Drawn>, is_local: bool) {
    let mut items: Vec<Group> = Vec::new();
    let mut linked: Vec<Linked> = Vec::new();
    for (number, mut it) in drawn.into_iter().enumerate() {
        it.row.item = number;
        add(&mut items, it.partition, it.row);
        if let Some(mut entry) = it.linked {
            entry.row.item = number;
            linked.push(entry);
        }
    }
    sorted::sort_by(&mut linked, |a, b| a.order.cmp(&b.order));
    let most = linked.iter().map(|it| it.bytes).max().unwrap_or(1).max(1);
    let widths: Vec<(usize, u32)> = linked.iter().map(|it| (it.row.item, it.bytes)).collect();
    let mut entries: Vec<Group> = Vec::new();
    for it in linked {
        add(&mut entries, it.partition, it.row);
    }
    view.width = WIDTH;
    let (mut left, mut right) = (TOP, TOP);
    if is_local {
        let mut y = TOP;
        for (key, rows) in items {
            let at = entries.iter().position(|(other, _)| *other == key);
            let under = at.map(|at| entries.remove(at).1).unwrap_or_default();
            let top = y + GAP;
            let own = block(key.clone(), rows, LEFT, top, ITEM);
            let mut bottom = own.place[1] + own.place[3];
            view.items.push(own);
            if !under.is_empty() {
                let other = block(key, under, RIGHT, top, ENTRY);
                bottom = bottom.max(other.place[1] + other.place[3]);
                view.entries.push(other);
            }
            view.shared.push([2.0, y + 3.0, WIDTH - 4.0, bottom + 9.0 - y - 3.0]);
            y = bottom + GAP;
        }
        view.height = y + GAP;
    } else {
        for (key, rows) in items {
            let own = block(key, rows, LEFT, left, ITEM);
            left = own.place[1] + own.place[3] + GAP;
            view.items.push(own);
        }
        for (key, rows) in entries {
            let own = block(key, rows, RIGHT, right, ENTRY);
            right = own.place[1] + own.place[3] + GAP;
            view.entries.push(own);
        }
        view.height = left.max(right);
    }
    view.links = links(view, &widths, most);
}

fn add(groups: &mut Vec<Group>, partition: String, row: LinkRow) {
    match groups.iter_mut().find(|(known, _)| *known == partition) {
        Some((_, rows)) => rows.push(row),
        None => groups.push((partition, vec![row])),
    }
}

fn block(
    key: String,
    mut rows: Vec<LinkRow>,
    [x, width]: [f32; 2],
    top: f32,
    step: f32,
) -> LinkBlock {
    let mut y = top + HEAD;
    for row in &mut rows {
        row.y = y;
        y += step;
    }
    LinkBlock { place: [x, top, width, y - top], key, rows }
}

fn links(view: &LinksView, widths: &[(usize, u32)], most: u32) -> Vec<Link> {
    let rows = |blocks: &[LinkBlock]| -> Vec<(usize, f32, Option<u8>)> {
        let rows = blocks.iter().flat_map(|block| &block.rows);
        rows.map(|row| (row.item, row.y, row.slot)).collect()
    };
    let items = rows(&view.items);
    let (from, to) = (LEFT[0] + LEFT[1], RIGHT[0]);
    let bend = (to - from) / 2.0;
    let mut links = Vec::new();
    for (item, y, slot) in rows(&view.entries) {
        let Some((_, start, _)) = items.iter().find(|(known, ..)| *known == item) else { continue };
        let bytes = widths.iter().find(|(known, _)| *known == item).map_or(0, |(_, bytes)| *bytes);
        let (start, end) = (start + ITEM / 2.0, y + ENTRY / 2.0);
        #[expect(clippy::cast_precision_loss, reason = "a width of a picture")]
        let width = THIN + (THICK - THIN) * (bytes as f32 / most as f32);
        let path =
            format!("M{from} {start}C{} {start} {} {end} {to} {end}", from + bend, to - bend);
        links.push(Link { item, slot, path, width });
    }
    links
}

//! One sentence per result: what a request did, and what it cost and why.
//!
//! Invariant: the number first, then the reason; present tense or past, full stops, no praise and no blame.
//!
//! Not here: numbers with units ([`crate::format`]), operations that touch no items ([`crate::told`]), explanations
//! of errors ([`crate::refusal`]).

use hashrange_types::operation::BatchExecuteStatementResponse;
use hashrange_types::{Operation, Response};

use crate::format::{self, counted};
use crate::history::{Entry, Ran, Written};
use crate::told;
use crate::view::ErrorView;

/// What a request did: `Query 14 read 9 items in one band of ORG#1234 and returned 2. …`
pub(crate) fn did(entry: &Entry, ran: &Ran) -> String {
    let name = format!("{} {}", entry.operation, entry.number);
    if let Some(refusal) = ran.refusal() {
        return refused(&name, ran, refusal);
    }
    let Ok(reply) = ran.last().reply.as_deref() else { return format!("{name} did not run.") };
    let did = match (ran.acts_as(), reply) {
        (_, Response::BatchExecuteStatement(batch)) => batch_statements(&name, ran, batch),
        (Some(Operation::Query), _) => query(&name, ran),
        (Some(Operation::Scan), _) => scan(&name, ran),
        (Some(Operation::GetItem), _) => get_item(&name, ran, reply),
        (Some(Operation::BatchGetItem), _) => batch_get_item(&name, ran, reply),
        _ if ran.is_transaction() => transaction(&name, ran),
        (Some(operation), _) if ran.is_write() => write(&name, operation, ran, reply),
        _ => format!("{name}{}", told::sentence(ran, reply).unwrap_or_default()),
    };
    did + &became(ran)
}

/// ` This SELECT names no partition key, so it was a Scan.`
fn became(ran: &Ran) -> String {
    let Some(became) = ran.asked.became else { return String::new() };
    let n = ran.asked.n;
    let verb = |one: &'static str, many: &'static str| if n == 1 { one } else { many };
    match became {
        Operation::Scan => {
            let of = in_index(ran).replacen("in", "of", 1);
            format!(" This SELECT names no partition key{of}, so it was a Scan.")
        }
        Operation::Query if ran.asked.n_ranges > 1 => format!(
            " This SELECT names {}, so it was {}.",
            counted(ran.asked.n_ranges, "key"),
            counted(ran.asked.n_ranges, "Query"),
        ),
        Operation::Query => " This SELECT names the partition key, so it was a Query.".to_owned(),
        Operation::PutItem => " This INSERT was a PutItem that may not replace an item.".to_owned(),
        Operation::UpdateItem => {
            " This UPDATE was an UpdateItem of an item that has to be there.".to_owned()
        }
        Operation::DeleteItem => " This DELETE was a DeleteItem.".to_owned(),
        became if ran.is_transaction() => format!(
            " Its {} {}, so it was a {}.",
            counted(n, "statement"),
            if became == Operation::TransactGetItems {
                verb("reads", "read")
            } else {
                verb("writes", "write")
            },
            became.name(),
        ),
        _ => String::new(),
    }
}

/// `BatchExecuteStatement 4 ran 3 statements: 2 items found, 1 refused with DuplicateItemException.`
fn batch_statements(name: &str, ran: &Ran, batch: &BatchExecuteStatementResponse) -> String {
    let refusals: Vec<&str> =
        batch.responses.iter().filter_map(|it| Some(it.error.as_ref()?.name())).collect();
    let mut parts = Vec::new();
    let written = ran.last().written.iter().filter(|it| !it.is_index);
    let n_written: u64 = written.map(|it| u64::from(it.n())).sum();
    if ran.is_write() {
        parts.push(format!("{} written", counted(n_written, "item")));
    } else if ran.n_returned() > 0 || refusals.is_empty() {
        parts.push(format!("{} found", counted(ran.n_returned(), "item")));
    }
    if let Some(first) = refusals.first() {
        parts.push(format!("{} refused, the first with {first}", refusals.len()));
    }
    let units = if refusals.is_empty() { "" } else { " One that is refused stops no other." };
    format!(
        "{name} ran {}: {}. Each stands alone, with its own item and its own units; there is no all or nothing.{units}",
        counted(ran.asked.n, "statement"),
        parts.join(", "),
    )
}

fn refused(name: &str, ran: &Ran, refusal: &ErrorView) -> String {
    let units = ran.units();
    let error = &refusal.name;
    let n_to_blame = refusal.reasons.iter().filter(|reason| reason.is_to_blame).count() as u64;
    if n_to_blame > 0 {
        let elements = counted(refusal.reasons.len() as u64, "element");
        let n = format::count(n_to_blame);
        let costs = if units.is_zero() {
            "it costs nothing".to_owned()
        } else {
            format!("the attempt costs {}", format::units(units, ran.is_write()))
        };
        let were = if n_to_blame == 1 { "was" } else { "were" };
        return format!(
            "{name} was cancelled as a whole: {n} of its {elements} {were} refused. Nothing was read or written, and \
             {costs}."
        );
    }
    if units.is_zero() {
        format!(
            "{name} was refused with {error}. Nothing was read or written, and it costs nothing."
        )
    } else {
        let cost = format::units(units, ran.is_write());
        format!("{name} was refused with {error}. Nothing was written, and the check costs {cost}.")
    }
}

/// `items` of a table, `entries` of an index.
fn noun(ran: &Ran) -> &'static str {
    match &ran.target {
        Some(target) if target.index.is_some() => "entry",
        _ => "item",
    }
}

/// `GSI1`, where an index is read: ` of the index GSI1`.
fn in_index(ran: &Ran) -> String {
    match ran.target.as_ref().and_then(|target| target.index.as_ref()) {
        Some(index) => format!(" in the index {index}"),
        None => String::new(),
    }
}

fn query(name: &str, ran: &Ran) -> String {
    let bands = match ran.asked.n_ranges {
        n if n > 1 && ran.asked.became.is_some() => counted(n, "band"),
        _ => "one band".to_owned(),
    };
    let band = match &ran.about {
        Some(about) => format!(" in {bands} of {about}{}", in_index(ran)),
        None => format!(" in {bands}{}", in_index(ran)),
    };
    if ran.n_examined() == 0 {
        return nothing(name, ran);
    }
    format!("{name} read {}{band}{}", counted(ran.n_examined(), noun(ran)), kept(ran))
}

fn scan(name: &str, ran: &Ran) -> String {
    if ran.n_examined() == 0 {
        return nothing(name, ran);
    }
    // Neighbouring pages share a partition, so their numbers do not add up.
    let partitions = match ran.pages.len() {
        1 => counted(u64::from(ran.n_partitions()), "partition"),
        n => counted(n as u64, "page"),
    };
    let items = counted(ran.n_examined(), noun(ran));
    let all =
        if ran.n_examined() == ran.n_target_rows && ran.n_examined() > 1 { "all " } else { "" };
    format!("{name} read {all}{items}{} in {partitions}{}", in_index(ran), kept(ran))
}

/// `nothing found`, with the likely cause and the cost.
fn nothing(name: &str, ran: &Ran) -> String {
    let cost = format::units(ran.units(), false);
    let found = format!("{name} found nothing{}, and looking still costs {cost}.", in_index(ran));
    match &ran.cause {
        Some(cause) => format!("{found} {cause}"),
        None => found,
    }
}

/// ` and returned 2. The other 7 were filtered out after the read.`
fn kept(ran: &Ran) -> String {
    let (read, returned) = (ran.n_examined(), ran.n_returned());
    let verb = if ran.is_count { "counted" } else { "returned" };
    let it = if read == 1 { "it" } else { "all of them" };
    let left = read - returned.min(read);
    let were = if left == 1 { "was" } else { "were" };
    match (returned, left) {
        (_, 0) => format!(" and {verb} {it}."),
        (0, 1) => format!(" and {verb} none: it was filtered out after the read."),
        (0, _) => format!(
            " and {verb} none: all {} {were} filtered out after the read.",
            format::count(left)
        ),
        (n, left) => format!(
            " and {verb} {}. The other {} {were} filtered out after the read.",
            format::count(n),
            if left == 1 { "one".to_owned() } else { format::count(left) },
        ),
    }
}

fn get_item(name: &str, ran: &Ran, reply: &Response) -> String {
    let is_found =
        matches!(reply, Response::GetItem(reply) if reply.item.is_some()) || ran.n_examined() > 0;
    let cost = format::units(ran.units(), false);
    if is_found {
        let size = format::size(ran.bytes_read());
        let key = ran.about.as_deref().map(|key| format!(" {key}")).unwrap_or_default();
        format!("{name} read the item{key} of {size} by its key alone.")
    } else {
        let found = format!("{name} found no item with this key, and looking still costs {cost}.");
        match &ran.cause {
            Some(cause) => format!("{found} {cause}"),
            None => found,
        }
    }
}

fn batch_get_item(name: &str, ran: &Ran, reply: &Response) -> String {
    let found = counted(ran.n_returned(), "item");
    let left = match reply {
        Response::BatchGetItem(batch) => batch.unprocessed.iter().map(|it| it.keys.len()).sum(),
        _ => 0_usize,
    };
    let rest = if left > 0 {
        format!(
            " {} came back in UnprocessedKeys: a reply holds 16\u{a0}MB.",
            counted(left as u64, "key")
        )
    } else {
        String::new()
    };
    format!("{name} found {found} by their keys. It saves round trips, not units.{rest}")
}

fn transaction(name: &str, ran: &Ran) -> String {
    let n_asked = ran.asked.n;
    if ran.acts_as() == Some(Operation::TransactGetItems) {
        let n = ran.n_returned();
        let missing = match n_asked.saturating_sub(n) {
            0 => String::new(),
            1 => " Nothing has the other key; looking for it is paid for too.".to_owned(),
            n => format!(
                " Nothing has the other {} keys; looking for them is paid for too.",
                format::count(n)
            ),
        };
        let items = counted(n, "item");
        let were = if n == 1 { "it was" } else { "they were" };
        return format!("{name} read {items} as {were} at one moment.{missing}");
    }
    if !ran.is_write() {
        return format!(
            "{name} came again with a ClientRequestToken of the last 10 minutes, so nothing was written twice. That costs \
             {}, like reading what it wrote.",
            format::units(ran.units(), false),
        );
    }
    let written = ran.last().written.iter();
    let n: u64 = written.filter(|it| !it.is_index).map(|it| u64::from(it.n())).sum();
    let rest = match n_asked.saturating_sub(n) {
        0 => String::new(),
        rest => format!(
            " {} of its {} changed nothing: a check, or a write of what was there already.",
            format::count(rest),
            counted(n_asked, "element"),
        ),
    };
    format!("{name} changed {} together: all or nothing.{rest}", counted(n, "item"))
}

fn write(name: &str, operation: Operation, ran: &Ran, reply: &Response) -> String {
    let written = &ran.last().written;
    let sum = |of: fn(&Written) -> u32| -> u64 {
        written.iter().filter(|it| !it.is_index).map(|it| u64::from(of(it))).sum()
    };
    let (put, replaced, deleted) =
        (sum(|it| it.n_put), sum(|it| it.n_replaced), sum(|it| it.n_deleted));
    let item = ran.about.as_deref().map(|key| format!(" {key}")).unwrap_or_default();
    let entries: u64 = written.iter().filter(|it| it.is_index).map(|it| u64::from(it.n())).sum();
    let indexes = match entries {
        0 => String::new(),
        n => format!(" {} followed.", counted(n, "index entry")),
    };
    match operation {
        Operation::BatchWriteItem => {
            batch_write_item(name, put, replaced, deleted, reply, &indexes)
        }
        Operation::DeleteItem if deleted == 0 => {
            format!("{name} found nothing to delete at{item}. That costs a write all the same.")
        }
        Operation::DeleteItem => format!("{name} deleted the item{item}.{indexes}"),
        _ if put > 0 => format!("{name} wrote a new item{item}.{indexes}"),
        _ if replaced == 0 => {
            format!(
                "{name} left the item{item} as it was: nothing in it changed. That costs a write all the same."
            )
        }
        Operation::PutItem => format!("{name} replaced the item{item} as a whole.{indexes}"),
        _ => format!("{name} changed the item{item}.{indexes}"),
    }
}

fn batch_write_item(
    name: &str,
    put: u64,
    replaced: u64,
    deleted: u64,
    reply: &Response,
    indexes: &str,
) -> String {
    let mut parts = Vec::new();
    for (n, verb) in [(put, "wrote"), (replaced, "replaced"), (deleted, "deleted")] {
        if n > 0 {
            parts.push(format!("{verb} {}", counted(n, "item")));
        }
    }
    let did = match parts.as_slice() {
        [] => "changed nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    let left = match reply {
        Response::BatchWriteItem(batch) => batch.unprocessed.iter().map(|it| it.1.len()).sum(),
        _ => 0_usize,
    };
    let rest = if left > 0 {
        format!(" {} came back in UnprocessedItems.", counted(left as u64, "write"))
    } else {
        String::new()
    };
    format!("{name} {did}. Each write stands alone: there is no all or nothing.{indexes}{rest}")
}

/// What it cost and why: `Read 23.8 KB to return 5.0 KB: 79 % was filtered out after the read, and you pay for it.`
pub(crate) fn cost(ran: &Ran) -> String {
    if ran.is_write() { write_cost(ran) } else { read_cost(ran) }
}

fn read_cost(ran: &Ran) -> String {
    let (read, returned) = (ran.bytes_read(), ran.bytes_returned());
    let size = format::size(read);
    let units = format::units(ran.units(), false);
    let half = match ran.is_consistent {
        _ if ran.is_transaction() => "a transaction reads everything twice",
        Some(true) => "a strongly consistent read takes the full price",
        _ => "an eventually consistent read is half price",
    };
    if ran.n_examined() == 0 {
        return nothing_cost(ran, &units);
    }
    if ran.is_count && returned > 0 {
        let items = counted(ran.n_returned(), noun(ran));
        return format!("Read {size} to count {items}: a count costs as much as reading them.");
    }
    let projected = if ran.is_projected {
        " The whole items were read and paid for; the projection only shortens the reply."
    } else {
        ""
    };
    if returned == 0 {
        return format!(
            "Read {size} to return nothing: all of it was filtered out after the read, and you pay for it."
        );
    }
    if returned < read {
        return format!(
            "Read {size} to return {}: {} was filtered out after the read, and you pay for it.{}",
            format::size(returned),
            format::percent(read - returned, read),
            better_index(ran).unwrap_or_else(|| projected.to_owned()),
        );
    }
    let fetched: u64 =
        ran.pages.iter().map(|page| page.bytes_read - page.evaluated.bytes_examined).sum();
    if fetched > 0 {
        return format!(
            "Read {size}, of which {} had to be fetched from the table because the index lacks what was asked for: each \
             item is a read of its own.",
            format::size(fetched),
        );
    }
    match ran.acts_as() {
        _ if ran.is_transaction() => format!(
            "Read {size} in {}: each is rounded up to 4\u{a0}KB by itself; {half}.",
            counted(ran.n_examined(), "item"),
        ),
        Some(Operation::Query) if ran.asked.became.is_some() && ran.asked.n_ranges > 1 => format!(
            "Read {size} by {}: each is rounded up to 4\u{a0}KB by itself; {half}.{projected}",
            counted(ran.asked.n_ranges, "Query"),
        ),
        Some(Operation::BatchGetItem) => format!(
            "Read {size} in {}: each is rounded up to 4\u{a0}KB by itself; {half}.",
            counted(ran.n_examined(), "item"),
        ),
        Some(Operation::Scan) if ran.bytes_billed() > read * 2 && ran.n_partitions() > 1 => {
            format!(
                "Read {size} and paid for {}: a Scan pays at least one block of 4\u{a0}KB for each of the {}.{projected}",
                format::size(ran.bytes_billed()),
                counted(u64::from(ran.n_partitions()), "partition"),
            )
        }
        _ => format!(
            "Read {size} and returned all of it. One unit reads 4\u{a0}KB; {half}.{projected}"
        ),
    }
}

/// What finding nothing costs.
fn nothing_cost(ran: &Ran, units: &str) -> String {
    match ran.acts_as() {
        Some(Operation::Scan) if ran.n_partitions() > 1 => format!(
            "Found nothing for {units}: a Scan pays at least one block of 4\u{a0}KB for each of the {}.",
            counted(u64::from(ran.n_partitions()), "partition"),
        ),
        _ => format!("Found nothing for {units}, the least such a read can cost."),
    }
}

/// ` The sparse index isOnHold would answer with 0.5 RCU.`
fn better_index(ran: &Ran) -> Option<String> {
    let index = ran.better_index.as_ref()?;
    let with = if index.is_complete { "" } else { ", as far as it holds the attributes" };
    Some(format!(
        " The sparse index {} would answer with {}{with}.",
        index.name,
        format::units(index.units, false),
    ))
}

fn write_cost(ran: &Ran) -> String {
    let units = format::units(ran.units(), true);
    if ran.refusal().is_some() && ran.is_transaction() {
        return format!(
            "Wrote nothing for {units}: a transaction that is cancelled is paid for like the writes it tried, which count \
             twice."
        );
    }
    if ran.refusal().is_some() {
        return format!(
            "Wrote nothing for {units}: a condition that is false is paid for like the write it refused."
        );
    }
    let written: Vec<&Written> = ran.pages.iter().flat_map(|page| &page.written).collect();
    if written.iter().all(|it| it.n() == 0) {
        return format!(
            "Changed nothing for {units}: DynamoDB charges the attempt by the size of the item."
        );
    }
    let bytes = |is_index: bool| {
        written.iter().filter(|it| it.is_index == is_index).map(|it| it.bytes).sum::<u64>()
    };
    let table = format::size(bytes(false));
    let indexes: Vec<&&Written> = written.iter().filter(|it| it.is_index && it.n() > 0).collect();
    let items: u64 = written.iter().filter(|it| !it.is_index).map(|it| u64::from(it.n())).sum();
    let mut consumed = ran.pages.iter().flat_map(|page| &page.consumed);
    let rounded = if consumed.any(|it| !it.failed.is_zero()) {
        "each write is rounded up to 1\u{a0}KB by itself, and one that was refused is paid for too"
    } else if ran.is_transaction() {
        "each write is rounded up to 1\u{a0}KB by itself, and a transaction pays the table's part twice"
    } else if items > 1 || !indexes.is_empty() {
        "each write is rounded up to 1\u{a0}KB by itself"
    } else {
        "writes are rounded up to 1\u{a0}KB"
    };
    if indexes.is_empty() {
        return format!("Wrote {table} for {units}: {rounded}.");
    }
    let index_units = indexes.iter().map(|it| it.units).sum();
    let (to, take) = match indexes.as_slice() {
        [one] => (format!("the index {}", one.label), "takes"),
        several => (counted(several.len() as u64, "index"), "take"),
    };
    format!(
        "Wrote {table} to the table and {} to {to}, which {take} {} of the {units}: {rounded}.",
        format::size(bytes(true)),
        format::units_number(index_units),
    )
}

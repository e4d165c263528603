//! SELECT: one page over all reads of a statement.
//!
//! Invariant: one walk serves the answer and the explanation. `Limit` and 1 MB end a page of the statement, whichever
//! of its reads they come in; each read is charged by itself.

use hashrange_expressions::Condition;
use hashrange_expressions::partiql::{OrderTerm, Select};
use hashrange_storage::{KeyRange, Store};
use hashrange_types::limits::PAGE_BYTES_MAX;
use hashrange_types::operation::{ConsumedCapacity, ReturnConsumedCapacity};
use hashrange_types::schema::IndexSchema;
use hashrange_types::{
    ApiError, AttributeName, CapacityUnits, IndexName, Item, KeySchema, TableSchema,
    ValidationError, sorted,
};

use super::access::{Access, KeyedRead, access};
use super::table_reference;
use super::token::{Position, position, token};
use crate::outcome::{Evaluated, PageEnd};
use crate::page::{Examined, Output, PageIndex, PageRead, Walked};
use crate::read_validation::check_key_paths;
use crate::validation::find_table;

/// A checked SELECT.
#[derive(Debug, Clone)]
pub(crate) struct SelectPlan {
    /// All reads of the statement, in order.
    pub(crate) reads: Vec<PageRead>,
    /// Where this page begins.
    start: Position,
    /// Most items to evaluate.
    limit: Option<u32>,
    /// What stands for the statement and its parameters in tokens.
    fingerprint: u64,
}

/// How a SELECT is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SelectOptions<'a> {
    pub(crate) limit: Option<u32>,
    pub(crate) next_token: Option<&'a [u8]>,
    pub(crate) fingerprint: u64,
    pub(crate) is_consistent: bool,
    pub(crate) shown: ReturnConsumedCapacity,
}

/// What a page of a SELECT found.
#[derive(Debug)]
pub(crate) struct SelectedPage {
    pub(crate) items: Vec<Item>,
    pub(crate) next_token: Option<Vec<u8>>,
    pub(crate) last_evaluated_key: Option<Item>,
    pub(crate) consumed: ConsumedCapacity,
    pub(crate) evaluated: Evaluated,
}

/// A read that was walked.
#[derive(Debug)]
struct WalkedRead<'a> {
    read: usize,
    walked: Walked<'a>,
}

/// The table or index of a SELECT.
#[derive(Debug, Clone, Copy)]
struct Tree<'a> {
    schema: &'a TableSchema,
    index: Option<IndexSchema<'a>>,
}

/// Checks a SELECT against its table.
pub(crate) fn plan(
    store: &Store,
    select: Select,
    options: SelectOptions<'_>,
) -> Result<SelectPlan, ApiError> {
    let table = table_reference(&select.source.table)?;
    let schema = find_table(store, &table)?.schema();
    let tree = find_tree(schema, select.source.index.as_deref(), options.is_consistent)?;
    let key = tree.index.map_or(&schema.key, |index| index.key);
    if let Some(columns) = &select.columns {
        check_key_paths(columns.iter().map(|column| &column.path), schema)?;
    }
    if let Some(condition) = &select.condition {
        check_key_paths(condition.attributes(), schema)?;
    }
    let index = tree.page_index(&select)?;
    let access = access(key, select.condition.as_ref())?;
    let is_forward = check_order(&select, &access, key)?;
    let output = select.columns.map_or(Output::Entry, Output::Columns);
    let page = |range: KeyRange, filter: Option<Condition>, pays_per_partition| PageRead {
        table: table.clone(),
        index: index.clone(),
        range,
        is_forward,
        limit: None,
        is_consistent: options.is_consistent,
        filter,
        output: output.clone(),
        pays_per_partition,
        shown: options.shown,
    };
    let reads = match access {
        Access::Scan => vec![page(KeyRange::all(), select.condition, true)],
        Access::Keyed(keyed) => {
            let keyed = in_order(keyed, &select.order, key, is_forward);
            if let (Some(index), Some(first)) = (tree.index, keyed.first()) {
                tree.check_filter(index, first)?;
            }
            keyed.into_iter().map(|read| page(read.range, read.filter, false)).collect()
        }
    };
    let start = match options.next_token {
        Some(token) => position(token, options.fingerprint, &reads)?,
        None => Position { read: 0, after: None },
    };
    Ok(SelectPlan { reads, start, limit: options.limit, fingerprint: options.fingerprint })
}

fn find_tree<'a>(
    schema: &'a TableSchema,
    index: Option<&str>,
    is_consistent: bool,
) -> Result<Tree<'a>, ValidationError> {
    let Some(name) = index else { return Ok(Tree { schema, index: None }) };
    let index = schema
        .index(name)
        .ok_or_else(|| ValidationError::new("The table does not have the specified index"))?;
    check_index_key(index)?;
    if is_consistent && !index.is_local {
        let message = "Strongly consistent read is not supported on Global Secondary Indexes";
        return Err(ValidationError::new(message).at_member(&["ConsistentRead"]));
    }
    Ok(Tree { schema, index: Some(index) })
}

/// Refuses an index whose key has several attributes of one kind.
///
/// # Errors
/// The service's words, which speak of tables and mean the index.
pub(crate) fn check_index_key(index: IndexSchema<'_>) -> Result<(), ValidationError> {
    if index.key.partition.len() == 1 && index.key.sort.len() <= 1 {
        return Ok(());
    }
    Err(ValidationError::new(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or \
         multi-attribute RANGE keys.",
    ))
}

impl Tree<'_> {
    fn page_index(self, select: &Select) -> Result<Option<PageIndex>, ValidationError> {
        let Some(index) = self.index else { return Ok(None) };
        let columns = select.columns.iter().flatten().map(|column| &column.path.attribute);
        let lacking = self.lacking(index, columns);
        if !lacking.is_empty() && !index.is_local {
            return Err(ValidationError::new(format!(
                "One or more parameter values were invalid: Global secondary index {} does not \
                 project [{}]",
                index.name,
                lacking.join(", ")
            )));
        }
        let name: IndexName = index.name.clone();
        let fetches_items = !lacking.is_empty();
        Ok(Some(PageIndex { name, is_local: index.is_local, fetches_items }))
    }

    /// A read by key of an index may filter only what the index holds. The service looks at the first read alone.
    fn check_filter(self, index: IndexSchema<'_>, read: &KeyedRead) -> Result<(), ValidationError> {
        let attributes = read.filter.iter().flat_map(Condition::attributes);
        let mut lacking = self.lacking(index, attributes.map(|path| &path.attribute));
        if lacking.is_empty() {
            return Ok(());
        }
        sorted::sort(&mut lacking);
        Err(ValidationError::new(format!(
            "One or more parameter values were invalid: Secondary index {} does not project one or \
             more filter attributes: [{}]",
            index.name,
            lacking.join(", ")
        )))
    }

    /// The attributes that entries of the index do not hold, each once.
    fn lacking<'p>(
        self,
        index: IndexSchema<'_>,
        names: impl Iterator<Item = &'p AttributeName>,
    ) -> Vec<&'p str> {
        let mut lacking = Vec::new();
        for name in names.map(AttributeName::as_str) {
            if !index.projects(self.schema, name) && !lacking.contains(&name) {
                lacking.push(name);
            }
        }
        lacking
    }
}

/// The rules of ORDER BY; true if sort keys are read upwards. Without the sort key in ORDER BY, but with the partition
/// key, the service reads downwards.
fn check_order(select: &Select, access: &Access, key: &KeySchema) -> Result<bool, ValidationError> {
    if select.order.is_empty() {
        return Ok(true);
    }
    let refused = |message: String| Err(ValidationError::new(message));
    if select.condition.is_none() {
        let message = "Must have WHERE clause in the statement when using ORDER BY clause.";
        return refused(message.to_owned());
    }
    if let Some(term) = select.order.iter().find(|term| !key.contains(term.attribute.as_str())) {
        return refused(format!(
            "Attribute {} in ORDER BY clause must be part of the primary key",
            term.attribute
        ));
    }
    let Access::Keyed(reads) = access else {
        let message = "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY \
                       clause.";
        return refused(message.to_owned());
    };
    let partitions = reads.iter().map(|read| &read.keys.partition);
    let has_several =
        partitions.clone().any(|partition| Some(partition) != partitions.clone().next());
    if has_several && partition_order(&select.order, key).is_none() {
        let message = "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE \
                       clause.";
        return refused(message.to_owned());
    }
    let sort = select
        .order
        .iter()
        .find(|term| key.sort.iter().any(|attribute| attribute.name == term.attribute));
    Ok(sort.is_some_and(|term| !term.is_descending))
}

/// The term of ORDER BY that is about the partition key.
fn partition_order<'o>(order: &'o [OrderTerm], key: &KeySchema) -> Option<&'o OrderTerm> {
    order.iter().find(|term| key.partition.iter().any(|attribute| attribute.name == term.attribute))
}

/// The reads in the order in which the statement wants their items. They come in the order of their keys.
fn in_order(
    mut reads: Vec<KeyedRead>,
    order: &[OrderTerm],
    key: &KeySchema,
    is_forward: bool,
) -> Vec<KeyedRead> {
    if !is_forward {
        reads.reverse();
    }
    if let Some(term) = partition_order(order, key) {
        let name = term.attribute.as_str();
        sorted::sort_by(&mut reads, |a, b| {
            let values = a.keys.partition.get(name).zip(b.keys.partition.get(name));
            let ascending =
                values.and_then(|(a, b)| a.scalar_cmp(b)).unwrap_or(std::cmp::Ordering::Equal);
            if term.is_descending { ascending.reverse() } else { ascending }
        });
    }
    reads
}

impl SelectPlan {
    /// Reads a page.
    ///
    /// # Errors
    /// [`ApiError::ResourceNotFound`]: the table is gone since the plan.
    pub(crate) fn execute(&self, store: &Store) -> Result<SelectedPage, ApiError> {
        let table = find_table(store, &self.reads[0].table)?;
        let mut items = Vec::new();
        let walks = self.walk(store, |read, examined| {
            if examined.is_returned
                && let Some(item) = read.returned(examined)
            {
                items.push(item);
            }
        });
        let walks = walks.ok_or(ApiError::ResourceNotFound)?;
        let mut evaluated = Evaluated::NOTHING;
        let mut consumed: Option<ConsumedCapacity> = None;
        let mut last = None;
        for WalkedRead { read, walked } in &walks {
            let units = self.reads[*read].consumed(walked);
            match &mut consumed {
                Some(consumed) => add(consumed, &units),
                None => consumed = Some(units),
            }
            evaluated.add(&walked.evaluated);
            last = walked.last.or(last);
        }
        let next = self.next_position(&walks);
        let last = last.filter(|_| next.is_some());
        Ok(SelectedPage {
            items,
            last_evaluated_key: last.map(|row| self.reads[0].position_key(table, &row.item)),
            next_token: next.map(|position| token(self.fingerprint, &position)),
            consumed: consumed.expect("a page walks one read at least"),
            evaluated,
        })
    }

    /// Walks the reads from where the page begins to where it ends; none if the table or index is gone.
    fn walk<'a>(
        &self,
        store: &'a Store,
        mut visit: impl FnMut(&PageRead, Examined<'a>),
    ) -> Option<Vec<WalkedRead<'a>>> {
        let mut walks: Vec<WalkedRead<'a>> = Vec::new();
        let mut left = self.limit;
        let mut bytes_examined = 0;
        for (at, read) in self.reads.iter().enumerate().skip(self.start.read) {
            let mut read = PageRead { limit: left, ..read.clone() };
            if let Some(key) = self.start.after.as_ref().filter(|_| at == self.start.read) {
                read.range = read.range.resumed_after(key.clone(), read.is_forward);
            }
            let walked = read.walk(store, |examined| visit(&read, examined))?;
            left = left.map(|left| left - walked.evaluated.n_examined);
            bytes_examined += walked.evaluated.bytes_examined;
            let is_over = walked.evaluated.page_end != Some(PageEnd::EndOfRange)
                || bytes_examined >= u64::from(PAGE_BYTES_MAX);
            walks.push(WalkedRead { read: at, walked });
            if is_over {
                break;
            }
        }
        Some(walks)
    }

    /// Calls `visit` with every item the page examines, and the number of its read.
    pub(crate) fn examine<'a>(
        &self,
        store: &'a Store,
        mut visit: impl FnMut(&PageRead, Examined<'a>),
    ) {
        self.walk(store, &mut visit);
    }

    /// Where the next page begins; none after the last.
    fn next_position(&self, walks: &[WalkedRead<'_>]) -> Option<Position> {
        let WalkedRead { read, walked } = walks.last()?;
        if walked.evaluated.page_end != Some(PageEnd::EndOfRange) {
            return Some(Position { read: *read, after: walked.evaluated.last_key.clone() });
        }
        let next = read + 1;
        (next < self.reads.len()).then_some(Position { read: next, after: None })
    }
}

/// Adds the units of another read of the same table or index.
fn add(consumed: &mut ConsumedCapacity, more: &ConsumedCapacity) {
    consumed.table += more.table;
    let arms = |arms: &mut Vec<(IndexName, CapacityUnits)>, more: &[(IndexName, CapacityUnits)]| {
        for ((_, units), (_, more)) in arms.iter_mut().zip(more) {
            *units += *more;
        }
    };
    arms(&mut consumed.local_indexes, &more.local_indexes);
    arms(&mut consumed.global_indexes, &more.global_indexes);
}

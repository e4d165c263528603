//! What a plan touches, told without executing it: the simulator throttles by it, the page explains with it.
//!
//! Invariant: a plan touches nothing outside its targets, except index entries that follow from a write and
//! table items fetched for entries of a local index, which lie in the same partition.

use std::ops::Bound::Included;

use hashrange_storage::KeyRange;
use hashrange_types::{EncodedKey, IndexName, TableName};

use crate::operation::batch_execute_statement::Member;
use crate::operation::execute_statement::StatementPlan;
use crate::operation::execute_transaction;
use crate::page::PageRead;
use crate::plan::Plan;

/// A part of a table or index that a plan reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The table.
    pub table: TableName,
    /// The index, if it is one that is read.
    pub index: Option<IndexName>,
    /// The keys: a single one, an item collection or part of it, or any range of placement hashes.
    pub range: KeyRange,
    /// True if it is read from the leader; always so for a write.
    pub is_consistent: bool,
}

impl Target {
    /// One item of a table.
    fn item(table: &TableName, key: &EncodedKey, is_consistent: bool) -> Self {
        let range = KeyRange { lower: Included(key.clone()), upper: Included(key.clone()) };
        Self { table: table.clone(), index: None, range, is_consistent }
    }
}

impl Plan {
    /// The item that the plan touches, where it is one of a single item.
    pub fn item_target(&self) -> Option<Target> {
        match self {
            Self::GetItem(plan) => {
                Some(Target::item(&plan.table.name, &plan.key, plan.is_consistent))
            }
            Self::PutItem(plan) => Some(written(&plan.write)),
            Self::UpdateItem(plan) => Some(written(&plan.write)),
            Self::DeleteItem(plan) => Some(written(&plan.write)),
            _ => None,
        }
    }

    /// The items and ranges the plan touches, in the order it does. None for operations on whole tables.
    pub fn targets(&self) -> Vec<Target> {
        if let Some(one) = self.item_target() {
            return vec![one];
        }
        match self {
            Self::BatchGetItem(plan) => {
                let tables = plan.tables.iter();
                let targets = tables.flat_map(|table| {
                    let name = &table.request.table.name;
                    let is_consistent = table.request.consistent_read;
                    table.keys.iter().map(move |key| Target::item(name, key, is_consistent))
                });
                targets.collect()
            }
            Self::Query(plan) => vec![plan.0.target()],
            Self::Scan(plan) => vec![plan.0.target()],
            Self::BatchWriteItem(plan) => {
                plan.tables.iter().flat_map(|(_, writes)| writes).map(written).collect()
            }
            Self::TransactGetItems(plan) => {
                let gets = plan.gets.iter();
                gets.map(|get| Target::item(&get.table.name, &get.key, true)).collect()
            }
            Self::TransactWriteItems(plan) => {
                plan.elements.iter().map(|element| written(&element.write)).collect()
            }
            Self::ExecuteStatement(plan) => match &plan.0 {
                StatementPlan::Select(select) => {
                    select.reads.iter().map(PageRead::target).collect()
                }
                StatementPlan::Write { write, .. } => vec![written(&write.write)],
            },
            Self::BatchExecuteStatement(plan) => {
                let members = plan.members.iter().flatten();
                let target = |member: &Member| match member {
                    Member::Read(read) => {
                        Target::item(&read.table.name, &read.key, read.is_consistent)
                    }
                    Member::Write(write, _) => written(&write.write),
                };
                members.map(target).collect()
            }
            Self::ExecuteTransaction(plan) => match plan.as_ref() {
                execute_transaction::Plan::Reads(plan, _) => {
                    let gets = plan.gets.iter();
                    gets.map(|get| Target::item(&get.table.name, &get.key, true)).collect()
                }
                execute_transaction::Plan::Writes(plan, _) => {
                    plan.elements.iter().map(|element| written(&element.write)).collect()
                }
            },
            _ => Vec::new(),
        }
    }

    /// True if everything the plan reads comes from leaders. True for writes.
    pub fn is_consistent(&self) -> bool {
        self.targets().iter().all(|target| target.is_consistent)
    }

    /// True if executing the plan may change items or tables.
    pub fn is_write(&self) -> bool {
        match self {
            Self::PutItem(_)
            | Self::UpdateItem(_)
            | Self::DeleteItem(_)
            | Self::BatchWriteItem(_)
            | Self::TransactWriteItems(_)
            | Self::CreateTable(_)
            | Self::DeleteTable(_)
            | Self::CreateBackup(_)
            | Self::DeleteBackup(_)
            | Self::DeleteResourcePolicy(_)
            | Self::DisableKinesisStreamingDestination(_)
            | Self::EnableKinesisStreamingDestination(_)
            | Self::ExportTableToPointInTime(_)
            | Self::ImportTable(_)
            | Self::PutResourcePolicy(_)
            | Self::RestoreTableFromBackup(_)
            | Self::RestoreTableToPointInTime(_)
            | Self::TagResource(_)
            | Self::UntagResource(_)
            | Self::UpdateContinuousBackups(_)
            | Self::UpdateContributorInsights(_)
            | Self::UpdateKinesisStreamingDestination(_)
            | Self::UpdateTable(_)
            | Self::UpdateTimeToLive(_) => true,
            Self::ExecuteStatement(plan) => matches!(plan.0, StatementPlan::Write { .. }),
            Self::BatchExecuteStatement(plan) => {
                let mut members = plan.members.iter().flatten();
                members.any(|member| matches!(member, Member::Write(..)))
            }
            Self::ExecuteTransaction(plan) => {
                matches!(plan.as_ref(), execute_transaction::Plan::Writes(..))
            }
            _ => false,
        }
    }
}

fn written(write: &crate::write::Write) -> Target {
    Target::item(&write.table.name, &write.key, true)
}

#[cfg(test)]
mod tests {
    use hashrange_types::Request;

    use super::*;
    use crate::read_fixture::{Shelf, item, query, s, scan, schema};
    use crate::write_fixture::put;

    #[test]
    fn a_query_targets_its_item_collection_and_a_scan_everything() {
        let shelf = Shelf::new(schema(), 4);
        let mut request = query("pk = :a", &[s("a")]);
        request.read.consistent_read = true;
        let plan = shelf.plan(Request::Query(request)).unwrap();
        let partition = schema().key.encode_partition(&item([("pk", s("a"))])).unwrap();
        assert_eq!(plan.targets()[0].range, KeyRange::starting_with(&partition));
        assert!(plan.is_consistent() && !plan.is_write());
        let plan = shelf.plan(Request::Scan(scan())).unwrap();
        assert_eq!(plan.targets()[0].range, KeyRange::all());
        assert!(!plan.is_consistent());
    }

    #[test]
    fn a_put_targets_one_item_and_writes() {
        let shelf = Shelf::new(schema(), 4);
        let one = item([("pk", s("a")), ("sk", s("b"))]);
        let plan = shelf.plan(Request::PutItem(put(one.clone()))).unwrap();
        let key = schema().key.encode(&one).unwrap();
        assert_eq!(plan.targets(), [Target::item(&schema().name, &key, true)]);
        assert!(plan.is_consistent() && plan.is_write());
    }
}

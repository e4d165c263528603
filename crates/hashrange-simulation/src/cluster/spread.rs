//! Tables that begin with more partitions than DynamoDB would give them, for a person who wants to see that.

use std::sync::Arc;

use hashrange_storage::{Change, TableChange, TreeRef};
use hashrange_types::TableName;

use super::Cluster;

impl Cluster {
    /// Divides a table and its global indexes until each has so many partitions. False if one has more.
    pub(crate) fn divide_into(&mut self, name: &TableName, n_partitions: u32) -> bool {
        let Some(before) = self.store.shared_table(name.as_str()) else { return false };
        let mut table = before.with_partitions(n_partitions);
        let mut n_most = table.items().n_partitions();
        for index in &before.schema().global_indexes {
            table = table.with_index_partitions(&index.name, n_partitions);
            n_most = n_most.max(table.index(index.name.as_str()).map_or(0, TreeRef::n_partitions));
        }
        if u32::try_from(n_most) != Ok(n_partitions) {
            return false;
        }
        let change =
            TableChange { name: name.clone(), before: Some(before), after: Some(Arc::new(table)) };
        self.store.apply(&Change::Table(change));
        self.follow_tables();
        true
    }
}

//! What whoever watches a run asks for: where a key lies, and another setting from now on.

use std::ops::Bound::{Excluded, Included};

use hashrange_engine::plan;
use hashrange_types::{EncodedKey, Request};
use serde_json::Value;

use super::Cluster;
use super::serve::tree_of;
use crate::document::{Node, ScenarioError};
use crate::world_document::WORLD_NAMES;

/// What may change while a run goes on; buckets and partitions are made from the rest.
const CHANGEABLE: [&str; 14] = [
    "lag",
    "lag.followers_ms",
    "lag.gsi_ms",
    "eventual_reads",
    "reply_ms",
    "commit_ms",
    "transaction_ms",
    "election_ms",
    "gsi_backlog",
    "adaptive",
    "autoscaling",
    "heat_split_after_s",
    "limits",
    "limits.item_collection_bytes",
];

impl Cluster {
    /// Changes a setting from now on; what is on its way arrives as it would have.
    ///
    /// # Errors
    /// It does not exist, can't be changed while a run goes on, or the value is wrong.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), ScenarioError> {
        if CHANGEABLE.contains(&name) {
            self.settings.set(name, value)?;
            if name.starts_with("lag") {
                // A list of delays is for the writes that follow.
                self.n_writes = 0;
            }
            self.limit_collections();
            self.placement.share_out_all(&self.settings, self.now);
            self.expect_scaling();
            return Ok(());
        }
        let world = WORLD_NAMES.iter().filter(|(_, may_change)| *may_change);
        let names = CHANGEABLE.iter().copied().chain(world.map(|(name, _)| *name));
        let names: Vec<&str> = names.collect();
        Err(Node { path: name.to_owned(), value }.unknown("setting to change", &names))
    }

    /// Lets the store know how large an item collection may be.
    pub(super) fn limit_collections(&mut self) {
        let store = std::mem::take(&mut self.store);
        self.store = store.with_collections_up_to(self.settings.item_collection_bytes_max);
    }

    /// Which of the partitions of its table or index a partition is, in the order of their keys, from 0.
    pub fn position(&self, partition: u32) -> Option<usize> {
        let tree = &self.placement.partition(partition)?.tree;
        self.placement.position(tree, partition)
    }

    /// The partition that a request for one key would go to, and the key; none where the table does not exist
    /// or the request is not for one key.
    pub fn locate(&self, request: Request) -> Option<(u32, EncodedKey)> {
        let plan = plan(&self.store, request).ok()?;
        let targets = plan.targets();
        let target = targets.first()?;
        let (Included(key) | Excluded(key)) = &target.range.lower else { return None };
        let tree = tree_of(&self.store, target);
        Some((self.placement.holding(&tree, key)?, key.clone()))
    }
}

//! `Placement`: which partitions tables and global indexes have, and where a key lies.
//!
//! Invariant: a tree's partitions are those of the store's table, in the same order; a partition keeps its
//! number for life.
//!
//! Source: facts 6.1.

use hashrange_storage::{KeyRange, Store, TreeRef};
use hashrange_types::table_state::ON_DEMAND_WARM;
use hashrange_types::{BillingMode, EncodedKey, IndexName, TableName, Timestamp};

use crate::admission::{Allowance, Capacity, Ceilings};
use crate::heat::Heat;
use crate::metrics::Metrics;
use crate::replica_group::ReplicaGroup;
use crate::settings::Settings;

/// Which table or global index.
pub(crate) type TreeName = (TableName, Option<IndexName>);

/// One partition.
#[derive(Debug, Clone)]
pub(crate) struct Partition {
    /// The table or index it belongs to.
    pub(crate) tree: TreeName,
    /// Its leader and followers.
    pub(crate) group: ReplicaGroup,
    /// What it serves a second.
    pub(crate) ceilings: Ceilings,
    /// How it was used.
    pub(crate) heat: Heat,
    /// Bytes of its items and local index entries.
    pub(crate) size_bytes: u64,
    /// Bytes from which it is looked at for a division.
    pub(crate) full_at_bytes: u64,
}

/// The partitions of a table or global index.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    /// Which one it is.
    pub(crate) name: TreeName,
    /// When its table was created.
    pub(crate) created_at: Timestamp,
    starts: Vec<Start>,
    /// What the table or index serves a second.
    pub(crate) capacity: Capacity,
    /// What CloudWatch would show.
    pub(crate) metrics: Metrics,
    /// When there was no provisioned capacity left last.
    lacked_at: Option<Timestamp>,
}

/// A partition that was divided.
#[derive(Debug, Clone)]
pub(crate) struct Halves {
    /// The partition, which keeps its lower part.
    pub(crate) lower: u32,
    /// The new partition.
    pub(crate) upper: u32,
    /// Where it begins.
    pub(crate) at: EncodedKey,
}

/// The numbers of some partitions; mostly it is one.
#[derive(Debug)]
pub(crate) enum Numbers {
    One(u32),
    Many(Vec<u32>),
}

impl Numbers {
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        let all = match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Many(numbers) => numbers,
        };
        all.iter().copied()
    }
}

/// Where something lies.
#[derive(Debug)]
pub(crate) struct Way {
    /// The position of its tree among all; past them if there is no such tree.
    pub(crate) tree: usize,
    /// The partitions it touches.
    pub(crate) partitions: Numbers,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Start {
    hash: u64,
    key: Option<EncodedKey>,
    partition: u32,
}

impl Start {
    /// The first bytes that a key there may have.
    fn at(&self) -> EncodedKey {
        let hash = self.hash.to_be_bytes();
        self.key.clone().unwrap_or_else(|| EncodedKey::from_bytes(&hash))
    }
}

/// All partitions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placement {
    /// In the order of their names.
    trees: Vec<Tree>,
    /// By their numbers, the first of which is 1; none where one went.
    partitions: Vec<Option<Box<Partition>>>,
    n_made: u32,
}

impl Placement {
    /// Makes partitions for tables and indexes that came, forgets those of tables and indexes that went, and
    /// takes over changes of capacity. Returns where partitions were divided since.
    pub(crate) fn follow(
        &mut self,
        store: &Store,
        settings: &Settings,
        now: Timestamp,
    ) -> Vec<(TreeName, Halves)> {
        let mut divided = Vec::new();
        let mut gone: Vec<TreeName> = self.trees.iter().map(|it| it.name.clone()).collect();
        for table in store.tables() {
            let name = &table.schema().name;
            let state = table.state();
            let mut keep = |tree: TreeName, of: TreeRef<'_>, allowance| {
                gone.retain(|other| *other != tree);
                let created_at = table.created_at();
                for halves in self.follow_tree(&tree, of, created_at, allowance, settings, now) {
                    divided.push((tree.clone(), halves));
                }
            };
            let units = match table.schema().billing {
                BillingMode::Provisioned(units) => Some(units),
                BillingMode::PayPerRequest => None,
            };
            let allowance = Allowance { units, warm: state.warm, maximum: state.on_demand_maximum };
            keep((name.clone(), None), table.items(), allowance);
            for index in &table.schema().global_indexes {
                let Some(of) = table.index(index.name.as_str()) else { continue };
                let state = state.indexes.get(&index.name);
                let allowance = Allowance {
                    units: index.throughput,
                    warm: state.map_or(ON_DEMAND_WARM, |state| state.warm),
                    maximum: state.map(|state| state.on_demand_maximum).unwrap_or_default(),
                };
                keep((name.clone(), Some(index.name.clone())), of, allowance);
            }
        }
        for tree in gone {
            self.forget(&tree);
        }
        divided
    }

    fn forget(&mut self, tree: &TreeName) {
        if let Ok(at) = self.find(&tree.0, tree.1.as_ref()) {
            for start in self.trees.remove(at).starts {
                self.partitions[start.partition as usize - 1] = None;
            }
        }
    }

    fn follow_tree(
        &mut self,
        name: &TreeName,
        of: TreeRef<'_>,
        created_at: Timestamp,
        allowance: Allowance,
        settings: &Settings,
        now: Timestamp,
    ) -> Vec<Halves> {
        if let Some(tree) = self.tree_mut(name)
            && tree.created_at == created_at
            && tree.starts.len() <= of.n_partitions()
        {
            tree.capacity.follow(allowance, settings, now);
            // Partitions are divided and never merged: those that came lie inside one that was there.
            let begins = of.partitions().iter().map(|one| {
                let hash = one.first_hash.to_be_bytes();
                one.first_key.clone().unwrap_or_else(|| EncodedKey::from_bytes(&hash))
            });
            let new: Vec<EncodedKey> = begins.filter(|at| !tree.begins_at(at)).collect();
            let halves = new.iter().filter_map(|at| self.split(name, at, settings, now));
            let halves = halves.collect();
            self.share_out(name, settings, now);
            return halves;
        }
        self.forget(name);
        let starts = of.partitions().iter().map(|partition| {
            self.n_made += 1;
            let made = Partition {
                tree: name.clone(),
                group: ReplicaGroup::new(now),
                ceilings: Ceilings::new(settings, now),
                heat: Heat::new(now),
                size_bytes: partition.size_bytes(),
                full_at_bytes: settings.partition_bytes_max,
            };
            self.partitions.push(Some(Box::new(made)));
            Start {
                hash: partition.first_hash,
                key: partition.first_key.clone(),
                partition: self.n_made,
            }
        });
        let starts = starts.collect();
        let capacity = Capacity::new(allowance, settings, now);
        let metrics = Metrics::default();
        let at = self.find(&name.0, name.1.as_ref()).unwrap_or_else(|at| at);
        let name = name.clone();
        let tree = Tree { name, created_at, starts, capacity, metrics, lacked_at: None };
        let name = &tree.name.clone();
        self.trees.insert(at, tree);
        self.share_out(name, settings, now);
        Vec::new()
    }

    /// Gives each partition its share of the tree's capacity, where shares are fixed.
    pub(crate) fn share_out(&mut self, name: &TreeName, settings: &Settings, now: Timestamp) {
        let Some(tree) = self.tree(name) else { return };
        let units = tree.capacity.provisioned().filter(|_| !settings.is_adaptive);
        let n = tree.starts.len() as u64;
        let numbers: Vec<u32> = tree.starts.iter().map(|start| start.partition).collect();
        for number in numbers {
            if let Some(partition) = self.partition_mut(number) {
                partition.ceilings.set_share(units, n, settings, now);
            }
        }
    }

    /// The same for all trees.
    pub(crate) fn share_out_all(&mut self, settings: &Settings, now: Timestamp) {
        for at in 0..self.trees.len() {
            let name = self.trees[at].name.clone();
            self.share_out(&name, settings, now);
        }
    }

    /// The trees.
    pub(crate) fn trees_mut(&mut self) -> impl Iterator<Item = &mut Tree> {
        self.trees.iter_mut()
    }

    /// The position of a table or index among all, or where it would be.
    fn find(&self, table: &TableName, index: Option<&IndexName>) -> Result<usize, usize> {
        self.trees.binary_search_by(|tree| {
            tree.name.0.cmp(table).then_with(|| tree.name.1.as_ref().cmp(&index))
        })
    }

    /// Where a range of keys of a table or index lies.
    pub(crate) fn way(
        &self,
        table: &TableName,
        index: Option<&IndexName>,
        range: &KeyRange,
    ) -> Way {
        match self.find(table, index) {
            Ok(tree) => Way { tree, partitions: self.touched(tree, range) },
            Err(_) => Way { tree: usize::MAX, partitions: Numbers::Many(Vec::new()) },
        }
    }

    /// The table or index at this position.
    pub(crate) fn tree_at(&self, position: usize) -> Option<&Tree> {
        self.trees.get(position)
    }

    /// The table or index at this position.
    pub(crate) fn tree_at_mut(&mut self, position: usize) -> Option<&mut Tree> {
        self.trees.get_mut(position)
    }

    /// A partition of the tree that takes in more than this part of its hashes, in parts of 2^64, and its middle.
    pub(crate) fn wider_than(&self, name: &TreeName, width: u128) -> Option<(u32, EncodedKey)> {
        let starts = &self.tree(name)?.starts;
        let mut ends = starts.iter().skip(1).map(|next| u128::from(next.hash));
        starts.iter().find_map(|start| {
            let end = ends.next().unwrap_or(1 << 64);
            let own = end - u128::from(start.hash);
            let middle = start.hash + u64::try_from(own / 2).expect("half of at most 2^64");
            let is_wide = own > width.max(1);
            is_wide.then(|| (start.partition, EncodedKey::from_bytes(&middle.to_be_bytes())))
        })
    }

    /// The position of a partition among those of its tree.
    pub(crate) fn position(&self, name: &TreeName, partition: u32) -> Option<usize> {
        self.tree(name)?.starts.iter().position(|start| start.partition == partition)
    }

    /// The table or index called so.
    pub(crate) fn tree_mut(&mut self, name: &TreeName) -> Option<&mut Tree> {
        let at = self.find(&name.0, name.1.as_ref()).ok()?;
        self.trees.get_mut(at)
    }

    /// The table or index called so.
    pub(crate) fn tree(&self, name: &TreeName) -> Option<&Tree> {
        self.trees.get(self.find(&name.0, name.1.as_ref()).ok()?)
    }

    /// The partition with this number.
    pub(crate) fn partition(&self, number: u32) -> Option<&Partition> {
        self.partitions.get((number as usize).wrapping_sub(1))?.as_deref()
    }

    /// The partition with this number.
    pub(crate) fn partition_mut(&mut self, number: u32) -> Option<&mut Partition> {
        self.partitions.get_mut((number as usize).wrapping_sub(1))?.as_deref_mut()
    }

    /// All partitions.
    pub(crate) fn partitions(&self) -> impl Iterator<Item = (u32, &Partition)> {
        let all = (1..).zip(&self.partitions);
        all.filter_map(|(number, partition)| Some((number, partition.as_deref()?)))
    }

    /// The numbers of all partitions, in the order of trees and keys.
    pub(crate) fn by_key(&self) -> impl Iterator<Item = (&TreeName, u32)> {
        self.trees
            .iter()
            .flat_map(|tree| tree.starts.iter().map(move |start| (&tree.name, start.partition)))
    }

    /// The numbers of the partitions that a range touches of the tree at this position.
    pub(crate) fn touched(&self, tree: usize, range: &KeyRange) -> Numbers {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let Some(tree) = self.trees.get(tree).filter(|_| !range.is_empty()) else {
            return Numbers::Many(Vec::new());
        };
        let first = match &range.lower {
            Included(key) | Excluded(key) => tree.position(key),
            Unbounded => 0,
        };
        let last = match &range.upper {
            Included(_) if range.upper == range.lower => first,
            Included(key) | Excluded(key) => tree.position(key),
            Unbounded => tree.starts.len() - 1,
        };
        match &tree.starts[first..=last.max(first)] {
            [one] => Numbers::One(one.partition),
            many => Numbers::Many(many.iter().map(|start| start.partition).collect()),
        }
    }

    /// Where a partition of the tree begins, and where the next one does.
    pub(crate) fn span(
        &self,
        name: &TreeName,
        partition: u32,
    ) -> Option<(EncodedKey, Option<EncodedKey>)> {
        let starts = &self.tree(name)?.starts;
        let position = starts.iter().position(|start| start.partition == partition)?;
        Some((starts[position].at(), starts.get(position + 1).map(Start::at)))
    }

    /// Where the partitions of the tree begin.
    pub(crate) fn starts(&self, name: &TreeName) -> Vec<EncodedKey> {
        let starts = self.tree(name).map(|tree| tree.starts.iter().map(Start::at));
        starts.into_iter().flatten().collect()
    }

    /// The number of the partition that holds a key.
    pub(crate) fn holding(&self, name: &TreeName, key: &EncodedKey) -> Option<u32> {
        let tree = self.tree(name)?;
        tree.starts.get(tree.position(key)).map(|start| start.partition)
    }

    /// Divides the partition that holds `at` there. The store's table must be divided alike.
    pub(crate) fn split(
        &mut self,
        name: &TreeName,
        at: &EncodedKey,
        settings: &Settings,
        now: Timestamp,
    ) -> Option<Halves> {
        let number = self.n_made + 1;
        let tree = self.tree_mut(name)?;
        let position = tree.position(at);
        let lower = tree.starts[position].partition;
        let key = (at.as_bytes().len() > 8).then(|| at.clone());
        tree.starts.insert(position + 1, Start { hash: at.hash(), key, partition: number });
        self.n_made = number;
        let partition = self.partitions[lower as usize - 1].as_deref_mut()?;
        let upper = Partition {
            tree: name.clone(),
            group: partition.group.split(at),
            // Neither half gets more at once than the whole had left.
            ceilings: partition.ceilings.clone(),
            heat: Heat::new(now),
            size_bytes: 0,
            full_at_bytes: settings.partition_bytes_max,
        };
        partition.heat.restart();
        self.partitions.push(Some(Box::new(upper)));
        Some(Halves { lower, upper: self.n_made, at: at.clone() })
    }
}

impl Tree {
    /// Notes that there was no provisioned capacity left. True if there was some for a second before.
    pub(crate) fn is_burst_over(&mut self, now: Timestamp) -> bool {
        let before = self.lacked_at.replace(now);
        before.is_none_or(|before| now.0 - before.0 > 1_000_000)
    }

    /// True if a partition begins at these bytes.
    fn begins_at(&self, at: &EncodedKey) -> bool {
        let start = &self.starts[self.position(at)];
        match &start.key {
            Some(first) => first == at,
            None => at.as_bytes().len() <= 8 && at.hash() == start.hash,
        }
    }

    fn position(&self, key: &EncodedKey) -> usize {
        let hash = key.hash();
        let begins_before = |start: &Start| {
            start.hash < hash
                || start.hash == hash && start.key.as_ref().is_none_or(|first| first <= key)
        };
        // Where partitions share the hashes evenly, as most do, this is the one.
        let n = self.starts.len() as u64;
        let likely = usize::try_from(((hash >> 32) * n) >> 32).unwrap_or(0);
        if let [first, rest @ ..] = self.starts.get(likely..).unwrap_or_default()
            && begins_before(first)
            && !rest.first().is_some_and(begins_before)
        {
            return likely;
        }
        self.starts.partition_point(begins_before).saturating_sub(1)
    }
}

//! What goes wrong on purpose: replicas that stop, are cut off or fail.
//!
//! Source: facts 5.1.

use super::serve::place;
use super::{Cluster, Due};
use crate::event::EventKind;
use crate::replica_group::Health;

impl Cluster {
    /// A replica of a partition gets no changes any more, but still answers eventually consistent reads.
    pub fn cut_off(&mut self, partition: u32, replica: u8) {
        self.set_health(partition, replica, Health::CutOff);
    }

    /// A replica of a partition fails. If it leads, nobody does until its lease has ended.
    pub fn fail(&mut self, partition: u32, replica: u8) {
        self.set_health(partition, replica, Health::Down);
        let at = self.in_us(self.settings.election_us);
        let Some(one) = self.placement.partition_mut(partition) else { return };
        if one.group.leader() == replica && one.group.leaderless_until.is_none() {
            one.group.leaderless_until = Some(at);
            let place = place(&one.tree, partition);
            self.tell(EventKind::LeaderLost { place, replica });
            self.schedule.add(at, Due::Elect(partition));
        }
    }

    /// A replica of a partition works again and gets what it lacks.
    pub fn restore(&mut self, partition: u32, replica: u8) {
        self.set_health(partition, replica, Health::Up);
    }

    fn set_health(&mut self, partition: u32, replica: u8, health: Health) {
        let Some(one) = self.placement.partition_mut(partition) else { return };
        if usize::from(replica) >= crate::N_REPLICAS {
            return;
        }
        if let Some(number) = one.group.set_health(replica, health) {
            let place = place(&one.tree, partition);
            self.tell(EventKind::ReplicaApplied { place, replica, number });
        }
    }

    pub(super) fn elect(&mut self, partition: u32) {
        let again = self.in_us(self.settings.election_us);
        let Some(one) = self.placement.partition_mut(partition) else { return };
        match one.group.elect() {
            Some(replica) => {
                let place = place(&one.tree, partition);
                self.tell(EventKind::LeaderElected { place, replica });
            }
            None => self.schedule.add(again, Due::Elect(partition)),
        }
    }
}

//! Requests that go through the caches in front of a Region, while time passes.
//!
//! Invariant: a client's request stays one, however often the database is asked for it.

use hashrange_engine::Outcome;
use hashrange_types::Request;

use super::{Answerer, Region, Ticket, Via, World};
use crate::dax::{Asked, Step};

impl World {
    /// Sends a request to a Region, on this way.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn submit_via(
        &mut self,
        region: usize,
        via: Via,
        request: impl Into<Box<Request>>,
    ) -> Ticket {
        let request = request.into();
        let now = self.now;
        let Region { dax: Some(dax), cluster, .. } = &mut self.regions[region] else {
            return self.submit(region, request);
        };
        if via == Via::Table {
            return self.submit(region, request);
        }
        cluster.catch_up(now);
        let (event, step) = dax.ask(cluster.store(), now, *request);
        cluster.tell(event);
        self.n_own += 1;
        let number = self.n_own;
        self.go_on(region, number, step);
        Ticket(Answerer::World(number))
    }

    /// Notes which client has its answer, after a step of a Region.
    pub(super) fn hear(&mut self, region: usize) {
        let Region { cluster, through_dax, .. } = &mut self.regions[region];
        let Some(number) = cluster.answered() else { return };
        self.is_answered_stale = cluster.is_answered_stale();
        let asked = if through_dax.is_empty() { None } else { through_dax.remove(&number) };
        let Some((own, asked)) = asked else {
            self.answered = Some(Ticket(Answerer::Region(region, number)));
            return;
        };
        if let Some(outcome) = cluster.take_reply(number) {
            self.learn(region, own, asked, outcome);
            if self.replies.contains_key(&own) {
                self.answered = Some(Ticket(Answerer::World(own)));
            }
        }
    }

    fn learn(&mut self, region: usize, own: u64, asked: Asked, outcome: Outcome) {
        let now = self.now;
        let Region { dax: Some(dax), cluster, .. } = &mut self.regions[region] else { return };
        let step = dax.learn(asked, outcome, cluster.store(), now);
        self.go_on(region, own, step);
    }

    fn go_on(&mut self, region: usize, own: u64, step: Step) {
        let asked = match step {
            Step::Known(outcome) => {
                self.answer(own, *outcome);
                return;
            }
            Step::Ask(asked) => *asked,
        };
        let ticket = self.submit(region, asked.request.clone());
        match (ticket.0, self.take_reply(ticket)) {
            // It was refused before it reached the Region.
            (_, Some(outcome)) => self.learn(region, own, asked, outcome),
            (Answerer::Region(_, number), None) => {
                self.regions[region].through_dax.insert(number, (own, asked));
            }
            (Answerer::World(_), None) => {}
        }
    }
}

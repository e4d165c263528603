//! `Program`: small clients of lessons, such as a test that polls an index or a payment that is sent twice.
//!
//! A program is a list of actions, which each of its clients does one after the other. Whoever drives it sends
//! its requests and tells it of answers; what it did comes out as events.
//!
//! Invariant: what a client does next follows from its actions and from what it heard, never from chance.
//!
//! Not here: loads, which are many requests without a plan (`load`).

use std::sync::Arc;

use hashrange_engine::Outcome;
use hashrange_types::{ApiError, AttributeValue, Operation, Response, Timestamp};
use serde_json::Value;
use smol_str::{SmolStr, ToSmolStr};

use crate::client::is_retried;
use crate::document::{Members, Node, ScenarioError};
use crate::event::EventKind;

/// Most clients, runs and repetitions.
const TIMES_MAX: u32 = 10_000;
/// Most items that a poll waits for.
const ITEMS_MAX: u64 = 1_000_000;
/// Microseconds before a request is sent again; each time doubles it (model, as of SDKs without jitter).
const RESEND_US: i64 = 50_000;
/// Doublings of that.
const DOUBLINGS_MAX: u32 = 8;

/// What some clients do.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    document: Value,
    /// What events call it.
    name: SmolStr,
    actions: Vec<Action>,
    n_clients: u32,
    /// Microseconds from one client's beginning to the next one's.
    apart_us: i64,
    /// How often each client does it all.
    n_runs: u32,
    /// How often a client begins anew when a reply is lost.
    retries_max: u32,
    /// How often a client sends a request again by itself, as SDKs do, when its reply is lost or it may succeed
    /// later.
    resends_max: u32,
    /// Microseconds after which a client gives a reply up for lost.
    timeout_us: i64,
}

/// One thing that a client does.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    /// It sends a request and waits for the answer. A refusal ends the run.
    Send {
        /// What is asked.
        request: Asking,
        /// How often, one after the other.
        times: u32,
        /// The attribute of the item in a refused condition that tells the result.
        shows: Option<SmolStr>,
    },
    /// It does something outside the database, such as charging a card.
    Charge {
        /// Microseconds that takes.
        takes_us: i64,
    },
    /// It waits.
    Sleep {
        /// So many microseconds.
        us: i64,
    },
    /// It asks until there are enough items, and then asserts how many there are. A wrong number ends the run.
    Poll {
        /// What is asked.
        request: Asking,
        /// Items that must be there in the end.
        wants: u64,
        /// Items at which it stops asking.
        stops_at: u64,
        /// Most questions.
        attempts_max: u32,
        /// Microseconds of pause after each that did not find enough.
        pause_us: i64,
        /// How often, one after the other.
        times: u32,
    },
}

/// A request as text, with slots: `{n}` the repetition, `{run}`, `{client}`, `{now}` and `{now+30}` in seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asking {
    /// The operation.
    operation: Operation,
    /// Its members as JSON.
    request: String,
}

impl Program {
    /// Reads `{"name", "actions": […], "clients", "apart_ms", "runs", "retries", "resends", "timeout_ms"}`.
    ///
    /// # Errors
    /// A member does not exist or is wrong.
    pub(crate) fn read(node: &Node<'_>) -> Result<Self, ScenarioError> {
        let mut members = node.open()?;
        let mut count = |name, range, default| {
            members.take(name).map_or(Ok(default), |node: Node<'_>| node.count(range))
        };
        let (n_clients, n_runs) =
            (count("clients", 1..=TIMES_MAX, 1)?, count("runs", 1..=TIMES_MAX, 1)?);
        let retries_max = count("retries", 0..=TIMES_MAX, 0)?;
        let resends_max = count("resends", 0..=TIMES_MAX, 0)?;
        let name = members.text("name")?.unwrap_or("program").into();
        let apart_us = members.ms("apart_ms")?.unwrap_or(0);
        let timeout_us = members.ms("timeout_ms")?.unwrap_or(1_000_000);
        let actions = members.list("actions", action)?;
        members.end()?;
        if actions.is_empty() {
            return Err(node.lacks("actions"));
        }
        let document = node.value.clone();
        Ok(Self {
            document,
            name,
            actions,
            n_clients,
            apart_us,
            n_runs,
            retries_max,
            resends_max,
            timeout_us,
        })
    }

    /// The program as it was read.
    pub fn to_json(&self) -> Value {
        self.document.clone()
    }

    /// Its clients, and when each begins.
    pub(crate) fn clients(self, now: Timestamp) -> impl Iterator<Item = (Timestamp, Client)> {
        let (n_clients, apart_us) = (self.n_clients, self.apart_us);
        let program = Arc::new(self);
        (0..n_clients).map(move |number| {
            let at = Timestamp(now.0.saturating_add(apart_us.saturating_mul(i64::from(number))));
            (at, Client::new(Arc::clone(&program), number + 1))
        })
    }
}

fn action(node: &Node<'_>) -> Result<Action, ScenarioError> {
    let mut members = node.open()?;
    let action =
        match (members.take("operation"), members.ms("charge_ms")?, members.ms("sleep_ms")?) {
            (Some(operation), None, None) => asking(&mut members, &operation)?,
            (None, Some(takes_us), None) => Action::Charge { takes_us },
            (None, None, Some(us)) => Action::Sleep { us },
            _ => return Err(members.not("one of operation, charge_ms and sleep_ms")),
        };
    members.end()?;
    Ok(action)
}

fn asking(members: &mut Members<'_>, operation: &Node<'_>) -> Result<Action, ScenarioError> {
    let known = Operation::from_name(operation.text()?);
    let request = Asking {
        operation: known.ok_or_else(|| operation.not("the name of an operation"))?,
        request: members.need("request")?.value.to_string(),
    };
    let times = members.take("times").map_or(Ok(1), |node| node.count(1..=TIMES_MAX))?;
    let Some(wants) = members.take("wants") else {
        return Ok(Action::Send { request, times, shows: members.text("shows")?.map(Into::into) });
    };
    let wants = wants.whole(0..=ITEMS_MAX)?;
    let stops_at = members.take("stops_at").map_or(Ok(wants), |node| node.whole(0..=ITEMS_MAX))?;
    let attempts_max = members.take("attempts").map_or(Ok(1), |node| node.count(1..=TIMES_MAX))?;
    let pause_us = members.ms("pause_ms")?.unwrap_or(0);
    Ok(Action::Poll { request, wants, stops_at, attempts_max, pause_us, times })
}

/// What a client hears.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Heard<'a> {
    /// It is its turn: it begins, or has waited.
    Nothing,
    /// Its request was answered.
    Reply(&'a Outcome),
    /// Its request's reply did not come.
    Lost,
}

/// What a client does now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It sends this request.
    Send(Operation, String),
    /// It waits so many microseconds.
    Wait(i64),
    /// It has ended.
    Ended,
}

/// A client that does a program.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    program: Arc<Program>,
    number: u32,
    run: u32,
    n_retries: u32,
    n_resends: u32,
    /// The action, and its repetition from 1.
    at: usize,
    n: u32,
    /// Of the poll that goes on.
    n_attempts: u32,
    waited_us: i64,
    n_found: u64,
}

impl Client {
    fn new(program: Arc<Program>, number: u32) -> Self {
        Self {
            program,
            number,
            run: 1,
            n_retries: 0,
            n_resends: 0,
            at: 0,
            n: 1,
            n_attempts: 0,
            waited_us: 0,
            n_found: 0,
        }
    }

    /// Microseconds after which it gives a reply up for lost.
    pub(crate) fn timeout_us(&self) -> i64 {
        self.program.timeout_us
    }

    /// Goes on with what was heard. What there is to tell of it is added to `told`.
    pub(crate) fn go_on(
        &mut self,
        heard: Heard<'_>,
        now: Timestamp,
        told: &mut Vec<EventKind>,
    ) -> Doing {
        match heard {
            Heard::Nothing => {}
            Heard::Reply(outcome) => {
                if outcome.reply.as_ref().is_err_and(is_retried) && self.may_resend() {
                    return self.resend();
                }
                if let Some(doing) = self.learn(outcome, told) {
                    return doing;
                }
            }
            Heard::Lost if self.may_resend() => return self.resend(),
            Heard::Lost if self.n_retries < self.program.retries_max => {
                self.n_retries += 1;
                self.begin();
            }
            Heard::Lost => self.end(told, SmolStr::new_static("lost"), None),
        }
        self.proceed(now, told)
    }

    fn may_resend(&self) -> bool {
        self.n_resends < self.program.resends_max
    }

    fn resend(&mut self) -> Doing {
        let us = RESEND_US << self.n_resends.min(DOUBLINGS_MAX);
        self.n_resends += 1;
        Doing::Wait(us)
    }

    /// Takes an answer; some if there is something to wait for.
    fn learn(&mut self, outcome: &Outcome, told: &mut Vec<EventKind>) -> Option<Doing> {
        self.n_resends = 0;
        let program = Arc::clone(&self.program);
        match (program.actions.get(self.at)?, &outcome.reply) {
            (Action::Send { times, .. }, Ok(_)) => self.advance(*times),
            (Action::Send { shows, .. }, Err(error)) => {
                let shown = shows.as_ref().and_then(|attribute| shown(error, attribute));
                let result = shown.unwrap_or(SmolStr::new_static("refused"));
                self.end(told, result, Some(error.name()));
            }
            (Action::Poll { .. }, Err(error)) => {
                self.end(told, SmolStr::new_static("refused"), Some(error.name()));
            }
            (Action::Poll { stops_at, attempts_max, pause_us, .. }, Ok(response)) => {
                self.n_attempts += 1;
                self.n_found = n_items(response);
                if self.n_found < *stops_at && (self.n_attempts < *attempts_max || *pause_us > 0) {
                    self.waited_us += pause_us;
                    return Some(Doing::Wait(*pause_us));
                }
                self.end_poll(told);
            }
            (Action::Charge { .. } | Action::Sleep { .. }, _) => {}
        }
        None
    }

    /// Asserts what a poll found.
    fn end_poll(&mut self, told: &mut Vec<EventKind>) {
        let Some(Action::Poll { wants, times, .. }) = self.program.actions.get(self.at) else {
            return;
        };
        let (is_met, times) = (self.n_found == *wants, *times);
        told.push(EventKind::ProgramPolled {
            program: self.program.name.clone(),
            client: self.number,
            n_attempts: self.n_attempts,
            waited_us: self.waited_us,
            n_found: self.n_found,
            is_met,
        });
        (self.n_attempts, self.waited_us, self.n_found) = (0, 0, 0);
        if is_met {
            self.advance(times);
        } else {
            self.end(told, SmolStr::new_static("failed"), None);
        }
    }

    /// Does what comes next.
    fn proceed(&mut self, now: Timestamp, told: &mut Vec<EventKind>) -> Doing {
        loop {
            let program = Arc::clone(&self.program);
            if self.run > program.n_runs {
                return Doing::Ended;
            }
            match program.actions.get(self.at) {
                None => self.end(told, SmolStr::new_static("passed"), None),
                Some(Action::Charge { takes_us }) => {
                    let (program, client) = (program.name.clone(), self.number);
                    told.push(EventKind::ProgramCharged { program, client });
                    self.advance(1);
                    return Doing::Wait(*takes_us);
                }
                Some(Action::Sleep { us }) => {
                    self.advance(1);
                    return Doing::Wait(*us);
                }
                Some(Action::Poll { attempts_max, .. }) if self.n_attempts >= *attempts_max => {
                    // The pause after the last question is over as well.
                    self.end_poll(told);
                }
                Some(Action::Send { request, .. } | Action::Poll { request, .. }) => {
                    return Doing::Send(request.operation, self.filled(&request.request, now));
                }
            }
        }
    }

    fn advance(&mut self, times: u32) {
        if self.n < times {
            self.n += 1;
        } else {
            (self.at, self.n) = (self.at + 1, 1);
        }
    }

    /// Begins with the first action.
    fn begin(&mut self) {
        (self.at, self.n, self.n_resends) = (0, 1, 0);
        (self.n_attempts, self.waited_us, self.n_found) = (0, 0, 0);
    }

    /// Ends a run and begins the next one.
    fn end(&mut self, told: &mut Vec<EventKind>, result: SmolStr, error: Option<&'static str>) {
        let (program, client, run) = (self.program.name.clone(), self.number, self.run);
        told.push(EventKind::ProgramEnded { program, client, run, result, error });
        self.begin();
        self.n_retries = 0;
        self.run += 1;
    }

    fn filled(&self, request: &str, now: Timestamp) -> String {
        let mut text = request
            .replace("{n}", &self.n.to_string())
            .replace("{run}", &self.run.to_string())
            .replace("{client}", &self.number.to_string());
        let mut from = 0;
        while let Some(begin) = text[from..].find("{now").map(|at| from + at) {
            from = begin + 4;
            let Some(end) = text[from..].find('}').map(|at| from + at) else { break };
            let more = &text[from..end];
            let more = if more.is_empty() { Some(0) } else { more.parse::<i64>().ok() };
            if let Some(seconds) = more {
                let moment = now.whole_seconds().saturating_add(seconds).to_string();
                text.replace_range(begin..=end, &moment);
            }
        }
        text
    }
}

fn n_items(response: &Response) -> u64 {
    match response {
        Response::Query(page) | Response::Scan(page) => u64::from(page.count),
        Response::GetItem(found) => u64::from(found.item.is_some()),
        _ => 0,
    }
}

/// An attribute of the item that a refused condition brought.
fn shown(error: &ApiError, attribute: &str) -> Option<SmolStr> {
    let ApiError::ConditionalCheckFailed(Some(item)) = error else { return None };
    match item.get(attribute)? {
        AttributeValue::S(text) => Some(text.clone()),
        AttributeValue::N(number) => Some(number.to_smolstr()),
        _ => None,
    }
}

//! Strong reads of concurrent clients: none misses a write that was acknowledged before it was sent, and none
//! sees a write that was refused. Once every partition has a replica that works, every strong read is answered.
//!
//! Every write has a version of its own. What a read saw is right if the write of that version had begun when
//! the read was answered, and no other write of the item came wholly after it and wholly before the read.

use std::collections::BTreeMap;

use hashrange_simulation::RequestNumber;
use hashrange_types::Timestamp;
use serde_json::Value;

use super::Verdict;
use super::dice::Dice;
use super::play::{Play, all_keys, lagging, limited};
use super::requests::{Asked, Kinds, PKS, Requests, query};
use crate::script::{answer, request};

/// An item's key as text, such as `p1/s2`.
type ItemName = String;

/// The version of an item that is not there.
const ABSENT: &str = "";

/// Beginning and end, in the order in which clients sent and heard.
type Span = (u64, u64);

struct Write {
    version: String,
    began: u64,
    /// Never, while nobody knows.
    ended: u64,
}

struct Read {
    item: ItemName,
    version: String,
    span: Span,
    asked: String,
}

/// Errors that a request in form may meet.
const MAY_MEET: [&str; 9] = [
    "InternalServerError",
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TransactionConflictException",
    "TransactionCanceledException",
    "TransactionInProgressException",
    "ConditionalCheckFailedException",
    "DuplicateItemException",
];

struct History {
    play: Play,
    now: u64,
    open: BTreeMap<RequestNumber, (Asked, u64)>,
    writes: BTreeMap<ItemName, Vec<Write>>,
    reads: Vec<Read>,
}

struct Faults {
    /// Hundredths of moments at which something goes wrong.
    percent: usize,
    /// True if one replica of each partition is mended before the others, and has to do alone.
    are_mended_in_turn: bool,
}

pub(super) fn strong_reads_never_miss_an_acknowledged_write(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed);
    let settings = if dice.chance(50) { limited(&mut dice) } else { lagging(&mut dice) };
    let provisioned = dice.pick(&[None, Some(5), Some(100)]);
    let kinds = Kinds { writes: 50, is_strong: true, expires: false };
    let requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    History::of(Play::new(dice, settings, provisioned, requests))
        .run(&Faults { percent: 10, are_mended_in_turn: false })
}

pub(super) fn no_acknowledged_write_is_lost_by_a_fail_over(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0xFA11);
    let settings = lagging(&mut dice);
    let kinds = Kinds { writes: 80, is_strong: true, expires: false };
    let requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    History::of(Play::new(dice, settings, None, requests))
        .run(&Faults { percent: 45, are_mended_in_turn: true })
}

impl History {
    fn of(play: Play) -> Self {
        Self { play, now: 0, open: BTreeMap::new(), writes: BTreeMap::new(), reads: Vec::new() }
    }

    fn run(mut self, faults: &Faults) -> Verdict {
        for _ in 0..90 {
            if self.play.dice.chance(faults.percent) {
                self.play.act();
            } else {
                let asked = self.play.requests.next(&mut self.play.dice);
                self.send(asked);
            }
            if self.play.dice.chance(60) {
                let us_max = self.play.dice.pick(&[1_000, 20_000, 400_000]);
                self.play.wait(us_max);
            }
            self.hear()?;
        }
        if faults.are_mended_in_turn {
            self.play.mend_one_of_each();
            self.read_all()?;
        }
        self.play.settle()?;
        self.read_all()?;
        self.reads.iter().try_for_each(|read| self.check(read))
    }

    /// Takes what is still to come, then reads every item collection, each of which must be answered.
    fn read_all(&mut self) -> Verdict {
        self.hear()?;
        if !self.open.is_empty() {
            return Err(format!("{} requests were never answered", self.open.len()));
        }
        for pk in 0..PKS {
            let mut body = query(pk);
            body["TableName"] = "Orders".into();
            body["ConsistentRead"] = true.into();
            self.send(("Query", body));
            // What is larger than a bucket is read when that is full.
            let later = Timestamp(self.play.cluster.now().0 + 100_000_000);
            self.play.cluster.run_until(later, 100_000);
            let n_reads = self.reads.len();
            self.hear()?;
            if self.reads.len() == n_reads {
                return Err(format!(
                    "a strong read of p{pk} is refused, though each partition has a replica that works"
                ));
            }
        }
        Ok(())
    }

    fn send(&mut self, asked: Asked) {
        self.now += 1;
        let number = self.play.cluster.submit(request(asked.0, &asked.1));
        for (item, version) in written(&asked) {
            let write = Write { version, began: self.now, ended: u64::MAX };
            self.writes.entry(item).or_default().push(write);
        }
        self.open.insert(number, (asked, self.now));
    }

    /// Takes what was answered.
    fn hear(&mut self) -> Verdict {
        for number in self.open.keys().copied().collect::<Vec<_>>() {
            let Some(outcome) = self.play.cluster.take_reply(number) else { continue };
            let (asked, began) = self.open.remove(&number).expect("it was open");
            self.now += 1;
            let answer = answer(&outcome.reply);
            if let Some(error) = answer["error"].as_str()
                && !MAY_MEET.contains(&error)
            {
                return Err(format!("{} {} met {answer}", asked.0, asked.1));
            }
            self.end_writes(&asked, began, &answer);
            for (item, version) in seen(&asked, &answer) {
                let asked = format!("{} {}", asked.0, asked.1);
                self.reads.push(Read { item, version, span: (began, self.now), asked });
            }
        }
        Ok(())
    }

    /// Notes when a request's writes ended; those that were refused never were.
    fn end_writes(&mut self, asked: &Asked, began: u64, answer: &Value) {
        let now = self.now;
        for (position, (item, version)) in written(asked).into_iter().enumerate() {
            let writes = self.writes.get_mut(&item).expect("it was noted");
            let is_it = |write: &Write| write.began == began && write.version == version;
            let at = writes.iter().position(is_it).expect("it was noted");
            if is_done(asked.0, &item, position, answer) {
                writes[at].ended = now;
            } else {
                writes.remove(at);
            }
        }
    }

    fn check(&self, read: &Read) -> Verdict {
        let none = Vec::new();
        let writes = self.writes.get(&read.item).unwrap_or(&none);
        let never = Write { version: ABSENT.into(), began: 0, ended: 0 };
        let (began, ended) = read.span;
        let comes_between = |from: &Write| {
            writes.iter().any(|other| other.began > from.ended && other.ended < began)
        };
        let candidates = writes.iter().chain([&never]);
        let mut candidates =
            candidates.filter(|one| one.version == read.version && one.began < ended);
        if candidates.any(|one| !comes_between(one)) {
            return Ok(());
        }
        let known: Vec<String> = writes
            .iter()
            .map(|one| format!("{:?} {}-{}", one.version, one.began, one.ended))
            .collect();
        Err(format!(
            "{} at {began}-{ended} saw {} in version {:?}, of the writes {}",
            read.asked,
            read.item,
            read.version,
            known.join(", ")
        ))
    }
}

fn name(item: &Value) -> ItemName {
    let text = |name: &str| item[name]["S"].as_str().unwrap_or_default();
    format!("{}/{}", text("pk"), text("sk"))
}

fn version(item: &Value) -> String {
    item["v"]["N"].as_str().unwrap_or(ABSENT).to_owned()
}

/// What a request would leave: items and their versions, in its order.
pub(super) fn written((operation, body): &Asked) -> Vec<(ItemName, String)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let updated =
        |of: &Value| version(&serde_json::json!({"v": of["ExpressionAttributeValues"][":v"]}));
    match *operation {
        "PutItem" => vec![(name(&body["Item"]), version(&body["Item"]))],
        "UpdateItem" => vec![(name(&body["Key"]), updated(body))],
        "DeleteItem" => vec![(name(&body["Key"]), ABSENT.into())],
        "BatchWriteItem" => list(&body["RequestItems"]["Orders"])
            .iter()
            .map(|write| match write.get("PutRequest") {
                Some(put) => (name(&put["Item"]), version(&put["Item"])),
                None => (name(&write["DeleteRequest"]["Key"]), ABSENT.into()),
            })
            .collect(),
        "TransactWriteItems" => {
            let actions = list(&body["TransactItems"]);
            let of = |action: &Value| {
                let (kind, of) = action.as_object()?.iter().next()?;
                match kind.as_str() {
                    "Put" => Some((name(&of["Item"]), version(&of["Item"]))),
                    "Update" => Some((name(&of["Key"]), updated(of))),
                    "Delete" => Some((name(&of["Key"]), ABSENT.into())),
                    _ => None,
                }
            };
            actions.iter().filter_map(of).collect()
        }
        "ExecuteStatement" => written_by(&body["Statement"]).into_iter().collect(),
        "BatchExecuteStatement" => {
            let statements = list(&body["Statements"]);
            statements.iter().filter_map(|one| written_by(&one["Statement"])).collect()
        }
        _ => Vec::new(),
    }
}

/// What a statement of these scripts would leave.
fn written_by(statement: &Value) -> Option<(ItemName, String)> {
    let text = statement.as_str()?;
    let quoted: Vec<&str> = text.split('\'').skip(1).step_by(2).collect();
    let find = |first: char| {
        quoted.iter().copied().find(|part| {
            part.len() > 1
                && part.starts_with(first)
                && part[1..].bytes().all(|b| b.is_ascii_digit())
        })
    };
    let item = format!("{}/{}", find('p')?, find('s')?);
    let number = |after: &str| {
        let rest = text.split(after).nth(1)?;
        Some(rest.chars().take_while(char::is_ascii_digit).collect::<String>())
    };
    match text.split(' ').next()? {
        "INSERT" => Some((item, number("'v': ")?)),
        "UPDATE" => Some((item, number("SET v = ")?)),
        "DELETE" => Some((item, ABSENT.into())),
        _ => None,
    }
}

/// True if a write at this position of its request took effect.
pub(super) fn is_done(operation: &str, item: &str, position: usize, answer: &Value) -> bool {
    if answer.get("error").is_some() {
        return false;
    }
    match operation {
        "BatchWriteItem" => {
            let left = answer["UnprocessedItems"]["Orders"].as_array();
            let mut left = left.into_iter().flatten();
            !left.any(|write| {
                let of = write.get("PutRequest").map(|put| &put["Item"]);
                name(of.unwrap_or(&write["DeleteRequest"]["Key"])) == item
            })
        }
        "BatchExecuteStatement" => answer["Responses"][position].get("Error").is_none(),
        _ => true,
    }
}

/// What an answer shows of items.
fn seen((operation, body): &Asked, answer: &Value) -> Vec<(ItemName, String)> {
    if answer.get("error").is_some() {
        return Vec::new();
    }
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let found: BTreeMap<ItemName, String> = match *operation {
        "GetItem" => {
            [&answer["Item"]].into_iter().map(|item| (name(item), version(item))).collect()
        }
        "BatchGetItem" => by_name(&list(&answer["Responses"]["Orders"])),
        "TransactGetItems" => {
            let items: Vec<Value> =
                list(&answer["Responses"]).iter().map(|one| one["Item"].clone()).collect();
            by_name(&items)
        }
        _ => by_name(&list(&answer["Items"])),
    };
    let asked: Vec<ItemName> = match *operation {
        "GetItem" => vec![name(&body["Key"])],
        "Query" => {
            let pk = body["ExpressionAttributeValues"][":p"]["S"].as_str().unwrap_or_default();
            of_collection(pk)
        }
        "Scan" => all_keys().map(|key| name(&key)).collect(),
        "BatchGetItem" => {
            let left = by_name(&list(&answer["UnprocessedKeys"]["Orders"]["Keys"]));
            let keys = list(&body["RequestItems"]["Orders"]["Keys"]);
            keys.iter().map(name).filter(|key| !left.contains_key(key)).collect()
        }
        "TransactGetItems" => {
            list(&body["TransactItems"]).iter().map(|one| name(&one["Get"]["Key"])).collect()
        }
        "ExecuteStatement" => {
            let statement = body["Statement"].as_str().unwrap_or_default();
            let pk = statement.split('\'').nth(1).unwrap_or_default();
            if statement.starts_with("SELECT") { of_collection(pk) } else { Vec::new() }
        }
        _ => Vec::new(),
    };
    let version_of = |item: &ItemName| found.get(item).cloned().unwrap_or_default();
    asked.into_iter().map(|item| (item.clone(), version_of(&item))).collect()
}

fn by_name(items: &[Value]) -> BTreeMap<ItemName, String> {
    items.iter().map(|item| (name(item), version(item))).collect()
}

fn of_collection(pk: &str) -> Vec<ItemName> {
    let all = all_keys().map(|key| name(&key));
    all.filter(|name| name.split('/').next() == Some(pk)).collect()
}

//! BatchExecuteStatement and ExecuteTransaction of writes to distinct items.
//!
//! Source: facts 2.2, 3.6 and 3.7.

use serde_json::{Map, Value as Json, json};

use crate::answer::{Consumed, Shown, insert, not_found, share, validation, write_units};
use crate::sql::{Failure, Statement};
use crate::table::Tables;
use crate::transaction::{TransactWrite, canceled};
use crate::value::{item_json, item_size};
use crate::write::{Change, Refusal, Write, is_about_emptiness};

/// Statements that write, one by one or together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Statements {
    pub(crate) members: Vec<Statement>,
    pub(crate) is_transaction: bool,
    pub(crate) shown: Shown,
}

/// What a batch consumed of one table: what was done, and what was attempted in vain, which no arm shows.
type Shares = Vec<(String, Consumed, f64)>;

impl Statements {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        let statements =
            self.members.iter().map(|statement| Json::Object(statement.members())).collect();
        let mut request = Map::new();
        let (operation, member) = if self.is_transaction {
            ("ExecuteTransaction", "TransactStatements")
        } else {
            ("BatchExecuteStatement", "Statements")
        };
        request.insert(member.to_owned(), statements);
        self.shown.ask(&mut request);
        (operation, Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &mut Tables) -> Vec<Json> {
        if self.is_transaction { self.expect_all(tables) } else { self.expect_each(tables) }
    }

    /// All or nothing: TransactWriteItems in other words.
    fn expect_all(&self, tables: &mut Tables) -> Vec<Json> {
        if self.members.iter().any(|one| !tables.tables.contains_key(&one.write.table)) {
            return vec![not_found()];
        }
        let faults = self.faults(tables);
        let writes: Vec<Write> = self.members.iter().map(|one| one.whole(tables)).collect();
        let classic = TransactWrite { writes, token: None, shown: self.shown, asks_metrics: false };
        if !faults.is_empty() {
            return told(&classic, &faults);
        }
        let mut answers = classic.expect(tables);
        for answer in &mut answers {
            if answer.get("__type").is_none() {
                answer["Responses"] = json!([]);
            }
            self.name_duplicates(answer);
        }
        answers
    }

    /// What is wrong with which statements, whatever other statements say.
    fn faults(&self, tables: &Tables) -> Vec<(usize, Vec<String>)> {
        let mut faults = Vec::new();
        for (at, member) in self.members.iter().enumerate() {
            let table = &tables.tables[&member.write.table];
            let write = member.whole(tables);
            let before = table.get(&write.key(&table.definition));
            let is_tried = matches!(write.change, Change::Put(_)) || write.condition_holds(before);
            let fault = write.after(table, before).err().filter(|_| is_tried);
            faults.extend(fault.map(|messages| (at, messages)));
        }
        faults
    }

    /// An INSERT in vain has a reason of its own.
    fn name_duplicates(&self, answer: &mut Json) {
        let reasons = answer.get_mut("CancellationReasons").and_then(Json::as_array_mut);
        let Some(reasons) = reasons else { return };
        for (reason, statement) in reasons.iter_mut().zip(&self.members) {
            let is_insert = matches!(statement.write.change, Change::Put(_));
            if is_insert && reason["Code"] == "ConditionalCheckFailed" {
                *reason = duplicate();
            }
        }
        let codes: Vec<&str> =
            reasons.iter().filter_map(|reason| reason["Code"].as_str()).collect();
        answer["Message"] = json!(format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
            codes.join(", ")
        ));
    }

    fn expect_each(&self, tables: &mut Tables) -> Vec<Json> {
        let mut shares: Shares = Vec::new();
        let mut lists: Vec<Vec<Json>> = vec![Vec::new()];
        let mut is_any_done = false;
        for statement in &self.members {
            let effect = statement.effect(tables);
            let table = &statement.write.table;
            let responses = match &effect {
                Ok(effect) => {
                    is_any_done = true;
                    statement.write.commit(tables, effect);
                    of_table(&mut shares, table).1.add(&effect.consumed);
                    let mut response = json!({"TableName": table});
                    if let Some(item) = statement.returned(effect) {
                        response["Item"] = item_json(&item);
                    }
                    vec![response]
                }
                Err(failure) => {
                    if let Some(units) = attempted(statement, failure) {
                        of_table(&mut shares, table).2 += units;
                    }
                    failed(failure, table)
                }
            };
            lists = lists
                .iter()
                .flat_map(|list| {
                    responses
                        .iter()
                        .map(|response| [list.as_slice(), std::slice::from_ref(response)].concat())
                })
                .collect();
        }
        let consumed = is_any_done.then(|| self.consumed(&shares)).flatten();
        let answer = |responses: Vec<Json>| {
            let mut answer = Map::new();
            answer.insert("Responses".to_owned(), Json::Array(responses));
            insert(&mut answer, "ConsumedCapacity", consumed.clone());
            Json::Object(answer)
        };
        lists.into_iter().map(answer).collect()
    }

    fn consumed(&self, shares: &Shares) -> Option<Json> {
        let blocks: Vec<Json> = shares
            .iter()
            .filter_map(|(table, consumed, in_vain)| {
                let mut block = consumed.json(table, self.shown)?;
                let shown = block["CapacityUnits"].as_f64()?;
                block["CapacityUnits"] = json!(shown + in_vain);
                Some(block)
            })
            .collect();
        (!blocks.is_empty()).then_some(Json::Array(blocks))
    }
}

/// How faults are told. Those of INSERTs are found first, each with a reason of its own (as floci captured from the
/// service); of updates that do not fit their items the first is told, as in TransactWriteItems. An empty key refuses
/// the request; whether an update's says where it stands is not known.
fn told(classic: &TransactWrite, faults: &[(usize, Vec<String>)]) -> Vec<Json> {
    let is_insert = |at: &usize| matches!(classic.writes[*at].change, Change::Put(_));
    let of_inserts: Vec<_> = faults.iter().filter(|(at, _)| is_insert(at)).collect();
    let all = if of_inserts.is_empty() { faults.iter().collect() } else { of_inserts };
    let empty = all.iter().find_map(|(at, messages)| {
        Some((at, messages.iter().find(|message| is_about_emptiness(message))?))
    });
    if let Some((at, message)) = empty {
        let placed = format!("Validation failed in TransactStatements[{at}]: {message}");
        let bare = (!is_insert(at)).then(|| validation(message));
        return bare.into_iter().chain([validation(&placed)]).collect();
    }
    let (first, messages) = all[0];
    if !is_insert(first) {
        return messages.iter().map(|message| classic.canceled_by_fault(*first, message)).collect();
    }
    let reason = |at: usize| {
        let fault = all.iter().find(|(faulty, _)| *faulty == at);
        fault.map_or_else(
            || json!({"Code": "None"}),
            |(_, messages)| json!({"Code": "ValidationError", "Message": messages[0]}),
        )
    };
    vec![canceled(&(0..classic.writes.len()).map(reason).collect::<Vec<_>>())]
}

fn of_table<'a>(shares: &'a mut Shares, table: &str) -> &'a mut (String, Consumed, f64) {
    let at = shares.iter().position(|(name, ..)| name == table).unwrap_or_else(|| {
        let mut one = Vec::new();
        share(&mut one, table, None);
        shares.extend(one.into_iter().map(|(name, consumed)| (name, consumed, 0.0)));
        shares.len() - 1
    });
    &mut shares[at]
}

/// What a statement that failed while it ran is charged.
fn attempted(statement: &Statement, failure: &Failure) -> Option<f64> {
    match (&statement.write.change, failure) {
        (Change::Put(item), Failure::Duplicate) => Some(write_units(item_size(item))),
        (Change::Put(_), _) => None,
        (_, Failure::Refused(Refusal::Condition(_) | Refusal::Invalid(_))) => Some(1.0),
        _ => None,
    }
}

fn duplicate() -> Json {
    json!({"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"})
}

fn failed(failure: &Failure, table: &str) -> Vec<Json> {
    match failure {
        Failure::Duplicate => vec![json!({"Error": duplicate(), "TableName": table})],
        Failure::Refused(Refusal::Condition(item)) => {
            let mut error = json!({
                "Code": "ConditionalCheckFailed",
                "Message": "The conditional request failed",
            });
            if let Some(item) = item {
                error["Item"] = item_json(item);
            }
            vec![json!({"Error": error, "TableName": table})]
        }
        Failure::Refused(Refusal::Invalid(messages)) => messages
            .iter()
            .map(|message| json!({"Error": {"Code": "ValidationError", "Message": message}}))
            .collect(),
        Failure::Refused(Refusal::NotFound) => {
            let message = "Requested resource not found";
            vec![json!({"Error": {"Code": "ResourceNotFound", "Message": message}})]
        }
    }
}

//! Batches: each element is admitted for itself, and what is not comes back unprocessed.
//!
//! Invariant: with every element admitted a batch is served as a whole, as a database does. A batch is refused as
//! a whole only if all its elements are throttled.
//!
//! Source: facts 3.5, 3.7, 5.3 and 6.7.

use hashrange_engine::{Outcome, execute, plan};
use hashrange_storage::Store;
use hashrange_types::operation::{
    BatchExecuteStatementRequest, BatchGetItemRequest, BatchStatementResponse,
    BatchWriteItemRequest, KeysAndAttributes,
};
use hashrange_types::{ApiError, Operation, Request, Response};

use super::{Cluster, RequestNumber};

/// Why an element is not carried out; none if it is.
type Refusal = Option<ApiError>;

/// True for operations whose elements are admitted one by one.
pub(super) const fn is_batch(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::BatchWriteItem | Operation::BatchGetItem | Operation::BatchExecuteStatement
    )
}

impl Cluster {
    /// Serves a batch: those elements that are admitted together, the others not at all.
    pub(super) fn serve_batch(&mut self, number: RequestNumber, request: Request) -> Outcome {
        let plan_of_all = match plan(&self.store, request.clone()) {
            Ok(plan) => plan,
            Err(error) => return Outcome::free(Err(error)),
        };
        let targets = plan_of_all.targets();
        // The replicas that answer are chosen once, so that an element costs what is then read.
        let ways = self.ways(&targets);
        let seen = self.seen(number, &plan_of_all, &targets, &ways);
        let refusals: Vec<Refusal> = elements(&request)
            .into_iter()
            .map(|element| self.admit_element(number, element, seen.as_ref()).err())
            .collect();
        if let Some(first) = refusals.iter().flatten().next().filter(|_| are_throttled(&refusals)) {
            self.count_refusal(&targets, first);
        }
        if let Some(error) = refused_whole(&request, &refusals) {
            return Outcome::free(Err(error));
        }
        let mut outcome = self.serve_admitted(without(request.clone(), &refusals), seen.as_ref());
        if let Ok(response) = &mut outcome.reply {
            give_back(response, request, refusals);
        }
        outcome
    }

    /// Takes what one element costs.
    fn admit_element(
        &mut self,
        number: RequestNumber,
        element: Request,
        seen: Option<&Store>,
    ) -> Result<(), ApiError> {
        let operation = element.operation();
        let plan = plan(&self.store, element)?;
        let targets = plan.targets();
        let ways = self.ways(&targets);
        if let Err(error) = self.find_way(number, operation, &plan, &targets, &ways) {
            self.count_refusal(&targets, &error);
            return Err(error);
        }
        let outcome = execute(seen.unwrap_or(&self.store), &plan, self.now);
        self.make_room(number, &targets, &ways, &outcome)
    }

    /// Serves what was admitted element by element, which may be nothing: only the wire refuses an empty batch.
    fn serve_admitted(&mut self, request: Request, seen: Option<&Store>) -> Outcome {
        let plan = match plan(&self.store, request) {
            Ok(plan) => plan,
            Err(error) => return Outcome::free(Err(error)),
        };
        let outcome = execute(seen.unwrap_or(&self.store), &plan, self.now);
        self.count_reply(&plan.targets(), &outcome.reply);
        self.commit(&outcome);
        outcome
    }
}

/// True if there was no room for any element: only then CloudWatch counts the batch as throttled.
fn are_throttled(refusals: &[Refusal]) -> bool {
    refusals.iter().all(|refusal| matches!(refusal, Some(ApiError::Throttled(_))))
}

/// The error of a batch of which nothing is carried out because nothing could be.
fn refused_whole(request: &Request, refusals: &[Refusal]) -> Option<ApiError> {
    let is_conflict = |error: &ApiError| error.name() == "TransactionConflictException";
    let is_refused = |refusal: &Refusal| refusal.as_ref().is_some_and(|error| !is_conflict(error));
    let answers_each = matches!(request, Request::BatchExecuteStatement(_));
    let is_whole = !answers_each && refusals.iter().all(is_refused);
    refusals.first().filter(|_| is_whole).cloned().flatten()
}

/// A request for each element.
fn elements(request: &Request) -> Vec<Request> {
    match request {
        Request::BatchWriteItem(request) => {
            let all = request.tables.iter().flat_map(|(table, writes)| {
                writes.iter().map(move |write| (table.clone(), vec![write.clone()]))
            });
            all.map(|one| {
                Request::BatchWriteItem(BatchWriteItemRequest {
                    tables: vec![one],
                    return_consumed_capacity: request.return_consumed_capacity,
                    returns_collection_metrics: false,
                })
            })
            .collect()
        }
        Request::BatchGetItem(request) => {
            let all = request
                .tables
                .iter()
                .flat_map(|table| table.keys.iter().map(|key| with_keys(table, vec![key.clone()])));
            all.map(|one| {
                Request::BatchGetItem(BatchGetItemRequest {
                    tables: vec![one],
                    return_consumed_capacity: request.return_consumed_capacity,
                })
            })
            .collect()
        }
        Request::BatchExecuteStatement(request) => {
            let all = request.statements.iter().map(|statement| {
                Request::BatchExecuteStatement(BatchExecuteStatementRequest {
                    statements: vec![statement.clone()],
                    return_consumed_capacity: request.return_consumed_capacity,
                })
            });
            all.collect()
        }
        _ => Vec::new(),
    }
}

fn with_keys(
    table: &KeysAndAttributes,
    keys: Vec<hashrange_types::Deferred<hashrange_types::Item>>,
) -> KeysAndAttributes {
    KeysAndAttributes {
        table: table.table.clone(),
        keys,
        consistent_read: table.consistent_read,
        projection_expression: table.projection_expression.clone(),
        attributes_to_get: table.attributes_to_get.clone(),
        names: table.names.clone(),
        has_duplicates: false,
    }
}

/// The batch without the elements refused.
fn without(mut request: Request, refusals: &[Refusal]) -> Request {
    let mut refusals = refusals.iter();
    let mut is_kept = || refusals.next().is_none_or(Option::is_none);
    match &mut request {
        Request::BatchWriteItem(request) => {
            for (_, writes) in &mut request.tables {
                writes.retain(|_| is_kept());
            }
            request.tables.retain(|(_, writes)| !writes.is_empty());
        }
        Request::BatchGetItem(request) => {
            for table in &mut request.tables {
                table.keys.retain(|_| is_kept());
            }
        }
        Request::BatchExecuteStatement(request) => request.statements.retain(|_| is_kept()),
        _ => {}
    }
    request
}

/// Puts the elements refused into the response, in the order of the request.
fn give_back(response: &mut Response, request: Request, refusals: Vec<Refusal>) {
    match (response, request) {
        (Response::BatchWriteItem(response), Request::BatchWriteItem(request)) => {
            let mut refusals = refusals.into_iter();
            for (table, mut writes) in request.tables {
                writes.retain(|_| refusals.next().flatten().is_some());
                if !writes.is_empty() {
                    response.unprocessed.push((table, writes));
                }
            }
        }
        (Response::BatchGetItem(response), Request::BatchGetItem(request)) => {
            let mut refusals = refusals.into_iter();
            for table in request.tables {
                let keys = table.keys.iter().filter(|_| refusals.next().flatten().is_some());
                let keys: Vec<_> = keys.cloned().collect();
                let mut unprocessed = response.unprocessed.iter_mut();
                match unprocessed.find(|other| other.table.given == table.table.given) {
                    Some(there) => there.keys.extend(keys),
                    None if keys.is_empty() => {}
                    None => response.unprocessed.push(with_keys(&table, keys)),
                }
            }
        }
        (Response::BatchExecuteStatement(response), _) => {
            let mut done = std::mem::take(&mut response.responses).into_iter();
            let of_refusal = |refusal: Refusal| match refusal {
                None => done.next().unwrap_or_default(),
                error => BatchStatementResponse { error, ..BatchStatementResponse::default() },
            };
            response.responses = refusals.into_iter().map(of_refusal).collect();
        }
        _ => {}
    }
}

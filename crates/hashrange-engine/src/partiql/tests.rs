//! Which keys statements read, and what the service captured from it says of the rest.

use hashrange_storage::KeyRange;
use hashrange_types::operation::{
    BatchExecuteStatementRequest, BatchStatementResponse, ExecuteStatementRequest,
    ExecuteStatementResponse, ExecuteTransactionRequest, ParameterizedStatement,
    ReturnConsumedCapacity,
};
use hashrange_types::{
    ApiError, AttributeValue, CancellationReason, CapacityUnits, Item, Projection, Request,
    Response, Timestamp,
};

use crate::database::Database;
use crate::read_fixture::{Shelf, global, include, item, local, n, s, schema, schema_with_key};
use crate::write_fixture::units;
use crate::{explain, plan};

pub(super) fn statement(text: &str) -> ParameterizedStatement {
    ParameterizedStatement {
        statement: text.to_owned(),
        parameters: Vec::new(),
        consistent_read: false,
        returns_item_on_failure: false,
    }
}

pub(super) fn request(text: &str) -> ExecuteStatementRequest {
    ExecuteStatementRequest {
        statement: statement(text),
        next_token: None,
        limit: None,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
    }
}

pub(super) fn answer(shelf: &Shelf, request: ExecuteStatementRequest) -> ExecuteStatementResponse {
    match shelf.outcome(Request::ExecuteStatement(request)).reply {
        Ok(Response::ExecuteStatement(response)) => response,
        reply => panic!("{reply:?}"),
    }
}

/// Items `o/1` to `o/3` and `p/1` to `p/3`, the first of each with `flag`.
fn shelf() -> Shelf {
    let keys = ["o", "p"].iter().flat_map(|pk| ["1", "2", "3"].map(|sk| (*pk, sk)));
    let items = keys.map(|(pk, sk)| {
        let mut item = item([("pk", s(pk)), ("sk", s(sk))]);
        if sk == "1" {
            item.insert("flag".into(), s("one"));
        }
        item
    });
    Shelf::with_items(schema(), 4, items)
}

fn text(item: &Item, name: &str) -> String {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text.to_string(),
        other => panic!("no text but {other:?}"),
    }
}

fn keys(response: &ExecuteStatementResponse) -> String {
    let key = |item: &Item| format!("{}{}", text(item, "pk"), text(item, "sk"));
    response.items.iter().map(key).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn finds(condition: &str, expected: &str) {
    let response = answer(&shelf(), request(&format!("SELECT * FROM T WHERE {condition}")));
    assert_eq!(keys(&response), expected, "{condition}");
}

/// What a SELECT costs; by key it is half a unit for each read, as a scan one for each of four partitions.
#[track_caller]
fn costs(condition: &str, halves: u64) {
    let response = answer(&shelf(), request(&format!("SELECT * FROM T WHERE {condition}")));
    assert_eq!(response.consumed.total(), CapacityUnits::halves(halves), "{condition}");
}

#[track_caller]
fn refuses(condition: &str, message: &str) {
    let text = format!("SELECT * FROM T WHERE {condition}");
    let found = shelf().refusal(Request::ExecuteStatement(request(&text)));
    assert_eq!(found, message, "{condition}");
}

#[test]
fn sort_keys_are_compared_in_every_way() {
    finds("pk = 'o' AND sk = '2'", "o2");
    finds("'o' = pk AND '2' <= sk", "o2 o3");
    finds("pk = 'o' AND sk BETWEEN '2' AND '3'", "o2 o3");
    finds("pk = 'o' AND begins_with(sk, '3')", "o3");
    finds("pk = 'o' AND (sk = '1' OR sk = '3')", "o1 o3");
    finds("pk = 'o' AND sk IN ['3', '1']", "o1 o3");
    finds("pk = 'o' AND (sk < '2' OR sk > '2' OR sk = '2')", "o1 o2 o3");
    finds("pk = 'o' AND sk = '1' AND sk > '0'", "o1");
    finds("pk = 'o' AND sk > '0' AND sk <> '1'", "o2 o3");
    finds("pk = 'o' AND NOT sk = '1'", "o2 o3");
    finds("pk = 'o' AND sk = '1' AND sk = '2'", "");
    finds("(pk = 'o' AND sk = '1') OR (pk = 'p' AND flag = 'one')", "o1 p1");
}

#[test]
fn a_negated_sort_key_beside_another_alternative_reads_the_partition_once() {
    for left in ["NOT sk = '1'", "sk <> '1'", "NOT (sk = '1')"] {
        finds(&format!("pk = 'o' AND {left} OR pk = 'o' AND sk = '2'"), "o2 o3");
    }
    finds("pk = 'o' AND NOT sk IN ['1', '3'] OR pk = 'o' AND sk = '2'", "o2");
    finds("pk = 'o' OR pk = 'o' AND NOT sk = '1'", "o1 o2 o3");
    costs("pk = 'o' AND NOT sk = '1' OR pk = 'o' AND sk = '2'", 1);
}

#[test]
fn only_a_pinned_partition_key_saves_a_scan() {
    costs("pk = 'o'", 1);
    costs("pk IN ['o', 'p', 'q']", 3);
    costs("pk = 'o' AND sk IN ['1', '2']", 2);
    costs("pk = 'o' AND (flag = 'one' OR flag = 'two')", 1);
    for scan in [
        "sk = '1'",
        "pk > 'a'",
        "NOT pk = 'o'",
        "pk = 'o' OR sk = '1'",
        "pk = 'o' OR flag = 'one'",
        "pk = 'o' AND pk = 'p'",
        "attribute_exists(pk)",
    ] {
        costs(scan, 4);
    }
}

#[test]
fn alternatives_may_not_overlap() {
    for condition in [
        "pk IN ['o', 'o']",
        "pk = 'o' OR pk = 'o'",
        "pk = 'o' AND (sk > '0' OR sk < '5')",
        "pk = 'o' AND (sk = '1' OR flag = 'two')",
        "(pk = 'o' AND flag = 'one') OR (pk = 'o' AND flag = 'two')",
        "pk = 'o' AND x <> '1' OR pk = 'o' AND sk = '2'",
    ] {
        let message = "Overlapping conditions with range keys are not supported in where clause";
        refuses(condition, message);
    }
}

#[test]
fn keys_have_the_types_of_the_schema() {
    let message = "Key attribute's data type should match its data type in table's schema: Key";
    refuses("pk = 1 OR pk = 'o'", &format!("{message} pk"));
    refuses("pk = 'o' AND sk IN ['1', 2]", &format!("{message} sk"));
    refuses("pk = 'o' AND sk > 2", &format!("{message} sk"));
    finds("pk > 1", "");
    refuses(
        "pk = ''",
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot \
         contain an empty string value. Key: pk",
    );
}

fn values(n: usize) -> String {
    (0..n).map(|number| format!("'v{number}'")).collect::<Vec<_>>().join(",")
}

#[test]
fn a_select_is_divided_into_50_reads_at_most() {
    let message = "Too many decomposed read operations for a given query.";
    refuses(&format!("pk IN [{}]", values(51)), message);
    refuses(&format!("pk = 'o' AND sk IN [{}]", values(51)), message);
    refuses(&format!("pk IN [{}] AND sk IN ['1', '2']", values(26)), message);
    finds(&format!("pk IN [{}] AND flag IN [{}]", values(50), values(100)), "");
    finds(&format!("pk IN [{}] OR sk = '9'", values(51)), "");
}

#[test]
fn order_by_turns_the_order_of_the_keys() {
    finds("pk = 'o' ORDER BY sk DESC", "o3 o2 o1");
    finds("pk = 'o' ORDER BY sk", "o1 o2 o3");
    finds("pk = 'o' ORDER BY pk ASC", "o3 o2 o1");
    finds("pk IN ['o', 'p'] ORDER BY pk DESC, sk ASC", "p1 p2 p3 o1 o2 o3");
    finds("pk IN ['p', 'o'] AND sk IN ['1', '3'] ORDER BY pk, sk DESC", "o3 o1 p3 p1");
    refuses(
        "pk IN ['o', 'p'] ORDER BY sk DESC",
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in \
         WHERE clause.",
    );
    let found = shelf().refusal(Request::ExecuteStatement(request("SELECT * FROM T ORDER BY sk")));
    assert_eq!(found, "Must have WHERE clause in the statement when using ORDER BY clause.");
}

#[test]
fn pages_go_on_over_all_reads_of_a_statement() {
    let shelf = shelf();
    let mut next = request("SELECT * FROM T WHERE pk IN ['o', 'p'] ORDER BY pk DESC");
    next.limit = Some(2);
    let mut pages = Vec::new();
    loop {
        let page = answer(&shelf, next.clone());
        assert_eq!(page.next_token.is_some(), page.last_evaluated_key.is_some());
        pages.push(keys(&page));
        match page.next_token {
            Some(token) => next.next_token = Some(token),
            None => break,
        }
    }
    assert_eq!(pages, ["p3 p2", "p1 o3", "o2 o1", ""]);
}

#[test]
fn a_token_fits_its_statement_and_parameters_alone() {
    let shelf = shelf();
    let mut first = request("SELECT * FROM T WHERE pk = ?");
    first.statement.parameters = vec![Ok(s("o"))];
    first.limit = Some(1);
    let token = answer(&shelf, first.clone()).next_token;
    let mut same = first.clone();
    same.next_token.clone_from(&token);
    same.limit = Some(9);
    assert_eq!(keys(&answer(&shelf, same)), "o2 o3");
    let mut other = first.clone();
    other.statement.parameters = vec![Ok(s("p"))];
    let mut forged = first.clone();
    forged.next_token = token.as_ref().map(|token| {
        let mut bytes = token.to_vec();
        let last = bytes.len() - 1;
        bytes[9] ^= 1;
        bytes[last] ^= 1;
        bytes.into()
    });
    let mut written = request("DELETE FROM T WHERE pk = 'o' AND sk = '1'");
    written.next_token.clone_from(&token);
    other.next_token.clone_from(&token);
    for wrong in [
        other,
        forged,
        written,
        ExecuteStatementRequest { next_token: Some(b"x"[..].into()), ..first },
    ] {
        let found = shelf.refusal(Request::ExecuteStatement(wrong));
        assert_eq!(found, "NextToken does not match request");
    }
}

fn indexed() -> Shelf {
    let schema = global(schema(), "gsi-inc", "gsiPk", include(&["projattr"]));
    let schema = local(schema, "lsi-keys", "pk | lsiSk", Projection::KeysOnly);
    let one = |sk: &str, gsi: &str| {
        item([
            ("pk", s("p")),
            ("sk", s(sk)),
            ("gsiPk", s(gsi)),
            ("lsiSk", s(sk)),
            ("projattr", s("P")),
            ("nonproj", s("N")),
        ])
    };
    let bare = item([("pk", s("p")), ("sk", s("3"))]);
    Shelf::with_items(schema, 4, [one("1", "x"), one("2", "y"), bare])
}

#[track_caller]
fn index_refuses(text: &str, message: &str) {
    assert_eq!(indexed().refusal(Request::ExecuteStatement(request(text))), message, "{text}");
}

#[test]
fn an_index_read_by_key_filters_only_what_it_holds() {
    let refused = "One or more parameter values were invalid: Secondary index";
    let lacks = "does not project one or more filter attributes:";
    for condition in [
        "nonproj = 'N'",
        "NOT nonproj = 'N'",
        "nonproj IS MISSING",
        "(nonproj = '1' OR projattr = 'P')",
    ] {
        let text = format!("SELECT pk FROM \"T\".\"gsi-inc\" WHERE gsiPk = 'x' AND {condition}");
        index_refuses(&text, &format!("{refused} gsi-inc {lacks} [nonproj]"));
    }
    index_refuses(
        "SELECT * FROM \"T\".\"lsi-keys\" WHERE pk = 'p' AND projattr = 'P'",
        &format!("{refused} lsi-keys {lacks} [projattr]"),
    );
    for (text, n_found) in [
        ("SELECT * FROM \"T\".\"gsi-inc\" WHERE gsiPk = 'x' AND projattr = 'P'", 1),
        ("SELECT * FROM \"T\".\"gsi-inc\" WHERE nonproj = 'N'", 0),
        ("SELECT * FROM \"T\".\"gsi-inc\" WHERE NOT nonproj = 'N'", 2),
        ("SELECT * FROM \"T\".\"lsi-keys\" WHERE projattr = 'P'", 0),
        ("SELECT * FROM \"T\".\"gsi-inc\" WHERE gsiPk = 'x' AND (gsiPk = 'y' OR nonproj = 'N')", 0),
    ] {
        assert_eq!(answer(&indexed(), request(text)).items.len(), n_found, "{text}");
    }
}

#[test]
fn a_local_index_fetches_columns_it_lacks_and_a_global_one_refuses_them() {
    let response =
        answer(&indexed(), request("SELECT projattr FROM \"T\".\"lsi-keys\" WHERE pk = 'p'"));
    assert_eq!(response.items, vec![item([("projattr", s("P"))]); 2]);
    assert_eq!(units(&[response.consumed]), "table 1, lsi-keys 0.5");
    index_refuses(
        "SELECT nonproj, pk, other FROM \"T\".\"gsi-inc\"",
        "One or more parameter values were invalid: Global secondary index gsi-inc does not project \
         [nonproj, other]",
    );
}

#[test]
fn an_index_with_several_key_attributes_of_one_kind_is_not_read() {
    let schema = global(schema(), "multi", "a b | c", Projection::All);
    let shelf = Shelf::new(global(schema, "single", "a | c", Projection::All), 4);
    let message = "PartiQL statements cannot be executed on tables with multi-attribute HASH keys \
                   or multi-attribute RANGE keys.";
    for condition in ["", " WHERE a = 5", " WHERE a = 'x' AND b = 'y' ORDER BY c"] {
        let text = format!("SELECT * FROM T.multi{condition}");
        assert_eq!(shelf.refusal(Request::ExecuteStatement(request(&text))), message);
    }
    assert!(answer(&shelf, request("SELECT * FROM T.single WHERE a = 'x'")).items.is_empty());
    let mut database = Database::from_store(shelf.store);
    let batch = database.run(batch(&["SELECT * FROM T.multi WHERE a = 'x'"]));
    let Ok(Response::BatchExecuteStatement(response)) = batch.reply else { panic!() };
    assert_eq!(response.responses[0].error.as_ref().unwrap().to_string(), message);
}

#[test]
fn what_a_statement_examines_is_what_explaining_it_shows() {
    let shelf = shelf();
    let mut request = request("SELECT * FROM T WHERE pk IN ['o', 'p'] AND flag = 'one'");
    request.limit = Some(4);
    let plan = plan(&shelf.store, Request::ExecuteStatement(request.clone())).unwrap();
    let read = explain(&shelf.store, &plan, 100).reads.remove(0);
    let outcome = shelf.outcome(Request::ExecuteStatement(request));
    assert_eq!((read.ranges.len(), read.rows.len()), (2, 4));
    assert_eq!(outcome.evaluated.n_examined, 4);
    assert_eq!(outcome.evaluated.last_key.as_ref(), read.rows.last().map(|row| &row.key));
    assert_eq!(plan.targets().len(), 2);
    assert!(plan.targets().iter().all(|target| target.range != KeyRange::all()));
    assert!(!plan.is_write());
}

fn database() -> Database {
    Database::from_store(shelf().store)
}

#[test]
fn writes_change_the_store_and_pay_like_classic_ones() {
    let mut database = database();
    let mut run = |text: &str| {
        let outcome = database.call(Request::ExecuteStatement(request(text)), Timestamp(0));
        (outcome.reply.map_err(|error| error.name()), units(&outcome.consumed))
    };
    let big = "x".repeat(3_000);
    let (reply, cost) = run(&format!("INSERT INTO T VALUE {{'pk': 'q', 'sk': '1', 'd': '{big}'}}"));
    assert!(reply.is_ok());
    assert_eq!(cost, "table 3");
    let (reply, cost) = run(&format!("INSERT INTO T VALUE {{'pk': 'q', 'sk': '1', 'd': '{big}'}}"));
    assert_eq!((reply, cost.as_str()), (Err("DuplicateItemException"), "table 3"));
    let (reply, cost) = run("UPDATE T SET d = 'y' WHERE pk = 'q' AND sk = '1' AND d = 'z'");
    assert_eq!((reply, cost.as_str()), (Err("ConditionalCheckFailedException"), "table 3"));
    let (reply, cost) = run("UPDATE T SET d = 'y' WHERE (pk = 'q' AND sk = '1') AND d <> 'z'");
    assert!(reply.is_ok());
    assert_eq!(cost, "table 3");
    assert_eq!(run("DELETE FROM T WHERE pk = 'q' AND sk = '1'").1, "table 1");
    assert_eq!(
        run("UPDATE T SET sk = '2' WHERE pk = 'o' AND sk = '1'").0,
        Err("ValidationException")
    );
}

#[test]
fn invalid_parameters_come_before_the_statement() {
    let mut broken = request("UPDATE T SET WHERE");
    broken.statement.parameters =
        vec![Err(hashrange_types::ValidationError::new("first")), Ok(s("a"))];
    assert_eq!(shelf().refusal(Request::ExecuteStatement(broken)), "first");
    let deep = (0..40).fold(s("leaf"), |inner, _| AttributeValue::L(vec![inner]));
    let mut broken = request("SELECT * FROM T WHERE x = ?");
    broken.statement.parameters = vec![Ok(deep)];
    let found = shelf().refusal(Request::ExecuteStatement(broken));
    assert!(found.starts_with("Nesting Levels have exceeded supported limits"), "{found}");
}

#[test]
fn a_table_may_be_named_by_its_arn() {
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/T";
    let response = answer(&shelf(), request(&format!("SELECT * FROM \"{arn}\" WHERE pk = 'o'")));
    assert_eq!((response.items.len(), response.consumed.table_name.as_str()), (3, arn));
    for nowhere in ["\"Nowhere\"", "\"what is this\"", "\"arn:aws:s3:::x\""] {
        let text = format!("SELECT * FROM {nowhere}");
        let found = shelf().plan(Request::ExecuteStatement(request(&text))).unwrap_err();
        assert_eq!(found, ApiError::ResourceNotFound, "{text}");
    }
}

fn batch(texts: &[&str]) -> Request {
    Request::BatchExecuteStatement(BatchExecuteStatementRequest {
        statements: texts.iter().map(|text| statement(text)).collect(),
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
    })
}

fn batch_responses(texts: &[&str]) -> Vec<BatchStatementResponse> {
    match database().run(batch(texts)).reply {
        Ok(Response::BatchExecuteStatement(response)) => response.responses,
        reply => panic!("{reply:?}"),
    }
}

#[test]
fn statements_of_a_batch_read_by_the_whole_key_and_nothing_else() {
    let responses = batch_responses(&[
        "SELECT sk FROM T WHERE pk IN ['o'] AND sk = '1'",
        "SELECT * FROM T WHERE pk = 'o' AND sk = '2' AND flag = 'one'",
        "SELECT * FROM T WHERE pk = 'o' AND sk = '3' AND pk = 'p'",
        "SELECT * FROM T.nope WHERE pk = 'o' AND sk = '3'",
        "SELECT * FROM T WHERE pk = 'o'",
    ]);
    assert_eq!(responses[0].item, Some(item([("sk", s("1"))])));
    for response in &responses[1..] {
        let message = response.error.as_ref().unwrap().to_string();
        assert!(message.starts_with("Select statements within BatchExecuteStatement"), "{message}");
        assert_eq!(response.table_name, None);
    }
}

#[test]
fn a_batch_of_writes_is_charged_for_what_failed_while_running() {
    let outcome = database().call(
        batch(&[
            "INSERT INTO T VALUE {'pk': 'o', 'sk': '1'}",
            "UPDATE T SET a = 1 WHERE pk = 'o' AND sk = '9'",
            "UPDATE T SET pk = 'x' WHERE pk = 'o' AND sk = '2'",
            "DELETE FROM T WHERE pk = 'o' AND sk = '3'",
        ]),
        Timestamp(0),
    );
    assert_eq!(units(&outcome.consumed), "table 1, failed 2");
    assert_eq!(outcome.consumed[0].total(), CapacityUnits::whole(3));
    assert_eq!(outcome.changes.len(), 1);
}

fn transaction(texts: &[&str]) -> Request {
    Request::ExecuteTransaction(ExecuteTransactionRequest {
        statements: texts.iter().map(|text| statement(text)).collect(),
        client_request_token: None,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
    })
}

fn transaction_error(texts: &[&str]) -> ApiError {
    let mut database = database();
    let outcome = database.call(transaction(texts), Timestamp(0));
    assert!(outcome.changes.is_empty());
    outcome.reply.unwrap_err()
}

fn codes(error: &ApiError) -> Vec<&'static str> {
    match error {
        ApiError::TransactionCanceled(reasons) => {
            reasons.iter().map(CancellationReason::code).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn tables_and_keys_cancel_a_transaction_after_everything_else() {
    let update = "UPDATE T SET a = 1 WHERE";
    let missing = "UPDATE Nowhere SET a = 1 WHERE pk = 'x' AND sk = '1'";
    let error = transaction_error(&[
        &format!("{update} pk = 'o'"),
        &format!("{update} pk IN ['o'] AND sk = '1'"),
        &format!("{update} pk = 'o' AND sk = '1' AND pk = 'p'"),
        &format!("{update} pk = 'o' AND sk = 1"),
        &format!("{update} pk = 'o' AND sk = '1'"),
        &format!("{missing} RETURNING ALL NEW *"),
    ]);
    assert_eq!(
        codes(&error),
        [
            "ValidationError",
            "ValidationError",
            "ValidationError",
            "ValidationError",
            "None",
            "ResourceNotFound"
        ]
    );
    let select = "SELECT * FROM T WHERE pk = 'o' AND sk = '1'";
    let error = transaction_error(&[select, select, "SELECT * FROM T WHERE pk = 1 AND sk = '1'"]);
    assert_eq!(codes(&error), ["None", "None", "ValidationError"]);
    let error = transaction_error(&[
        missing,
        &format!("{update} pk = 'o' AND sk = '1' RETURNING ALL NEW *"),
    ]);
    assert_eq!(
        error.to_string(),
        "Validation failed in TransactStatements[1]: RETURNING clause is not supported in \
         ExecuteTransaction."
    );
    let overlapping = "SELECT * FROM T WHERE pk IN ['o', 'o'] AND sk = '1'";
    assert_eq!(
        transaction_error(&[overlapping]).to_string(),
        "Validation failed in TransactStatements[0]: Overlapping conditions with range keys are not \
         supported in where clause"
    );
}

#[test]
fn an_empty_key_and_an_item_too_large_refuse_a_transaction() {
    let error = transaction_error(&["INSERT INTO T VALUE {'pk': '', 'sk': '1'}"]);
    assert_eq!(
        error.to_string(),
        "Validation failed in TransactStatements[0]: One or more parameter values are not valid. The \
         AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
    );
    let mut big = statement("INSERT INTO T VALUE {'pk': 'q', 'sk': '1', 'd': ?}");
    big.parameters = vec![Ok(s(&"x".repeat(410_000)))];
    let request = Request::ExecuteTransaction(ExecuteTransactionRequest {
        statements: vec![big],
        client_request_token: None,
        return_consumed_capacity: ReturnConsumedCapacity::None,
    });
    let message = database().refusal(request);
    assert!(message.ends_with("Item size has exceeded the maximum allowed size"), "{message}");
}

#[test]
fn exists_checks_one_item_for_more_than_its_key() {
    let update = "UPDATE T SET b = 1 WHERE pk = 'p' AND sk = '1'";
    let exists = |condition: &str| format!("EXISTS(SELECT * FROM T WHERE {condition})");
    let outcome =
        database().run(transaction(&[&exists("(pk = 'o' AND sk = '1') AND x IS MISSING"), update]));
    assert_eq!(units(&outcome.consumed), "table 4");
    for condition in [
        "pk = 'o' AND sk = '1' AND flag = 'two'",
        "pk = 'o' AND sk = '1' AND pk = 'p' AND flag = 'one'",
        "pk = 'n' AND sk = '1' AND x IS MISSING",
    ] {
        let error = transaction_error(&[&exists(condition), update]);
        assert_eq!(codes(&error), ["ConditionalCheckFailed", "None"], "{condition}");
    }
    for condition in ["pk = 'o' AND sk = '1'", "pk IN ['o'] AND sk = '1' AND flag = 'one'"] {
        let error = transaction_error(&[&exists(condition), update]);
        assert_eq!(
            error.to_string(),
            "Validation failed in TransactStatements[0]: EXISTS() must contain a single item read \
             with additional condition"
        );
    }
}

#[test]
fn an_update_that_gets_too_deep_says_so_in_few_words() {
    let mut database = Database::from_store(Shelf::new(schema_with_key("pk"), 4).store);
    let run = |database: &mut Database, text: &str, parameters: Vec<AttributeValue>| {
        let mut request = request(text);
        request.statement.parameters = parameters.into_iter().map(Ok).collect();
        database.call(Request::ExecuteStatement(request), Timestamp(0)).reply
    };
    assert!(run(&mut database, "INSERT INTO T VALUE {'pk': 'a', 'm': {}}", vec![]).is_ok());
    let deep = (0..31).fold(n(1), |inner, _| AttributeValue::L(vec![inner]));
    let error =
        run(&mut database, "UPDATE T SET m.deep = ? WHERE pk = 'a'", vec![deep]).unwrap_err();
    assert_eq!(error.to_string(), "Nesting Levels have exceeded supported limits");
}

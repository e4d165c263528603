//! What the session says of each operation, sentence by sentence.

use expect_test::expect;
use hashrange_playground::view::Target;
use hashrange_playground::{OPERATIONS, Session};
use hashrange_types::Operation;

/// What was done and what it cost, with plain spaces.
fn said(session: &mut Session, operation: &str, text: &str) -> (String, String) {
    let number = session.run(operation, text, 0);
    let entry = session.entry(number).expect("it has just run");
    let cost = entry.capacity.map(|capacity| capacity.sentence).unwrap_or_default();
    let plain = |text: String| text.replace('\u{a0}', " ");
    (plain(entry.sentence), plain(cost))
}

/// Two tables without sort keys and items, `Pairs` with an index on `tag`.
fn pairs() -> Session {
    let mut session = Session::open_example("factory-floor", 0).expect("the example opens");
    session.run(
        "CreateTable",
        r#"{"TableName": "Pairs", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"},
                {"AttributeName": "tag", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{"IndexName": "byTag", "Projection": {"ProjectionType": "ALL"},
                "KeySchema": [{"AttributeName": "tag", "KeyType": "HASH"}]}]}"#,
        0,
    );
    session
}

#[test]
fn puts_say_whether_they_made_replaced_or_changed_nothing() {
    let mut session = pairs();
    let put = |tag: &str| {
        format!(
            r#"{{"TableName": "Pairs", "Item": {{"id": {{"S": "a"}}, "tag": {{"S": "{tag}"}}}}}}"#
        )
    };
    assert_eq!(
        said(&mut session, "PutItem", &put("x")),
        (
            "PutItem 2 wrote a new item a. 1 index entry followed.".to_owned(),
            "Wrote 7 B to the table and 7 B to the index byTag, which takes 1 of the 2 WCU: each write is rounded \
             up to 1 KB by itself."
                .to_owned()
        )
    );
    assert_eq!(
        said(&mut session, "PutItem", &put("x")),
        (
            "PutItem 3 left the item a as it was: nothing in it changed. That costs a write all the same."
                .to_owned(),
            "Changed nothing for 1 WCU: DynamoDB charges the attempt by the size of the item.".to_owned()
        )
    );
    assert_eq!(
        said(&mut session, "PutItem", &put("y")),
        (
            "PutItem 4 replaced the item a as a whole. 2 index entries followed.".to_owned(),
            "Wrote 7 B to the table and 14 B to the index byTag, which takes 2 of the 3 WCU: each write is rounded \
             up to 1 KB by itself."
                .to_owned()
        )
    );
}

#[test]
fn deletes_say_whether_there_was_anything() {
    let mut session = pairs();
    let delete = r#"{"TableName": "Pairs", "Key": {"id": {"S": "a"}}}"#;
    assert_eq!(
        said(&mut session, "DeleteItem", delete),
        (
            "DeleteItem 2 found nothing to delete at a. That costs a write all the same."
                .to_owned(),
            "Changed nothing for 1 WCU: DynamoDB charges the attempt by the size of the item."
                .to_owned()
        )
    );
    session.run("PutItem", r#"{"TableName": "Pairs", "Item": {"id": {"S": "a"}}}"#, 0);
    assert_eq!(
        said(&mut session, "DeleteItem", delete),
        (
            "DeleteItem 4 deleted the item a.".to_owned(),
            "Wrote 3 B for 1 WCU: writes are rounded up to 1 KB.".to_owned()
        )
    );
}

#[test]
fn a_refused_condition_says_that_the_check_is_paid() {
    let mut session = pairs();
    let update = r#"{"TableName": "Pairs", "Key": {"id": {"S": "a"}}, "ConditionExpression": "attribute_exists(id)"}"#;
    assert_eq!(
        said(&mut session, "UpdateItem", update),
        (
            "UpdateItem 2 was refused with ConditionalCheckFailedException. Nothing was written, and the check costs \
             1 WCU."
                .to_owned(),
            "Wrote nothing for 1 WCU: a condition that is false is paid for like the write it refused.".to_owned()
        )
    );
    assert_eq!(
        said(&mut session, "GetItem", "{"),
        (
            "GetItem 3 was refused with SerializationException. Nothing was read or written, and it costs nothing."
                .to_owned(),
            String::new()
        )
    );
}

#[test]
fn scans_say_that_empty_partitions_are_paid() {
    let mut session = pairs();
    assert_eq!(
        said(&mut session, "Scan", r#"{"TableName": "Pairs"}"#),
        (
            "Scan 2 found nothing, and looking still costs 2 RCU. The table Pairs is empty.".to_owned(),
            "Found nothing for 2 RCU: a Scan pays at least one block of 4 KB for each of the 4 partitions."
                .to_owned()
        )
    );
    session.run("PutItem", r#"{"TableName": "Pairs", "Item": {"id": {"S": "a"}}}"#, 0);
    assert_eq!(
        said(&mut session, "Scan", r#"{"TableName": "Pairs"}"#),
        (
            "Scan 4 read 1 item in 4 partitions and returned it.".to_owned(),
            "Read 3 B and paid for 16.0 KB: a Scan pays at least one block of 4 KB for each of the 4 partitions."
                .to_owned()
        )
    );
    assert_eq!(
        said(&mut session, "Scan", r#"{"TableName": "Pairs", "IndexName": "byTag"}"#).0,
        "Scan 5 found nothing in the index byTag, and looking still costs 2 RCU. The index byTag is empty: no item has \
         all of its key attributes."
    );
}

#[test]
fn a_filter_that_lets_nothing_through_is_paid() {
    let mut session = pairs();
    let query = r#"{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = :pk",
        "FilterExpression": "budget > :b",
        "ExpressionAttributeValues": {":pk": {"S": "PROJECT#p-02"}, ":b": {"N": "1"}}}"#;
    assert_eq!(
        said(&mut session, "Query", query),
        (
            "Query 2 read 3 items in one band of PROJECT#p-02 and returned none: all 3 were filtered out after the read."
                .to_owned(),
            "Read 231 B to return nothing: all of it was filtered out after the read, and you pay for it.".to_owned()
        )
    );
}

#[test]
fn counting_and_projecting_save_no_units() {
    let mut session = pairs();
    let query = |more: &str| {
        format!(
            r#"{{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = :pk",
                "ExpressionAttributeValues": {{":pk": {{"S": "PROJECT#p-02"}}}}, {more}}}"#
        )
    };
    assert_eq!(
        said(&mut session, "Query", &query(r#""Select": "COUNT""#)),
        (
            "Query 2 read 3 items in one band of PROJECT#p-02 and counted all of them.".to_owned(),
            "Read 231 B to count 3 items: a count costs as much as reading them.".to_owned()
        )
    );
    assert_eq!(
        said(
            &mut session,
            "Query",
            &query(r#""ProjectionExpression": "since", "ConsistentRead": true"#)
        )
        .1,
        "Read 231 B and returned all of it. One unit reads 4 KB; a strongly consistent read takes the full price. The \
         whole items were read and paid for; the projection only shortens the reply."
    );
}

#[test]
fn batches_say_what_they_save_and_what_not() {
    let mut session = pairs();
    assert_eq!(
        said(
            &mut session,
            "BatchWriteItem",
            r#"{"RequestItems": {"Pairs": [{"PutRequest": {"Item": {"id": {"S": "a"}}}},
                {"PutRequest": {"Item": {"id": {"S": "b"}}}}]}}"#
        ),
        (
            "BatchWriteItem 2 wrote 2 items. Each write stands alone: there is no all or nothing."
                .to_owned(),
            "Wrote 6 B for 2 WCU: each write is rounded up to 1 KB by itself.".to_owned()
        )
    );
    assert_eq!(
        said(
            &mut session,
            "BatchGetItem",
            r#"{"RequestItems": {"Pairs": {"Keys": [{"id": {"S": "a"}}, {"id": {"S": "z"}}, {"id": {"S": "b"}}]}}}"#
        ),
        (
            "BatchGetItem 3 found 2 items by their keys. It saves round trips, not units.".to_owned(),
            "Read 6 B in 2 items: each is rounded up to 4 KB by itself; an eventually consistent read is half price."
                .to_owned()
        )
    );
}

#[test]
fn table_operations_cost_nothing() {
    let mut session = pairs();
    let on = r#"{"TableName": "Pairs"}"#;
    assert_eq!(
        session.entry(1).expect("the table was made").sentence,
        "CreateTable 1 made the table Pairs with 1 index. It can be used at once here; on AWS it takes a few seconds. It uses no capacity."
    );
    assert_eq!(
        said(&mut session, "DescribeTable", on),
        (
            "DescribeTable 2: Pairs holds 0 items of 0 B together. Describing a table costs nothing.".to_owned(),
            String::new()
        )
    );
    assert_eq!(
        said(&mut session, "ListTables", "{}").0,
        "ListTables 3 names 3 tables. Listing tables costs nothing."
    );
    assert_eq!(
        said(&mut session, "DeleteTable", on).0,
        "DeleteTable 4 deleted the table Pairs with its 0 items. Undo brings it back. It uses no capacity."
    );
}

#[test]
fn old_large_results_are_let_go_and_small_ones_stay() {
    let mut session = pairs();
    let item = format!(
        r#"{{"TableName": "Pairs", "Item": {{"id": {{"S": "big"}}, "text": {{"S": "{}"}}}}}}"#,
        "x".repeat(100_000)
    );
    session.run("PutItem", &item, 0);
    let big = session.run("Scan", r#"{"TableName": "Pairs"}"#, 0);
    let small = session.run("ListTables", "{}", 0);
    let row = session.history()[1].clone();
    for _ in 0..60 {
        session.run("ListTables", "{}", 0);
    }
    assert_eq!(
        session.entry(big).expect("it is in the history").outcome.unwrap_err().name,
        "Result not kept"
    );
    assert!(session.entry(small).expect("it is in the history").outcome.is_ok());
    let kept = session.history().into_iter().find(|kept| kept.number == big);
    let kept = kept.expect("its row stays");
    assert_eq!((kept.units_text, kept.outcome_text), (row.units_text, row.outcome_text));
    for _ in 0..200 {
        session.run("ListTables", "{}", 0);
    }
    assert_eq!(session.history().len(), 200);
    assert_eq!(session.entry(big), None);
}

#[test]
fn transactions_say_that_they_pay_twice() {
    let mut session = pairs();
    assert_eq!(
        said(
            &mut session,
            "TransactWriteItems",
            r#"{"TransactItems": [{"Put": {"TableName": "Pairs", "Item": {"id": {"S": "a"}, "tag": {"S": "x"}}}},
                {"Put": {"TableName": "Pairs", "Item": {"id": {"S": "b"}}}}]}"#
        ),
        (
            "TransactWriteItems 2 changed 2 items together: all or nothing.".to_owned(),
            "Wrote 10 B to the table and 7 B to the index byTag, which takes 1 of the 5 WCU: each write is rounded up \
             to 1 KB by itself, and a transaction pays the table's part twice."
                .to_owned()
        )
    );
    assert_eq!(
        said(
            &mut session,
            "TransactGetItems",
            r#"{"TransactItems": [{"Get": {"TableName": "Pairs", "Key": {"id": {"S": "a"}}}},
                {"Get": {"TableName": "Pairs", "Key": {"id": {"S": "b"}}}}]}"#
        ),
        (
            "TransactGetItems 3 read 2 items as they were at one moment.".to_owned(),
            "Read 10 B in 2 items: each is rounded up to 4 KB by itself; a transaction reads everything twice."
                .to_owned()
        )
    );
    for operation in ["TransactGetItems", "TransactWriteItems"] {
        for target in session.targets() {
            let text = session.template(operation, &target, 0);
            assert_eq!(session.check(operation, &text), None, "{text}");
        }
    }
}

/// What the page says of every operation, in the order in which its templates run on one table.
fn told_of_all() -> Vec<(&'static str, String, String)> {
    let mut session = pairs();
    session.run("PutItem", r#"{"TableName": "Pairs", "Item": {"id": {"S": "a"}}}"#, 0);
    let table = Target { table: "Pairs".to_owned(), index: None };
    let mut told = Vec::new();
    let in_order = OPERATIONS.iter().flat_map(|(_, names)| *names).copied();
    let first = ["UpdateTable", "UpdateContinuousBackups", "PutItem"];
    let last = ["DeleteTable", "DeleteItem"];
    let middle = in_order.filter(|name| !first.contains(name) && !last.contains(name));
    for operation in first.into_iter().chain(middle).chain(["DeleteItem", "DeleteTable"]) {
        let text = session.template(operation, &table, 1_000);
        assert_eq!(session.check(operation, &text), None, "{operation}: {text}");
        let number = session.run(operation, &text, 1_000);
        let entry = session.entry(number).expect("it has just run");
        let heading = match entry.outcome {
            Ok(result) => result.summary,
            Err(refusal) => refusal.name.to_owned(),
        };
        told.push((operation, entry.sentence, heading));
    }
    told
}

#[test]
fn every_operation_says_what_it_did_and_starts_from_a_request_that_runs() {
    let told = told_of_all();
    assert_eq!(told.len(), Operation::ALL.len());
    for (operation, sentence, heading) in told {
        let rest = sentence.strip_prefix(operation).expect("its name leads");
        let rest = rest.trim_start_matches(|it: char| it == ' ' || it.is_ascii_digit());
        assert!(rest.len() > 15 && rest.ends_with('.'), "{sentence}");
        assert!(!rest.starts_with("ran.") && !sentence.contains(['{', '}']), "{sentence}");
        assert!(!heading.is_empty() && heading != "Done", "{operation}: {heading}");
        let is_refused = sentence.contains("was refused");
        let is_of_2017 = operation.contains("GlobalTable") && operation != "ListGlobalTables";
        assert_eq!(is_refused, is_of_2017, "{sentence}");
    }
}

/// The sentence of the operation in [`told_of_all`].
fn sentence_of(told: &[(&str, String, String)], operation: &str) -> String {
    let (_, sentence, _) = told.iter().find(|it| it.0 == operation).expect("all are told");
    sentence.replace('\u{a0}', " ")
}

#[test]
fn tables_streams_backups_and_settings_say_what_is_true_here_and_what_on_aws() {
    let told = told_of_all();
    let said: Vec<String> = [
        "UpdateTable",
        "UpdateContinuousBackups",
        "ListStreams",
        "DescribeStream",
        "GetShardIterator",
        "GetRecords",
        "UpdateTimeToLive",
        "DescribeTimeToLive",
        "CreateBackup",
        "RestoreTableFromBackup",
        "DeleteBackup",
        "TagResource",
        "ListTagsOfResource",
        "UntagResource",
        "PutResourcePolicy",
        "UpdateContributorInsights",
        "EnableKinesisStreamingDestination",
        "ExportTableToPointInTime",
        "ImportTable",
        "DescribeLimits",
    ]
    .into_iter()
    .map(|operation| sentence_of(&told, operation))
    .collect();
    expect![[r"
        UpdateTable 3 changed the table Pairs: a stream records its writes from now on. It holds at once here; on AWS it takes a moment. It uses no capacity.
        UpdateContinuousBackups 4: Pairs can be restored to any second from 1970-01-01 00:00:01 to 1970-01-01 00:00:01 UTC; at most 35 days back. AWS bills the table's size for it by the month.
        ListStreams 20 names 1 stream. UpdateTable with StreamSpecification starts one for a table. It uses no capacity.
        DescribeStream 21: the stream of Pairs shows 1 shard, change by change: of each it holds the item before and after it, for 24 hours. It uses no capacity.
        GetShardIterator 22 marked a place in the stream of Pairs to read from. GetRecords takes it, within 15 minutes. It uses no capacity.
        GetRecords 23 read 7 records of the stream of Pairs, oldest first: 6 new, 1 changed. Reading a stream uses no capacity of the table; AWS bills each call.
        UpdateTimeToLive 24 lets items of Pairs expire: expiresAt holds the time, in seconds since 1970. They go with the next request after that time here, within a few days on AWS. That they go costs nothing.
        DescribeTimeToLive 25: items of Pairs expire at the time in expiresAt, in seconds since 1970. It uses no capacity.
        CreateBackup 26 made the backup before-the-change of Pairs: 7 items of 109 B. It uses no capacity of the table; AWS bills its size by the month.
        RestoreTableFromBackup 29 made the table Pairs-restored with 7 items. The first table stays as it is; its tags, time to live and stream do not come along. AWS bills the size restored.
        DeleteBackup 30 deleted the backup before-the-change of Pairs. The table itself stays as it is. It uses no capacity.
        TagResource 33 put 1 tag on Pairs. Reads and writes do not see tags. It uses no capacity.
        ListTagsOfResource 34 names 1 tag on Pairs. It uses no capacity.
        UntagResource 35 took 1 tag off Pairs. One that was not there is no mistake. It uses no capacity.
        PutResourcePolicy 42 keeps the policy of Pairs as a setting. Nobody is asked who they are here, so it allows and forbids nothing. It uses no capacity.
        UpdateContributorInsights 45: contributor insights, which count the keys asked for most, are on for Pairs. This is a setting alone: nothing is counted here. It uses no capacity.
        EnableKinesisStreamingDestination 48 keeps the Kinesis stream of Pairs as a setting: nothing is sent anywhere. It uses no capacity.
        ExportTableToPointInTime 36 notes an export of Pairs to the bucket our-exports. No file is read or written here, and nothing is sent. On AWS it uses no capacity, and its size is paid for.
        ImportTable 39 made the empty table Orders2 and notes an import from the bucket our-imports. No file is read or written here, and nothing is sent. It uses no capacity.
        DescribeLimits 52: an account may reserve 80,000 units a second for reads and as many for writes, 40,000 of each in one table. Tables paid by request reserve none. It uses no capacity."]].assert_eq(&said.join("\n"));
}

#[test]
fn statements_say_which_operation_they_became() {
    let mut session = pairs();
    let run = |session: &mut Session, statement: &str| {
        let text = format!(r#"{{"Statement": "{}"}}"#, statement.replace('"', "\\\""));
        let (sentence, cost) = said(session, "ExecuteStatement", &text);
        format!("{sentence} | {cost}")
    };
    let said = [
        r#"INSERT INTO "Pairs" VALUE {'id': 'a', 'tag': 'x'}"#,
        r#"INSERT INTO "Pairs" VALUE {'id': 'a'}"#,
        r#"UPDATE "Pairs" SET "n" = 1 WHERE "id" = 'a'"#,
        r#"SELECT * FROM "Pairs" WHERE "id" = 'a'"#,
        r#"SELECT * FROM "Pairs" WHERE "id" IN ['a', 'b', 'c']"#,
        r#"SELECT "n" FROM "Pairs" WHERE "n" = 2"#,
        r#"SELECT * FROM "Pairs"."byTag" WHERE "id" = 'b'"#,
        r#"SELECT * FROM "Pairs" WHERE "id" = 'A'"#,
        r#"DELETE FROM "Pairs" WHERE "id" = 'a'"#,
    ]
    .map(|statement| run(&mut session, statement));
    expect![[r"
        ExecuteStatement 2 wrote a new item a. 1 index entry followed. This INSERT was a PutItem that may not replace an item. | Wrote 7 B to the table and 7 B to the index byTag, which takes 1 of the 2 WCU: each write is rounded up to 1 KB by itself.
        ExecuteStatement 3 was refused with DuplicateItemException. Nothing was written, and the check costs 1 WCU. | Wrote nothing for 1 WCU: a condition that is false is paid for like the write it refused.
        ExecuteStatement 4 changed the item a. 1 index entry followed. This UPDATE was an UpdateItem of an item that has to be there. | Wrote 10 B to the table and 10 B to the index byTag, which takes 1 of the 2 WCU: each write is rounded up to 1 KB by itself.
        ExecuteStatement 5 read 1 item in one band of a and returned it. This SELECT names the partition key, so it was a Query. | Read 10 B and returned all of it. One unit reads 4 KB; an eventually consistent read is half price.
        ExecuteStatement 6 read 1 item in 3 bands and returned it. This SELECT names 3 keys, so it was 3 Queries. | Read 10 B by 3 Queries: each is rounded up to 4 KB by itself; an eventually consistent read is half price.
        ExecuteStatement 7 read 1 item in 4 partitions and returned none: it was filtered out after the read. This SELECT names no partition key, so it was a Scan. | Read 10 B to return nothing: all of it was filtered out after the read, and you pay for it.
        ExecuteStatement 8 read 1 entry in the index byTag in 4 partitions and returned none: it was filtered out after the read. This SELECT names no partition key of the index byTag, so it was a Scan. | Read 10 B to return nothing: all of it was filtered out after the read, and you pay for it.
        ExecuteStatement 9 found nothing, and looking still costs 0.5 RCU. Keys are case-sensitive: there is a, but no A. This SELECT names the partition key, so it was a Query. | Found nothing for 0.5 RCU, the least such a read can cost.
        ExecuteStatement 10 deleted the item a. 1 index entry followed. This DELETE was a DeleteItem. | Wrote 10 B to the table and 10 B to the index byTag, which takes 1 of the 2 WCU: each write is rounded up to 1 KB by itself."]].assert_eq(&said.join("\n"));
}

#[test]
fn several_statements_say_whether_they_stand_together() {
    let mut session = pairs();
    let insert =
        |id: &str| format!(r#"{{"Statement": "INSERT INTO \"Pairs\" VALUE {{'id': '{id}'}}"}}"#);
    let (a, b, c) = (insert("a"), insert("b"), insert("c"));
    let both = format!(r#"{{"TransactStatements": [{a}, {b}]}}"#);
    let read = r#"{"TransactStatements": [{"Statement": "SELECT * FROM \"Pairs\" WHERE \"id\" = 'a'"}, {"Statement": "SELECT * FROM \"Pairs\" WHERE \"id\" = 'z'"}]}"#;
    let batch = format!(r#"{{"Statements": [{a}, {c}]}}"#);
    let said = [
        ("ExecuteTransaction", both.as_str()),
        ("ExecuteTransaction", both.as_str()),
        ("ExecuteTransaction", read),
        ("BatchExecuteStatement", batch.as_str()),
    ]
    .map(|(operation, text)| said(&mut session, operation, text))
    .map(|(sentence, cost)| format!("{sentence} | {cost}"));
    expect![[r"
        ExecuteTransaction 2 changed 2 items together: all or nothing. Its 2 statements write, so it was a TransactWriteItems. | Wrote 6 B for 4 WCU: each write is rounded up to 1 KB by itself, and a transaction pays the table's part twice.
        ExecuteTransaction 3 was cancelled as a whole: 2 of its 2 elements were refused. Nothing was read or written, and the attempt costs 4 WCU. | Wrote nothing for 4 WCU: a transaction that is cancelled is paid for like the writes it tried, which count twice.
        ExecuteTransaction 4 read 1 item as it was at one moment. Nothing has the other key; looking for it is paid for too. Its 2 statements read, so it was a TransactGetItems. | Read 3 B in 1 item: each is rounded up to 4 KB by itself; a transaction reads everything twice.
        BatchExecuteStatement 5 ran 2 statements: 1 item written, 1 refused, the first with DuplicateItemException. Each stands alone, with its own item and its own units; there is no all or nothing. One that is refused stops no other. | Wrote 3 B for 2 WCU: each write is rounded up to 1 KB by itself, and one that was refused is paid for too."]].assert_eq(&said.join("\n"));
}

#[test]
fn statements_light_what_they_read_and_read_on_with_their_token() {
    let mut session = pairs();
    let text = r#"{"Statement": "SELECT * FROM \"OrgDirectory\".\"GSI1\"", "Limit": 5}"#;
    let number = session.run("ExecuteStatement", text, 0);
    let gsi = Target { table: "OrgDirectory".to_owned(), index: Some("GSI1".to_owned()) };
    let view = |session: &Session| session.entry(number).expect("it has just run");
    assert_eq!(view(&session).read_target, Some(gsi.clone()));
    assert_eq!(view(&session).outcome.expect("it is not refused").next_member, "NextToken");
    assert_eq!(session.next_page(number, 0), Some(number));
    let result = view(&session).outcome.expect("it is not refused");
    assert_eq!(result.pages[1].text, "5 read, 5 returned");
    let label = &session.history()[0].label;
    assert_eq!(label, "OrgDirectory.GSI1");
}

#[test]
fn a_cancelled_transaction_gives_each_element_its_reason() {
    let mut session = pairs();
    session.run("PutItem", r#"{"TableName": "Pairs", "Item": {"id": {"S": "a"}}}"#, 0);
    let text = r#"{"TransactItems": [
        {"Put": {"TableName": "Pairs", "Item": {"id": {"S": "b"}}}},
        {"ConditionCheck": {"TableName": "Pairs", "Key": {"id": {"S": "a"}},
            "ConditionExpression": "attribute_not_exists(id)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}]}"#;
    let (sentence, cost) = said(&mut session, "TransactWriteItems", text);
    assert_eq!(
        sentence,
        "TransactWriteItems 3 was cancelled as a whole: 1 of its 2 elements was refused. Nothing was read or written, \
         and the attempt costs 4 WCU."
    );
    assert_eq!(
        cost,
        "Wrote nothing for 4 WCU: a transaction that is cancelled is paid for like the writes it tried, which count \
         twice."
    );
    let refusal = session.entry(3).expect("it has just run").outcome.expect_err("it is refused");
    let reasons: Vec<(bool, &str)> =
        refusal.reasons.iter().map(|reason| (reason.is_to_blame, reason.text.as_str())).collect();
    assert_eq!(
        reasons,
        [
            (false, "1 · Put of b in Pairs: nothing is wrong with it."),
            (
                true,
                "2 · ConditionCheck of a in Pairs: its condition is false for the item as it is now \
                 (ConditionalCheckFailed)."
            ),
        ]
    );
    assert!(refusal.item_json.expect("it was asked for").contains("\"a\""));
}

#[test]
fn a_transaction_that_comes_again_under_its_token_is_not_written_twice() {
    let mut session = pairs();
    let text = r#"{"ClientRequestToken": "once", "TransactItems": [
        {"Put": {"TableName": "Pairs", "Item": {"id": {"S": "b"}}}}]}"#;
    session.run("TransactWriteItems", text, 0);
    assert_eq!(
        said(&mut session, "TransactWriteItems", text).0,
        "TransactWriteItems 3 came again with a ClientRequestToken of the last 10 minutes, so nothing was written twice. \
         That costs 2 RCU, like reading what it wrote."
    );
}

#[test]
fn every_exception_says_what_to_do() {
    let mut session = pairs();
    let backup = "arn:aws:dynamodb:us-east-1:000000000000:table/Pairs/backup/0";
    let explained = [
        ("DescribeBackup", format!(r#"{{"BackupArn": "{backup}"}}"#), "ListBackups"),
        ("RestoreTableToPointInTime", r#"{"SourceTableName": "Pairs", "TargetTableName": "New", "UseLatestRestorableTime": true}"#.to_owned(), "UpdateContinuousBackups"),
        ("RestoreTableToPointInTime", r#"{"SourceTableName": "Pairs", "TargetTableName": "Pairs", "UseLatestRestorableTime": true}"#.to_owned(), "TargetTableName"),
        ("GetResourcePolicy", r#"{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Pairs"}"#.to_owned(), "PutResourcePolicy"),
        ("GetRecords", r#"{"ShardIterator": "none"}"#.to_owned(), "GetShardIterator"),
        ("DescribeStream", r#"{"StreamArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Pairs/stream/2026"}"#.to_owned(), "StreamSpecification"),
        ("CreateGlobalTable", r#"{"GlobalTableName": "Pairs", "ReplicationGroup": []}"#.to_owned(), "ReplicaUpdates"),
    ];
    for (operation, text, word) in explained {
        let number = session.run(operation, &text, 0);
        let refusal = session.entry(number).expect("it has just run").outcome;
        let refusal = refusal.expect_err("it is refused");
        assert!(refusal.explanation.contains(word), "{operation}: {refusal:?}");
    }
}

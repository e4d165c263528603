//! What the session says of each operation, sentence by sentence.

use hashrange_playground::Session;

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
        "CreateTable 1 made the table Pairs with 1 index. It can be used at once here; on AWS it takes a few seconds."
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
        "DeleteTable 4 deleted the table Pairs with its 0 items. Undo brings it back."
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
            let text = session.template(operation, &target);
            assert_eq!(session.check(operation, &text), None, "{text}");
        }
    }
}

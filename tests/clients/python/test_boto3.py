"""A day's work with boto3, on the client and on the resource."""

from decimal import Decimal

import boto3
import pytest
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary

from orders import CUSTOMER, ENDPOINT, INDEX, N_ORDERS, keys, order, table


@pytest.fixture(scope="module")
def client():
    return boto3.client("dynamodb", endpoint_url=ENDPOINT)


@pytest.fixture(scope="module")
def resource():
    return boto3.resource("dynamodb", endpoint_url=ENDPOINT)


@pytest.fixture(scope="module")
def streams():
    return boto3.client("dynamodbstreams", endpoint_url=ENDPOINT)


@pytest.fixture
def name(client, request):
    """A table of thirty orders with the name of the test."""
    name = f"Boto3.{request.node.name}"
    client.create_table(**table(name))
    client.get_waiter("table_exists").wait(TableName=name)
    write(client, name, [{"PutRequest": {"Item": order(n + 1)}} for n in range(N_ORDERS)])
    yield name
    client.delete_table(TableName=name)
    client.get_waiter("table_not_exists").wait(TableName=name)


def write(client, name, requests):
    """Writes in batches of 25 until nothing is unprocessed; the consumed capacity of each call."""
    consumed = []
    while requests:
        reply = client.batch_write_item(
            RequestItems={name: requests[:25]}, ReturnConsumedCapacity="INDEXES"
        )
        consumed += reply["ConsumedCapacity"]
        requests = reply["UnprocessedItems"].get(name, []) + requests[25:]
    return consumed


def records(streams, arn):
    """Every record of a stream, shard by shard."""
    found = []
    description = streams.describe_stream(StreamArn=arn)["StreamDescription"]
    for shard in description["Shards"]:
        iterator = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        while iterator:
            page = streams.get_records(ShardIterator=iterator)
            found += page["Records"]
            # An open shard always has a next iterator; an empty page says that we are up to date.
            iterator = page.get("NextShardIterator") if page["Records"] else None
    return found


def test_a_table_is_made_described_and_deleted(client):
    name = "Boto3.Lifecycle"
    made = client.create_table(**table(name))["TableDescription"]
    assert made["TableArn"] == f"arn:aws:dynamodb:us-east-1:000000000000:table/{name}"
    client.get_waiter("table_exists").wait(TableName=name)
    assert name in [n for page in client.get_paginator("list_tables").paginate() for n in page["TableNames"]]

    described = client.describe_table(TableName=name)["Table"]
    assert described["TableStatus"] == "ACTIVE"
    assert described["KeySchema"] == table(name)["KeySchema"]
    assert described["AttributeDefinitions"] == table(name)["AttributeDefinitions"]
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert described["StreamSpecification"] == table(name)["StreamSpecification"]
    (index,) = described["GlobalSecondaryIndexes"]
    assert (index["IndexName"], index["IndexStatus"]) == (INDEX, "ACTIVE")

    with pytest.raises(client.exceptions.ResourceInUseException) as refusal:
        client.create_table(**table(name))
    assert refusal.value.response["Error"]["Message"] == f"Table already exists: {name}"

    gone = client.delete_table(TableName=name)["TableDescription"]
    assert gone["TableStatus"] == "DELETING"
    client.get_waiter("table_not_exists").wait(TableName=name)
    with pytest.raises(client.exceptions.ResourceNotFoundException) as refusal:
        client.describe_table(TableName=name)
    error = refusal.value.response["Error"]
    assert error["Message"] == f"Requested resource not found: Table: {name} not found"


def test_batches_are_charged_for_the_table_and_its_index(client, name):
    requests = [{"DeleteRequest": {"Key": keys(n + 1)}} for n in range(N_ORDERS)]
    consumed = write(client, name, requests)
    expected = [
        {
            "TableName": name,
            "CapacityUnits": 2.0 * n,
            "Table": {"CapacityUnits": float(n)},
            "GlobalSecondaryIndexes": {INDEX: {"CapacityUnits": float(n)}},
        }
        for n in (25, 5)
    ]
    assert consumed == expected
    assert client.scan(TableName=name, Select="COUNT")["Count"] == 0


def test_a_batch_get_leaves_out_what_is_not_there(client, name):
    reply = client.batch_get_item(
        RequestItems={name: {"Keys": [keys(7), keys(99)], "ConsistentRead": True}},
        ReturnConsumedCapacity="TOTAL",
    )
    assert reply["Responses"] == {name: [order(7)]}
    assert reply["UnprocessedKeys"] == {}
    assert reply["ConsumedCapacity"] == [{"TableName": name, "CapacityUnits": 2.0}]


def test_a_query_is_paged_through(client, name):
    pages = list(
        client.get_paginator("query").paginate(
            TableName=name,
            KeyConditionExpression="customer = :customer",
            ExpressionAttributeValues={":customer": {"S": CUSTOMER}},
            ReturnConsumedCapacity="TOTAL",
            PaginationConfig={"PageSize": 12},
        )
    )
    assert [page["Count"] for page in pages] == [12, 12, 6]
    assert [page.get("LastEvaluatedKey") for page in pages] == [keys(12), keys(24), None]
    assert [page["ConsumedCapacity"]["CapacityUnits"] for page in pages] == [0.5, 0.5, 0.5]
    assert [item for page in pages for item in page["Items"]] == [order(n + 1) for n in range(N_ORDERS)]


def test_an_index_is_queried_backwards(client, name):
    reply = client.query(
        TableName=name,
        IndexName=INDEX,
        KeyConditionExpression="#state = :open",
        ExpressionAttributeNames={"#state": "state"},
        ExpressionAttributeValues={":open": {"S": "open"}},
        ScanIndexForward=False,
        Limit=3,
        ReturnConsumedCapacity="INDEXES",
    )
    entries = [{**keys(n), "state": {"S": "open"}} for n in (29, 27, 25)]
    assert reply["Items"] == entries
    assert reply["LastEvaluatedKey"] == entries[-1]
    assert reply["ConsumedCapacity"] == {
        "TableName": name,
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {INDEX: {"CapacityUnits": 0.5}},
    }


def test_an_update_under_a_condition_succeeds_once(client, name):
    request = {
        "TableName": name,
        "Key": keys(1),
        "UpdateExpression": "SET #state = :paid, #total = #total + :tip",
        "ConditionExpression": "#state = :open",
        "ExpressionAttributeNames": {"#state": "state", "#total": "total"},
        "ExpressionAttributeValues": {
            ":open": {"S": "open"},
            ":paid": {"S": "paid"},
            ":tip": {"N": "0.25"},
        },
        "ReturnValues": "ALL_NEW",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        "ReturnConsumedCapacity": "INDEXES",
    }
    paid = {**keys(1), "state": {"S": "paid"}, "total": {"N": "10.75"}}
    reply = client.update_item(**request)
    assert reply["Attributes"] == paid
    # The order leaves one place of the index and takes another: two writes.
    assert reply["ConsumedCapacity"] == {
        "TableName": name,
        "CapacityUnits": 3.0,
        "Table": {"CapacityUnits": 1.0},
        "GlobalSecondaryIndexes": {INDEX: {"CapacityUnits": 2.0}},
    }
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refusal:
        client.update_item(**request)
    assert refusal.value.response["Error"]["Message"] == "The conditional request failed"
    assert refusal.value.response["Item"] == paid


def test_a_transaction_is_done_whole(client, name):
    reply = client.transact_write_items(
        TransactItems=[
            {
                "Put": {
                    "TableName": name,
                    "Item": order(31),
                    "ConditionExpression": "attribute_not_exists(customer)",
                }
            },
            {
                "Update": {
                    "TableName": name,
                    "Key": keys(2),
                    "UpdateExpression": "SET paidBy = :card",
                    "ExpressionAttributeValues": {":card": {"S": "card"}},
                }
            },
            {"Delete": {"TableName": name, "Key": keys(3)}},
            {
                "ConditionCheck": {
                    "TableName": name,
                    "Key": keys(5),
                    "ConditionExpression": "attribute_exists(customer)",
                }
            },
        ],
        ReturnConsumedCapacity="INDEXES",
    )
    # Twice for the table; once for the index, which the update and the check do not touch.
    assert reply["ConsumedCapacity"] == [
        {
            "TableName": name,
            "CapacityUnits": 10.0,
            "WriteCapacityUnits": 10.0,
            "Table": {"CapacityUnits": 8.0, "WriteCapacityUnits": 8.0},
            "GlobalSecondaryIndexes": {INDEX: {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}},
        }
    ]
    read = client.transact_get_items(
        TransactItems=[{"Get": {"TableName": name, "Key": keys(n)}} for n in (31, 2, 3)],
        ReturnConsumedCapacity="TOTAL",
    )
    assert read["Responses"] == [
        {"Item": order(31)},
        {"Item": {**order(2), "paidBy": {"S": "card"}}},
        {},
    ]
    assert read["ConsumedCapacity"] == [
        {"TableName": name, "CapacityUnits": 6.0, "ReadCapacityUnits": 6.0}
    ]


def test_a_cancelled_transaction_gives_its_reasons_and_changes_nothing(client, name):
    with pytest.raises(client.exceptions.TransactionCanceledException) as refusal:
        client.transact_write_items(
            TransactItems=[
                {"Delete": {"TableName": name, "Key": keys(1)}},
                {
                    "Put": {
                        "TableName": name,
                        "Item": order(2),
                        "ConditionExpression": "attribute_not_exists(customer)",
                        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    }
                },
            ]
        )
    response = refusal.value.response
    assert response["Error"]["Message"] == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed]"
    )
    assert response["CancellationReasons"] == [
        {"Code": "None"},
        {
            "Code": "ConditionalCheckFailed",
            "Message": "The conditional request failed",
            "Item": order(2),
        },
    ]
    assert client.get_item(TableName=name, Key=keys(1))["Item"] == order(1)


def test_the_stream_tells_what_happened_in_order(client, streams, name):
    arn = client.describe_table(TableName=name)["Table"]["LatestStreamArn"]
    paid = {**order(1), "state": {"S": "paid"}}
    client.put_item(TableName=name, Item=paid)
    client.put_item(TableName=name, Item=paid)
    client.delete_item(TableName=name, Key=keys(1))

    found = records(streams, arn)
    assert sorted(r["eventName"] for r in found) == ["INSERT"] * N_ORDERS + ["MODIFY", "REMOVE"]
    first, second, third = [r for r in found if r["dynamodb"]["Keys"] == keys(1)]
    assert (first["eventName"], first["dynamodb"]["NewImage"]) == ("INSERT", order(1))
    assert "OldImage" not in first["dynamodb"]
    assert (second["eventName"], second["dynamodb"]["NewImage"]) == ("MODIFY", paid)
    assert second["dynamodb"]["OldImage"] == order(1)
    assert (third["eventName"], third["dynamodb"]["OldImage"]) == ("REMOVE", paid)
    assert "NewImage" not in third["dynamodb"]
    assert (first["eventSource"], first["awsRegion"]) == ("aws:dynamodb", "us-east-1")
    # Streams of deleted tables of the same name stay listed for a day.
    assert arn in [s["StreamArn"] for s in streams.list_streams(TableName=name)["Streams"]]


def test_partiql_inserts_pages_changes_and_deletes(client, name):
    def run(statement, *parameters, **more):
        arguments = {"Parameters": list(parameters)} if parameters else {}
        return client.execute_statement(Statement=statement, **arguments, **more)

    insert = f"INSERT INTO \"{name}\" VALUE {{'customer': ?, 'number': ?, 'state': 'open'}}"
    run(insert, {"S": "bob"}, {"N": "1"})
    with pytest.raises(client.exceptions.DuplicateItemException) as refusal:
        run(insert, {"S": "bob"}, {"N": "1"})
    assert refusal.value.response["Error"]["Message"] == "Duplicate primary key exists in table"

    select = f'SELECT "number" FROM "{name}" WHERE customer = ? AND "number" > ?'
    first = run(select, {"S": CUSTOMER}, {"N": "25"}, Limit=3, ReturnConsumedCapacity="TOTAL")
    assert first["Items"] == [{"number": {"N": str(n)}} for n in (26, 27, 28)]
    assert first["ConsumedCapacity"] == {"TableName": name, "CapacityUnits": 0.5}
    rest = run(select, {"S": CUSTOMER}, {"N": "25"}, Limit=3, NextToken=first["NextToken"])
    assert rest["Items"] == [{"number": {"N": str(n)}} for n in (29, 30)]
    assert "NextToken" not in rest

    update = f"UPDATE \"{name}\" SET state = 'paid' WHERE customer = ? AND \"number\" = ? RETURNING ALL NEW *"
    changed = run(update, {"S": "bob"}, {"N": "1"})
    assert changed["Items"] == [{"customer": {"S": "bob"}, "number": {"N": "1"}, "state": {"S": "paid"}}]
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        run(update, {"S": "bob"}, {"N": "2"})

    run(f"DELETE FROM \"{name}\" WHERE customer = 'bob' AND \"number\" = 1")
    assert "Item" not in client.get_item(
        TableName=name, Key={"customer": {"S": "bob"}, "number": {"N": "1"}}
    )


def test_the_resource_writes_batches_and_queries_by_conditions(resource, name):
    orders = resource.Table(name)
    with orders.batch_writer(overwrite_by_pkeys=["customer", "number"]) as batch:
        for number in range(40):
            batch.put_item(Item={"customer": "bob", "number": number, "total": Decimal("1.10")})
        batch.delete_item(Key={"customer": "bob", "number": 39})
    reply = orders.query(
        KeyConditionExpression=Key("customer").eq("bob") & Key("number").between(37, 50),
        FilterExpression=Attr("total").gt(1),
    )
    assert reply["Items"] == [
        {"customer": "bob", "number": Decimal(n), "total": Decimal("1.1")} for n in (37, 38)
    ]
    assert (reply["Count"], reply["ScannedCount"]) == (2, 2)


def test_every_type_of_value_comes_back_as_it_was_written(resource, name):
    item = {
        "customer": "ünïcode",
        "number": Decimal("-1.5e-20"),
        "exact": Decimal("12345678901234567890123456789012345678"),
        "binary": Binary(b"\x00\xff"),
        "nothing": None,
        "flag": False,
        "empty": "",
        "list": [1, "two", [Decimal("3.5"), {}]],
        "map": {"deep": {"deeper": {"words": {"a", "b"}}}},
        "numbers": {Decimal(1), Decimal("2.5")},
        "binaries": {Binary(b"a"), Binary(b"b")},
    }
    orders = resource.Table(name)
    orders.put_item(Item=item)
    key = {"customer": item["customer"], "number": item["number"]}
    assert orders.get_item(Key=key, ConsistentRead=True)["Item"] == item


def test_a_mistake_is_a_validation_error_with_dynamodbs_words(client, name):
    with pytest.raises(client.exceptions.ClientError) as refusal:
        client.query(
            TableName=name,
            KeyConditionExpression="customer = :customer AND state = :open",
            ExpressionAttributeValues={":customer": {"S": CUSTOMER}, ":open": {"S": "open"}},
        )
    response = refusal.value.response
    assert response["Error"] == {
        "Code": "ValidationException",
        "Message": "Invalid KeyConditionExpression: Attribute name is a reserved keyword; "
        "reserved keyword: state",
    }
    assert response["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert len(response["ResponseMetadata"]["RequestId"]) == 52

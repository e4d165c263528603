"""A day's work with the AWS CLI. Every call starts a program, so the tests share one table, each with orders of its own."""

import json
import subprocess
import sys

import pytest

from orders import CUSTOMER, ENDPOINT, INDEX, N_ORDERS, keys, order, table

NAME = "AwsCli"


def run(service, operation, *arguments, **options):
    """The finished program; an option's value that is no text is passed as JSON."""
    command = [sys.executable, "-m", "awscli", "--endpoint-url", ENDPOINT, "--output", "json"]
    command += [service, operation, *arguments]
    for option, value in options.items():
        text = value if isinstance(value, str) else json.dumps(value)
        command += [f"--{option.replace('_', '-')}", text]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def aws(operation, *arguments, service="dynamodb", **options):
    """What a call that must succeed prints."""
    done = run(service, operation, *arguments, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout) if done.stdout else {}


def refusal(operation, *arguments, **options):
    """The complaint of a call that must fail at the server, which is the exit status 255."""
    done = run("dynamodb", operation, *arguments, **options)
    assert (done.returncode, done.stdout) == (255, "")
    return done.stderr.strip()


@pytest.fixture(scope="module", autouse=True)
def consumed():
    """The table of thirty orders; what each batch consumed."""
    made = aws("create-table", cli_input_json=table(NAME))["TableDescription"]
    assert made["TableArn"] == f"arn:aws:dynamodb:us-east-1:000000000000:table/{NAME}"
    aws("wait", "table-exists", table_name=NAME)
    requests = [{"PutRequest": {"Item": order(n + 1)}} for n in range(N_ORDERS)]
    consumed = []
    while requests:
        reply = aws(
            "batch-write-item",
            request_items={NAME: requests[:25]},
            return_consumed_capacity="TOTAL",
        )
        consumed += reply["ConsumedCapacity"]
        requests = reply["UnprocessedItems"].get(NAME, []) + requests[25:]
    yield consumed
    gone = aws("delete-table", table_name=NAME)["TableDescription"]
    assert gone["TableStatus"] == "DELETING"
    aws("wait", "table-not-exists", table_name=NAME)
    assert refusal("describe-table", table_name=NAME) == (
        "An error occurred (ResourceNotFoundException) when calling the DescribeTable operation: "
        f"Requested resource not found: Table: {NAME} not found"
    )


def test_a_batch_is_charged_for_the_table_and_its_index(consumed):
    assert consumed == [
        {"TableName": NAME, "CapacityUnits": 50.0},
        {"TableName": NAME, "CapacityUnits": 10.0},
    ]


def test_the_command_line_pages_through_a_query_by_itself():
    key = {"key_condition_expression": "customer = :c AND #n <= :n"}
    names = {"expression_attribute_names": {"#n": "number"}}
    values = {"expression_attribute_values": {":c": {"S": CUSTOMER}, ":n": {"N": "20"}}}
    everything = aws("query", table_name=NAME, page_size="7", **key, **names, **values)
    assert everything["Count"] == 20
    assert [item["number"]["N"] for item in everything["Items"]] == [str(n + 1) for n in range(20)]

    first = aws("query", table_name=NAME, max_items="15", page_size="7", **key, **names, **values)
    assert [item["number"]["N"] for item in first["Items"]] == [str(n + 1) for n in range(15)]
    token = {"starting_token": first["NextToken"]}
    rest = aws("query", table_name=NAME, page_size="7", **token, **key, **names, **values)
    assert [item["number"]["N"] for item in rest["Items"]] == [str(n) for n in range(16, 21)]


def test_an_index_is_queried_backwards():
    reply = aws(
        "query",
        "--no-scan-index-forward",
        "--no-paginate",
        table_name=NAME,
        index_name=INDEX,
        limit="2",
        key_condition_expression="#s = :open",
        expression_attribute_names={"#s": "state"},
        expression_attribute_values={":open": {"S": "open"}},
        return_consumed_capacity="TOTAL",
    )
    entries = [{**keys(n), "state": {"S": "open"}} for n in (29, 27)]
    assert reply["Items"] == entries
    assert reply["LastEvaluatedKey"] == entries[-1]
    assert reply["ConsumedCapacity"] == {"TableName": NAME, "CapacityUnits": 0.5}


def test_an_update_under_a_condition_succeeds_once():
    request = {
        "table_name": NAME,
        "key": keys(2),
        "update_expression": "SET paidBy = :card",
        "condition_expression": "attribute_not_exists(paidBy)",
        "expression_attribute_values": {":card": {"S": "card"}},
        "return_values": "UPDATED_NEW",
        "return_consumed_capacity": "INDEXES",
    }
    reply = aws("update-item", **request)
    assert reply["Attributes"] == {"paidBy": {"S": "card"}}
    # The index has keys only, so it need not know.
    assert reply["ConsumedCapacity"] == {
        "TableName": NAME,
        "CapacityUnits": 1.0,
        "Table": {"CapacityUnits": 1.0},
    }
    assert refusal("update-item", **request) == (
        "An error occurred (ConditionalCheckFailedException) when calling the UpdateItem operation: "
        "The conditional request failed"
    )


def test_a_transaction_is_done_whole_or_not_at_all():
    put = {"Put": {"TableName": NAME, "Item": order(31)}}
    check = {
        "ConditionCheck": {
            "TableName": NAME,
            "Key": keys(4),
            "ConditionExpression": "attribute_exists(customer)",
        }
    }
    reply = aws("transact-write-items", transact_items=[put, check], return_consumed_capacity="TOTAL")
    assert reply["ConsumedCapacity"] == [
        {"TableName": NAME, "CapacityUnits": 5.0, "WriteCapacityUnits": 5.0}
    ]
    check["ConditionCheck"]["ConditionExpression"] = "attribute_not_exists(customer)"
    put["Put"]["Item"] = order(32)
    assert refusal("transact-write-items", transact_items=[put, check]) == (
        "An error occurred (TransactionCanceledException) when calling the TransactWriteItems "
        "operation: Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed]"
    )
    reply = aws("get-item", table_name=NAME, key=keys(31))
    assert reply == {"Item": order(31)}
    assert aws("get-item", table_name=NAME, key=keys(32)) == {}


def test_the_stream_begins_with_the_first_orders():
    arn = aws("describe-table", table_name=NAME)["Table"]["LatestStreamArn"]
    stream = {"service": "dynamodbstreams", "stream_arn": arn}
    description = aws("describe-stream", **stream)["StreamDescription"]
    assert description["StreamStatus"] == "ENABLED"
    assert description["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    images = []
    for shard in description["Shards"]:
        start = {"shard_id": shard["ShardId"], "shard_iterator_type": "TRIM_HORIZON"}
        iterator = aws("get-shard-iterator", **stream, **start)["ShardIterator"]
        page = aws("get-records", service="dynamodbstreams", shard_iterator=iterator)
        images += [r["dynamodb"]["NewImage"] for r in page["Records"] if r["eventName"] == "INSERT"]
    first = [image for image in images if int(image["number"]["N"]) <= N_ORDERS]
    assert sorted(first, key=lambda image: int(image["number"]["N"])) == [
        order(n + 1) for n in range(N_ORDERS)
    ]


def test_partiql_selects_changes_and_refuses():
    select = f'SELECT total FROM "{NAME}" WHERE customer = ? AND "number" = ?'
    ten = [{"S": CUSTOMER}, {"N": "10"}]
    reply = aws(
        "execute-statement", statement=select, parameters=ten, return_consumed_capacity="TOTAL"
    )
    assert reply["Items"] == [{"total": {"N": "100.5"}}]
    assert reply["ConsumedCapacity"] == {"TableName": NAME, "CapacityUnits": 0.5}
    update = f"UPDATE \"{NAME}\" SET total = 0 WHERE customer = ? AND \"number\" = ?"
    assert aws("execute-statement", statement=update, parameters=ten) == {"Items": []}
    reply = aws("execute-statement", statement=select, parameters=ten)
    assert reply["Items"] == [{"total": {"N": "0"}}]
    insert = f"INSERT INTO \"{NAME}\" VALUE {{'customer': '{CUSTOMER}', 'number': 10}}"
    assert refusal("execute-statement", statement=insert) == (
        "An error occurred (DuplicateItemException) when calling the ExecuteStatement operation: "
        "Duplicate primary key exists in table"
    )

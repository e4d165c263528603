"""PynamoDB's own first steps: a model with an index, saved, found, changed and deleted."""

from datetime import datetime, timezone

import pytest
from pynamodb.attributes import (
    ListAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.connection import Connection
from pynamodb.exceptions import PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

from orders import ENDPOINT

POSTED = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=timezone.utc)


class ByAuthor(GlobalSecondaryIndex):
    class Meta:
        index_name = "byAuthor"
        projection = AllProjection()

    author = UnicodeAttribute(hash_key=True)
    posted = UTCDateTimeAttribute(range_key=True)


class Thread(Model):
    class Meta:
        table_name = "PynamoDb"
        host = ENDPOINT
        region = "us-east-1"
        billing_mode = "PAY_PER_REQUEST"
        max_retry_attempts = 0

    forum = UnicodeAttribute(hash_key=True)
    subject = UnicodeAttribute(range_key=True)
    author = UnicodeAttribute()
    posted = UTCDateTimeAttribute()
    views = NumberAttribute(default=0)
    tags = UnicodeSetAttribute(null=True)
    replies = ListAttribute(default=list)
    version = VersionAttribute()
    by_author = ByAuthor()


def thread(subject, author="ada", day=1):
    return Thread("dynamo", subject, author=author, posted=POSTED.replace(day=day))


@pytest.fixture(autouse=True)
def table():
    Thread.create_table(wait=True)
    yield
    Thread.delete_table()
    assert not Thread.exists()


def test_a_saved_model_is_found_by_its_key():
    saved = thread("keys", day=30)
    saved.tags = {"design", "keys"}
    saved.replies = ["first", 2, {"deep": True}]
    consumed = saved.save()["ConsumedCapacity"]
    assert consumed == {"TableName": "PynamoDb", "CapacityUnits": 2.0}

    found = Thread.get("dynamo", "keys", consistent_read=True)
    assert found.attribute_values == saved.attribute_values
    assert (found.posted, found.views, found.version) == (POSTED, 0, 1)
    with pytest.raises(Thread.DoesNotExist):
        Thread.get("dynamo", "nothing")


def test_batches_and_pages_go_through_a_query_of_the_index():
    with Thread.batch_write() as batch:
        for day in range(1, 31):
            batch.save(thread(f"day {day}", author="ada" if day % 3 else "bob", day=day))
    found = Thread.by_author.query("ada", Thread.posted > POSTED.replace(day=10), page_size=4)
    days = [day for day in range(11, 31) if day % 3]
    assert [thread.posted.day for thread in found] == days
    assert found.total_count == len(days)
    assert Thread.count("dynamo", Thread.subject.startswith("day 2")) == 11
    latest = Thread.by_author.query("bob", scan_index_forward=False, limit=2)
    assert [thread.subject for thread in latest] == ["day 30", "day 27"]
    assert len(list(Thread.scan(Thread.author == "bob", segment=0, total_segments=1))) == 10


def test_an_update_changes_what_its_actions_say():
    saved = thread("updates")
    saved.save()
    saved.update(
        actions=[
            Thread.views.add(3),
            Thread.tags.set({"a", "b"}),
            Thread.replies.set(Thread.replies.append(["hello"])),
        ],
        condition=Thread.views == 0,
    )
    found = Thread.get("dynamo", "updates")
    assert (found.views, found.tags, found.replies, found.version) == (3, {"a", "b"}, ["hello"], 2)
    with pytest.raises(UpdateError) as refusal:
        found.update(actions=[Thread.views.set(0)], condition=Thread.views > 3)
    assert refusal.value.cause_response_code == "ConditionalCheckFailedException"
    assert refusal.value.cause_response_message == "The conditional request failed"


def test_a_stale_version_is_not_saved():
    thread("versions").save()
    fresh, stale = Thread.get("dynamo", "versions"), Thread.get("dynamo", "versions")
    fresh.save()
    with pytest.raises(PutError) as refusal:
        stale.save()
    assert refusal.value.cause_response_code == "ConditionalCheckFailedException"
    assert Thread.get("dynamo", "versions").version == 2


def test_a_cancelled_transaction_names_the_write_that_failed():
    kept = thread("kept")
    kept.save()
    connection = Connection(host=ENDPOINT, region="us-east-1")
    with pytest.raises(TransactWriteError) as refusal:
        with TransactWrite(connection=connection) as transaction:
            transaction.delete(kept)
            transaction.save(thread("new"), condition=Thread.subject.exists())
    reasons = refusal.value.cancellation_reasons
    assert [reason and (reason.code, reason.message) for reason in reasons] == [
        None,
        ("ConditionalCheckFailed", "The conditional request failed"),
    ]
    assert Thread.count("dynamo") == 1


def test_a_deleted_model_is_gone():
    saved = thread("deletes")
    saved.save()
    saved.delete()
    assert Thread.count("dynamo") == 0

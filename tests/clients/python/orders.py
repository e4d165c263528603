"""What every Python client works on: a shop's orders, and the endpoint they are kept at.

Orders 1 to 30 of the customer Ada. Odd ones are open, even ones are paid; order n costs ten times n, and a half.
An order takes some 50 bytes, so thirty of them fill no more than one read unit of 4 KB.
"""

import os

ENDPOINT = os.environ["DYNAMODB_ENDPOINT"]
CUSTOMER = "ada"
N_ORDERS = 30
INDEX = "byState"


def keys(number):
    """The primary key of an order, in DynamoDB's JSON."""
    return {"customer": {"S": CUSTOMER}, "number": {"N": str(number)}}


def order(number):
    """An order as it is first written, in DynamoDB's JSON."""
    state = "open" if number % 2 else "paid"
    return {**keys(number), "state": {"S": state}, "total": {"N": f"{number}0.5"}}


def table(name):
    """The request that makes a table of orders with an index by state and a stream."""
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "customer", "AttributeType": "S"},
            {"AttributeName": "number", "AttributeType": "N"},
            {"AttributeName": "state", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "customer", "KeyType": "HASH"},
            {"AttributeName": "number", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": INDEX,
                "KeySchema": [
                    {"AttributeName": "state", "KeyType": "HASH"},
                    {"AttributeName": "number", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    }

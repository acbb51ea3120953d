"""The client for DAX: every type of value, a stale read, conditions, queries and batches."""

import json
import sys

import boto3
from amazondax import AmazonDaxClient
from botocore.exceptions import ClientError

where = json.load(sys.stdin)
database = boto3.client("dynamodb", endpoint_url=where["endpoint"])
database.create_table(
    TableName="Songs",
    BillingMode="PAY_PER_REQUEST",
    KeySchema=[
        {"AttributeName": "Artist", "KeyType": "HASH"},
        {"AttributeName": "Track", "KeyType": "RANGE"},
    ],
    AttributeDefinitions=[
        {"AttributeName": "Artist", "AttributeType": "S"},
        {"AttributeName": "Track", "AttributeType": "N"},
    ],
)


def key(track):
    return {"Artist": {"S": "Joni"}, "Track": {"N": str(track)}}


with AmazonDaxClient(endpoint_url=where["dax"], region_name="us-east-1") as dax:
    item = {
        **key(1),
        "Text": {"S": "é😀"},
        "Ratio": {"N": "-3.25"},
        "Bytes": {"B": b"\x00\xff"},
        "Words": {"SS": ["a", "b"]},
        "Map": {"M": {"list": {"L": [{"BOOL": True}, {"NULL": True}]}}},
    }
    dax.put_item(TableName="Songs", Item=item)
    assert dax.get_item(TableName="Songs", Key=key(1))["Item"] == item

    # Somebody else writes to the table, and not through DAX.
    database.put_item(TableName="Songs", Item=key(1))
    assert dax.get_item(TableName="Songs", Key=key(1))["Item"] == item
    assert dax.get_item(TableName="Songs", Key=key(1), ConsistentRead=True)["Item"] == key(1)

    updated = dax.update_item(
        TableName="Songs",
        Key=key(1),
        UpdateExpression="SET Plays = if_not_exists(Plays, :zero) + :one",
        ExpressionAttributeValues={":zero": {"N": "0"}, ":one": {"N": "1"}},
        ReturnValues="UPDATED_NEW",
    )
    assert updated["Attributes"] == {"Plays": {"N": "1"}}, updated

    try:
        dax.put_item(TableName="Songs", Item=key(1), ConditionExpression="attribute_not_exists(Artist)")
        raise AssertionError("the condition holds")
    except ClientError as error:
        assert error.response["Error"]["Code"] == "ConditionalCheckFailedException", error

    dax.batch_write_item(RequestItems={"Songs": [{"PutRequest": {"Item": key(track)}} for track in range(2, 5)]})
    found = dax.query(
        TableName="Songs",
        KeyConditionExpression="Artist = :a AND Track > :t",
        ExpressionAttributeValues={":a": {"S": "Joni"}, ":t": {"N": "2"}},
    )
    assert found["Items"] == [key(3), key(4)], found
    dax.transact_write_items(TransactItems=[{"Delete": {"TableName": "Songs", "Key": key(4)}}])
    assert "Item" not in dax.get_item(TableName="Songs", Key=key(4))

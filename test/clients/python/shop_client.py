"""The shop through boto3's client API, which speaks in attribute values."""

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

from connection import client, domain, equal

serialize = TypeSerializer().serialize
deserialize = TypeDeserializer().deserialize
answers = domain["answers"]
name = domain["table"]["TableName"]

client.create_table(**domain["table"])
client.get_waiter("table_exists").wait(TableName=name)
equal(client.list_tables()["TableNames"], [name])
items = [{key: serialize(value) for key, value in item.items()} for item in domain["items"]]
for start in range(0, len(items), 25):
    batch = [{"PutRequest": {"Item": item}} for item in items[start : start + 25]]
    equal(client.batch_write_item(RequestItems={name: batch})["UnprocessedItems"], {})


def pages(**query):
    """Every item that a query finds, two at a time."""
    paginator = client.get_paginator("query")
    for page in paginator.paginate(TableName=name, PaginationConfig={"PageSize": 2}, **query):
        for item in page["Items"]:
            yield {key: deserialize(value) for key, value in item.items()}


def query(condition, values, **options):
    typed = {key: {"S": value} for key, value in values.items()}
    return list(pages(KeyConditionExpression=condition, ExpressionAttributeValues=typed, **options))


profile = client.get_item(TableName=name, Key={"PK": {"S": "USER#u-001"}, "SK": {"S": "PROFILE"}}, ConsistentRead=True)
equal(profile["Item"]["email"], {"S": "alice@example.com"})
assert "Item" not in client.get_item(TableName=name, Key={"PK": {"S": "USER#u-009"}, "SK": {"S": "PROFILE"}})

orders = query(
    "PK = :user AND begins_with(SK, :order)", {":user": "USER#u-001", ":order": "ORDER#"}, ScanIndexForward=False
)
equal([order["orderId"] for order in orders], answers["ordersNewestFirst"])
of_status = query("GSI2PK = :status", {":status": "STATUS#open"}, IndexName="GSI2")
equal([order["SK"].split("#")[2] for order in of_status], answers["openOrdersOldestFirst"])
products = query("GSI3PK = :category", {":category": "CATEGORY#electronics"}, IndexName="GSI3")
equal([product["PK"][8:] for product in products], answers["electronicsByPrice"])
by_email = query("GSI1PK = :email", {":email": "EMAIL#alice@example.com"}, IndexName="GSI1")
equal([user["userId"] for user in by_email], ["u-001"])

# The capacity that a query used is the sum of what it read, in units of 4 KB, halved.
used = client.query(
    TableName=name,
    KeyConditionExpression="PK = :user",
    ExpressionAttributeValues={":user": {"S": "USER#u-001"}},
    ReturnConsumedCapacity="TOTAL",
)
equal(used["ConsumedCapacity"], {"TableName": name, "CapacityUnits": 0.5})

scanned = [item for page in client.get_paginator("scan").paginate(TableName=name, Limit=4) for item in page["Items"]]
equal(len(scanned), len(items))
client.delete_table(TableName=name)
client.get_waiter("table_not_exists").wait(TableName=name)

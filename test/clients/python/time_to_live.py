"""Items that delete themselves."""

import time

from boto3.dynamodb.conditions import Key

from connection import client, create, domain, equal, refused

table = create(domain["table"])


def set_time_to_live(enabled, attribute="until"):
    specification = {"Enabled": enabled, "AttributeName": attribute}
    answer = client.update_time_to_live(TableName=table.name, TimeToLiveSpecification=specification)
    equal(answer["TimeToLiveSpecification"], specification)


def described():
    return client.describe_time_to_live(TableName=table.name)["TimeToLiveDescription"]


equal(described(), {"TimeToLiveStatus": "DISABLED"})
now = int(time.time())
# Some are there before it is enabled, some come after.
table.put_item(Item={"id": "old", "until": now - 10, "kind": "session"})
set_time_to_live(True)
equal(described(), {"AttributeName": "until", "TimeToLiveStatus": "ENABLED"})
items = [
    {"id": "due", "until": now - 10, "kind": "session"},
    {"id": "later", "until": now + 3600, "kind": "session"},
    {"id": "text", "until": str(now - 10), "kind": "session"},
    {"id": "mistaken", "until": now - 6 * 366 * 24 * 3600, "kind": "session"},
    {"id": "forever", "kind": "session"},
]
with table.batch_writer() as batch:
    for item in items:
        batch.put_item(Item=item)

expected = {"later", "text", "mistaken", "forever"}
deadline = time.monotonic() + 20
while True:
    left = {item["id"] for item in table.scan()["Items"]}
    assert expected <= left
    if left == expected:
        break
    assert time.monotonic() < deadline, f"{left - expected} should be gone"
    time.sleep(0.05)
in_index = table.query(IndexName="kinds", KeyConditionExpression=Key("kind").eq("session"))["Items"]
equal({item["id"] for item in in_index}, expected)

refused(
    "ValidationException",
    client.update_time_to_live,
    TableName=table.name,
    TimeToLiveSpecification={"Enabled": True, "AttributeName": "until"},
)
set_time_to_live(False)
equal(described()["TimeToLiveStatus"], "DISABLED")

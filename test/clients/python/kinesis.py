"""Consumes the changes of a table from a Kinesis stream, across a split and a merge of its shards."""

import json
import time

import boto3
from connection import _options, client, create, domain, equal

kinesis = boto3.client("kinesis", **_options)
TABLE = domain["table"]["TableName"]
STREAM = "changes-of-sessions"
COUNT = 60

create(domain["table"])
kinesis.create_stream(StreamName=STREAM, ShardCount=1)
kinesis.get_waiter("stream_exists").wait(StreamName=STREAM)
arn = kinesis.describe_stream_summary(StreamName=STREAM)["StreamDescriptionSummary"]["StreamARN"]
client.enable_kinesis_streaming_destination(TableName=TABLE, StreamArn=arn)

keys = [definition["AttributeName"] for definition in domain["table"]["KeySchema"]]


def put(number):
    item = {name: {"S": f"key{number % 7}"} for name in keys}
    client.put_item(TableName=TABLE, Item={**item, "number": {"N": str(number)}})


for number in range(COUNT):
    put(number)
    if number == 20:
        kinesis.split_shard(StreamName=STREAM, ShardToSplit="shardId-000000000000", NewStartingHashKey=str(2**127))
    if number == 40:
        kinesis.merge_shards(
            StreamName=STREAM, ShardToMerge="shardId-000000000001", AdjacentShardToMerge="shardId-000000000002"
        )

seen = []
waiting = ["shardId-000000000000"]
known = set(waiting)
deadline = time.time() + 60
while len(seen) < COUNT and time.time() < deadline:
    # Children come after their parents: a shard is read when those before it have ended.
    shard = waiting.pop(0)
    iterator = kinesis.get_shard_iterator(StreamName=STREAM, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
    while iterator is not None and len(seen) < COUNT and time.time() < deadline:
        page = kinesis.get_records(ShardIterator=iterator, Limit=7)
        seen += [json.loads(record["Data"]) for record in page["Records"]]
        iterator = page.get("NextShardIterator")
        for child in page.get("ChildShards", []):
            if child["ShardId"] not in known:
                known.add(child["ShardId"])
                waiting.append(child["ShardId"])
        if not page["Records"]:
            time.sleep(0.05)

numbers = [int(event["dynamodb"]["NewImage"]["number"]["N"]) for event in seen]
equal(sorted(numbers), list(range(COUNT)))
for key in range(7):
    own = [number for number in numbers if number % 7 == key]
    equal(own, sorted(own))
client.disable_kinesis_streaming_destination(TableName=TABLE, StreamArn=arn)

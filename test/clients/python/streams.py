"""Follows a table's changes: shards with parents and children, every kind of iterator, a deletion by time to live."""

import time

from connection import client, create, domain, equal, refused, streams

TABLE = domain["table"]["TableName"]
table = create({**domain["table"], "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}})
arn = table.latest_stream_arn
equal([stream["StreamArn"] for stream in streams.list_streams(TableName=TABLE)["Streams"]], [arn])


def all_shards():
    shards, start = [], {}
    while True:
        # A small page, so that there are several.
        description = streams.describe_stream(StreamArn=arn, Limit=2, **start)["StreamDescription"]
        shards += description["Shards"]
        if "LastEvaluatedShardId" not in description:
            return shards
        start = {"ExclusiveStartShardId": description["LastEvaluatedShardId"]}


def settled_shards():
    """A description has several pages, and a shard may be divided between two of them."""
    shards = all_shards()
    while (again := all_shards()) != shards:
        shards = again
    return shards


def iterator(shard_id, kind, **where):
    return streams.get_shard_iterator(StreamArn=arn, ShardId=shard_id, ShardIteratorType=kind, **where)["ShardIterator"]


def pages(position, **options):
    """Until the shard ends, or has nothing more for now."""
    while position is not None:
        answer = streams.get_records(ShardIterator=position, **options)
        yield answer["Records"]
        position = answer.get("NextShardIterator")
        if not answer["Records"]:
            return


class Follower:
    """Reads each shard once its parent has been read to its end, and remembers where it is."""

    def __init__(self):
        self.positions = {}
        self.records = []

    def turn(self):
        for shard in all_shards():
            shard_id, parent = shard["ShardId"], shard.get("ParentShardId")
            if shard_id not in self.positions:
                if self.positions.get(parent) is not None:
                    continue
                self.positions[shard_id] = iterator(shard_id, "TRIM_HORIZON")
            while self.positions[shard_id] is not None:
                answer = streams.get_records(ShardIterator=self.positions[shard_id])
                self.positions[shard_id] = answer.get("NextShardIterator")
                self.records += answer["Records"]
                if not answer["Records"]:
                    break

    def until(self, count):
        deadline = time.monotonic() + 20
        while len(self.records) < count:
            assert time.monotonic() < deadline, f"{len(self.records)} of {count} changes have come"
            self.turn()
        return self.records


def keys_of(records):
    return [record["dynamodb"]["Keys"]["id"]["S"] for record in records]


follower = Follower()

# Changes of one item come in their order, with what the item was and what it became.
table.put_item(Item={"id": "one", "n": 1})
table.update_item(Key={"id": "one"}, UpdateExpression="SET n = :n", ExpressionAttributeValues={":n": 2})
table.put_item(Item={"id": "one", "n": 2})  # changes nothing, and is not seen
table.delete_item(Key={"id": "one"})
records = follower.until(3)
equal([record["eventName"] for record in records], ["INSERT", "MODIFY", "REMOVE"])
images = [(record["dynamodb"].get("OldImage"), record["dynamodb"].get("NewImage")) for record in records]
first, second = ({"id": {"S": "one"}, "n": {"N": n}} for n in "12")
equal(images, [(None, first), (first, second), (second, None)])
equal({record["eventSource"] for record in records}, {"aws:dynamodb"})
numbers = [record["dynamodb"]["SequenceNumber"] for record in records]
equal(numbers, sorted(numbers, key=int))

# The four kinds of iterators, in the shard that has these changes.
(shard_id,) = [
    shard["ShardId"] for shard in all_shards() if any(pages(iterator(shard["ShardId"], "TRIM_HORIZON")))
]


def seen_from(kind, **where):
    return [r["dynamodb"]["SequenceNumber"] for page in pages(iterator(shard_id, kind, **where)) for r in page]


equal(seen_from("TRIM_HORIZON"), numbers)
equal(seen_from("AT_SEQUENCE_NUMBER", SequenceNumber=numbers[1]), numbers[1:])
equal(seen_from("AFTER_SEQUENCE_NUMBER", SequenceNumber=numbers[1]), numbers[2:])
latest = iterator(shard_id, "LATEST")
equal(streams.get_records(ShardIterator=latest)["Records"], [])
table.put_item(Item={"id": "one"})
equal([keys_of(page) for page in pages(latest)], [["one"], []])
equal([len(page) for page in pages(iterator(shard_id, "TRIM_HORIZON"), Limit=3)], [3, 1, 0])
refused("ValidationException", streams.get_records, ShardIterator="x" * 20)
refused("ResourceNotFoundException", streams.describe_stream, StreamArn=arn[:-3] + "000")

# More than a shard can take splits it. Whoever reads parents before children misses nothing, and sees each item in order.
before = {shard["ShardId"] for shard in all_shards()}
written = {"one": 4}
deadline = time.monotonic() + 20
while not any("ParentShardId" in shard for shard in all_shards()):
    assert time.monotonic() < deadline, "no shard was split"
    for n in range(16):
        table.put_item(Item={"id": f"item {n}", "n": written.get(f"item {n}", 0), "filler": "x" * 350_000})
        written[f"item {n}"] = written.get(f"item {n}", 0) + 1
for n in range(16):
    table.put_item(Item={"id": f"item {n}", "n": written[f"item {n}"]})
    written[f"item {n}"] += 1
shards = settled_shards()
children = [shard for shard in shards if "ParentShardId" in shard]
# On a slow machine, a child may have been divided as well.
assert {shard["ParentShardId"] for shard in children} <= {shard["ShardId"] for shard in shards}
assert any(shard["ParentShardId"] in before for shard in children)
for shard in shards:
    is_closed = shard["ShardId"] in {child["ParentShardId"] for child in children}
    equal("EndingSequenceNumber" in shard["SequenceNumberRange"], is_closed)
parent = children[0]["ParentShardId"]
filtered = streams.describe_stream(StreamArn=arn, ShardFilter={"Type": "CHILD_SHARDS", "ShardId": parent})
equal(
    {shard["ShardId"] for shard in filtered["StreamDescription"]["Shards"]},
    {child["ShardId"] for child in children if child["ParentShardId"] == parent},
)
records = follower.until(sum(written.values()))
for key in (key for key in written if key != "one"):
    counters = [record["dynamodb"]["NewImage"]["n"]["N"] for record in records if keys_of([record]) == [key]]
    equal(counters, [str(n) for n in range(written[key])])
equal(len(records), sum(written.values()))

# A deletion by time to live is the service's own.
client.update_time_to_live(TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": "until"})
table.put_item(Item={"id": "brief", "until": int(time.time()) - 5})
insert, removal = follower.until(sum(written.values()) + 2)[-2:]
equal(insert["eventName"], "INSERT")
assert "userIdentity" not in insert
equal(removal["eventName"], "REMOVE")
equal(removal["userIdentity"], {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"})
equal(removal["dynamodb"]["OldImage"]["id"], {"S": "brief"})

"""Songs scattered over shards and gathered again; index items that a transaction keeps with their song."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from boto3.dynamodb.conditions import Key

from connection import create, domain, equal, refused, resource, write_all

artist = domain["artist"]
table = create(domain["table"])
write_all(table, domain["songs"])


def song_key(title):
    shard = int.from_bytes(sha256(title.encode()).digest(), "big") % domain["shardCount"]
    return {"pk": f"{artist}#{shard}", "sk": title}


def of_partition(pk):
    return table.query(KeyConditionExpression=Key("pk").eq(pk), ConsistentRead=True)["Items"]


with ThreadPoolExecutor() as threads:
    shards = list(threads.map(of_partition, [f"{artist}#{shard}" for shard in range(domain["shardCount"])]))
gathered = [song["title"] for shard in shards for song in shard]
equal(sorted(gathered), sorted(song["title"] for song in domain["songs"]))
equal(table.get_item(Key=song_key("Monogram"))["Item"]["durationSeconds"], 301)

song = {**song_key("Air Song"), "artist": artist, "title": "Air Song", "durationSeconds": 741}
# The client behind a resource takes plain values too.
transact = table.meta.client.transact_write_items


def put(item, **options):
    return {"Put": {"TableName": table.name, "Item": item, **options}}


pointers = domain["pointers"]
transact(TransactItems=[put({**song, "external": domain["externalIds"]}), *map(put, pointers)])
for pointer in pointers:
    (found,) = of_partition(pointer["pk"])
    equal(table.get_item(Key={"pk": found["songPk"], "sk": found["songSk"]})["Item"]["durationSeconds"], 741)

other = {"pk": "Ishome#0", "sk": "Confession"}
answer = refused(
    "TransactionCanceledException",
    transact,
    TransactItems=[put(other), put(pointers[0], ConditionExpression="attribute_not_exists(pk)")],
)
equal([reason["Code"] for reason in answer["CancellationReasons"]], ["None", "ConditionalCheckFailed"])
assert "Item" not in table.get_item(Key=other)

keys = [song_key("Air Song"), *({"pk": pointer["pk"], "sk": pointer["sk"]} for pointer in pointers)]
transact(TransactItems=[{"Delete": {"TableName": table.name, "Key": key}} for key in keys])
left = resource.batch_get_item(RequestItems={table.name: {"Keys": keys}})
equal(left["Responses"], {table.name: []})

write_all(table, domain["artistItems"])
between = Key("pk").eq(artist) & Key("sk").between("album#", "artist")
equal([item["sk"] for item in table.query(KeyConditionExpression=between)["Items"]], domain["albumsAndArtist"])

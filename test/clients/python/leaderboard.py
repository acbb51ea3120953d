"""Padded ratings, matches newest first, handles."""

from boto3.dynamodb.conditions import Key

from connection import create, domain, equal, write_all

table = create(domain["table"])
write_all(table, domain["items"])


def ranked(**options):
    season = Key("season").eq(f"SEASON#{domain['season']}")
    top = table.query(IndexName="seasons", KeyConditionExpression=season, ScanIndexForward=False, **options)
    return [player["handle"] for player in top["Items"]]


equal(ranked(), domain["ranked"])
equal(ranked(Limit=1), domain["ranked"][:1])

matches = Key("partitionId").eq("PLAYER#u8231") & Key("rangeId").begins_with("MATCH#")
played = table.query(KeyConditionExpression=matches, ScanIndexForward=False)["Items"]
equal([match["playedAt"] for match in played], domain["matchesNewestFirst"])

found = table.query(IndexName="handles", KeyConditionExpression=Key("handleKey").eq("HANDLE#nighthawk"))["Items"]
equal([player["partitionId"] for player in found], ["PLAYER#u8231"])

table.update_item(
    Key={"partitionId": "PLAYER#u1007", "rangeId": "PROFILE"},
    UpdateExpression="SET rating = :rating",
    ExpressionAttributeValues={":rating": f"RATING#{9999:05}"},
)
equal(ranked(), ["zugzwang", "pawnstorm", "nighthawk", "gambit"])

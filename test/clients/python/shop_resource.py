"""The shop through boto3's resource API, which speaks in plain values."""

from boto3.dynamodb.conditions import Attr, Key

from connection import create, domain, equal, refused, resource, write_all

answers = domain["answers"]
table = create(domain["table"])
write_all(table, domain["items"])
table.reload()
equal(table.table_status, "ACTIVE")
equal(sorted(index["IndexName"] for index in table.global_secondary_indexes), ["GSI1", "GSI2", "GSI3", "GSI4"])
equal(len(table.scan()["Items"]), len(domain["items"]))


def by(attribute, items):
    return [item[attribute] for item in items]


def in_index(name, condition, **options):
    return table.query(IndexName=name, KeyConditionExpression=condition, **options)["Items"]


# Profile by id, product by id.
alice = table.get_item(Key={"PK": "USER#u-001", "SK": "PROFILE"})["Item"]
equal(alice["email"], "alice@example.com")
keys = [{"PK": "PRODUCT#p-555", "SK": "METADATA"}, {"PK": "SESSION#s-9f", "SK": "u-001"}]
found = resource.batch_get_item(RequestItems={table.name: {"Keys": keys}})["Responses"][table.name]
equal(sorted(by("EntityType", found)), ["Product", "Session"])

# Orders of a user: newest first, the three most recent, those of a month, and with the profile.
of_alice = Key("PK").eq("USER#u-001")
orders = of_alice & Key("SK").begins_with("ORDER#")
newest_first = table.query(KeyConditionExpression=orders, ScanIndexForward=False)
equal(by("orderId", newest_first["Items"]), answers["ordersNewestFirst"])
recent = table.query(KeyConditionExpression=orders, ScanIndexForward=False, Limit=3)
equal(by("orderId", recent["Items"]), answers["threeMostRecent"])
rest = table.query(
    KeyConditionExpression=orders, ScanIndexForward=False, ExclusiveStartKey=recent["LastEvaluatedKey"]
)
equal(by("orderId", rest["Items"]), answers["ordersNewestFirst"][3:])
june = table.query(KeyConditionExpression=of_alice & Key("SK").begins_with("ORDER#2026-06"))
equal(by("orderId", june["Items"]), answers["ordersOfJune"])
everything = table.query(KeyConditionExpression=of_alice)["Items"]
equal(by("EntityType", everything), ["Order"] * 5 + ["User"])

# A filter is applied after the read: all five orders are paid for.
filtered = table.query(KeyConditionExpression=orders, FilterExpression=Attr("total").gt(100))
equal((filtered["Count"], filtered["ScannedCount"]), (2, 5))

# An order with its lines; a user by email.
lines = table.query(KeyConditionExpression=Key("PK").eq("ORDER#o-789") & Key("SK").begins_with("ITEM#"))["Items"]
equal(by("productId", lines), answers["linesOfOrder"])
equal(by("EntityType", in_index("GSI1", Key("GSI1PK").eq("ORDER#o-789"))), ["OrderItem", "OrderItem", "Order"])
equal(in_index("GSI1", Key("GSI1PK").eq("EMAIL#alice@example.com")), [alice])

# Open orders, products of a category, and within a range of prices.
open_orders = in_index("GSI2", Key("GSI2PK").eq("STATUS#open"))
equal([item["SK"].split("#")[2] for item in open_orders], answers["openOrdersOldestFirst"])
electronics = Key("GSI3PK").eq("CATEGORY#electronics")
equal([item["PK"][8:] for item in in_index("GSI3", electronics)], answers["electronicsByPrice"])
in_range = electronics & Key("GSI3SK").between("PRICE#000050.00", "PRICE#000150.00\u00ff")
equal([item["PK"][8:] for item in in_index("GSI3", in_range)], answers["electronicsFrom50To150"])
refused(
    "ValidationException", table.query, IndexName="GSI3", KeyConditionExpression=electronics, ConsistentRead=True
)

# The sparse index, switched on and off.
order_key = {"PK": "USER#u-001", "SK": "ORDER#2026-06-10T14:32:00Z#o-789"}
active = Key("GSI4PK").eq("ACTIVE_ORDER")
equal(in_index("GSI4", active), [])
table.update_item(
    Key=order_key,
    UpdateExpression="SET GSI4PK = :pk, GSI4SK = :sk",
    ExpressionAttributeValues={":pk": "ACTIVE_ORDER", ":sk": "2026-06-10T14:32:00Z"},
)
equal(in_index("GSI4", active), [{**order_key, "GSI4PK": "ACTIVE_ORDER", "GSI4SK": "2026-06-10T14:32:00Z"}])
table.update_item(Key=order_key, UpdateExpression="REMOVE GSI4PK, GSI4SK")
equal(in_index("GSI4", active), [])

# The order moves on, and with it its place in the index.
changed = table.update_item(
    Key=order_key,
    UpdateExpression="SET #status = :shipped, GSI2PK = :gsi2pk",
    ConditionExpression=Attr("status").eq("open"),
    ExpressionAttributeNames={"#status": "status"},
    ExpressionAttributeValues={":shipped": "shipped", ":gsi2pk": "STATUS#shipped"},
    ReturnValues="UPDATED_NEW",
)
equal(changed["Attributes"], {"status": "shipped", "GSI2PK": "STATUS#shipped"})
equal(len(in_index("GSI2", Key("GSI2PK").eq("STATUS#open"))), 2)

table.delete()
table.wait_until_not_exists()
refused("ResourceNotFoundException", table.get_item, Key=order_key)

"""Users in groups, read from both ends."""

from boto3.dynamodb.conditions import Key

from connection import create, domain, equal, write_all

table = create(domain["table"])
write_all(table, domain["edges"])


def neighbours(pk, prefix):
    condition = Key("pk").eq(pk) & Key("sk").begins_with(prefix)
    return [edge["sk"] for edge in table.query(KeyConditionExpression=condition)["Items"]]


equal(neighbours("USER#user-1", "GROUP#"), ["GROUP#group-a", "GROUP#group-b"])
equal(neighbours("GROUP#group-a", "USER#"), ["USER#user-1", "USER#user-2"])

"""Conditional writes, a transfer with a balance check, and optimistic locking under contention."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier

from boto3.dynamodb.conditions import Attr

from connection import client, create, domain, equal, refused, write_all

orders = create(domain["tables"]["orders"])
accounts = create(domain["tables"]["accounts"])
write_all(accounts, domain["accounts"])
order = domain["paidOrder"]
payer, payee = ({"customerId": account["customerId"]} for account in domain["accounts"])

# Placed once, processed once.
orders.put_item(Item=order, ConditionExpression=Attr("orderId").not_exists())
refused(
    "ConditionalCheckFailedException", orders.put_item, Item=order, ConditionExpression=Attr("orderId").not_exists()
)
process = {
    "Key": {"customerId": order["customerId"], "orderId": order["orderId"]},
    "UpdateExpression": "SET #status = :new",
    "ConditionExpression": "#status = :expected",
    "ExpressionAttributeNames": {"#status": "status"},
    "ExpressionAttributeValues": {":new": "processing", ":expected": "pending"},
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
}
orders.update_item(**process)
answer = refused("ConditionalCheckFailedException", orders.update_item, **process)
equal(answer["Item"]["status"], {"S": "processing"})


def transfer(amount, token):
    value = {":amount": {"N": str(amount)}}
    client.transact_write_items(
        ClientRequestToken=token,
        TransactItems=[
            {
                "Update": {
                    "TableName": accounts.name,
                    "Key": {"customerId": {"S": payer["customerId"]}},
                    "UpdateExpression": "SET balance = balance - :amount",
                    "ConditionExpression": "balance >= :amount",
                    "ExpressionAttributeValues": value,
                    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                }
            },
            {
                "Update": {
                    "TableName": accounts.name,
                    "Key": {"customerId": {"S": payee["customerId"]}},
                    "UpdateExpression": "ADD balance :amount",
                    "ExpressionAttributeValues": value,
                }
            },
        ],
    )


def balances():
    return [accounts.get_item(Key=key, ConsistentRead=True)["Item"]["balance"] for key in (payer, payee)]


transfer(Decimal("150.25"), "first")
transfer(Decimal("150.25"), "first")
equal(balances(), [Decimal("99.75"), Decimal("160.25")])
refused("IdempotentParameterMismatchException", transfer, amount=1, token="first")
answer = refused("TransactionCanceledException", transfer, amount=100, token="second")
equal([reason["Code"] for reason in answer["CancellationReasons"]], ["ConditionalCheckFailed", "None"])
equal(answer["CancellationReasons"][0]["Item"]["balance"], {"N": "99.75"})
equal(balances(), [Decimal("99.75"), Decimal("160.25")])

# Optimistic locking: as many increments as were made, whoever came first.
contended = {"customerId": "contended"}
accounts.put_item(Item={**contended, "balance": 0, "version": 0})
workers = domain["contention"]["workers"]
# All have read before the first one writes, so that all but one must fail at first.
all_have_read = Barrier(workers)


def increment_repeatedly(_):
    done = conflicts = 0
    while done < domain["contention"]["incrementsEach"]:
        read = accounts.get_item(Key=contended, ConsistentRead=True)["Item"]
        if done + conflicts == 0:
            all_have_read.wait()
        try:
            accounts.put_item(
                Item={**contended, "balance": read["balance"] + 1, "version": read["version"] + 1},
                ConditionExpression=Attr("version").eq(read["version"]),
            )
            done += 1
        except client.exceptions.ClientError as error:
            equal(error.response["Error"]["Code"], "ConditionalCheckFailedException")
            conflicts += 1
    return conflicts


with ThreadPoolExecutor(workers) as threads:
    conflicts = sum(threads.map(increment_repeatedly, range(workers)))
total = workers * domain["contention"]["incrementsEach"]
equal(accounts.get_item(Key=contended)["Item"], {**contended, "balance": total, "version": total})
assert conflicts >= workers - 1, f"only {conflicts} conflicts"

"""boto3 on a closed server: identities are made, used and refused."""

import json
import sys
from datetime import datetime, timedelta, timezone
from unittest import mock

import boto3
import botocore.auth
from botocore.config import Config
from botocore.exceptions import ClientError

_given = json.load(sys.stdin)
_root = _given["root"]


def client(service, key=_root, token=None):
    return boto3.client(
        service,
        endpoint_url=_given["endpoint"],
        region_name="eu-west-1",
        aws_access_key_id=key["accessKeyId"],
        aws_secret_access_key=key["secretAccessKey"],
        aws_session_token=token,
        config=Config(retries={"total_max_attempts": 1}),
    )


def equal(actual, expected):
    assert actual == expected, f"\n  got      {actual!r}\n  expected {expected!r}"


def refused(code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        equal(error.response["Error"]["Code"], code)
        return error.response["Error"]["Message"]
    raise AssertionError(f"{code} was expected, but the call went through")


def policy(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


iam = client("iam")
dynamodb = client("dynamodb")
account = client("sts").get_caller_identity()["Account"]
table = f"arn:aws:dynamodb:eu-west-1:{account}:table/music"

dynamodb.create_table(
    TableName="music",
    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
    BillingMode="PAY_PER_REQUEST",
)
dynamodb.get_waiter("table_exists").wait(TableName="music")
dynamodb.put_item(TableName="music", Item={"pk": {"S": "a"}})

# A user, its key and its policy.
iam.create_user(UserName="ann", Tags=[{"Key": "team", "Value": "blue"}])
made = iam.create_access_key(UserName="ann")["AccessKey"]
ann = {"accessKeyId": made["AccessKeyId"], "secretAccessKey": made["SecretAccessKey"]}
read = {"TableName": "music", "Key": {"pk": {"S": "a"}}}
message = refused("AccessDeniedException", client("dynamodb", ann).get_item, **read)
equal(
    message,
    f"User: arn:aws:iam::{account}:user/ann is not authorized to perform: dynamodb:GetItem on resource: {table} "
    "because no identity-based policy allows the dynamodb:GetItem action",
)
document = policy({"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": table})
iam.put_user_policy(UserName="ann", PolicyName="read", PolicyDocument=document)
equal(iam.get_user_policy(UserName="ann", PolicyName="read")["PolicyDocument"], json.loads(document))
equal(client("dynamodb", ann).get_item(**read)["Item"], {"pk": {"S": "a"}})

# Pages.
for number in range(7):
    iam.create_group(GroupName=f"group-{number}")
pages = iam.get_paginator("list_groups").paginate(PaginationConfig={"PageSize": 3})
equal([group["GroupName"] for page in pages for group in page["Groups"]], [f"group-{n}" for n in range(7)])

# A role, and a session of it.
trust = policy({"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{account}:user/ann"}, "Action": "sts:AssumeRole"})
role = iam.create_role(RoleName="writer", AssumeRolePolicyDocument=trust)["Role"]
iam.attach_role_policy(RoleName="writer", PolicyArn="arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess")
session = client("sts", ann).assume_role(RoleArn=role["Arn"], RoleSessionName="session", Policy=document)["Credentials"]
temporary = {"accessKeyId": session["AccessKeyId"], "secretAccessKey": session["SecretAccessKey"]}
as_role = client("dynamodb", temporary, session["SessionToken"])
equal(as_role.get_item(**read)["Item"], {"pk": {"S": "a"}})
message = refused("AccessDeniedException", as_role.delete_item, **read)
assert message.endswith("because no session policy allows the dynamodb:DeleteItem action"), message
refused("UnrecognizedClientException", client("dynamodb", temporary).get_item, **read)

# What is simulated is what happens.
results = iam.simulate_principal_policy(
    PolicySourceArn=f"arn:aws:iam::{account}:user/ann",
    ActionNames=["dynamodb:GetItem", "dynamodb:DeleteItem"],
    ResourceArns=[table],
)["EvaluationResults"]
equal([result["EvalDecision"] for result in results], ["allowed", "implicitDeny"])

# Refusals.
wrong = {**_root, "secretAccessKey": "wrong"}
unknown = {**_root, "accessKeyId": "AKIAAAAAAAAAAAAAAAAA"}
message = refused("InvalidSignatureException", client("dynamodb", wrong).list_tables)
assert "The Canonical String for this request should have been" in message, message
refused("SignatureDoesNotMatch", client("iam", wrong).list_users)
refused("UnrecognizedClientException", client("dynamodb", unknown).list_tables)
refused("InvalidClientTokenId", client("iam", unknown).list_users)
refused("AccessDenied", client("iam", ann).list_users)
refused("NoSuchEntity", iam.get_user, UserName="nobody")
refused("EntityAlreadyExists", iam.create_user, UserName="ann")
refused("DeleteConflict", iam.delete_user, UserName="ann")
refused("MalformedPolicyDocument", iam.create_policy, PolicyName="p", PolicyDocument="{}")

# A clock that is an hour behind.
late = client("dynamodb")
with mock.patch("botocore.auth.get_current_datetime", lambda *_: datetime.now(timezone.utc) - timedelta(hours=1)):
    message = refused("InvalidSignatureException", late.list_tables)
assert message.startswith("Signature expired: "), message

# A body and a header that were changed on their way.
changed = client("dynamodb")


def add_field(request, **_):
    request.headers["X-Amz-Target"] = "DynamoDB_20120810.DeleteTable"


changed.meta.events.register("before-send.dynamodb.*", add_field)
refused("InvalidSignatureException", changed.describe_table, TableName="music")

meddled = client("dynamodb")


def change_body(request, **_):
    request.body = request.body.replace(b'"a"', b'"b"')


meddled.meta.events.register("before-send.dynamodb.*", change_body)
refused("InvalidSignatureException", meddled.get_item, **read)

# A key that is switched off.
iam.update_access_key(UserName="ann", AccessKeyId=ann["accessKeyId"], Status="Inactive")
refused("UnrecognizedClientException", client("dynamodb", ann).get_item, **read)

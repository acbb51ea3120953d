"""What every script needs: the endpoint and the domain's data come from whoever runs it, one JSON document on stdin."""

import json
import sys
from decimal import Decimal

import boto3
from botocore.config import Config

_given = json.load(sys.stdin, parse_float=Decimal)

#: The domain's tables, items and expected answers.
domain = _given["domain"]

# Without retries a failure shows as what it is.
_options = {"endpoint_url": _given["endpoint"], "config": Config(retries={"total_max_attempts": 1})}

client = boto3.client("dynamodb", **_options)
resource = boto3.resource("dynamodb", **_options)
streams = boto3.client("dynamodbstreams", **_options)


def create(definition):
    """Creates a table and waits until it can be used."""
    table = resource.create_table(**definition)
    table.wait_until_exists()
    return table


def write_all(table, items):
    with table.batch_writer() as batch:
        for item in items:
            batch.put_item(Item=item)


def equal(actual, expected):
    assert actual == expected, f"\n  got      {actual!r}\n  expected {expected!r}"


def refused(code, call, **arguments):
    """Calls, expects the service to refuse with `code`, and returns the answer."""
    try:
        call(**arguments)
    except client.exceptions.ClientError as error:
        equal(error.response["Error"]["Code"], code)
        return error.response
    raise AssertionError(f"{code} was expected, but the call went through")

"""Auto scaling, CloudWatch and Contributor Insights through boto3. Asserts by itself."""

import datetime
import json
import sys

import boto3
from botocore.exceptions import ClientError

endpoint = json.load(sys.stdin)["endpoint"]


def client(service):
    return boto3.client(service, endpoint_url=endpoint, region_name="us-east-1")


dynamodb, scaling, cloudwatch = client("dynamodb"), client("application-autoscaling"), client("cloudwatch")

dynamodb.create_table(
    TableName="sensors",
    AttributeDefinitions=[
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    ProvisionedThroughput={"ReadCapacityUnits": 10, "WriteCapacityUnits": 10},
)
dynamodb.update_contributor_insights(TableName="sensors", ContributorInsightsAction="ENABLE")
for key in ["a", "b", "a"]:
    dynamodb.put_item(TableName="sensors", Item={"pk": {"S": key}, "sk": {"N": "1"}})

target = {
    "ServiceNamespace": "dynamodb",
    "ResourceId": "table/sensors",
    "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
}
scaling.register_scalable_target(**target, MinCapacity=5, MaxCapacity=50)
policy = scaling.put_scaling_policy(
    **target,
    PolicyName="writes",
    PolicyType="TargetTrackingScaling",
    TargetTrackingScalingPolicyConfiguration={
        "TargetValue": 70.0,
        "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"},
    },
)
assert len(policy["Alarms"]) == 4, policy
try:
    scaling.put_scaling_policy(**{**target, "ResourceId": "table/none"}, PolicyName="p", PolicyType="TargetTrackingScaling")
    raise AssertionError("accepted")
except scaling.exceptions.ObjectNotFoundException as refused:
    assert "No scalable target registered" in str(refused), refused

now = datetime.datetime.now(datetime.timezone.utc)
times = {"StartTime": now - datetime.timedelta(minutes=5), "EndTime": now + datetime.timedelta(minutes=1)}
dimensions = [{"Name": "TableName", "Value": "sensors"}]
writes = {"Namespace": "AWS/DynamoDB", "MetricName": "ConsumedWriteCapacityUnits", "Dimensions": dimensions}

statistics = cloudwatch.get_metric_statistics(**writes, **times, Period=60, Statistics=["Sum"], ExtendedStatistics=["p99"])
assert sum(point["Sum"] for point in statistics["Datapoints"]) == 3, statistics
assert isinstance(statistics["Datapoints"][0]["Timestamp"], datetime.datetime), statistics
assert statistics["Datapoints"][0]["ExtendedStatistics"] == {"p99": 1.0}, statistics

data = cloudwatch.get_metric_data(
    **times,
    MetricDataQueries=[
        {"Id": "m1", "MetricStat": {"Metric": writes, "Period": 60, "Stat": "Sum"}, "ReturnData": False},
        {"Id": "e1", "Expression": "m1 / 60", "Label": "per second"},
    ],
)
assert abs(sum(data["MetricDataResults"][0]["Values"]) - 0.05) < 1e-9, data

names = {
    metric["MetricName"]
    for page in cloudwatch.get_paginator("list_metrics").paginate(Namespace="AWS/DynamoDB", Dimensions=dimensions)
    for metric in page["Metrics"]
}
assert "ConsumedWriteCapacityUnits" in names and "ProvisionedWriteCapacityUnits" in names, names

alarm = boto3.resource("cloudwatch", endpoint_url=endpoint, region_name="us-east-1").Alarm("writes")
cloudwatch.put_metric_alarm(
    AlarmName="writes",
    **writes,
    Statistic="Sum",
    Period=60,
    EvaluationPeriods=2,
    Threshold=100.5,
    ComparisonOperator="GreaterThanThreshold",
)
alarm.load()
assert alarm.threshold == 100.5 and alarm.state_value in ("INSUFFICIENT_DATA", "OK"), alarm.state_value
alarm.delete()
try:
    cloudwatch.delete_alarms(AlarmNames=["writes"])
    raise AssertionError("accepted")
except cloudwatch.exceptions.ResourceNotFound as refused:
    assert refused.response["ResponseMetadata"]["HTTPStatusCode"] == 404, refused.response

insights = dynamodb.describe_contributor_insights(TableName="sensors")
rules = insights["ContributorInsightsRuleList"]
assert [rule.split("-")[1] for rule in rules] == ["PKC", "SKC", "PKT", "SKT"], rules
by_key = cloudwatch.get_insight_rule_report(RuleName=rules[0], **times, Period=60)
assert by_key["Contributors"][0]["Keys"] == ["a"], by_key
assert by_key["Contributors"][0]["ApproximateAggregateValue"] == 2, by_key
by_item = cloudwatch.get_insight_rule_report(RuleName=rules[1], **times, Period=60)
assert by_item["Contributors"][0]["Keys"] == ["a", "1"], by_item
try:
    cloudwatch.get_insight_rule_report(RuleName="none", **times, Period=60)
    raise AssertionError("accepted")
except ClientError as refused:
    assert refused.response["Error"]["Code"] == "ResourceNotFoundException", refused.response

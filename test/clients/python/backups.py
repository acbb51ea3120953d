"""A table that is backed up, spoilt, and restored: from its backup, and to a moment of its past."""

import time
from datetime import datetime, timezone

from connection import client, create, domain, equal, refused, resource

table = create(domain["table"])


def write(ids):
    with table.batch_writer() as batch:
        for n in ids:
            batch.put_item(Item={"id": str(n), "kind": "thing", "bytes": b"\x00\xff", "n": n})


def items_of(name):
    return sorted(resource.Table(name).scan()["Items"], key=lambda item: item["n"])


def restored(name):
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 0.1, "MaxAttempts": 200})
    description = client.describe_table(TableName=name)["Table"]
    equal([index["IndexName"] for index in description["GlobalSecondaryIndexes"]], ["kinds"])
    equal(len(resource.Table(name).scan(IndexName="kinds")["Items"]), description["ItemCount"])
    return items_of(name)


def recovery():
    answer = client.describe_continuous_backups(TableName=table.name)["ContinuousBackupsDescription"]
    equal(answer["ContinuousBackupsStatus"], "ENABLED")
    return answer["PointInTimeRecoveryDescription"]


write(range(100))
before = items_of(table.name)
equal(recovery(), {"PointInTimeRecoveryStatus": "DISABLED"})
refused(
    "PointInTimeRecoveryUnavailableException",
    client.restore_table_to_point_in_time,
    SourceTableName=table.name,
    TargetTableName="early",
    UseLatestRestorableTime=True,
)
client.update_continuous_backups(
    TableName=table.name,
    PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 7},
)
equal(recovery()["RecoveryPeriodInDays"], 7)

backup = client.create_backup(TableName=table.name, BackupName="before")["BackupDetails"]
arn = backup["BackupArn"]
deadline = time.monotonic() + 20
while client.describe_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"]["BackupStatus"] != "AVAILABLE":
    assert time.monotonic() < deadline
    time.sleep(0.05)
described = client.describe_backup(BackupArn=arn)["BackupDescription"]
equal(described["SourceTableDetails"]["ItemCount"], 100)
(listed,) = client.list_backups(TableName=table.name)["BackupSummaries"]
equal((listed["BackupName"], listed["BackupStatus"], listed["BackupArn"]), ("before", "AVAILABLE", arn))

# Moments are whole seconds for a client that sends them so.
time.sleep(1.1)
moment = datetime.now(timezone.utc).replace(microsecond=0)
time.sleep(1.1)
write(range(50, 150))
for n in range(50):
    table.delete_item(Key={"id": str(n)})
after = items_of(table.name)

client.restore_table_from_backup(TargetTableName="from-backup", BackupArn=arn)
equal(restored("from-backup"), before)
client.restore_table_to_point_in_time(SourceTableName=table.name, TargetTableName="then", RestoreDateTime=moment)
equal(restored("then"), before)
answer = client.restore_table_to_point_in_time(
    SourceTableName=table.name, TargetTableName="now", UseLatestRestorableTime=True, BillingModeOverride="PAY_PER_REQUEST"
)
equal(answer["TableDescription"]["RestoreSummary"]["RestoreInProgress"], True)
equal(restored("now"), after)
refused(
    "TableAlreadyExistsException", client.restore_table_from_backup, TargetTableName="now", BackupArn=arn
)
refused(
    "InvalidRestoreTimeException",
    client.restore_table_to_point_in_time,
    SourceTableName=table.name,
    TargetTableName="too-early",
    RestoreDateTime=datetime(2020, 1, 1, tzinfo=timezone.utc),
)

client.delete_backup(BackupArn=arn)
equal(client.list_backups(TableName=table.name)["BackupSummaries"], [])
refused("BackupNotFoundException", client.describe_backup, BackupArn=arn)
# A table that could be restored leaves a last backup behind.
table.delete()
(last,) = client.list_backups(TableName=table.name, BackupType="SYSTEM")["BackupSummaries"]
client.restore_table_from_backup(TargetTableName="back", BackupArn=last["BackupArn"])
equal(restored("back"), after)

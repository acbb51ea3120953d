import { listOf, objectOf, type Json, type JsonObject, type TableDesign, plainText } from '../table-design.ts'
import { isSamePolicy } from './same-policy.ts'
import type { Step } from './resource-plan.ts'
import { described, type TablePort } from './table-port.ts'

/** What operations of their own set: time to live, recovery, insights, the policy, the Kinesis stream and tags. Without a port,
 *  the table is new. */
export async function settingSteps(
  port: TablePort | undefined,
  table: TableDesign,
  arn: string,
): Promise<readonly Step[]> {
  const steps = [timeToLive(port, table), ownSettings(port, table, arn), tags(port, table, arn)]
  return (await Promise.all(steps)).flat()
}

/** What each replica of a global table has for itself. */
export async function replicaSettings(
  port: TablePort | undefined,
  table: TableDesign,
  arn: string,
): Promise<readonly Step[]> {
  const wanted = listOf(table.create['Tags']).map(objectOf)
  const ofTags = port === undefined ? tagSteps(wanted, '') : await tags(port, table, arn)
  return [...(await ownSettings(port, table, arn)), ...ofTags]
}

async function ownSettings(port: TablePort | undefined, table: TableDesign, arn: string): Promise<readonly Step[]> {
  const steps = [recovery(port, table), insights(port, table), policy(port, table, arn), kinesisStream(port, table)]
  return (await Promise.all(steps)).flat()
}

async function timeToLive(port: TablePort | undefined, table: TableDesign): Promise<readonly Step[]> {
  const TableName = table.name
  const answer = port && (await described(port.request('DescribeTimeToLive', { TableName })))
  const { TimeToLiveStatus, AttributeName } = objectOf(answer?.['TimeToLiveDescription'] as Json)
  const current =
    TimeToLiveStatus === 'ENABLED' || TimeToLiveStatus === 'ENABLING' ? plainText(AttributeName) : undefined
  const wanted = table.timeToLiveAttribute
  if (wanted === current) return []
  const set = (name: string, Enabled: boolean): Step => ({
    does: Enabled ? `deletes items when ${name} has passed` : 'turns time to live off',
    operation: 'UpdateTimeToLive',
    input: { TableName, TimeToLiveSpecification: { AttributeName: name, Enabled } },
  })
  return [
    ...(current === undefined ? [] : [set(current, false)]),
    ...(wanted === undefined ? [] : [set(wanted, true)]),
  ]
}

async function recovery(port: TablePort | undefined, table: TableDesign): Promise<readonly Step[]> {
  const TableName = table.name
  const answer = port && (await described(port.request('DescribeContinuousBackups', { TableName })))
  const backups = objectOf(answer?.['ContinuousBackupsDescription'] as Json)
  const { PointInTimeRecoveryStatus, RecoveryPeriodInDays } = objectOf(backups['PointInTimeRecoveryDescription'])
  const current = PointInTimeRecoveryStatus === 'ENABLED' ? Number(RecoveryPeriodInDays ?? 35) : undefined
  if (table.recoveryDays === current) return []
  const PointInTimeRecoverySpecification =
    table.recoveryDays === undefined
      ? { PointInTimeRecoveryEnabled: false }
      : { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: table.recoveryDays }
  const does = `turns point-in-time recovery ${table.recoveryDays === undefined ? 'off' : `on (${table.recoveryDays} days)`}`
  return [{ does, operation: 'UpdateContinuousBackups', input: { TableName, PointInTimeRecoverySpecification } }]
}

async function insights(port: TablePort | undefined, table: TableDesign): Promise<readonly Step[]> {
  const TableName = table.name
  const answer = port && (await described(port.request('DescribeContributorInsights', { TableName })))
  const isOn = ['ENABLED', 'ENABLING'].includes(plainText(answer?.['ContributorInsightsStatus']))
  if (isOn === table.insights) return []
  const ContributorInsightsAction = table.insights ? 'ENABLE' : 'DISABLE'
  const does = `turns Contributor Insights ${table.insights ? 'on' : 'off'}`
  return [{ does, operation: 'UpdateContributorInsights', input: { TableName, ContributorInsightsAction } }]
}

async function policy(port: TablePort | undefined, table: TableDesign, arn: string): Promise<readonly Step[]> {
  const wanted = table.resourcePolicy
  const answer = port && (await described(port.request('GetResourcePolicy', { ResourceArn: arn })))
  const current = answer?.['Policy']
  if (wanted === undefined)
    return current === undefined
      ? []
      : [{ does: 'removes the resource policy', operation: 'DeleteResourcePolicy', input: { ResourceArn: arn } }]
  if (typeof current === 'string' && isSamePolicy(current, wanted)) return []
  const input = { ResourceArn: arn, Policy: wanted }
  return [{ does: 'sets the resource policy', operation: 'PutResourcePolicy', input }]
}

const streaming: ReadonlySet<string> = new Set(['ACTIVE', 'ENABLING', 'UPDATING'])

async function kinesisStream(port: TablePort | undefined, table: TableDesign): Promise<readonly Step[]> {
  const TableName = table.name
  const answer = port && (await described(port.request('DescribeKinesisStreamingDestination', { TableName })))
  const active = listOf(answer?.['KinesisDataStreamDestinations'] as Json)
    .map(objectOf)
    .filter(({ DestinationStatus }) => streaming.has(plainText(DestinationStatus)))
    .map(({ StreamArn }) => plainText(StreamArn))
  const wanted = table.kinesisStreamArn
  const step = (verb: 'Enable' | 'Disable', StreamArn: string): Step => ({
    does: `${verb === 'Enable' ? 'sends' : 'no longer sends'} changes to the Kinesis stream ${StreamArn.split('/').at(-1)}`,
    operation: `${verb}KinesisStreamingDestination`,
    input: { TableName, StreamArn },
  })
  return [
    ...active.filter((arn) => arn !== wanted).map((arn) => step('Disable', arn)),
    ...(wanted === undefined || active.includes(wanted) ? [] : [step('Enable', wanted)]),
  ]
}

/** Tags that the file does not name are somebody else's. A new table is created with its tags. */
async function tags(port: TablePort | undefined, table: TableDesign, arn: string): Promise<readonly Step[]> {
  const wanted = listOf(table.create['Tags']).map(objectOf)
  if (port === undefined || wanted.length === 0) return []
  const current = new Map<unknown, unknown>()
  let NextToken: unknown
  do {
    const input = { ResourceArn: arn, ...(NextToken !== undefined && { NextToken }) }
    const page = await described(port.request('ListTagsOfResource', input))
    for (const { Key, Value } of listOf(page?.['Tags'] as Json).map(objectOf)) current.set(Key, Value)
    NextToken = page?.['NextToken']
  } while (NextToken !== undefined && NextToken !== null)
  return tagSteps(
    wanted.filter(({ Key, Value }) => current.get(Key) !== Value),
    arn,
  )
}

function tagSteps(Tags: readonly JsonObject[], arn: string): readonly Step[] {
  if (Tags.length === 0) return []
  const does = `sets the tag${Tags.length === 1 ? '' : 's'} ${Tags.map(({ Key }) => plainText(Key)).join(', ')}`
  return [{ does, operation: 'TagResource', input: { ResourceArn: arn, Tags } }]
}

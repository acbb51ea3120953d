import { isSame } from '../apply/compare.ts'
import { planOf, skipped, type ResourcePlan, type Step } from '../apply/resource-plan.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { functionNameOf } from '../function-name.ts'
import { listOf, objectOf, plainText, type Json, type JsonObject } from '../table-design.ts'
import { lambdaTarget as target } from './lambda-function.ts'
import { dynamodbTarget, type ResourcePort } from '../apply/resource-port.ts'
import { changed, sendStep, type ResourceKind } from './resource-kind.ts'
import { typedProperties } from '../typed-properties.ts'

/** `AWS::Lambda::EventSourceMapping`, of streams of tables and of Kinesis. */
export const eventSourceMappingKind: ResourceKind = {
  nameOf: () => undefined,
  replacedBy: (before, after) => changed(['EventSourceArn', 'StartingPosition'], before, after),
  plan: async (port, id, properties) => {
    const functionName = functionOf(properties['FunctionName'])
    const found = await unlessMissing(port.call(target, 'GetFunctionConfiguration', { FunctionName: functionName }))
    return found === undefined
      ? skipped(`the function ${functionName} is not here`)
      : planMapping(port, id, properties)
  },
  take: async (port, _id, step) => sendStep(port, { ...step, input: await withStream(port, step) }),
  idOf: async (port, id, properties) => plainText((await findMapping(port, id, properties))?.['UUID'] ?? id),
  remove: async (port, UUID) => {
    if (isUuid(UUID)) await unlessMissing(port.call(target, 'DeleteEventSourceMapping', { UUID }))
  },
  attributes: async (port, UUID) => {
    const found = isUuid(UUID)
      ? await unlessMissing(port.call(target, 'GetEventSourceMapping', { UUID }))
      : undefined
    return {
      Id: UUID,
      ...(found !== undefined && { EventSourceMappingArn: plainText(found['EventSourceMappingArn']) }),
    }
  },
}

/** As if the function were there. */
export async function planMapping(port: ResourcePort, id: string, properties: JsonObject): Promise<ResourcePlan> {
  const { EventSourceArn, FunctionName, StartingPosition, StartingPositionTimestamp, DestinationConfig, ...given } =
    typedProperties(properties)
  const arn = plainText(EventSourceArn ?? '')
  const source = /:dynamodb:.*:table\/([^/]+)|:kinesis:.*:stream\/([^/]+)/.exec(arn)
  if (source === null) return skipped(`its event source ${arn} is not here`.replace('  ', ' '))
  const current = await findMapping(port, id, properties)
  const onFailure = plainText(objectOf(objectOf(DestinationConfig)['OnFailure'])['Destination'] ?? '')
  const isReachable = /^(arn:aws[a-z-]*:lambda:|https?:)/.test(onFailure)
  const settings = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, given[name] ?? value]))
  const input = {
    ...settings,
    FunctionName: functionOf(FunctionName),
    ...(isReachable && { DestinationConfig: DestinationConfig ?? {} }),
  }
  const what = `calls the function for changes of ${source[1] ?? source[2]}`
  const without = onFailure === '' || isReachable ? '' : ', without its failure destination, which is not here'
  if (current === undefined) {
    const start = {
      EventSourceArn: arn,
      StartingPosition: StartingPosition ?? 'TRIM_HORIZON',
      ...(StartingPositionTimestamp !== undefined && {
        StartingPositionTimestamp: Number(StartingPositionTimestamp),
      }),
    }
    const create = { target, operation: 'CreateEventSourceMapping', input: { ...start, ...input } }
    return planOf(false, [{ does: what + without, ...create }])
  }
  const different = Object.keys(settings).filter(
    (name) => !isSame(settings[name] ?? null, settingOf(current, name)),
  )
  if (functionOf(current['FunctionArn']) !== input.FunctionName) different.push('FunctionName')
  const update: Step = {
    does: `changes ${different.join(', ')}`,
    target,
    operation: 'UpdateEventSourceMapping',
    input: { UUID: current['UUID'], ...input },
  }
  return planOf(true, different.length === 0 ? [] : [update])
}

/** A table's stream has another name each time it is turned on: until the table is there, templates name the latest. */
export async function withStream(port: ResourcePort, { input }: Step): Promise<object> {
  const { EventSourceArn } = input as JsonObject
  const [, TableName] = /:table\/([^/]+)\/stream\/latest$/.exec(plainText(EventSourceArn ?? '')) ?? []
  if (TableName === undefined) return input
  return { ...input, EventSourceArn: await latestStream(port, TableName) }
}

async function latestStream(port: ResourcePort, TableName: string): Promise<string | undefined> {
  const answer = await unlessMissing(port.call(dynamodbTarget, 'DescribeTable', { TableName }))
  const arn = objectOf(answer?.['Table'] as Json)['LatestStreamArn']
  return typeof arn === 'string' ? arn : undefined
}

async function findMapping(
  port: ResourcePort,
  id: string,
  { EventSourceArn, FunctionName }: JsonObject,
): Promise<JsonObject | undefined> {
  if (isUuid(id))
    return (await unlessMissing(port.call(target, 'GetEventSourceMapping', { UUID: id }))) as JsonObject
  const { EventSourceArn: arn } = (await withStream(port, {
    does: '',
    operation: '',
    input: { EventSourceArn },
  })) as JsonObject
  if (arn === undefined) return undefined
  const input = { EventSourceArn: arn, FunctionName: functionOf(FunctionName) }
  const answer = await unlessMissing(port.call(target, 'ListEventSourceMappings', input))
  const [found] = listOf(answer?.['EventSourceMappings'] as Json)
  return found === undefined ? undefined : objectOf(found)
}

/** What a mapping has that does not say. */
const usual: JsonObject = {
  BatchSize: 100,
  BisectBatchOnFunctionError: false,
  Enabled: true,
  FilterCriteria: { Filters: [] },
  FunctionResponseTypes: [],
  MaximumBatchingWindowInSeconds: 0,
  MaximumRecordAgeInSeconds: -1,
  MaximumRetryAttempts: -1,
  ParallelizationFactor: 1,
  TumblingWindowInSeconds: 0,
}

function settingOf(current: JsonObject, name: string): Json {
  if (name === 'Enabled') return current['State'] !== 'Disabled' && current['State'] !== 'Disabling'
  return current[name] ?? usual[name] ?? null
}

function functionOf(value: Json | undefined): string {
  return functionNameOf(plainText(value ?? ''))
}

function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
}

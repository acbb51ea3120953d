import { randomUUID } from 'node:crypto'
import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { CreateEventSourceMappingInput } from '../api/inputs.ts'
import { invalidParameter } from '../api/invalid-parameter.ts'
import { readFunctionName } from '../functions/function-name.ts'
import type { Lambda } from '../lambda.ts'
import { beginProgress } from '../triggers/begin-progress.ts'
import { describedMapping, mappingsOf } from './mapping-book.ts'
import type { MappingRecord } from '../mappings/mapping-record.ts'
import { usualSettings } from '../mappings/mapping-settings.ts'
import { isKinesisArn } from '../sources/kinesis-source.ts'
import { readSettings } from '../mappings/read-settings.ts'
import type { ShardSource } from '../sources/shard-source.ts'

const sources =
  /^arn:aws[a-z-]*:(dynamodb:[^:]+:\d{12}:table\/[^/]+\/stream\/|kinesis:[^:]+:\d{12}:stream\/[\w.-]+($|\/consumer\/))/

export async function createEventSourceMapping(
  lambda: Lambda,
  scope: Scope,
  input: CreateEventSourceMappingInput,
): Promise<object> {
  const { EventSourceArn: sourceArn, StartingPosition: startingPosition } = input
  if (sourceArn === undefined || !sources.test(sourceArn))
    throw invalidParameter('Unrecognized event source, must be kinesis or dynamodb stream.')
  if (startingPosition === undefined) {
    throw validationException(
      "1 validation error detected: Value null at 'startingPosition' failed to satisfy constraint: Member must not be null.",
    )
  }
  const startingAtMs = startingTime(sourceArn, input)
  const settings = readSettings(input, usualSettings, (url) => lambda.whyNotCalled(url))
  const functionName = readFunctionName(scope, input.FunctionName)
  if ((await lambda.functions.find(scope, functionName)) === undefined)
    throw invalidParameter('Function does not exist')
  await assertNew(lambda, scope, sourceArn, functionName)
  const record: MappingRecord = {
    uuid: randomUUID(),
    sourceArn,
    functionName,
    isEnabled: input.Enabled ?? true,
    startingPosition,
    ...(startingAtMs !== undefined && { startingAtMs }),
    settings,
    modifiedAtMs: lambda.nowMs(),
    tags: input.Tags ?? {},
  }
  const mapping = lambda.mappingOf(scope, record)
  await assertFound(mapping.source)
  await beginProgress(mapping)
  await lambda.mappings.change(scope, [record.uuid], () => record)
  await lambda.mappingsChanged()
  return describedMapping(lambda, scope, record, 'Creating')
}

/** Only streams of Kinesis can be read from a time on. */
function startingTime(
  sourceArn: string,
  { StartingPosition, StartingPositionTimestamp: seconds }: CreateEventSourceMappingInput,
): number | undefined {
  if (StartingPosition !== 'AT_TIMESTAMP') {
    if (seconds === undefined) return undefined
    throw invalidParameter('StartingPositionTimestamp is only allowed with the starting position AT_TIMESTAMP.')
  }
  if (isKinesisArn(sourceArn) && seconds !== undefined) return seconds * 1000
  throw invalidParameter(
    isKinesisArn(sourceArn)
      ? 'The starting position AT_TIMESTAMP needs a StartingPositionTimestamp.'
      : `Unsupported starting position for arn type: ${sourceArn}`,
  )
}

async function assertFound(source: ShardSource): Promise<void> {
  try {
    await source.shards()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw invalidParameter(`Stream not found: ${source.arn}`)
  }
}

async function assertNew(lambda: Lambda, scope: Scope, sourceArn: string, functionName: string): Promise<void> {
  const same = (await mappingsOf(lambda, scope)).find(
    (other) => other.sourceArn === sourceArn && other.functionName === functionName,
  )
  if (same === undefined) return
  throw new ServiceError(
    'ResourceConflictException',
    `The event source arn (" ${sourceArn} ") and function (" ${functionName} ") provided mapping already exists. Please update or delete the existing mapping with UUID ${same.uuid}`,
  )
}

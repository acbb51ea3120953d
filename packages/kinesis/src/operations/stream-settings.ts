import type { Scope } from '@hashrange/engine'
import type {
  EncryptionInput,
  EnhancedMonitoringInput,
  UpdateMaxRecordSizeInput,
  UpdateStreamModeInput,
} from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { namedStream } from '../streams/named-stream.ts'
import { streamArn } from '../streams/stream-definition.ts'
import { invalidArgument } from '../streams/stream-errors.ts'

/** Settings that are stored and described. */

export async function updateStreamMode({ streamBook }: Kinesis, scope: Scope, input: UpdateStreamModeInput) {
  const mode = input.StreamModeDetails.StreamMode
  await streamBook.change(scope, namedStream(scope, input), (stream) => ({ ...stream, mode }))
  return undefined
}

export async function updateMaxRecordSize({ streamBook }: Kinesis, scope: Scope, input: UpdateMaxRecordSizeInput) {
  const maxRecordKiB = input.MaxRecordSizeInKiB
  await streamBook.change(scope, namedStream(scope, input), (stream) => ({ ...stream, maxRecordKiB }))
  return undefined
}

/** The key is remembered, and records say that they are encrypted. Nothing is encrypted with it: the store itself can
 *  be, with its own key. */
export async function startStreamEncryption({ streamBook }: Kinesis, scope: Scope, input: EncryptionInput) {
  if (input.EncryptionType !== 'KMS') throw invalidArgument('EncryptionType must be KMS.')
  await streamBook.change(scope, namedStream(scope, input), (stream) => ({ ...stream, keyId: input.KeyId }))
  return undefined
}

export async function stopStreamEncryption({ streamBook }: Kinesis, scope: Scope, input: EncryptionInput) {
  await streamBook.change(scope, namedStream(scope, input), (stream) => {
    const { keyId: _, ...rest } = stream
    return rest
  })
  return undefined
}

export async function enableEnhancedMonitoring(kinesis: Kinesis, scope: Scope, input: EnhancedMonitoringInput) {
  return setMonitoring(kinesis, scope, input, (current, named) => [...new Set([...current, ...named])].toSorted())
}

export async function disableEnhancedMonitoring(kinesis: Kinesis, scope: Scope, input: EnhancedMonitoringInput) {
  return setMonitoring(kinesis, scope, input, (current, named) => current.filter((name) => !named.includes(name)))
}

const allMetrics = [
  'IncomingBytes',
  'IncomingRecords',
  'IteratorAgeMilliseconds',
  'OutgoingBytes',
  'OutgoingRecords',
  'ReadProvisionedThroughputExceeded',
  'WriteProvisionedThroughputExceeded',
]

async function setMonitoring(
  { streamBook }: Kinesis,
  scope: Scope,
  input: EnhancedMonitoringInput,
  change: (current: readonly string[], named: readonly string[]) => readonly string[],
) {
  const name = namedStream(scope, input)
  const named = input.ShardLevelMetrics.includes('ALL') ? allMetrics : input.ShardLevelMetrics
  let current: readonly string[] = []
  const { shardLevelMetrics } = await streamBook.change(scope, name, (stream) => {
    current = stream.shardLevelMetrics
    return { ...stream, shardLevelMetrics: change(current, named) }
  })
  return {
    StreamName: name,
    StreamARN: streamArn(scope, name),
    CurrentShardLevelMetrics: current,
    DesiredShardLevelMetrics: shardLevelMetrics,
  }
}

import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { PutRecordInput, PutRecordsEntry, PutRecordsInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { appendRecords, type NewRecord } from '../records/append-records.ts'
import { readData } from '../records/read-data.ts'
import { hashKeyOf } from '../shards/hash-key.ts'
import { readSequenceNumber } from '../shards/sequence-number.ts'
import { namedStream } from '../streams/named-stream.ts'
import { invalidArgument } from '../streams/stream-errors.ts'
import type { StreamDefinition } from '../streams/stream-definition.ts'

const mostBytes = 10 * 2 ** 20

export async function putRecord(kinesis: Kinesis, scope: Scope, input: PutRecordInput) {
  const name = namedStream(scope, input)
  const { SequenceNumberForOrdering: ordering } = input
  if (ordering !== undefined && readSequenceNumber(ordering) === undefined) {
    throw invalidArgument(
      `ExclusiveMinimumSequenceNumber ${ordering} used in PutRecord on stream ${name} under account ${scope.accountId} is invalid.`,
    )
  }
  const known = await kinesis.streamBook.require(scope, name)
  const { stream, outcomes } = await appendRecords(kinesis, scope, name, [newRecord(known, input)])
  const outcome = outcomes[0]
  if (outcome === undefined || 'ErrorCode' in outcome) {
    throw new ServiceError(outcome?.ErrorCode ?? 'InternalFailureException', outcome?.ErrorMessage ?? '')
  }
  return { ...outcome, ...encryptionOf(stream) }
}

export async function putRecords(kinesis: Kinesis, scope: Scope, input: PutRecordsInput) {
  const name = namedStream(scope, input)
  const known = await kinesis.streamBook.require(scope, name)
  const records = input.Records.map((entry) => newRecord(known, entry))
  const sum = records.reduce(
    (bytes, { data, partitionKey }) => bytes + data.length + Buffer.byteLength(partitionKey),
    0,
  )
  if (sum > mostBytes) {
    throw invalidArgument(`Records size exceeds ${mostBytes / 2 ** 20} MB limit`)
  }
  const { stream, outcomes } = await appendRecords(kinesis, scope, name, records)
  return {
    FailedRecordCount: outcomes.filter((outcome) => 'ErrorCode' in outcome).length,
    Records: outcomes,
    ...encryptionOf(stream),
  }
}

function newRecord({ maxRecordKiB }: StreamDefinition, entry: PutRecordsEntry): NewRecord {
  const data = readData(entry.Data, maxRecordKiB * 1024)
  return { hash: hashKeyOf(entry), partitionKey: entry.PartitionKey, data }
}

function encryptionOf({ keyId }: StreamDefinition) {
  return { EncryptionType: keyId === undefined ? 'NONE' : 'KMS' }
}

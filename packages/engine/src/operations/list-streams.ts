import type { ListStreamsInput } from '../api/stream-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { arnOf, readableStreams, readStreamArn } from '../streams/stream.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'
import { readTableName } from '../tables/read-table-name.ts'

export interface ListStreamsOutput {
  readonly Streams: readonly StreamSummary[]
  readonly LastEvaluatedStreamArn?: string
}

interface StreamSummary {
  readonly StreamArn: string
  readonly StreamLabel: string
  readonly TableName: string
}

const maximumLimit = 100

export async function listStreams(
  engine: EngineParts,
  scope: Scope,
  input: ListStreamsInput,
): Promise<ListStreamsOutput> {
  const { Limit: limit = maximumLimit, ExclusiveStartStreamArn: start } = input
  if (limit > maximumLimit) {
    throw invalidParameter(`Limit cannot be greater than the maximum allowed size: ${maximumLimit}`)
  }
  if (start !== undefined) readStreamArn(scope, start)
  const tableName = input.TableName === undefined ? undefined : readTableName(scope, input.TableName)
  const rest = readableStreams(engine, scope)
    .filter(({ table }) => tableName === undefined || table.tableName === tableName)
    .map((stream) => ({ StreamArn: arnOf(stream), StreamLabel: stream.label, TableName: stream.table.tableName }))
    .filter(({ StreamArn }) => start === undefined || StreamArn > start)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return last === undefined || page.length === rest.length
    ? { Streams: page }
    : { LastEvaluatedStreamArn: last.StreamArn, Streams: page }
}

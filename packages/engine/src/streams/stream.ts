import { ServiceError, validationException } from '@hashrange/core'
import { tableArn } from '../definitions/table-arn.ts'
import type { StreamViewType, TableDefinition } from '../definitions/table-definition.ts'
import type { Streaming } from './streaming.ts'
import type { Scope } from '../scope.ts'
import { accessDenied } from '../tables/read-table-name.ts'

/** A stream that can be read: a table's latest, or one that was recently disabled or whose table was recently
 *  deleted. */
export interface Stream {
  readonly table: TableDefinition
  readonly label: string
  readonly viewType: StreamViewType
  readonly enabled: boolean
}

/** Those of an account in a region, in the order of their ARNs. */
export function readableStreams(engine: Streaming, scope: Scope): readonly Stream[] {
  const streams: Stream[] = []
  for (const table of tablesOf(engine, scope)) streams.push(...streamsOf(engine, table))
  return streams.toSorted((a, b) => (arnOf(a) < arnOf(b) ? -1 : 1))
}

export function requireStream(engine: Streaming, scope: Scope, streamArn: string): Stream {
  const { tableName, label } = readStreamArn(scope, streamArn)
  for (const table of tablesOf(engine, scope, tableName)) {
    const stream = streamsOf(engine, table).find((candidate) => candidate.label === label)
    if (stream !== undefined) return stream
  }
  throw streamNotFound(streamArn)
}

export function arnOf({ table, label }: Stream): string {
  return `${tableArn(table)}/stream/${label}`
}

/** A stream is named after the moment it was requested. */
export function createdAtMs({ label }: Stream): number {
  return Date.parse(`${label}Z`)
}

function streamNotFound(streamArn: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Stream: ${streamArn} not found`,
  )
}

export function readStreamArn(
  scope: Scope,
  streamArn: string,
): { readonly tableName: string; readonly label: string } {
  const [, region, accountId, tableName, label] = arnPattern.exec(streamArn) ?? []
  if (tableName === undefined || label === undefined) throw validationException('Invalid StreamArn')
  if (accountId !== scope.accountId) throw accessDenied()
  if (region !== scope.region) throw streamNotFound(streamArn)
  return { tableName, label }
}

const arnPattern =
  /^arn:aws:dynamodb:([a-z0-9-]{1,64}):(\d{12}):table\/([a-zA-Z0-9_.-]{3,255})\/stream\/([0-9T:.-]{1,64})$/

/** Existing tables come first: if a table was deleted and created again in one millisecond, its name means the new
 *  one. */
function* tablesOf(engine: Streaming, scope: Scope, tableName?: string): Iterable<TableDefinition> {
  const matches = (table: TableDefinition): boolean =>
    table.accountId === scope.accountId &&
    table.region === scope.region &&
    (tableName === undefined || table.tableName === tableName)
  for (const name of tableName === undefined ? engine.catalog.names(scope) : [tableName]) {
    const table = engine.catalog.find(scope, name)
    if (table !== undefined) yield table.definition
  }
  for (const table of engine.catalog.dropped()) if (matches(table)) yield table
}

function streamsOf(engine: Streaming, table: TableDefinition): readonly Stream[] {
  const horizonMs = engine.clock.ago(engine.streamRetentionMs)
  const streams: Stream[] = (table.pastStreams ?? [])
    .filter(({ disabledAtMs }) => disabledAtMs > horizonMs)
    .map(({ label, viewType }) => ({ table, label, viewType, enabled: false }))
  if (table.stream?.enabled === true) {
    streams.push({ table, label: table.stream.label, viewType: table.stream.viewType, enabled: true })
  }
  return streams
}

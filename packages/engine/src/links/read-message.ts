import { ServiceError } from '@hashrange/core'
import type { CreateTableInput } from '../api/table-inputs.ts'
import { isRecord } from '../api/is-record.ts'
import { readInput } from '../api/read-input.ts'
import type { ReplicaOverrides } from '../definitions/table-definition.ts'
import type { ReplicationCursor } from '../replication/cursor.ts'
import type { Stamp } from '../stamps/stamp.ts'
import {
  linkVersion,
  LinkRefusal,
  type ExchangeAnswer,
  type ExchangeRequest,
  type FillAnswer,
  type FillPlace,
  type FillRequest,
  type ReplicaView,
  type TableView,
} from './link-messages.ts'

/** Nothing that another server sends is believed before it has been read here. */
export function readExchangeRequest(raw: unknown): ExchangeRequest {
  const message = versioned(raw)
  return {
    version: linkVersion,
    from: region(message['from']),
    of: region(message['of']),
    waitMs: number(message['waitMs'], 60_000),
    lagMs: number(message['lagMs'], 24 * 3_600_000),
    known: text(message['known'], 100),
    views: optional(message['views'], (views) => list(views, mostTables).map(readView)),
    tables: list(message['tables'], mostTables).map((one) => {
      const asked = record(one)
      return { id: text(asked['id'], 100), region: region(asked['region']), cursor: readPositions(asked['cursor']) }
    }),
    refused: list(message['refused'], mostTables).map((id) => text(id, 100)),
  }
}

export function readExchangeAnswer(raw: unknown): ExchangeAnswer {
  const message = versioned(raw)
  return {
    version: linkVersion,
    from: region(message['from']),
    nowMs: number(message['nowMs'], Number.MAX_SAFE_INTEGER),
    fingerprint: text(message['fingerprint'], 100),
    views: optional(message['views'], (views) => list(views, mostTables).map(readView)),
    gone: list(message['gone'], mostTables).map((id) => text(id, 100)),
    isCut: message['isCut'] === true,
    pages: list(message['pages'], mostTables).map((one) => {
      const page = record(one)
      return {
        id: text(page['id'], 100),
        to: region(page['to']),
        cursor: readPositions(page['cursor']),
        changes: number(page['changes'], mostChanges),
        oldestAtMs: optional(page['oldestAtMs'], (atMs) => number(atMs, Number.MAX_SAFE_INTEGER)),
      }
    }),
  }
}

export function readFillRequest(raw: unknown): FillRequest {
  const message = versioned(raw)
  return {
    version: linkVersion,
    from: region(message['from']),
    id: text(message['id'], 100),
    region: region(message['region']),
    place: optional(message['place'], readPlace),
  }
}

export function readFillAnswer(raw: unknown): FillAnswer {
  const message = versioned(raw)
  return {
    version: linkVersion,
    changes: number(message['changes'], mostChanges),
    positions: optional(message['positions'], (positions) =>
      Object.fromEntries(entries(positions).map(([name, cursor]) => [region(name), readPositions(cursor)])),
    ),
    next: optional(message['next'], readPlace),
  }
}

const mostTables = 10_000
const mostChanges = 100_000
const mostReplicas = 64

function readView(raw: unknown): TableView {
  const view = record(raw)
  const settings = readSettings(view['settings'])
  return {
    id: text(view['id'], 100),
    accountId: pattern(view['accountId'], /^\d{12}$/),
    tableName: settings.TableName,
    region: region(view['region']),
    isProtected: view['isProtected'] === true,
    replicas: list(view['replicas'], mostReplicas).map(readReplica),
    settings,
    timeToLive: optional(view['timeToLive'], (name) => text(name, 255)),
    settingsAt: optional(view['settingsAt'], readStamp),
    sentAgeMs: number(view['sentAgeMs'], Number.MAX_SAFE_INTEGER),
  }
}

/** The settings of a table are checked as those of a request are. */
function readSettings(raw: unknown): CreateTableInput {
  try {
    return readInput('CreateTable', record(raw))
  } catch (error) {
    if (error instanceof ServiceError) throw malformed(error.message)
    throw error
  }
}

const statuses: readonly string[] = ['CREATING', 'ACTIVE', 'UPDATING', 'DELETING'] satisfies ReplicaView['status'][]

function isStatus(status: unknown): status is ReplicaView['status'] {
  return typeof status === 'string' && statuses.includes(status)
}

function readReplica(raw: unknown): ReplicaView {
  const { region: name, status, filledFrom, joinedAtMs, overrides } = record(raw)
  if (!isStatus(status)) throw malformed('a replica has an unknown status')
  return {
    region: region(name),
    status,
    ...(filledFrom !== undefined && { filledFrom: region(filledFrom) }),
    ...(joinedAtMs !== undefined && { joinedAtMs: number(joinedAtMs, Number.MAX_SAFE_INTEGER) }),
    ...(overrides !== undefined && { overrides: readOverrides(overrides) }),
  }
}

function readOverrides(raw: unknown): ReplicaOverrides {
  const { readUnits, maxReadUnits, tableClass, kmsKeyArn, indexes } = record(raw)
  const units = (value: unknown): number => number(value, Number.MAX_SAFE_INTEGER)
  return {
    ...(readUnits !== undefined && { readUnits: units(readUnits) }),
    ...(maxReadUnits !== undefined && { maxReadUnits: units(maxReadUnits) }),
    ...((tableClass === 'STANDARD' || tableClass === 'STANDARD_INFREQUENT_ACCESS') && { tableClass }),
    ...(kmsKeyArn !== undefined && { kmsKeyArn: text(kmsKeyArn, 2_048) }),
    ...(indexes !== undefined && {
      indexes: list(indexes, 100).map((one) => {
        const index = record(one)
        return {
          indexName: text(index['indexName'], 255),
          ...(index['readUnits'] !== undefined && { readUnits: units(index['readUnits']) }),
          ...(index['maxReadUnits'] !== undefined && { maxReadUnits: units(index['maxReadUnits']) }),
        }
      }),
    }),
  }
}

function readPlace(raw: unknown): FillPlace {
  const { phase, after } = record(raw)
  if (phase !== 'tombstones' && phase !== 'items') throw malformed('a place is unknown')
  return { phase, after: optional(after, (word) => pattern(word, /^[A-Za-z0-9+/=]{0,8000}$/)) }
}

/** Positions in the shards of a log. */
function readPositions(raw: unknown): ReplicationCursor {
  const found = entries(record(raw)['positions'])
  if (found.length > 10_000) throw malformed('a cursor has too many positions')
  const positions = found.map(([shard, position]) => [
    pattern(shard, /^\d{1,12}$/),
    pattern(position, /^\d{1,20}$/),
  ])
  return { positions: Object.fromEntries(positions) }
}

/** `{ micros, region }`. */
export function readStamp(raw: unknown): Stamp {
  const { micros, region: name } = record(raw)
  return { micros: number(micros, Number.MAX_SAFE_INTEGER), region: region(name) }
}

export function region(raw: unknown): string {
  return pattern(raw, /^[a-z]{2,8}(-[a-z]{2,16}){1,3}-\d{1,2}$/)
}

export function number(raw: unknown, most: number): number {
  if (typeof raw === 'number' && raw >= 0 && raw <= most) return Math.floor(raw)
  throw malformed('a number is missing or out of range')
}

/** The members of an object that came as JSON. */
export function entries(raw: unknown): readonly [string, unknown][] {
  return Object.entries(record(raw))
}

export function record(raw: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(raw) && !Array.isArray(raw)) return raw
  throw malformed('an object is missing')
}

export function malformed(what: string): LinkRefusal {
  return new LinkRefusal(400, `The message of the other server cannot be read: ${what}.`)
}

function versioned(raw: unknown): Readonly<Record<string, unknown>> {
  const message = record(raw)
  const { version } = message
  if (version === linkVersion) return message
  throw new LinkRefusal(
    409,
    `The other server speaks version ${typeof version === 'number' ? version : '?'} of the replication protocol, and this one version ${linkVersion}. Install the same version of hashrange on both.`,
  )
}

function text(raw: unknown, most: number): string {
  if (typeof raw === 'string' && raw.length <= most) return raw
  throw malformed('a text is missing or too long')
}

function pattern(raw: unknown, form: RegExp): string {
  if (typeof raw === 'string' && form.test(raw)) return raw
  throw malformed('a name or number has an unknown form')
}

function list(raw: unknown, most: number): readonly unknown[] {
  if (Array.isArray(raw) && raw.length <= most) return raw
  throw malformed('a list is missing or too long')
}

function optional<T>(raw: unknown, read: (present: unknown) => T): T | undefined {
  return raw === undefined ? undefined : read(raw)
}

import { createHash } from 'node:crypto'
import { readItem, ServiceError, validationException, type Item } from '@hashrange/core'
import type { RawAttributeValue } from '../api/raw-item.ts'
import { isRecord } from '../api/is-record.ts'
import { isWithin, storeKeyOfStart } from '../reads/start-key.ts'
import type { SelectPlan } from './plan-select.ts'
import type { ReadPosition } from './run-select.ts'

/** What a token belongs to: a statement and its parameters. */
export interface TokenOwner {
  readonly Statement: string
  readonly Parameters?: readonly RawAttributeValue[]
}

const digestBytes = 16

/** Tells a client how to continue: a digest of the statement, so that the token works for no other, and the position. */
export function nextToken(owner: TokenOwner, { read, after }: ReadPosition): string {
  const position = Buffer.from(JSON.stringify(after === undefined ? [read] : [read, after]))
  return Buffer.concat([digestOf(owner), position]).toString('base64')
}

/** Parses a token of `nextToken`. Clients can send anything: the position must be within what the statement reads. */
export function readNextToken(token: string, owner: TokenOwner, plan: SelectPlan): ReadPosition {
  const bytes = Buffer.from(token, 'base64')
  const parsed = positionIn(bytes)
  if (parsed === undefined) throw invalidToken()
  if (!bytes.subarray(0, digestBytes).equals(digestOf(owner))) {
    throw validationException('NextToken does not match request')
  }
  const [read, after] = parsed
  const planned = plan.reads[read]
  if (planned === undefined) throw invalidToken()
  if (after === undefined) return { read, after }
  try {
    const start: Item = readItem(after)
    if (isWithin(planned.range, storeKeyOfStart(plan.source, start))) return { read, after: start }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
  throw invalidToken()
}

function positionIn(bytes: Buffer): readonly [read: number, after: object | undefined] | undefined {
  let position: unknown
  try {
    position = JSON.parse(bytes.toString('utf8', digestBytes))
  } catch {
    return undefined
  }
  if (!Array.isArray(position)) return undefined
  const [read, after] = position as readonly unknown[]
  if (typeof read !== 'number' || !Number.isInteger(read) || read < 0) return undefined
  if (after !== undefined && !isRecord(after)) return undefined
  return [read, after]
}

function digestOf({ Statement, Parameters }: TokenOwner): Buffer {
  const hash = createHash('sha256').update(JSON.stringify([Statement, Parameters ?? []]))
  return hash.digest().subarray(0, digestBytes)
}

function invalidToken(): ServiceError {
  return validationException('Invalid NextToken')
}

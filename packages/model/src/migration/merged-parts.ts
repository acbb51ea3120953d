import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { Connection, Meter } from '../client/connection.ts'
import type { StoredItem } from '../client/entity-runtime.ts'
import type { QueryPlan } from '../client/query-plan.ts'
import { sendPart } from '../client/read-page.ts'
import { compareStored } from '../keys/compare-stored.ts'

/** An item of a merged query, with its place in the order. */
export interface Entry {
  readonly entity: string
  readonly stored: StoredItem
  /** The sort key that it has, or would have, in the new form. */
  readonly order: readonly (AttributeValue | undefined)[]
  /** The same for both forms of an item. */
  readonly id: string
  /** Where a query goes on after it. */
  readonly position: StoredItem
}

/** One of the partitions that are merged. */
export interface Part {
  readonly plan: QueryPlan
  readonly number: number
  readonly isOld: boolean
  /** Whether it is sorted here, because its own order is another. */
  readonly isWhole: boolean
  /** Undefined for what does not belong to the answer, or is in another part. */
  readonly read: (stored: StoredItem) => Entry | undefined
}

interface RoundRequest {
  readonly connection: Connection
  readonly meter: Meter
  readonly parts: readonly Part[]
  /** After this item; undefined at the beginning. */
  readonly floor: Pick<Entry, 'order' | 'position'> | undefined
  readonly limit: number
  readonly isDescending: boolean
  readonly signal: AbortSignal | undefined
}

interface Round {
  /** In order, each item once. */
  readonly entries: readonly Entry[]
  readonly isOver: boolean
}

/** Reads a page of each partition, and returns what lies before the first of their ends: what is there is known for certain.
 *
 *  All old partitions are read before any new one. An item only ever goes from old to new: it is seen in the old one, or it had
 *  left before, and is seen in the new one. So what is beyond the end is read again, the next time, in this order. */
export async function readRound(request: RoundRequest): Promise<Round> {
  const { parts, isDescending } = request
  const old = await Promise.all(parts.filter(({ isOld }) => isOld).map((part) => readPart(request, part)))
  const fresh = await Promise.all(parts.filter(({ isOld }) => !isOld).map((part) => readPart(request, part)))
  const pages = [...old, ...fresh]
  const compare = (a: Pick<Entry, 'order'>, b: Pick<Entry, 'order'>): number =>
    compareOrder(a.order, b.order, isDescending)
  const ends = pages.flatMap(({ entries, isOver }) => (isOver ? [] : (entries.at(-1) ?? [])))
  const end = ends.toSorted(compare)[0]
  const found = new Map<string, Entry>()
  // The new form was read later, and so replaces the old one.
  for (const { entries } of pages) {
    for (const entry of entries) {
      const isBefore = end === undefined || compare(entry, end) < 0
      const isAfter = request.floor === undefined || compare(entry, request.floor) > 0
      if (isBefore && isAfter) found.set(entry.id, entry)
    }
  }
  return { entries: [...found.values()].toSorted(compare), isOver: end === undefined }
}

export function compareOrder(a: Entry['order'], b: Entry['order'], isDescending: boolean): number {
  for (const [i, value] of a.entries()) {
    const difference = compareStored(value, b[i])
    if (difference !== 0) return isDescending ? -difference : difference
  }
  return 0
}

interface PartPage {
  readonly entries: readonly Entry[]
  readonly isOver: boolean
}

/** A page of one partition: long enough that something lies before its end. */
async function readPart(request: RoundRequest, part: Part): Promise<PartPage> {
  const { connection, meter, floor, limit, isDescending, signal } = request
  const { plan, number } = part
  const entries: Entry[] = []
  let position: StoredItem | 'start' = part.isWhole || floor === undefined ? 'start' : floor.position
  for (;;) {
    const positions = plan.inputs.map(() => position)
    const page: Parameters<typeof sendPart>[0] = {
      connection,
      meter,
      operation: 'Query',
      plan,
      positions,
      limit,
      signal,
    }
    const { Items = [], LastEvaluatedKey } = await sendPart(page, number, part.isWhole ? undefined : limit)
    for (const stored of Items) {
      const entry = part.read(stored)
      if (entry !== undefined) entries.push(entry)
    }
    if (LastEvaluatedKey === undefined) return { entries, isOver: true }
    position = LastEvaluatedKey
    if (part.isWhole) continue
    const [first, last] = [entries[0], entries.at(-1)]
    const isEnough = first !== undefined && last !== undefined
    if (isEnough && compareOrder(first.order, last.order, isDescending) < 0) return { entries, isOver: false }
  }
}

/** Whether a sort key meets the key condition of a request: for items that are sorted here. */
export function meetsCondition(input: QueryCommandInput, names: readonly string[], order: Entry['order']): boolean {
  const { KeyConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input
  const terms = KeyConditionExpression.matchAll(
    /begins_with\((#\w+), (:\w+)\)|(#\w+) (BETWEEN|=|<=|>=) (:\w+)(?: AND (:\w+))?/g,
  )
  for (const [, begun, beginning, compared, operator, first, second] of terms) {
    const i = names.indexOf(ExpressionAttributeNames[begun ?? compared ?? ''] ?? '')
    if (i === -1) continue
    const value = order[i]
    const [low, high] = [first, second].map((name) => ExpressionAttributeValues[name ?? ''])
    if (begun !== undefined) {
      if (value?.S?.startsWith(ExpressionAttributeValues[beginning ?? '']?.S ?? '') !== true) return false
    } else if (value === undefined) return false
    else if (operator === '=' && compareStored(value, low) !== 0) return false
    else if (operator === '<=' && compareStored(value, low) > 0) return false
    else if ((operator === '>=' || operator === 'BETWEEN') && compareStored(value, low) < 0) return false
    else if (operator === 'BETWEEN' && compareStored(value, high) > 0) return false
  }
  return true
}

import type { Key } from '@hashrange/engine'
import type { Row } from '../connection/inbox.ts'
import type { Call } from '../connection/link.ts'
import { encodeInt4Array, type Parameter } from '../connection/messages.ts'
import type { Statement } from '../connection/statement.ts'
import { shardsByPart, statementsAt, type Dialect } from './found.ts'
import type { Segment } from './placement.ts'

/** Runs calls in one round trip, in the snapshot that all calls of a range share. */
export type RunCalls = (calls: readonly Call[]) => Promise<void>

export interface PageRequest {
  readonly kind: Segment['kind']
  readonly from: Key
  readonly to: Key
  readonly reverse: boolean
  readonly limit: number
}

export interface RowPage {
  /** In the requested order. The first column is the key. */
  readonly rows: readonly Row[]
  /** The rest of the range, if there may be any. */
  readonly next: { readonly from: Key; readonly to: Key } | undefined
}

/** Reads the beginning of a range, or its end if it is read in reverse. */
export async function readPage(dialect: Dialect, run: RunCalls, page: PageRequest): Promise<RowPage> {
  const { statements, placement, distributed } = dialect
  const { kind, from, to, reverse } = page
  if (kind === 'counters')
    return readDirectly(run, page, reverse ? statements.countersReverse : statements.counters, [])
  const { first, last, isOrdered } = placement.shardsBetween(from, to)
  const table = statementsAt(dialect, first)[kind]
  const statement = reverse ? table.rangeReverse : table.range
  if (first === last) return readDirectly(run, page, statement, [first])
  const shards = shardsFrom(first, last)
  if (!isOrdered) {
    const ofEach = reverse ? table.rangeOfEachReverse : table.rangeOfEach
    return readMerged(run, page, ofEach, shards, shardsByPart(dialect, shards))
  }
  if (distributed) {
    return readShardByShard(run, page, { first, last }, statement, {
      statement: reverse ? table.firstReverse : table.first,
      shardOf: (key) => placement.shardOf(key),
    })
  }
  return readDirectly(run, page, reverse ? table.rangeAlongReverse : table.rangeAlong, [first, last])
}

async function readDirectly(
  run: RunCalls,
  page: PageRequest,
  statement: Statement,
  where: readonly number[],
): Promise<RowPage> {
  const rows: Row[] = []
  await run([callOf(statement, page, page.limit, where, rows)])
  assertOrder(rows, page.reverse)
  return { rows, next: rows.length < page.limit ? undefined : restAfter(page, keyOf(rows.at(-1))) }
}

/** If a statement goes to one node: the shards one after another, more and more at once, though not too many: a busy
 *  coordinator must have answered before the deadline of one round trip. After some that had nothing, all others are asked
 *  at once where the next key is. */
async function readShardByShard(
  run: RunCalls,
  page: PageRequest,
  span: { readonly first: number; readonly last: number },
  statement: Statement,
  next: { readonly statement: Statement; shardOf(key: Key): number },
): Promise<RowPage> {
  const rows: Row[] = []
  let { first, last } = span
  for (let count = 2; first <= last && rows.length < page.limit; count *= 2) {
    const some = Math.min(count, callsAtOnce, last - first + 1)
    const parts = Array.from({ length: some }, (_, position) => ({
      shard: page.reverse ? last - position : first + position,
      rows: [] as Row[],
    }))
    await run(parts.map((part) => callOf(statement, page, page.limit - rows.length, [part.shard], part.rows)))
    for (const part of parts) rows.push(...part.rows)
    if (page.reverse) last -= some
    else first += some
    if (first > last || parts.some((part) => part.rows.length > 0)) continue
    const found: Row[] = []
    const parameters = [page.from, page.to, encodeInt4Array(shardsFrom(first, last))]
    await run([{ statement: next.statement, parameters, onRow: (row) => void found.push(row) }])
    if (found.length === 0) break
    const shard = next.shardOf(keyOf(found[0]))
    if (page.reverse) last = shard
    else first = shard
  }
  if (rows.length < page.limit) return { rows, next: undefined }
  rows.length = page.limit
  return { rows, next: restAfter(page, keyOf(rows.at(-1))) }
}

export function shardsFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, position) => first + position)
}

/** If neighbours may be in any shard: some of each, merged. Beyond the end of a shard that has more, others may be
 *  missing: the page ends there. */
async function readMerged(
  run: RunCalls,
  page: PageRequest,
  statement: Statement,
  shards: readonly number[],
  byPart: readonly (readonly number[])[],
): Promise<RowPage> {
  const limit = Math.min(page.limit, Math.max(8, Math.ceil((2 * page.limit) / shards.length)))
  const parts = shards.map(() => ({ rows: [] as Row[] }))
  const [first = 0] = shards
  const onRow = (row: Row): void => void parts[(row[2]?.readInt32BE() ?? 0) - first]?.rows.push(row)
  const calls = byPart.map((some): Call => ({
    statement,
    parameters: [page.from, page.to, BigInt(limit), encodeInt4Array(some)],
    onRow,
  }))
  for (let from = 0; from < calls.length; from += callsAtOnce) await run(calls.slice(from, from + callsAtOnce))
  const direction = page.reverse ? -1 : 1
  const ends = parts.filter(({ rows }) => rows.length === limit).map(({ rows }) => keyOf(rows.at(-1)))
  const end = ends.toSorted((a, b) => direction * Buffer.compare(a, b))[0]
  const rows = parts
    .flatMap((part) => part.rows)
    .filter((row) => end === undefined || direction * Buffer.compare(keyOf(row), end) <= 0)
    .toSorted((a, b) => direction * Buffer.compare(keyOf(a), keyOf(b)))
  return { rows, next: end === undefined ? undefined : restAfter(page, end) }
}

function callOf(
  statement: Statement,
  { from, to }: PageRequest,
  limit: number,
  where: readonly Parameter[],
  rows: Row[],
): Call {
  return { statement, parameters: [from, to, BigInt(limit), ...where], onRow: (row) => void rows.push(row) }
}

export function restAfter(
  { from, to, reverse }: Pick<PageRequest, 'from' | 'to' | 'reverse'>,
  key: Buffer,
): { from: Key; to: Key } {
  return reverse ? { from, to: key } : { from: Buffer.concat([key, zeroByte]), to }
}

function keyOf(row: Row | undefined): Buffer {
  return row?.[0] ?? noBytes
}

/** The statements promise it; a database that plans one of them differently must not go unnoticed. */
export function assertOrder(rows: readonly Row[], reverse: boolean): void {
  for (let index = 1; index < rows.length; index++) {
    const order = Buffer.compare(keyOf(rows[index - 1]), keyOf(rows[index]))
    if (reverse ? order <= 0 : order >= 0) throw new Error('the database gave a range out of order')
  }
}

/** In one round trip. */
const callsAtOnce = 32
const zeroByte = Buffer.of(0)
const noBytes = Buffer.alloc(0)

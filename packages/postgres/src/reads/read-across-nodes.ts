import type { Range, Value } from '@hashrange/engine'
import type { Row } from '../connection/inbox.ts'
import type { Call } from '../connection/link.ts'
import { encodeInt4Array } from '../connection/messages.ts'
import type { Statement } from '../connection/statement.ts'
import { statementsAt, type Dialect } from './found.ts'
import { assertOrder, restAfter, shardsFrom } from './read-page.ts'
import { expectedEntries, learnSize } from './read-range.ts'

/** A node that can be asked directly. */
export interface ShardNode {
  readonly dialect: Dialect
  /** Whether it did not answer, so that the coordinator would wait in vain too. */
  readonly isSilent: boolean
  /** Runs calls that read shards which the node should have, in a transaction of their own. */
  read(shards: readonly number[], calls: readonly Call[]): Promise<void>
}

export interface ShardNodes {
  /** The nodes that have the shards, and which of them each has, if all can be asked. */
  nodesOf(shards: readonly number[]): ReadonlyMap<ShardNode, readonly number[]> | undefined
  /** A node could not do what it was asked for. */
  noteFailure(cause: unknown): void
}

/** Reads a range of several shards, one after the other, from the nodes that have them. Each time that a few shards did not have
 *  enough, four times as many are asked, with one call for each part of the tables. Through the coordinator, it
 *  would be one call for each shard, and each takes it longer than the node. Returns the rest of the range if it has to be
 *  read through the coordinator. */
export async function readAcrossNodes(
  nodes: ShardNodes,
  { placement }: Dialect,
  bounds: Range,
  visit: (key: Buffer, value: Value) => boolean,
): Promise<Range | undefined> {
  const { reverse = false, limit = Number.POSITIVE_INFINITY } = bounds
  const [segment, ...others] = placement.segments(bounds.from, bounds.to)
  if (segment === undefined) return undefined
  const span = placement.shardsBetween(bounds.from, bounds.to)
  if (segment.kind === 'counters' || others.length > 0 || !span.isOrdered) return bounds
  let { first, last } = span
  let rest: Range = bounds
  let left = limit
  let count = 1
  while (left > 0 && first <= last) {
    const some = reverse
      ? shardsFrom(Math.max(first, last - count + 1), last).toReversed()
      : shardsFrom(first, Math.min(last, first + count - 1))
    const wanted = Math.min(left, expectedEntries())
    const most = Math.min(wanted, Math.max(8, Math.ceil((4 * wanted) / some.length)))
    const found = await readShards(nodes, segment.kind, rest, some, most)
    if (found === undefined) return rest
    count *= 4
    for (const shard of some) {
      const rows = found.get(shard) ?? []
      for (const [key = noBytes, value = noBytes] of rows) {
        learnSize(key.length + value.length)
        left--
        if (!visit(key, value) || left <= 0) return undefined
      }
      const key = rows.at(-1)?.[0]
      if (key !== undefined) rest = { ...bounds, ...restAfter({ ...rest, reverse }, key), limit: left }
      if (rows.length === most) {
        // It may have more. What was read beyond it would come too early.
        count = 1
        break
      }
      if (reverse) last--
      else first++
    }
  }
  return undefined
}

/** The beginning of each shard, or its end in reverse. Nothing if a node cannot be asked. */
async function readShards(
  nodes: ShardNodes,
  kind: 'entries' | 'kept',
  { from, to, reverse = false }: Range,
  shards: readonly number[],
  limit: number,
): Promise<ReadonlyMap<number, readonly Row[]> | undefined> {
  const byNode = nodes.nodesOf(shards)
  if (byNode === undefined) return undefined
  const found = new Map<number, Row[]>(shards.map((shard) => [shard, []]))
  const onRow = (row: Row): void => void found.get(row[2]?.readInt32BE() ?? 0)?.push(row)
  const ask = async ([node, own]: readonly [ShardNode, readonly number[]]): Promise<unknown> => {
    try {
      const calls = Array.from(byStatement(node.dialect, kind, reverse, own), ([statement, some]): Call => ({
        statement,
        parameters: [from, to, BigInt(limit), encodeInt4Array(some)],
        onRow,
      }))
      await node.read(own, calls)
      return undefined
    } catch (error) {
      if (node.isSilent) throw error
      return error
    }
  }
  const failure = (await Promise.all(Array.from(byNode, ask))).find((error) => error !== undefined)
  if (failure !== undefined) {
    nodes.noteFailure(failure)
    return undefined
  }
  for (const rows of found.values()) assertOrder(rows, reverse)
  return found
}

function byStatement(
  dialect: Dialect,
  kind: 'entries' | 'kept',
  reverse: boolean,
  shards: readonly number[],
): ReadonlyMap<Statement, readonly number[]> {
  const found = new Map<Statement, number[]>()
  for (const shard of shards) {
    const statement = statementsAt(dialect, shard)[kind][reverse ? 'rangeOfEachReverse' : 'rangeOfEach']
    const same = found.get(statement)
    if (same === undefined) found.set(statement, [shard])
    else same.push(shard)
  }
  return found
}

const noBytes = Buffer.alloc(0)

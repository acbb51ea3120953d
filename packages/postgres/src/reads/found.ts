import type { Key, Value } from '@hashrange/engine'
import type { Row } from '../connection/inbox.ts'
import type { Call } from '../connection/link.ts'
import { encodeArray, encodeInt4Array, typeOf } from '../connection/messages.ts'
import { counterParts, type EntryStatements, type Statements } from '../schema/statements.ts'
import type { Statement } from '../connection/statement.ts'
import type { Placement } from './placement.ts'

/** An entry as it was read. Its version distinguishes it from every other value that the key ever had; a counter has
 *  none. */
export interface Found {
  readonly version: Buffer | undefined
  readonly value: Value
}

/** The calls that read some keys; `answers` is filled, in the order of the keys, as their rows come. */
export interface KeyRead {
  readonly calls: readonly Call[]
  readonly answers: (Found | undefined)[]
}

export interface Dialect {
  readonly statements: Statements
  readonly placement: Placement
  /** Whether a statement should use one shard. */
  readonly distributed: boolean
}

export function readKeys(dialect: Dialect, keys: readonly Key[]): KeyRead {
  return keyRead(dialect, keys, (table, positions, answers) => {
    if (positions.length === 1) return [readOne(dialect, table, keys, positions[0] ?? 0, answers)]
    if (dialect.distributed) return readByShard(dialect, table.getInShard, keys, positions, answers)
    return [readAtOnce(dialect, table, keys, positions, answers)]
  })
}

/** Locks the existing entries, in the order of shards and keys. Copies are locked last, and only against changes: the
 *  copy in the home shard is enough, because whoever changes them changes all. */
export function lockKeys(dialect: Dialect, keys: readonly Key[], home: number): KeyRead {
  const { placement } = dialect
  return keyRead(dialect, keys, (table, positions, answers) => {
    const isCopied = (position: number): boolean => placement.isCopied(keys[position] ?? noBytes)
    const own = positions.filter((position) => !isCopied(position))
    const copied = positions.filter(isCopied)
    return [
      ...readByShard(dialect, table.lockInShard, keys, own, answers),
      ...readByShard(dialect, table.shareInShard, keys, copied, answers, home),
    ]
  })
}

type Answers = (Found | undefined)[]

/** Entries are read with as few calls as each table needs, before the counters. */
function keyRead(
  dialect: Dialect,
  keys: readonly Key[],
  read: (table: EntryStatements, positions: readonly number[], answers: Answers) => readonly Call[],
): KeyRead {
  const answers: Answers = Array.from({ length: keys.length })
  const { statements, placement } = dialect
  const positions = { entries: [] as number[], kept: [] as number[] }
  const counters: Call[] = []
  keys.forEach((key, position) => {
    if (placement.isCounter(key)) counters.push(readCounter(dialect, key, (found) => (answers[position] = found)))
    else positions[placement.tableOf(key)].push(position)
  })
  const calls: Call[] = []
  if (positions.entries.length > 0) calls.push(...read(statements.entries, positions.entries, answers))
  if (positions.kept.length > 0) calls.push(...read(statements.kept, positions.kept, answers))
  return { calls: [...calls, ...counters], answers }
}

function readOne(
  { placement }: Dialect,
  table: EntryStatements,
  keys: readonly Key[],
  position: number,
  answers: Answers,
): Call {
  const key = keys[position] ?? noBytes
  const onRow = ([version, value]: Row): void => {
    answers[position] = { version, value: value ?? noBytes }
  }
  return { statement: table.get, parameters: [placement.shardOf(key), key], onRow }
}

function readAtOnce(
  { placement }: Dialect,
  table: EntryStatements,
  keys: readonly Key[],
  positions: readonly number[],
  answers: Answers,
): Call {
  const wanted = positions.map((position) => keys[position] ?? noBytes)
  const shards = wanted.map((key) => placement.shardOf(key))
  const onRow = ([place, version, value]: Row): void => {
    const position = positions[Number(place?.readBigInt64BE() ?? 0n) - 1]
    if (position !== undefined) answers[position] = { version, value: value ?? noBytes }
  }
  return {
    statement: table.getMany,
    parameters: [encodeInt4Array(shards), encodeArray(typeOf.bytea, wanted)],
    onRow,
  }
}

function readByShard(
  { placement }: Dialect,
  statement: Statement,
  keys: readonly Key[],
  positions: readonly number[],
  answers: Answers,
  home?: number,
): readonly Call[] {
  const byShard = new Map<number, Map<string, { key: Key; positions: number[] }>>()
  for (const position of positions) {
    const key = keys[position] ?? noBytes
    const shard = home ?? placement.shardOf(key)
    let wanted = byShard.get(shard)
    if (wanted === undefined) byShard.set(shard, (wanted = new Map()))
    const name = nameOf(key)
    const same = wanted.get(name)
    if (same === undefined) wanted.set(name, { key, positions: [position] })
    else same.positions.push(position)
  }
  return [...byShard.keys()]
    .toSorted((a, b) => a - b)
    .map((shard) => {
      const wanted = byShard.get(shard) ?? new Map<string, { key: Key; positions: number[] }>()
      const onRow = ([key, version, value]: Row): void => {
        for (const position of wanted.get(nameOf(key ?? noBytes))?.positions ?? []) {
          answers[position] = { version, value: value ?? noBytes }
        }
      }
      const list = encodeArray(
        typeOf.bytea,
        [...wanted.values()].map(({ key }) => key),
      )
      return { statement, parameters: [shard, list], onRow }
    })
}

function readCounter({ statements, placement }: Dialect, key: Key, found: (found: Found) => void): Call {
  const onRow = ([width, ...parts]: Row): void => found({ version: undefined, value: countersOf(width, parts) })
  if (placement.isScattered(key)) return { statement: statements.sumCounter, parameters: [key], onRow }
  return { statement: statements.getCounter, parameters: [placement.shardOf(key), key], onRow }
}

/** A counter's columns are doubles, big-endian: put together, they are the encoded vector. */
export function countersOf(width: Buffer | undefined, parts: Row): Value {
  const count = Math.min(width?.readInt32BE() ?? 0, counterParts)
  return Buffer.concat(parts.slice(0, count).map((part) => part ?? noBytes))
}

/** A key as a string, one byte per character. Strings have the order of their keys. */
export function nameOf(key: Key): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
}

const noBytes = Buffer.alloc(0)

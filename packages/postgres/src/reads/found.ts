import type { Key, Value, Write, StorageError } from '@hashrange/engine'
import type { Row } from '../connection/inbox.ts'
import type { Call } from '../connection/link.ts'
import { encodeArray, encodeInt4Array, typeOf } from '../connection/messages.ts'
import { counterParts, type Statements } from '../schema/statements.ts'
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
  /** On several nodes: why a shard is refused, if its node does not answer anybody. */
  readonly refusalOf?: (shard: number) => StorageError | undefined
  readonly statements: Statements
  readonly placement: Placement
  /** Whether a statement should use one shard. */
  readonly distributed: boolean
  /** Where statements go through the coordinator of Citus: the part of the tables that has a shard, if that is known. */
  readonly partOf?: (shard: number) => string | undefined
  /** Absent unless it is for connections to a node of Citus itself. */
  readonly node?: NodeParts
}

/** The parts of the tables that are on one node, and that may move to another. */
export interface NodeParts {
  /** The statements for the part that has a shard. */
  at(shard: number): Statements
  /** Whether the node has all that would be written. */
  holds(writes: readonly Write[]): boolean
  /** Keeps the parts that have the shards on the node, until the transaction ends; fails if one is not there. */
  hold(shards: Iterable<number>, isWrite: boolean): Call
}

export function statementsAt({ statements, node }: Dialect, shard: number): Statements {
  return node === undefined ? statements : node.at(shard)
}

/** The shards that one statement can use. */
export function shardsByPart(
  { distributed, partOf }: Dialect,
  shards: Iterable<number>,
): readonly (readonly number[])[] {
  if (!distributed) return [[...shards]]
  const byPart = new Map<string | number, number[]>()
  for (const shard of shards) {
    const part = partOf?.(shard) ?? shard
    const same = byPart.get(part)
    if (same === undefined) byPart.set(part, [shard])
    else same.push(shard)
  }
  return [...byPart.values()]
}

export function readKeys(dialect: Dialect, keys: readonly Key[]): KeyRead {
  const [only] = keys
  if (keys.length === 1 && only !== undefined && !dialect.placement.isCounter(only)) {
    const answers: Answers = [undefined]
    return { calls: [readOne(dialect, dialect.placement.tableOf(only), keys, 0, answers)], answers }
  }
  return keyRead(dialect, keys, (table, positions, answers) => {
    if (positions.length === 1) return [readOne(dialect, table, keys, positions[0] ?? 0, answers)]
    if (dialect.distributed) return readByShard(dialect, table, 'getInShard', keys, positions, answers)
    if (dialect.node !== undefined) return readByPart(dialect, table, keys, positions, answers)
    return [readAtOnce(dialect, dialect.statements[table].getMany, keys, positions, answers)]
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
      ...readByShard(dialect, table, 'lockInShard', keys, own, answers),
      ...readByShard(dialect, table, 'shareInShard', keys, copied, answers, home),
    ]
  })
}

type Answers = (Found | undefined)[]
type Table = 'entries' | 'kept'

/** Entries are read with as few calls as each table needs, before the counters. */
function keyRead(
  dialect: Dialect,
  keys: readonly Key[],
  read: (table: Table, positions: readonly number[], answers: Answers) => readonly Call[],
): KeyRead {
  const answers: Answers = Array.from({ length: keys.length })
  const { placement } = dialect
  const positions = { entries: [] as number[], kept: [] as number[] }
  const counters: Call[] = []
  keys.forEach((key, position) => {
    if (placement.isCounter(key)) counters.push(readCounter(dialect, key, (found) => (answers[position] = found)))
    else positions[placement.tableOf(key)].push(position)
  })
  const calls: Call[] = []
  if (positions.entries.length > 0) calls.push(...read('entries', positions.entries, answers))
  if (positions.kept.length > 0) calls.push(...read('kept', positions.kept, answers))
  return { calls: [...calls, ...counters], answers }
}

function readOne(dialect: Dialect, table: Table, keys: readonly Key[], position: number, answers: Answers): Call {
  const key = keys[position] ?? noBytes
  const onRow = ([version, value]: Row): void => {
    answers[position] = { version, value: value ?? noBytes }
  }
  const shard = dialect.placement.shardOf(key)
  return { statement: statementsAt(dialect, shard)[table].get, parameters: [shard, key], onRow }
}

/** One call for each part of the table. */
function readByPart(
  dialect: Dialect,
  table: Table,
  keys: readonly Key[],
  positions: readonly number[],
  answers: Answers,
): readonly Call[] {
  const byPart = new Map<Statement, number[]>()
  for (const position of positions) {
    const part = statementsAt(dialect, dialect.placement.shardOf(keys[position] ?? noBytes))[table].getMany
    const own = byPart.get(part)
    if (own === undefined) byPart.set(part, [position])
    else own.push(position)
  }
  return Array.from(byPart, ([statement, own]) =>
    own.length === 1
      ? readOne(dialect, table, keys, own[0] ?? 0, answers)
      : readAtOnce(dialect, statement, keys, own, answers),
  )
}

function readAtOnce(
  { placement }: Dialect,
  statement: Statement,
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
    statement,
    parameters: [encodeInt4Array(shards), encodeArray(typeOf.bytea, wanted)],
    onRow,
  }
}

function readByShard(
  dialect: Dialect,
  table: Table,
  read: 'getInShard' | 'lockInShard' | 'shareInShard',
  keys: readonly Key[],
  positions: readonly number[],
  answers: Answers,
  home?: number,
): readonly Call[] {
  const { placement } = dialect
  const byShard = new Map<number, Map<string, { key: Key; positions: number[] }>>()
  for (const position of positions) {
    const key = keys[position] ?? noBytes
    const shard = home === undefined ? placement.shardOf(key) : placement.shardFrom(home, key)
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
      return { statement: statementsAt(dialect, shard)[table][read], parameters: [shard, list], onRow }
    })
}

function readCounter(dialect: Dialect, key: Key, found: (found: Found) => void): Call {
  const { statements, placement } = dialect
  const onRow = ([width, ...parts]: Row): void => found({ version: undefined, value: countersOf(width, parts) })
  if (placement.isScattered(key)) return { statement: statements.sumCounter, parameters: [key], onRow }
  const shard = placement.shardOf(key)
  return { statement: statementsAt(dialect, shard).getCounter, parameters: [shard, key], onRow }
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

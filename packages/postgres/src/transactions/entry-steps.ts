import type { Key, Value } from '@hashrange/engine'
import type { Call } from '../connection/link.ts'
import { encodeArray, encodeInt4Array, typeOf } from '../connection/messages.ts'
import type { Statements } from '../schema/statements.ts'

/** What is done with one entry, by the statement of that name. */
export type EntryStep = {
  /** Those of the table that has the entry, or of the part of it that is on a node. */
  readonly statements: Statements['entries']
  readonly shard: number
  readonly key: Key
} & (
  | { readonly kind: 'delete' }
  | { readonly kind: 'insert' | 'put' | 'putNew'; readonly value: Value }
  | { readonly kind: 'verify' | 'deleteHeld'; readonly held: Buffer }
  | { readonly kind: 'replace'; readonly held: Buffer; readonly value: Value }
)

/** The calls that take the steps, in their order. `version` is the one that the entries get. */
export function callsOf(steps: readonly EntryStep[], version: Buffer, mayBatch: boolean): readonly Call[] {
  if (!mayBatch) return steps.map((step) => callOf(step, version))
  const calls: Call[] = []
  for (let from = 0; from < steps.length;) {
    const to = endOfBatch(steps, from)
    const batch = steps.slice(from, to)
    if (batch.length < worthOfBatch) for (const step of batch) calls.push(callOf(step, version))
    else calls.push(batchOf(batch, version))
    from = to
  }
  return calls
}

/** One statement for three entries takes as long as three; of ten or thirty, it takes four fifths. */
const worthOfBatch = 4

/** Steps follow each other as they are: were they sorted by their kinds, transactions would wait for each other. */
function endOfBatch(steps: readonly EntryStep[], from: number): number {
  const first = steps[from]
  let to = from + 1
  if (first === undefined || batchable[first.kind] === undefined) return to
  const isNext = (step: EntryStep | undefined): boolean =>
    step !== undefined && step.statements === first.statements && batchable[step.kind] === batchable[first.kind]
  while (isNext(steps[to])) to++
  return to
}

/** The statements for several of a kind. */
const batchable: Readonly<Partial<Record<EntryStep['kind'], 'replaceMany' | 'putMany'>>> = {
  replace: 'replaceMany',
  insert: 'replaceMany',
  put: 'putMany',
}

function batchOf(batch: readonly EntryStep[], version: Buffer): Call {
  const [first] = batch
  if (first === undefined) throw new Error('a batch of nothing')
  const { statements } = first
  const shards = encodeInt4Array(batch.map(({ shard }) => shard))
  const keys = encodeArray(
    typeOf.bytea,
    batch.map(({ key }) => key),
  )
  const values = encodeArray(
    typeOf.bytea,
    batch.map((step) => ('value' in step ? step.value : noBytes)),
  )
  if (first.kind === 'put') return { statement: statements.putMany, parameters: [shards, keys, values, version] }
  const held = encodeArray(
    typeOf.int8,
    batch.map((step) => ('held' in step ? step.held : version)),
  )
  return { statement: statements.replaceMany, parameters: [shards, keys, held, values, version] }
}

function callOf(step: EntryStep, version: Buffer): Call {
  const { statements, kind, shard, key } = step
  const statement = statements[kind]
  switch (kind) {
    case 'delete':
      return { statement, parameters: [shard, key] }
    case 'insert':
    case 'put':
    case 'putNew':
      return { statement, parameters: [shard, key, version, step.value] }
    case 'verify':
    case 'deleteHeld':
      return { statement, parameters: [shard, key, step.held] }
    case 'replace':
      return { statement, parameters: [shard, key, step.held, version, step.value] }
    default:
      throw new Error('an unknown kind of step')
  }
}

const noBytes = Buffer.alloc(0)

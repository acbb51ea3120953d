import { connect, entity, model, s } from '../../index.ts'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { PlannedModel } from '../../client/client-functions.ts'
import type { ModelDescription } from '../../description.ts'
import { migrating, predecessorOf, type Writes } from '../index.ts'
import type { Value } from './reference.ts'

/** Records in groups, whatever their keys are: what all versions of all models offer. */
export interface RecordClient {
  readonly name: string
  readonly isReader?: boolean
  create(group: string, id: string, value: Value): Promise<unknown>
  update(group: string, id: string, value: Value): Promise<unknown>
  remove(group: string, id: string, value: Value): Promise<unknown>
  get(group: string, id: string, value: Value): Promise<Value | undefined>
  list(group: string, limit: number | undefined): Promise<readonly (Value & { readonly id: string })[]>
}

export interface RecordModel extends PlannedModel {
  readonly description: ModelDescription
}

type Client = Pick<DynamoDBClient, 'send'>

interface Row {
  readonly group: string
  readonly id: string
  readonly at: string
  readonly n: number
}

interface Functions {
  readonly Row: {
    create(item: object): Promise<unknown>
    update(key: object, changes: object): Promise<unknown>
    delete(key: object): Promise<unknown>
    get(key: object, options: object): Promise<{ readonly item: Row | undefined }>
  }
  readonly list: (
    parameters: object,
    options: object,
  ) => Promise<{ readonly items: { readonly Row: readonly Row[] }; readonly cursor: string | undefined }>
}

const attributes = { group: s.string(), id: s.string(), at: s.iso('second'), n: s.int() }
const rowIn = (shards: number, was?: number) => ({
  ...attributes,
  shard: s.shard(shards, 'id', was === undefined ? {} : { was }),
})

/** In shards of their table. */
export function sharded(shards: number, was?: number) {
  return model({
    name: 'rows',
    entities: { Row: entity('Row', rowIn(shards, was)).key({ pk: 'G#{group}#{shard}', sk: 'R#{id}' }) },
    patterns: (p) => ({ list: p.query({ pk: 'G#{group}#{shard}', sk: 'R#*', consistent: true }) }),
  })
}

export const byId = model({
  name: 'rows',
  entities: { Row: entity('Row', attributes).key({ pk: 'G#{group}', sk: 'R#{id}' }) },
  patterns: (p) => ({ list: p.query({ pk: 'G#{group}', sk: 'R#*', consistent: true }) }),
})

/** In another order. */
export const byTime = model({
  name: 'rows',
  entities: {
    Row: entity('Row', attributes).key({ pk: 'G#{group}', sk: 'R#{at}#{id}', was: { sk: 'R#{id}' } }),
  },
  patterns: (p) => ({ list: p.query({ pk: 'G#{group}', sk: 'R#*', consistent: true }) }),
})

/** With an index, with another, and with both while one replaces the other. */
const row = entity('Row', attributes).key({ pk: 'ROW#{group}#{id}', sk: 'ROW' })
export const firstIndex = model({
  name: 'rows',
  entities: { Row: row.index('first', { pk: 'G#{group}', sk: '{id}' }) },
  patterns: (p) => ({ list: p.query({ on: 'first', pk: 'G#{group}' }) }),
})
/** Under another key, and in the same index. */
export const movedInIndex = model({
  name: 'rows',
  entities: {
    Row: entity('Row', attributes)
      .key({ pk: 'RECORD#{group}#{id}', sk: 'ROW', was: { pk: 'ROW#{group}#{id}' } })
      .index('first', { pk: 'G#{group}', sk: '{id}' }),
  },
  patterns: (p) => ({ list: p.query({ on: 'first', pk: 'G#{group}' }) }),
})
const twice = row
  .index('first', { pk: 'G#{group}', sk: '{id}' })
  .index('second', { pk: 'AT#{group}', sk: '{at}#{id}' })
export const bothReadFirst = model({
  name: 'rows',
  entities: { Row: twice },
  patterns: (p) => ({ list: p.query({ on: 'first', pk: 'G#{group}' }) }),
})
export const bothReadSecond = model({
  name: 'rows',
  entities: { Row: twice },
  patterns: (p) => ({ list: p.query({ on: 'second', pk: 'AT#{group}' }) }),
})
export const secondIndex = model({
  name: 'rows',
  entities: { Row: row.index('second', { pk: 'AT#{group}', sk: '{at}#{id}' }) },
  patterns: (p) => ({ list: p.query({ on: 'second', pk: 'AT#{group}' }) }),
})

/** With a guard: no two rows of a group have the same number. */
export const guarded = model({
  name: 'rows',
  entities: { Row: entity('Row', attributes).key({ pk: 'G#{group}', sk: 'R#{id}' }).unique(['group', 'n']) },
  patterns: (p) => ({
    list: p.query({ pk: 'G#{group}', sk: 'R#*', consistent: true }),
    byNumber: p.lookup('Row', 'group+n', { consistent: true }),
  }),
})

export const oldFormOf = (of: RecordModel): PlannedModel => predecessorOf(of) ?? of

/** A client of one version. Keys may or may not contain the time: callers know it. */
export function recordClient(of: RecordModel, client: Client, writes?: Writes): RecordClient {
  const db = connect(of as never, client, {
    ...(writes !== undefined && { migration: migrating({ writes }) }),
    maxAttempts: 50,
  }) as unknown as Functions
  const isTimed = of.resolved.entities.some(({ key }) => key.sort?.text.includes('{at}') === true)
  const keyOf = (group: string, id: string, { at }: Value) => (isTimed ? { group, id, at } : { group, id })
  return {
    name: `${of.resolved.entities[0]?.key.sort?.text ?? ''} ${writes ?? 'alone'}`,
    create: (group, id, value) => db.Row.create({ group, id, ...value }),
    update: (group, id, value) => db.Row.update(keyOf(group, id, value), { n: value.n }),
    remove: (group, id, value) => db.Row.delete(keyOf(group, id, value)),
    get: async (group, id, value) => (await db.Row.get(keyOf(group, id, value), { consistent: true })).item,
    list: async (group, limit) => {
      const rows: Row[] = []
      let cursor: string | undefined
      do {
        const page = await db.list({ group }, { limit, cursor })
        rows.push(...page.items.Row)
        cursor = page.cursor
      } while (cursor !== undefined)
      return rows
    },
  }
}

import { ServiceError } from '@hashrange/core'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../engine-options.ts'
import type { Key, Range, Store } from '../store/store.ts'
import { toJsonBytes } from '../wire/raw-json.ts'
import { assertVerified } from './assert-verified.ts'
import { askedAgainMs } from './asking-twice-store.ts'
import { openTestStore } from './open-test-store.ts'

export const testScope = { accountId: '123456789012', region: 'eu-west-1' }

type Value = Readonly<Record<string, unknown>>
type Attributes = Readonly<Record<string, Value>>

export interface TestCapacity {
  readonly CapacityUnits: number
  readonly ReadCapacityUnits?: number
  readonly WriteCapacityUnits?: number
}

export interface TestConsumedCapacity extends TestCapacity {
  readonly TableName: string
  readonly Table?: TestCapacity
  readonly LocalSecondaryIndexes?: Readonly<Record<string, TestCapacity>>
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, TestCapacity>>
}

/** The members of answers that tests look into. */
export interface Answer {
  readonly Item?: Attributes
  readonly Items?: readonly Attributes[]
  readonly Attributes?: Attributes
  readonly Count?: number
  readonly ScannedCount?: number
  readonly LastEvaluatedKey?: Attributes
  readonly ConsumedCapacity?: TestConsumedCapacity
}

/** An engine that is a test's own, and whose clock stands still until the test moves it. */
export interface TestEngine {
  readonly engine: Engine
  readonly store: Store
  /** What background work could not do; empty if all is well. */
  readonly backgroundErrors: readonly unknown[]
  /** Carries out an operation; the answer has been through its wire form. */
  readonly run: <T = Answer>(operation: string, body: unknown) => Promise<T>
  /** The error with which an operation is refused. */
  readonly refusal: (operation: string, body: unknown) => Promise<ServiceError>
  readonly advance: (milliseconds: number) => void
  /** How many keys lie in a range of the store. */
  readonly countKeys: (range: Range) => Promise<number>
  /** Proves the store first. */
  readonly close: () => Promise<void>
}

/** The clock is the test's. */
export type TestEngineOptions = Partial<Omit<EngineOptions, 'clock'>>

/** Opens an engine in memory, in the folder `path`, or on a store that is there. */
export async function openTestEngine(path?: string, options: TestEngineOptions = {}): Promise<TestEngine> {
  const store = options.store ?? (await openTestStore(path === undefined ? { memory: true } : { path }))
  const backgroundErrors: unknown[] = []
  let nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
  const engine = await Engine.open({
    clock: { now: () => nowMs + askedAgainMs() },
    onBackgroundError: (error) => backgroundErrors.push(error),
    ...options,
    store,
  })
  const run = async <T>(operation: string, body: unknown): Promise<T> => {
    const answer = await engine.execute(testScope, 'DynamoDB_20120810', operation, body)
    return JSON.parse(toJsonBytes(answer).toString('utf8')) as T
  }
  return {
    engine,
    store,
    backgroundErrors,
    run,
    refusal: (operation, body) => refusalOf(run(operation, body)),
    advance: (milliseconds) => {
      nowMs += milliseconds
    },
    countKeys: async (range) => {
      const keys: Key[] = []
      await store.view((snapshot) => snapshot.range(range, (key) => keys.push(key) > 0))
      return keys.length
    },
    close: async () => {
      try {
        await assertVerified(store)
      } finally {
        await engine.close()
      }
    },
  }
}

async function refusalOf(attempt: Promise<unknown>): Promise<ServiceError> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('the operation was not refused')
}

type KeyType = 'S' | 'N' | 'B'

export interface TestIndex {
  /** `name:type` of each attribute, hash attributes first. */
  readonly hash: readonly string[]
  readonly range?: readonly string[]
  /** ALL, KEYS_ONLY, or the names that are included. */
  readonly projection?: 'ALL' | 'KEYS_ONLY' | readonly string[]
}

export interface TestTable {
  /** `name:type`. */
  readonly hash: string
  readonly range?: string
  readonly global?: Readonly<Record<string, TestIndex>>
  /** Range attribute and projection; the hash attribute is the table's. */
  readonly local?: Readonly<
    Record<string, { readonly range: string; readonly projection?: TestIndex['projection'] }>
  >
}

/** The input of CreateTable for a table in short form. */
export function createTableInput(TableName: string, table: TestTable): object {
  const types = new Map<string, KeyType>()
  const element = (attribute: string, KeyType: 'HASH' | 'RANGE'): object => {
    const [name = '', type = 'S'] = attribute.split(':')
    types.set(name, type as KeyType)
    return { AttributeName: name, KeyType }
  }
  const keySchema = (hash: readonly string[], range: readonly string[] = []): object[] => [
    ...hash.map((attribute) => element(attribute, 'HASH')),
    ...range.map((attribute) => element(attribute, 'RANGE')),
  ]
  const KeySchema = keySchema([table.hash], table.range === undefined ? [] : [table.range])
  const global = Object.entries(table.global ?? {}).map(([IndexName, index]) => ({
    IndexName,
    KeySchema: keySchema(index.hash, index.range),
    Projection: projectionInput(index.projection),
  }))
  const local = Object.entries(table.local ?? {}).map(([IndexName, index]) => ({
    IndexName,
    KeySchema: keySchema([table.hash], [index.range]),
    Projection: projectionInput(index.projection),
  }))
  return {
    TableName,
    KeySchema,
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    BillingMode: 'PAY_PER_REQUEST',
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
  }
}

function projectionInput(projection: TestIndex['projection'] = 'ALL'): object {
  if (typeof projection === 'string') return { ProjectionType: projection }
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: projection }
}

/** Follows LastEvaluatedKey to the end, and returns each page's answer. */
export async function allPages({ run }: TestEngine, operation: 'Query' | 'Scan', input: object): Promise<Answer[]> {
  const pages: Answer[] = []
  let start: object | undefined
  do {
    const page = await run(operation, { ...input, ...(start && { ExclusiveStartKey: start }) })
    pages.push(page)
    start = page.LastEvaluatedKey
  } while (start !== undefined)
  return pages
}

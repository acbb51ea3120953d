import { DeleteItemCommand, PutItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Subject, WriteStepAction } from '../../client/pattern-arguments.ts'
import type { PatternDescription, TableDescription } from '../../description.ts'
import { ModelError } from '../../errors.ts'
import type { DataGenerator, GeneratedItem } from '../data/generate-data.ts'
import { storeSatellites, type Values } from '../data/store-item.ts'
import type { StoredItem } from '../item-size.ts'
import type { ModelIndex } from '../model-index.ts'
import type { Random } from '../random.ts'
import { changedValues } from './changed-values.ts'
import { NotTried } from './not-tried.ts'
import type { RecordingClient } from './recording-client.ts'
import { sampleFor, samplesForSteps } from './samples.ts'
import type { Sent } from './send.ts'

/** What a pattern is tried on. */
export interface Trial {
  readonly client: DynamoDBClient
  readonly model: ModelIndex
  readonly generator: DataGenerator
  readonly items: readonly GeneratedItem[]
  readonly random: Random
  /** The model's own client, and the same without the model's validators and codecs, which need not accept generated values. */
  readonly own: RecordingClient
  readonly lenient: RecordingClient
}

export interface Call {
  readonly kind: CallKind
  /** Counts the calls of a pattern, so that each writes different values. */
  readonly n: number
}

/** Whether a call goes to the key with the most items, or to one of the others. */
export type CallKind = 'busiest' | 'usual'

/** Calls a pattern once, as an application would. */
export async function callPattern(trial: Trial, pattern: PatternDescription, call: Call): Promise<readonly Sent[]> {
  const subject = await subjectOf(trial, pattern, call)
  try {
    return await trial.own.call(pattern, subject)
  } catch (error) {
    if (!isAboutValues(error)) throw error
  }
  try {
    return await trial.lenient.call(pattern, subject)
  } catch (error) {
    if (isAboutValues(error)) throw new NotTried(`generated values do not fit: ${error.message}`)
    throw error
  }
}

function isAboutValues(error: unknown): error is ModelError {
  return error instanceof ModelError && ['INVALID_VALUE', 'INVALID_ITEM', 'INVALID_KEY_PART'].includes(error.code)
}

async function subjectOf(trial: Trial, pattern: PatternDescription, call: Call): Promise<Subject> {
  switch (pattern.action) {
    case 'scan':
      return { items: [], writes: [] }
    case 'query':
    case 'get':
    case 'lookup':
      return { items: [sampleFor(trial, pattern, call.kind)], writes: [] }
    case 'batchGet':
    case 'transactGet':
      return { items: samplesForSteps(trial, pattern), writes: [] }
    case 'transact':
    case 'create':
    case 'put':
    case 'upsert':
    case 'update':
    case 'modify':
    case 'delete': {
      const { action } = pattern
      const steps =
        action === 'transact' ? (pattern.steps ?? []) : [{ entity: pattern.entities[0] ?? '', action, count: 1 }]
      return { items: [], writes: await targetsOf(trial, pattern, steps, call.n) }
    }
  }
}

/** How often another item is drawn before it is clear that there are not enough different keys. */
const maxDraws = 60

/** The items that the writes of one call concern. No transaction may name an item twice. */
async function targetsOf(
  trial: Trial,
  pattern: PatternDescription,
  steps: NonNullable<PatternDescription['steps']>,
  n: number,
): Promise<Subject['writes']> {
  const writes: Subject['writes'][number][] = []
  const taken = new Set<string>()
  for (const { entity: name, action, count } of steps) {
    const entity = trial.model.entity(name)
    if (entity === undefined) throw new Error(`The model has no entity ${name}.`)
    if (action === 'get') continue
    const table = trial.model.tableOf(entity)
    for (let i = 0; i < count; i++) {
      const item = differentItem(trial, table, entity, taken)
      if (item === undefined) {
        throw new NotTried(`it writes ${count} ${name} items at once, and generated data has fewer different keys`)
      }
      const after = changedValues(entity, item.values, pattern.changes, n + i, action)
      await prepare(trial, action, item, after)
      writes.push({ action, item, after })
    }
  }
  return writes
}

function differentItem(
  { generator }: Trial,
  table: TableDescription,
  entity: GeneratedItem['entity'],
  taken: Set<string>,
): GeneratedItem | undefined {
  for (let draw = 0; draw < maxDraws; draw++) {
    const item = generator.another(entity)
    const keys = [item.stored, ...item.satellites].map((stored) => keyText(table, stored))
    if (keys.some((key) => taken.has(key))) continue
    for (const key of keys) taken.add(key)
    return item
  }
  return undefined
}

/** Keys of which there are few, such as that of a single settings item, are already in use. What is to be created
 *  must not exist, what is to be changed must, and the values that a change claims must be free. An existing key is
 *  not a fault of the pattern. */
async function prepare(trial: Trial, action: WriteStepAction, item: GeneratedItem, after: Values): Promise<void> {
  const { client, model } = trial
  const { entity } = item
  const table = model.tableOf(entity)
  const claimed = entity.satellites.flatMap((satellite) => storeSatellites(table, entity, satellite, after))
  const isNew = action === 'create' || action === 'put' || action === 'upsert'
  for (const stored of isNew ? [item.stored, ...item.satellites] : claimed) await remove(client, table, stored)
  if (isNew) return
  for (const Item of [item.stored, ...item.satellites]) {
    await client.send(new PutItemCommand({ TableName: table.name, Item }))
  }
}

async function remove(client: DynamoDBClient, table: TableDescription, stored: StoredItem): Promise<void> {
  const names = [table.partitionKey.name, ...(table.sortKey === undefined ? [] : [table.sortKey.name])]
  const Key = Object.fromEntries(Object.entries(stored).filter(([name]) => names.includes(name)))
  await client.send(new DeleteItemCommand({ TableName: table.name, Key }))
}

function keyText({ id, partitionKey, sortKey }: TableDescription, stored: StoredItem): string {
  return JSON.stringify([id, stored[partitionKey.name], sortKey && stored[sortKey.name]])
}

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { PatternDescription } from '../../description.ts'
import { ModelError } from '../../errors.ts'
import type { DataGenerator, GeneratedItem } from '../data/generate-data.ts'
import { isInIndex } from '../data/store-item.ts'
import { holesOf, type ModelIndex } from '../model-index.ts'
import type { Random } from '../random.ts'
import {
  batchGetRequest,
  getRequest,
  queryRequests,
  satelliteRequest,
  scanRequest,
  transactGetRequest,
} from './read-requests.ts'
import type { Request } from './request.ts'
import { send, type Sent } from './send.ts'
import type { TypedClient } from './typed-client.ts'
import { transactionRequest, writeRequests, type WriteAction } from './write-requests.ts'

/** What a pattern is tried on. */
export interface Trial {
  readonly client: DynamoDBClient
  readonly model: ModelIndex
  readonly generator: DataGenerator
  readonly items: readonly GeneratedItem[]
  readonly random: Random
  /** The model's own client, if there is a model and not only its description. */
  readonly typed?: TypedClient
}

export interface Call {
  readonly kind: CallKind
  /** Counts the calls of a pattern, so that each writes other values. */
  readonly n: number
}

/** Calls a pattern once, as an application would: through the typed client where there is one. */
export async function callPattern(trial: Trial, pattern: PatternDescription, call: Call): Promise<readonly Sent[]> {
  if (trial.typed !== undefined) {
    try {
      return await trial.typed.call(pattern, await subjectOf(trial, pattern, call), call.n)
    } catch (error) {
      // Generated values need not satisfy a model's own validators; the plain requests do not ask them.
      if (!(error instanceof ModelError) || error.code !== 'INVALID_VALUE') throw error
    }
  }
  const sent: Sent[] = []
  const subject = await subjectOf(trial, pattern, call)
  for (const request of requestsFor(trial.model, pattern, subject, call))
    sent.push(await send(trial.client, request))
  return sent
}

/** The items that one call is about. */
export interface Subject {
  readonly items: readonly GeneratedItem[]
  readonly writes: readonly { readonly action: WriteAction; readonly item: GeneratedItem }[]
}

async function subjectOf(trial: Trial, pattern: PatternDescription, call: Call): Promise<Subject> {
  switch (pattern.action) {
    case 'scan':
      return { items: [], writes: [] }
    case 'query':
    case 'get':
    case 'lookup':
      return { items: [sampleFor(trial, pattern, call)], writes: [] }
    case 'batchGet':
    case 'transactGet':
      return { items: samplesForSteps(trial, pattern), writes: [] }
    case 'transact': {
      const writes: { action: WriteAction; item: GeneratedItem }[] = []
      for (const { entity, action, count } of pattern.steps ?? []) {
        if (action === 'get') continue
        for (let i = 0; i < count; i++) writes.push({ action, item: await targetOf(trial, entity, action) })
      }
      return { items: [], writes }
    }
    case 'create':
    case 'put':
    case 'upsert':
    case 'update':
    case 'modify':
    case 'delete': {
      const { action } = pattern
      return { items: [], writes: [{ action, item: await targetOf(trial, pattern.entities[0] ?? '', action) }] }
    }
  }
}

function requestsFor(
  model: ModelIndex,
  pattern: PatternDescription,
  subject: Subject,
  call: Call,
): readonly Request[] {
  const { items, writes } = subject
  const [item] = items
  switch (pattern.action) {
    case 'query':
      return item === undefined ? [] : queryRequests(model, pattern, item.values)
    case 'scan':
      return [scanRequest(model, pattern)]
    case 'get':
      return item === undefined ? [] : [getRequest(model, item, pattern.isConsistent)]
    case 'lookup': {
      const satellite = model.satellite(pattern.via ?? '')?.satellite
      const first =
        satellite === undefined || item === undefined
          ? undefined
          : satelliteRequest(model, item, satellite, pattern.isConsistent)
      if (first === undefined || item === undefined)
        throw new Error(`No generated item has the values of ${pattern.via}.`)
      return [first, getRequest(model, item, pattern.isConsistent)]
    }
    case 'batchGet':
      return [batchGetRequest(model, items, pattern.isConsistent)]
    case 'transactGet':
      return [transactGetRequest(model, items)]
    case 'transact':
      return [transactionRequest(model, writes)]
    case 'create':
    case 'put':
    case 'upsert':
    case 'update':
    case 'modify':
    case 'delete':
      return writes.flatMap((write) => writeRequests(model, write.action, write.item, pattern.changes, call.n))
  }
}

/** Whether a call goes to the key with the most items, or to one of the others. */
export type CallKind = 'busiest' | 'usual'

/** An item that the pattern should find. */
function sampleFor(trial: Trial, pattern: PatternDescription, call: Call): GeneratedItem {
  const groups = groupsFor(trial, pattern)
  const [busiest, ...others] = groups
  const group = call.kind === 'busiest' || others.length === 0 ? busiest : others[trial.random.below(others.length)]
  const item = group?.[trial.random.below(group.length)]
  if (item === undefined) throw new Error(`None of the generated items fits ${pattern.name}.`)
  return item
}

const knownGroups = new WeakMap<Trial, Map<string, readonly (readonly GeneratedItem[])[]>>()

/** The items that a pattern can be about, by partition key, the largest group first. */
function groupsFor(trial: Trial, pattern: PatternDescription): readonly (readonly GeneratedItem[])[] {
  const known = knownGroups.get(trial) ?? new Map<string, readonly (readonly GeneratedItem[])[]>()
  knownGroups.set(trial, known)
  const found = known.get(pattern.name) ?? findGroups(trial, pattern)
  known.set(pattern.name, found)
  return found
}

function findGroups({ model, items }: Trial, pattern: PatternDescription): readonly (readonly GeneratedItem[])[] {
  const { index } = model.placeOf(pattern)
  const entities = new Set(pattern.entities.map((kind) => model.ownerOf(kind)))
  const partitionHoles = holesOf(pattern.partition ?? []).filter((hole) => hole !== pattern.shards?.attribute)
  const sortHoles = pattern.sort !== undefined && 'templates' in pattern.sort ? holesOf(pattern.sort.templates) : []
  const groups = new Map<string, GeneratedItem[]>()
  for (const item of items) {
    const { entity, values } = item
    if (!entities.has(entity)) continue
    const key = entity.indexKeys.find((each) => each.index === index?.name)
    if (index !== undefined && (key === undefined || !isInIndex(key, values))) continue
    if (![...partitionHoles, ...sortHoles].every((hole) => values.has(hole))) continue
    const holes = pattern.partition === undefined ? holesOf([entity.key.partition]) : partitionHoles
    const text = JSON.stringify(holes.map((hole) => values.get(hole)))
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [item])
    else group.push(item)
  }
  // A call is about a key under which all of its entities are: an order with its lines, not one without.
  const kinds = (group: readonly GeneratedItem[]): number => new Set(group.map(({ entity }) => entity.name)).size
  const most = Math.max(0, ...[...groups.values()].map(kinds))
  return [...groups.values()].filter((group) => kinds(group) === most).toSorted((a, b) => b.length - a.length)
}

function samplesForSteps({ items, random }: Trial, pattern: PatternDescription): readonly GeneratedItem[] {
  return (pattern.steps ?? []).flatMap(({ entity, count }) => {
    const all = items.filter((item) => item.entity.name === entity)
    // No request may name an item twice.
    const first = random.below(all.length)
    return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(first + i) % all.length] ?? []).flat()
  })
}

/** What a write is about: a new item to create, otherwise one that is there and that no other pattern needs. */
async function targetOf(trial: Trial, name: string, action: WriteAction): Promise<GeneratedItem> {
  const entity = trial.model.entity(name)
  if (entity === undefined) throw new Error(`The model has no entity ${name}.`)
  const item = trial.generator.another(entity)
  if (action === 'create' || action === 'upsert' || action === 'put') return item
  for (const request of writeRequests(trial.model, 'create', item, undefined, 0)) await send(trial.client, request)
  return item
}

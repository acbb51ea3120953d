import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { connect } from '../../client/connect.ts'
import type { PatternDescription } from '../../description.ts'
import type { EntityDefinition } from '../../model/entity.ts'
import type { AnyModel } from '../../model/model.ts'
import { primaryInputsOf } from '../../model/parameters.ts'
import { codecOf } from '../../schema/codec.ts'
import type { GeneratedItem } from '../data/generate-data.ts'
import type { Values } from '../data/store-item.ts'
import type { Random } from '../random.ts'
import type { Subject } from './call-pattern.ts'
import type { PatternOperation } from '../../description.ts'
import { sentFrom, type Answer, type Sent } from './send.ts'
import { changedValues, type WriteAction } from './write-requests.ts'

type PlainItem = Record<string, unknown>
type Call = (...callArguments: readonly unknown[]) => Promise<unknown>
type Steps = Record<string, Record<string, (...callArguments: readonly unknown[]) => unknown>>

/** The client that applications use, with every request that it sends on record: what is measured is what will run. */
export class TypedClient {
  readonly #definitions: ReadonlyMap<string, EntityDefinition>
  readonly #functions: Readonly<Record<string, Call>>
  #recorded: Sent[] = []

  constructor(model: AnyModel, client: DynamoDBClient, random: Random) {
    this.#definitions = new Map(model.definitions.map((definition) => [definition.name, definition]))
    const recording = { send: this.#recordingSend(client) }
    const options = { capacity: 'INDEXES', now: () => new Date(0), random: () => random.next() } as const
    // Here patterns are called by name, which the types of a particular model do not know.
    const functions: unknown = connect(model, recording as unknown as DynamoDBClient, options)
    this.#functions = functions as Record<string, Call>
  }

  async call(pattern: PatternDescription, subject: Subject, n: number): Promise<readonly Sent[]> {
    this.#recorded = []
    await this.#functions[pattern.name]?.(...this.#callArguments(pattern, subject, n))
    return this.#recorded
  }

  #recordingSend(client: DynamoDBClient) {
    return async (command: Parameters<DynamoDBClient['send']>[0]): Promise<unknown> => {
      const startedAt = performance.now()
      const answer = (await client.send(command)) as Answer
      // The SDK names its commands after the operations.
      const operation = command.constructor.name.replace(/Command$/, '') as PatternOperation
      this.#recorded.push(sentFrom(operation, answer, performance.now() - startedAt))
      return answer
    }
  }

  /** What a pattern's function is called with. */
  #callArguments(pattern: PatternDescription, { items, writes }: Subject, n: number): readonly unknown[] {
    const [item] = items
    const [write] = writes
    switch (pattern.action) {
      case 'scan':
        return []
      case 'query':
      case 'get':
      case 'lookup':
        return [item === undefined ? {} : this.#parameters(pattern, item)]
      case 'batchGet':
      case 'transactGet': {
        const keys = new Map<string, PlainItem[]>()
        for (const each of items)
          keys.set(each.entity.name, [...(keys.get(each.entity.name) ?? []), this.#keyOf(each)])
        return [Object.fromEntries(keys)]
      }
      case 'transact':
        return [
          (steps: Steps) =>
            writes.map(({ action, item: each }) =>
              steps[each.entity.name]?.[action]?.(...this.#writeArguments(action, each, undefined, n)),
            ),
        ]
      case 'create':
      case 'put':
      case 'upsert':
      case 'update':
      case 'modify':
      case 'delete':
        return write === undefined ? [] : this.#writeArguments(write.action, write.item, pattern.changes, n)
    }
  }

  #writeArguments(
    action: WriteAction,
    item: GeneratedItem,
    changes: readonly string[] | undefined,
    n: number,
  ): readonly unknown[] {
    const key = this.#keyOf(item)
    switch (action) {
      case 'create':
      case 'put':
      case 'upsert':
        return [
          this.#plain(
            item,
            item.entity.attributes.filter(isGiven).map(({ name }) => name),
            item.values,
          ),
        ]
      case 'delete':
        return [key]
      case 'check': {
        const [first] = Object.entries(key)
        return [key, first === undefined ? {} : { [first[0]]: first[1] }]
      }
      case 'update':
      case 'modify': {
        const after = changedValues(item.entity, item.values, changes, n)
        const names = item.entity.attributes
          .filter(isGiven)
          .filter(({ name }) => after.get(name) !== item.values.get(name))
        const changed = this.#plain(
          item,
          names.map(({ name }) => name),
          after,
        )
        return [key, action === 'update' ? changed : (before: PlainItem) => ({ ...before, ...changed })]
      }
    }
  }

  #parameters(pattern: PatternDescription, item: GeneratedItem): PlainItem {
    const satellite = item.entity.satellites.find(({ name }) => name === pattern.via)
    const names = pattern.parameters.filter(({ kind }) => kind === 'value').map(({ name }) => name)
    const given = this.#plain(item, names, item.values)
    const { each } = satellite ?? {}
    // One element of a set or list is asked for.
    const elements = each === undefined ? undefined : given[each]
    if (each !== undefined && isIterable(elements)) given[each] = [...elements][0]
    return given
  }

  #keyOf(item: GeneratedItem): PlainItem {
    return this.#plain(item, primaryInputsOf(item.entity), item.values)
  }

  #plain({ entity }: GeneratedItem, names: readonly string[], values: Values): PlainItem {
    const plain: PlainItem = {}
    for (const name of names) {
      const definition = this.#definitions.get(entity.name)?.attributes.get(name)
      const value: AttributeValue | undefined = values.get(name)
      if (definition !== undefined && value !== undefined) plain[name] = codecOf(definition).decode(value, name)
    }
    return plain
  }
}

/** Whether callers give the attribute, rather than the library. */
function isGiven({ type, isStored, computedFrom, shard }: GeneratedItem['entity']['attributes'][number]): boolean {
  return isStored && computedFrom === undefined && type !== 'version' && shard === undefined
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

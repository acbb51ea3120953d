import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { EntityKinds } from '../client/entity-kinds.ts'
import { clientFunctions, entityRuntimes, tableNamesOf, type ConnectOptions } from '../client/client-functions.ts'
import { Connection, Meter } from '../client/connection.ts'
import { CursorCodec } from '../client/cursor.ts'
import type { EntityRuntime, PlainItem, StoredItem } from '../client/entity-runtime.ts'
import type { Transport } from '../client/request-types.ts'
import { sdkTransport } from '../client/sdk-transport.ts'
import type { PatternDescription } from '../description.ts'
import { contributionsOf } from './contributions-of.ts'
import type { Desired } from './contribution.ts'
import type { Derivation } from './derivation.ts'
import type { Derived } from './derive.ts'
import { Ledger } from './ledger.ts'

export type DerivedOptions = Pick<ConnectOptions, 'tables' | 'now' | 'random'>

interface PatternCall {
  iterate(
    parameters: PlainItem,
    options: { readonly consistent?: boolean; readonly limit?: number },
  ): AsyncIterable<{ readonly entity: string; readonly item: PlainItem }>
}

/** The derivations of a model over a client: what the handler, a rebuild and a verification share. */
export class DerivedRuntime {
  readonly derived: Derived
  readonly connection: Connection
  readonly entities: ReadonlyMap<string, EntityRuntime>
  readonly marks: EntityRuntime | undefined
  readonly ledger: Ledger | undefined
  readonly kinds: EntityKinds
  readonly meter = new Meter()
  readonly #functions: Readonly<Record<string, object>>

  constructor(
    derived: Derived,
    client: Pick<DynamoDBClient, 'send'>,
    options: DerivedOptions = {},
    wrap: (transport: Transport) => Transport = (transport) => transport,
  ) {
    const { model } = derived
    const transport = wrap(sdkTransport(client))
    this.derived = derived
    this.entities = entityRuntimes(model, tableNamesOf(model.resolved, options.tables))
    this.kinds = new EntityKinds(model.resolved, this.entities)
    this.connection = new Connection({
      transport,
      entities: this.entities,
      context: { now: options.now ?? (() => new Date()), random: options.random ?? Math.random },
      capacity: 'TOTAL',
      cursors: new CursorCodec(undefined),
      maxAttempts: 5,
    })
    this.marks = derived.marks === undefined ? undefined : this.entities.get(derived.marks)
    this.ledger =
      this.marks === undefined
        ? undefined
        : new Ledger(this.connection, { marks: this.marks, entities: this.entities })
    this.#functions = clientFunctions(model, transport, options)
  }

  entity(name: string): EntityRuntime {
    return this.connection.entity(name)
  }

  /** The derivations of one kind, with their names. */
  of<K extends Derivation['kind']>(kind: K): readonly (readonly [string, Extract<Derivation, { kind: K }>])[] {
    return [...this.derived.derivations].flatMap(([name, each]) =>
      each.kind === kind ? [[name, each as Extract<Derivation, { kind: K }>] as const] : [],
    )
  }

  contributions(source: EntityRuntime, stored: StoredItem | undefined): readonly Desired[] {
    return contributionsOf(this.derived.derivations, this.entities, source, stored)
  }

  pattern(name: string): PatternDescription {
    const pattern = this.derived.model.resolved.patterns.find((each) => each.name === name)
    if (pattern === undefined) throw new Error(`${name} is not a pattern of this model`)
    return pattern
  }

  /** The items of one entity that a query returns, as far as they are wanted. */
  async *query(
    name: string,
    entity: string,
    given: PlainItem,
    options: { readonly consistent?: boolean; readonly limit?: number },
  ): AsyncIterable<PlainItem> {
    const names = this.pattern(name).parameters.filter(({ kind }) => kind === 'value')
    const parameters = Object.fromEntries(names.map((each) => [each.name, given[each.name]]))
    const call = this.#functions[name] as unknown as PatternCall
    for await (const found of call.iterate(parameters, options)) if (found.entity === entity) yield found.item
  }

  /** An item under the names that it has in the model. */
  async read(entity: EntityRuntime, key: StoredItem): Promise<StoredItem | undefined> {
    const input = { TableName: entity.tableName, Key: key, ConsistentRead: true }
    const { Item } = await this.connection.send(
      'GetItem',
      { ...input, ReturnConsumedCapacity: this.connection.capacity },
      this.meter,
    )
    return Item && entity.fromStored(Item)
  }
}

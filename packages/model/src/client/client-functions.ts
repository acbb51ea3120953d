import type { ModelDescription, PatternDescription, TableDescription } from '../description.ts'
import { unreachable } from '../errors.ts'
import { confusableWith, keyedKindsOf } from '../model/keyed-kinds.ts'
import type { AnyModel } from '../model/model.ts'
import type { DefaultContext } from '../schema/attribute.ts'
import { batchWriteFunction } from './transactions/batch-write.ts'
import { transactFunction } from './transactions/transact.ts'
import { transactGetFunction } from './transactions/transact-get.ts'
import { batchGetFunction } from './batch-get.ts'
import { Connection } from './connection.ts'
import { CursorCodec } from './cursor.ts'
import { withinDeclared } from './declared-changes.ts'
import { entityClient } from './entity-client.ts'
import { EntityRuntime } from './entity-runtime.ts'
import { getFunction } from './get-function.ts'
import { lookupFunction } from './lookup-function.ts'
import { queryFunction } from './query-function.ts'
import type { Transport } from './request-types.ts'

export interface ConnectOptions {
  /** The names of the tables here, by their id in the model; a string if there is one table. */
  readonly tables?: string | Readonly<Record<string, string>>
  /** Encrypts cursors, so that they can be given to anyone. The same on all servers that share them. */
  readonly cursorSecret?: string
  /** What a query or scan does with an item that the model does not know: an error, or nothing. `skip` is for programs that are
   *  older than the data. */
  readonly unknownEntities?: 'throw' | 'skip'
  /** What is done with entities that name their predecessor (`was`): `migrating({ writes: 'both' })`, from
   *  `@hashrange/model/migration`. */
  readonly migration?: Migration
  /** How costs are measured; `NONE` saves the service the counting. */
  readonly capacity?: 'TOTAL' | 'INDEXES' | 'NONE'
  /** How often a write is planned again if others are faster; 5. */
  readonly maxAttempts?: number
  /** For defaults; a test may control the clock. */
  readonly now?: () => Date
  /** At least 0, below 1. */
  readonly random?: () => number
}

/** Replaces the functions for what has two forms. It is passed in, so that only those who need it load it. */
export type Migration = (parts: {
  readonly model: PlannedModel
  readonly connection: Connection
  readonly tableNames: ReadonlyMap<string, string>
  readonly made: Readonly<Record<string, object>>
}) => Readonly<Record<string, object>>

/** The part of a model that requests are made from: what it describes, and its functions. */
export type PlannedModel = Pick<AnyModel, 'resolved' | 'definitions'>

/** The functions of a model's patterns and the clients of its entities, by name. Every request of a model is created
 *  here: those that applications send, those that the checker measures and those that documents and the workbench
 *  show. */
export function clientFunctions(
  model: PlannedModel,
  transport: Transport,
  options: ConnectOptions = {},
): Readonly<Record<string, object>> {
  const tableNames = tableNamesOf(model.resolved, options.tables)
  const connection = new Connection({
    transport,
    entities: entityRuntimes(model, tableNames),
    context: contextOf(options),
    capacity: options.capacity ?? 'TOTAL',
    cursors: new CursorCodec(options.cursorSecret),
    maxAttempts: options.maxAttempts ?? 5,
    skipsUnknown: options.unknownEntities === 'skip',
  })
  const made: Record<string, object> = {
    transact: transactFunction(connection),
    batchWrite: batchWriteFunction(connection),
  }
  const clients = new Map(
    [...connection.entities].map(([name, entity]) => [name, entityClient(connection, entity)]),
  )
  for (const [name, entity] of clients) made[name] = entity
  for (const pattern of model.resolved.patterns) {
    made[pattern.name] = patternFunction(connection, model.resolved, pattern, tableNames, clients, made)
  }
  return options.migration === undefined
    ? made
    : { ...made, ...options.migration({ model, connection, tableNames, made }) }
}

export function patternFunction(
  connection: Connection,
  model: ModelDescription,
  pattern: PatternDescription,
  tableNames: ReadonlyMap<string, string>,
  clients: ReadonlyMap<string, Readonly<Record<string, object>>>,
  made: Readonly<Record<string, object>>,
): object {
  const { action, isConsistent } = pattern
  const entities = pattern.entities.flatMap((name) => connection.entities.get(name) ?? [])
  const entity = connection.entities.get(pattern.entities[0] ?? '')
  switch (action) {
    case 'query':
    case 'scan': {
      const table = tableOf(model, pattern.table)
      const index = table.indexes.find(({ name }) => name === pattern.index)
      return queryFunction(connection, model.name, pattern, {
        table,
        tableName: tableNames.get(table.id) ?? table.name,
        index,
      })
    }
    case 'get':
      return getFunction(connection, connection.entity(pattern.entities[0] ?? ''), isConsistent)
    case 'batchGet':
      return batchGetFunction(connection, entities, isConsistent)
    case 'transactGet':
      return transactGetFunction(connection, entities)
    case 'lookup': {
      const satellite = entity?.described.satellites.find(({ name }) => name === pattern.via)
      if (entity === undefined || satellite === undefined)
        throw new Error(`${pattern.name} looks up what is not there`)
      return lookupFunction(connection, entity, satellite, isConsistent)
    }
    case 'transact':
      return made['transact'] ?? {}
    case 'update':
    case 'modify': {
      const write = clients.get(pattern.entities[0] ?? '')?.[action] ?? {}
      return entity === undefined ? write : withinDeclared(pattern, entity, write)
    }
    case 'create':
    case 'put':
    case 'upsert':
    case 'delete':
      return clients.get(pattern.entities[0] ?? '')?.[action] ?? {}
    default:
      return unreachable(action)
  }
}

/** The entities of a model, ready to convert items. */
export function entityRuntimes(
  model: PlannedModel,
  tableNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, EntityRuntime> {
  const { resolved, definitions } = model
  const kinds = keyedKindsOf(resolved.entities)
  return new Map(
    resolved.entities.map((described) => {
      const definition = definitions.find(({ name }) => name === described.name)
      const kind = kinds.find(({ name }) => name === described.name)
      if (definition === undefined || kind === undefined) throw new Error(`${described.name} has no definition`)
      const table = tableOf(resolved, described.table)
      const tableName = tableNames.get(table.id) ?? table.name
      return [
        described.name,
        new EntityRuntime(described, definition, table, tableName, confusableWith(kind, kinds)),
      ]
    }),
  )
}

export function tableOf(model: ModelDescription, id: string): TableDescription {
  const table = model.tables.find((each) => each.id === id)
  if (table === undefined) throw new Error(`the model has no table ${id}`)
  return table
}

/** The actual names of the tables, by their id. */
export function tableNamesOf(
  { tables }: ModelDescription,
  given: ConnectOptions['tables'],
): ReadonlyMap<string, string> {
  return new Map(tables.map(({ id, name }) => [id, typeof given === 'string' ? given : (given?.[id] ?? name)]))
}

function contextOf(options: ConnectOptions): DefaultContext {
  return { now: options.now ?? (() => new Date()), random: options.random ?? randomFraction }
}

/** From the system's generator, because identifiers are made from it. */
function randomFraction(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1))
  return bits / 2 ** 32
}

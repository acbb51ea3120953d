import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { EntityKinds } from '../client/entity-kinds.ts'
import { entityRuntimes, tableNamesOf, type PlannedModel } from '../client/client-functions.ts'
import type { EntityRuntime, PlainItem, StoredItem } from '../client/entity-runtime.ts'
import type { TableDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { readRecord, type AnyStreamRecord, type StreamRecord } from './stream-record.ts'

export interface ReadStreamOptions {
  /** The names of the tables here, by their id in the model; a string if there is one table. */
  readonly tables?: string | Readonly<Record<string, string>>
  /** What to do with an item that says it is an entity that the model does not have. */
  readonly unknownEntities?: 'skip' | 'throw'
  /** The stream that records of GetRecords come from, which do not name it themselves. */
  readonly streamArn?: string
}

/** A change of a stored item, not decoded yet. */
export interface StoredChange {
  readonly entity: EntityRuntime
  readonly record: StreamRecord
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
}

/** Finds the entities of stream records. */
export class ChangeReader {
  readonly entities: ReadonlyMap<string, EntityRuntime>
  readonly #model: PlannedModel
  readonly #options: ReadStreamOptions
  readonly #tables: ReadonlyMap<string, TableDescription>
  readonly #kinds: EntityKinds

  constructor(model: PlannedModel, options: ReadStreamOptions) {
    this.#model = model
    this.#options = options
    const names = tableNamesOf(model.resolved, options.tables)
    this.entities = entityRuntimes(model, names)
    this.#tables = new Map(model.resolved.tables.map((table) => [names.get(table.id) ?? table.name, table]))
    this.#kinds = new EntityKinds(model.resolved, this.entities)
  }

  /** None for guards and index items, and for what is skipped. Two if another entity took the place of one. */
  changesIn(raw: AnyStreamRecord): readonly StoredChange[] {
    const record = readRecord(raw, this.#options.streamArn)
    const table = this.#tableOf(record)
    if (table === undefined) return []
    const before = this.#entityOf(table, record.oldImage)
    const after = this.#entityOf(table, record.newImage)
    if (before === after) {
      return before === undefined
        ? []
        : [{ entity: before, record, before: record.oldImage, after: record.newImage }]
    }
    return [
      ...(before === undefined ? [] : [{ entity: before, record, before: record.oldImage, after: undefined }]),
      ...(after === undefined ? [] : [{ entity: after, record, before: undefined, after: record.newImage }]),
    ]
  }

  #tableOf({ tableName, keys }: StreamRecord): TableDescription | undefined {
    if (tableName !== undefined) {
      const table = this.#tables.get(tableName)
      if (table !== undefined || this.#options.unknownEntities === 'skip') return table
      throw new ModelError(
        'UNKNOWN_ENTITY',
        `The record is a change of the table ${tableName}. The model ${this.#model.resolved.name} has ${[...this.#tables.keys()].join(', ')}. Pass the actual names as \`tables\`.`,
      )
    }
    const fitting = [...this.#tables.values()].filter(
      ({ partitionKey, sortKey }) =>
        keys[partitionKey.name] !== undefined && (sortKey === undefined || keys[sortKey.name] !== undefined),
    )
    if (fitting.length === 1) return fitting[0]
    throw new ModelError(
      'UNKNOWN_ENTITY',
      'The record does not say which table it is a change of. Pass the streamArn of its stream.',
    )
  }

  #entityOf(table: TableDescription, image: StoredItem | undefined): EntityRuntime | undefined {
    if (image === undefined) return undefined
    const kind = this.#kinds.of(table, image)
    // Guards and index items are no entities.
    if (kind !== undefined) return this.entities.get(kind)
    if (this.#options.unknownEntities === 'skip') return undefined
    const said = image[table.discriminator]?.S ?? image[table.discriminatorBefore ?? '']?.S
    const key = [table.partitionKey.name, table.sortKey?.name ?? '']
      .map((name) => textOf(image[name]))
      .filter((text) => text !== '')
    throw new ModelError(
      'UNKNOWN_ENTITY',
      `The record is a change of the item ${key.join(', ')}, which ${said === undefined ? `does not say what it is` : `says it is '${said}'`}. The model ${this.#model.resolved.name} knows ${[...this.entities.keys()].join(', ')}. Add the entity to the model, or pass unknownEntities: 'skip'.`,
    )
  }
}

/** The change as readers get it. */
export function decodeChange({ entity, record, before, after }: StoredChange): DecodedChange {
  const { id, at, sequenceNumber, position, isExpiry } = record
  return {
    entity: entity.name,
    id,
    at,
    sequenceNumber,
    position,
    kind: before === undefined ? 'insert' : after === undefined ? 'remove' : 'modify',
    before: before && entity.decodeItem(before),
    after: after && entity.decodeItem(after),
    ...(after === undefined && { isExpiry }),
  }
}

export interface DecodedChange {
  readonly entity: string
  readonly kind: 'insert' | 'modify' | 'remove'
  readonly id: string
  readonly at: Date
  readonly sequenceNumber: string
  readonly position: string | undefined
  readonly before: PlainItem | undefined
  readonly after: PlainItem | undefined
  readonly isExpiry?: boolean
}

function textOf(value: AttributeValue | undefined): string {
  return value?.S ?? value?.N ?? ''
}

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { entityRuntimes, tableNamesOf } from '../client/client-functions.ts'
import type { ConnectOptions, PlannedModel } from '../client/client-functions.ts'
import { Connection, Meter } from '../client/connection.ts'
import { CursorCodec } from '../client/cursor.ts'
import { EntityKinds } from '../client/entity-kinds.ts'
import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import { sdkTransport } from '../client/sdk-transport.ts'
import type { TableDescription } from '../description.ts'
import { AdaptivePace, paced } from './adaptive-pace.ts'
import { EntityForms, type Upgrade } from './entity-forms.ts'
import { GroupedReads } from './grouped-reads.ts'
import { GroupedWrites } from './grouped-writes.ts'

export interface PairOptions {
  readonly tables?: ConnectOptions['tables'] | undefined
  /** Capacity units a second, read and written; as many as there are by default. */
  readonly unitsPerSecond?: number | undefined
  /** How the attributes of an old item become those of a new one, by entity. Without it they stay. */
  readonly upgrade?: Readonly<Record<string, Upgrade>> | undefined
}

interface Side {
  readonly model: PlannedModel
  readonly entities: ReadonlyMap<string, EntityRuntime>
  readonly kinds: EntityKinds
  readonly tables: ReadonlyMap<string, TableDescription>
}

/** Two versions of a model over the same tables: what a migration and its verification share. */
export class MigrationPair {
  readonly old: Side
  readonly new: Side
  readonly forms: ReadonlyMap<string, EntityForms>
  readonly connection: Connection
  readonly meter = new Meter()
  readonly pace: AdaptivePace
  readonly writes: GroupedWrites
  readonly #reads: GroupedReads

  constructor(
    old: PlannedModel,
    fresh: PlannedModel,
    client: Pick<DynamoDBClient, 'send'>,
    options: PairOptions = {},
  ) {
    this.old = sideOf(old, options.tables)
    this.new = sideOf(fresh, options.tables)
    this.pace = new AdaptivePace(options.unitsPerSecond)
    this.forms = new Map(
      [...this.new.entities].flatMap(([name, after]) => {
        const before = this.old.entities.get(name)
        return before === undefined ? [] : [[name, new EntityForms(before, after, options.upgrade?.[name])]]
      }),
    )
    this.connection = new Connection({
      transport: paced(sdkTransport(client), this.pace),
      entities: this.new.entities,
      context: { now: () => new Date(), random: Math.random },
      capacity: 'TOTAL',
      cursors: new CursorCodec(undefined),
      maxAttempts: 20,
    })
    const keyNames = [...this.old.tables, ...this.new.tables].map(
      ([name, { partitionKey, sortKey }]) =>
        [name, [partitionKey.name, ...(sortKey === undefined ? [] : [sortKey.name])]] as const,
    )
    this.#reads = new GroupedReads(this.connection, this.meter)
    this.writes = new GroupedWrites(this.connection, this.meter, this.pace, new Map(keyNames))
  }

  /** The actual names of all tables, in the order of the models. */
  get tableNames(): readonly string[] {
    return [...new Set([...this.new.tables.keys(), ...this.old.tables.keys()])]
  }

  /** The entity, or guard or index item (`Customer.email`), that an item is. */
  kindOf(table: string, stored: StoredItem): string | undefined {
    for (const { kinds, tables } of [this.new, this.old]) {
      const described = tables.get(table)
      const kind = described && kinds.of(described, stored)
      if (kind !== undefined) return kind
    }
    return undefined
  }

  read(form: EntityRuntime, key: StoredItem): Promise<StoredItem | undefined> {
    return this.#reads.read(form.tableName, key)
  }
}

function sideOf(model: PlannedModel, given: ConnectOptions['tables'] | undefined): Side {
  const names = tableNamesOf(model.resolved, given)
  const entities = entityRuntimes(model, names)
  const tables = new Map(model.resolved.tables.map((table) => [names.get(table.id) ?? table.name, table]))
  return { model, entities, kinds: new EntityKinds(model.resolved, entities), tables }
}

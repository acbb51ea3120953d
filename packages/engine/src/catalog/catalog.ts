import { ServiceError } from '@hashrange/core'
import { withLogClosed, withLogOf } from '../changes/change-log.ts'
import type { Clock } from '../clock.ts'
import {
  catalogKey,
  catalogRange,
  droppedTableKey,
  droppedTableRange,
  nextIdKey,
  purgeKey,
} from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import { decodeCounters, encodeCounters } from '../store/counters.ts'
import type { Decision, Snapshot, Store, Value, Write } from '../store/store.ts'
import { Table } from './table.ts'
import type { TableDefinition } from './table-definition.ts'

/** The tables there are. Kept in memory, written through to the store. */
export class Catalog {
  readonly #store: Store
  readonly #clock: Clock
  /** By account, then region, then name: a lookup on every request, which therefore makes no string. */
  readonly #tables = new Map<string, Map<string, Map<string, Table>>>()
  readonly #dropped = new Map<number, TableDefinition>()

  private constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  static async load(store: Store, clock: Clock): Promise<Catalog> {
    const catalog = new Catalog(store, clock)
    await store.view((snapshot) =>
      snapshot.range(catalogRange(), (_key, value) => {
        catalog.#remember(parseDefinition(value))
        return true
      }),
    )
    await store.view((snapshot) =>
      snapshot.range(droppedTableRange(), (_key, value) => {
        const definition = parseDefinition(value)
        catalog.#dropped.set(definition.tableId, definition)
        return true
      }),
    )
    return catalog
  }

  find(scope: Scope, tableName: string): Table | undefined {
    return this.#tablesOf(scope)?.get(tableName)
  }

  /** The table's names in one account and region, in the order of their bytes. */
  names(scope: Scope): readonly string[] {
    return [...(this.#tablesOf(scope)?.keys() ?? [])].toSorted((a, b) => (a < b ? -1 : 1))
  }

  /** The accounts and regions that have a table of this name. */
  scopesOf(tableName: string): readonly Scope[] {
    return [...this.#regions()].flatMap((tables) => {
      const definition = tables.get(tableName)?.definition
      return definition === undefined ? [] : [{ accountId: definition.accountId, region: definition.region }]
    })
  }

  *all(): Iterable<Table> {
    for (const tables of this.#regions()) yield* tables.values()
  }

  /** Dropped tables whose change log is still kept, for their streams. */
  dropped(): Iterable<TableDefinition> {
    return this.#dropped.values()
  }

  /** A table's definition as a snapshot holds it: requests may see a change before it is committed. */
  async definitionIn(snapshot: Snapshot, table: TableDefinition): Promise<TableDefinition | undefined> {
    const { accountId, region, tableName, tableId } = table
    const value = await snapshot.get(catalogKey(accountId, region, tableName))
    const definition = value && parseDefinition(value)
    if (definition?.tableId === tableId) return definition
    const dropped = await snapshot.get(droppedTableKey(tableId))
    return dropped && parseDefinition(dropped)
  }

  /** Called once nothing is left of a dropped table's change log. */
  async forgetDropped(tableId: number): Promise<void> {
    await this.#store.transact([], () => ({
      writes: [{ kind: 'delete', key: droppedTableKey(tableId) }],
      answer: undefined,
    }))
    this.#dropped.delete(tableId)
  }

  /** Adds a table. Identifiers are given out in the same transaction, and never again. */
  async create(
    scope: Scope,
    tableName: string,
    draft: (ids: { readonly tableId: number; indexIds(count: number): number[] }) => TableDefinition,
  ): Promise<Table> {
    const key = catalogKey(scope.accountId, scope.region, tableName)
    const definition = await this.#store.transact([nextIdKey(), key], ([next, existing]) => {
      if (existing !== undefined) throw tableExists(tableName)
      let nextId = decodeCounters(next)[0] ?? 1
      const drafted = draft({
        tableId: nextId++,
        indexIds: (count) => Array.from({ length: count }, () => nextId++),
      })
      const made = withLogOf(undefined, drafted, this.#clock.now())
      return {
        writes: [
          { kind: 'put', key: nextIdKey(), value: encodeCounters([nextId]) },
          { kind: 'put', key, value: encodeDefinition(made) },
        ],
        answer: made,
      }
    })
    return this.#remember(definition)
  }

  /** An identifier for a new index of an existing table. */
  allocateId(): Promise<number> {
    return this.#store.transact([nextIdKey()], ([next]) => {
      const id = decodeCounters(next)[0] ?? 1
      return { writes: [{ kind: 'put', key: nextIdKey(), value: encodeCounters([id + 1]) }], answer: id }
    })
  }

  /** Replaces a table's definition by what `change` makes of it. Index identifiers in `purge` are marked for removal
   *  of their entries in the same transaction. */
  async change(
    table: Table,
    change: (definition: TableDefinition) => TableDefinition,
    purge: readonly number[] = [],
  ): Promise<TableDefinition> {
    const { accountId, region, tableName } = table.definition
    const key = catalogKey(accountId, region, tableName)
    const definition = await this.#store.transact([key], ([value]): Decision<TableDefinition> => {
      const current = this.#current(table, value)
      const changed = withLogOf(current, change(current), this.#clock.now())
      const writes: Write[] = [{ kind: 'put', key, value: encodeDefinition(changed) }]
      for (const id of purge) writes.push({ kind: 'put', key: purgeKey(id), value: purgeMark('index') })
      // Decisions that run after this one, in this very commit, must already see it.
      table.replaceDefinition(changed)
      return { writes, answer: changed }
    })
    return definition
  }

  /** Takes a table out of the catalog and marks all it stored for removal. Where `keepItems` answers with writes, these
   *  are made instead of the mark on the table's items, which somebody else then has to remove some day. The
   *  change log stays for now, for the table's streams. */
  async drop(
    table: Table,
    mayDrop: (definition: TableDefinition) => void = () => undefined,
    keepItems: (definition: TableDefinition) => readonly Write[] | undefined = () => undefined,
  ): Promise<void> {
    const { accountId, region, tableName } = table.definition
    const key = catalogKey(accountId, region, tableName)
    const remains = await this.#store.transact([key], ([value]): Decision<TableDefinition> => {
      const current = this.#current(table, value)
      mayDrop(current)
      const closed = withLogClosed(current, this.#clock.now())
      const writes: Write[] = [
        { kind: 'delete', key },
        ...(keepItems(current) ?? [{ kind: 'put', key: purgeKey(table.id), value: purgeMark('table') }]),
      ]
      for (const id of idsBesideItems(current)) {
        writes.push({ kind: 'put', key: purgeKey(id), value: purgeMark('index') })
      }
      if (closed.shards !== undefined) {
        writes.push({ kind: 'put', key: droppedTableKey(table.id), value: encodeDefinition(closed) })
      }
      table.replaceDefinition({ ...table.definition, status: 'DELETING' })
      return { writes, answer: closed }
    })
    if (remains.shards !== undefined) this.#dropped.set(table.id, remains)
    this.#tablesOf({ accountId, region })?.delete(tableName)
  }

  #current(table: Table, value: Value | undefined): TableDefinition {
    const current = value === undefined ? undefined : parseDefinition(value)
    if (current === undefined || current.tableId !== table.id) throw tableNotFound(table.name)
    return current
  }

  #tablesOf({ accountId, region }: Scope): Map<string, Table> | undefined {
    return this.#tables.get(accountId)?.get(region)
  }

  *#regions(): Iterable<Map<string, Table>> {
    for (const regions of this.#tables.values()) yield* regions.values()
  }

  #remember(definition: TableDefinition): Table {
    const { accountId, region } = definition
    const regions = this.#tables.get(accountId) ?? new Map<string, Map<string, Table>>()
    this.#tables.set(accountId, regions)
    const tables = regions.get(region) ?? new Map<string, Table>()
    regions.set(region, tables)
    const table = new Table(definition)
    tables.set(definition.tableName, table)
    return table
  }
}

/** What operations on items answer when their table does not exist. */
export function resourceNotFound(): ServiceError {
  return new ServiceError('ResourceNotFoundException', 'Requested resource not found')
}

/** What operations on tables answer. */
export function tableNotFound(tableName: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Table: ${tableName} not found`,
  )
}

function tableExists(tableName: string): ServiceError {
  return new ServiceError('ResourceInUseException', `Table already exists: ${tableName}`)
}

/** The identifiers under which a table has something stored besides its items. */
function idsBesideItems({ globalIndexes, localIndexes, timeToLive, restore }: TableDefinition): readonly number[] {
  const ids = [...globalIndexes, ...localIndexes].map(({ indexId }) => indexId)
  if (timeToLive !== undefined) ids.push(timeToLive.expiryIndexId)
  if (restore?.source.kind === 'table') ids.push(restore.source.undoId)
  return ids
}

/** ON DISK: what a purge mark stands for. */
export function purgeMark(kind: 'table' | 'index'): Value {
  return Buffer.from(kind)
}

function encodeDefinition(definition: TableDefinition): Value {
  return Buffer.from(JSON.stringify(definition))
}

function parseDefinition(value: Value): TableDefinition {
  return JSON.parse(Buffer.from(value).toString('utf8')) as TableDefinition
}

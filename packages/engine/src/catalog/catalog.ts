import { withLogClosed, withLogOf } from '../changes/change-log.ts'
import { withoutCut } from '../cuts/cut-definition.ts'
import { catalogKey, droppedTableKey, nextIdKey, purgeKey, tableVersionKey } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import { decodeCounters, encodeCounters } from '../store/counters.ts'
import { effectOfAll, type Effect } from '../store/effect.ts'
import type { Decision, Snapshot, Store, Write } from '../store/store.ts'
import type { StoreClock } from '../time/store-clock.ts'
import { isNotFound, tableExists } from './catalog-errors.ts'
import type { ChangedTogether, DefinitionChange, DroppedTable, TogetherOptions } from './definition-change.ts'
import { changeWrites, currentDefinition, dropWrites, newsWrites } from './definition-writes.ts'
import { idsOfCuts, isRemembered, purgeMark, withoutIndexCuts } from './leftovers.ts'
import { KnownTables } from './known-tables.ts'
import { draftTables, keysOfNewTables, type NewIds } from './new-tables.ts'
import { allDefinitions, readCatalogNews } from './read-catalog.ts'
import { SeenVersion } from './seen-version.ts'
import { encodeDefinition, keyOfDefinition, parseDefinition } from './stored-definition.ts'
import type { Table } from './table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Transactor } from '../store/transactor.ts'

/** The existing tables. Kept in memory and written through to the store. If this process has the store for itself,
 *  the memory is always correct. If other servers share it, it is correct as of the last `refresh`: whatever writes
 *  to a table then verifies the table's version in its own transaction (see transact-on-tables.ts).
 *  docs/decisions/0007 gives the reasons. */
export class Catalog {
  readonly #store: Store
  readonly #clock: StoreClock
  readonly #tables = new KnownTables()
  readonly #dropped = new Map<number, TableDefinition>()
  readonly #seen: SeenVersion
  #newsCount = 0
  #refreshing: Promise<boolean> | undefined
  #refreshNext: Promise<boolean> | undefined

  private constructor(store: Store, clock: StoreClock) {
    this.#store = store
    this.#clock = clock
    this.#seen = new SeenVersion(store)
  }

  static async load(store: Store, clock: StoreClock): Promise<Catalog> {
    const catalog = new Catalog(store, clock)
    const [tables, dropped] = await allDefinitions(store)
    await store.refresh?.()
    for (const definition of tables) catalog.#tables.remember(definition)
    for (const definition of dropped) catalog.#dropped.set(definition.tableId, definition)
    if (catalog.isShared) {
      await Promise.all(tables.map((definition) => catalog.#giveVersion(definition)))
      await catalog.refresh()
    }
    return catalog
  }

  /** Whether other servers may change the tables too. */
  get isShared(): boolean {
    return this.#store.shared === true
  }

  /** Increases whenever something is learnt from other servers. */
  get newsCount(): number {
    return this.#newsCount
  }

  find(scope: Scope, tableName: string): Table | undefined {
    return this.#tables.find(scope, tableName)
  }

  /** Whether an account has tables in a region. */
  hasTables(scope: Scope): boolean {
    return this.#tables.hasAny(scope)
  }

  /** The names of the tables in one account and region, in byte order. */
  names(scope: Scope): readonly string[] {
    return this.#tables.names(scope).toSorted((a, b) => (a < b ? -1 : 1))
  }

  /** The accounts and regions that have a table with this name, or any table. */
  scopesOf(tableName?: string): readonly Scope[] {
    const scopes = new Map<string, Scope>()
    for (const { name, definition } of this.all()) {
      const { accountId, region } = definition
      if (tableName === undefined || name === tableName) scopes.set(`${accountId}/${region}`, { accountId, region })
    }
    return [...scopes.values()]
  }

  all(): Iterable<Table> {
    return this.#tables.all()
  }

  /** Deleted tables of which something is still kept: the change log, for their streams, or what is being read. */
  dropped(): Iterable<TableDefinition> {
    return [...this.#dropped.values()]
  }

  /** The definition of a table in a snapshot: requests may see a change before it is committed. */
  async definitionIn(snapshot: Snapshot, table: TableDefinition): Promise<TableDefinition | undefined> {
    const value = await snapshot.get(keyOfDefinition(table))
    const definition = value && parseDefinition(value)
    if (definition?.tableId === table.tableId) return definition
    const dropped = await snapshot.get(droppedTableKey(table.tableId))
    return dropped && parseDefinition(dropped)
  }

  /** Reads what other servers have changed, and returns whether anything has. What was acknowledged before the call
   *  is known after it. A refresh that is already running may have looked too early, so another one follows it. */
  refresh(): Promise<boolean> {
    if (!this.isShared) return Promise.resolve(false)
    if (this.#refreshing === undefined) {
      this.#refreshing = this.#learnNews().finally(() => {
        this.#refreshing = undefined
      })
      return this.#refreshing
    }
    this.#refreshNext ??= this.#refreshing
      .catch(() => undefined)
      .then(() => {
        this.#refreshNext = undefined
        return this.refresh()
      })
    return this.#refreshNext
  }

  /** Reads everything again, after the data was replaced under this catalog. */
  async reload(): Promise<void> {
    const [tables, dropped] = await allDefinitions(this.#store)
    const ids = new Set(tables.map(({ tableId }) => tableId))
    for (const table of this.#tables.all()) if (!ids.has(table.id)) this.#tables.forget(table)
    for (const definition of tables) this.#tables.remember(definition).replaceDefinition(definition)
    this.#dropped.clear()
    for (const definition of dropped) this.#dropped.set(definition.tableId, definition)
  }

  /** Makes every server that shares the store look at the definitions again before it writes. */
  async announce(): Promise<void> {
    await this.refresh()
    for (const table of this.all()) {
      await this.change(table, (definition) => definition).catch((error: unknown) => {
        // It was deleted at this moment. Whoever creates tables looks by itself.
        if (!isNotFound(error)) throw error
      })
    }
  }

  /** Called when nothing is left of a deleted table's change log. */
  async forgetDropped(tableId: number): Promise<void> {
    await this.#store.transact([], () => ({
      writes: [{ kind: 'delete', key: droppedTableKey(tableId) }, ...newsWrites(this.isShared)],
      answer: undefined,
    }))
    this.#dropped.delete(tableId)
  }

  /** Adds a table. Its identifiers are allocated in the same transaction, and never reused. */
  async create(
    { accountId, region }: Scope,
    tableName: string,
    draft: (ids: NewIds) => TableDefinition,
  ): Promise<Table> {
    const made = { accountId, tables: [{ region, tableName, draft: (_: unknown, ids: NewIds) => draft(ids) }] }
    const [table] = (await this.#together([], unchanged, { made })).created
    if (table === undefined) throw new Error('a table is created')
    return table
  }

  /** An identifier for a new index of an existing table. */
  allocateId(): Promise<number> {
    return this.#store.transact([nextIdKey()], ([next]) => {
      const id = decodeCounters(next)[0] ?? 1
      return { writes: [{ kind: 'put', key: nextIdKey(), value: encodeCounters([id + 1]) }], answer: id }
    })
  }

  /** Replaces a table's definition with the result of `change`. What the table has stored under identifiers that the
   *  new definition no longer contains is marked for removal in the same transaction, and `beside` is written with
   *  it. */
  async change(
    table: Table,
    change: (definition: TableDefinition) => TableDefinition,
    through: Transactor = this.#store,
    beside: () => readonly Write[] = () => [],
  ): Promise<TableDefinition> {
    const asked = (current: TableDefinition): DefinitionChange<undefined> => ({
      definition: change(current),
      answer: undefined,
    })
    return (await this.changeWith(table, asked, through, beside)).definition
  }

  /** The same, but also returns the answer of `change`. */
  async changeWith<T>(
    table: Table,
    change: (definition: TableDefinition) => DefinitionChange<T>,
    through: Transactor = this.#store,
    beside: () => readonly Write[] = () => [],
  ): Promise<DefinitionChange<T>> {
    const [changed] = await this.changeTogether([table], change, { through, beside })
    if (changed === undefined) throw new Error('a table that is changed has a definition')
    return changed
  }

  /** Changes several tables in one transaction, so that all of them are changed or none, and perhaps makes others with
   *  them. */
  async changeTogether<T>(
    tables: readonly Table[],
    change: (definition: TableDefinition) => DefinitionChange<T>,
    options: TogetherOptions = {},
  ): Promise<readonly DefinitionChange<T>[]> {
    return (await this.#together(tables, change, options)).changed
  }

  async #together<T>(
    tables: readonly Table[],
    change: (definition: TableDefinition) => DefinitionChange<T>,
    options: TogetherOptions,
  ): Promise<{ readonly changed: readonly DefinitionChange<T>[]; readonly created: readonly Table[] }> {
    const { through = this.#store, beside = () => [], made } = options
    const keys = tables.map(({ definition }) => keyOfDefinition(definition))
    const read = made === undefined ? keys : [...keys, ...keysOfNewTables(made)]
    const steadyMs = this.#clock.steady()
    const { changed, created } = await through.transact(read, (values): Decision<ChangedTogether<T>> => {
      const writes: Write[] = []
      const effects: (Effect | undefined)[] = []
      const results = tables.map((table, position): DefinitionChange<T> => {
        const current = currentDefinition(table, values[position])
        const { definition: wanted, answer } = change(current)
        const definition = { ...withLogOf(current, wanted, steadyMs), version: (current.version ?? 0) + 1 }
        writes.push(...changeWrites(this.isShared, current, definition))
        effects.push(this.#becoming(table, definition))
        return { definition, answer }
      })
      const drafted = made && draftTables(made, results[0]?.definition, values.slice(tables.length), steadyMs)
      if (drafted?.exists !== undefined) throw tableExists(drafted.exists)
      for (const definition of drafted?.definitions ?? []) {
        const key = keyOfDefinition(definition)
        writes.push(
          { kind: 'put', key, value: encodeDefinition(definition) },
          ...newsWrites(this.isShared, definition),
        )
      }
      if (drafted !== undefined) writes.push(drafted.taken)
      writes.push(...beside())
      return {
        writes,
        answer: { changed: results, created: drafted?.definitions ?? [] },
        effect: effectOfAll(effects),
      }
    })
    if (this.isShared) for (const { definition } of changed) this.#tables.remember(definition)
    return { changed, created: created.map((definition) => this.#tables.remember(definition)) }
  }

  /** Removes a table from the catalog and marks everything it stored for removal. If `keepItems` returns writes, they
   *  replace the mark on the table's items, which somebody else must then remove later. The change log stays for now,
   *  for the table's streams, and so does everything that is still being read. Returns the definition that the table
   *  had. */
  async drop(
    table: Table,
    mayDrop: (definition: TableDefinition) => void = () => undefined,
    keepItems: (definition: TableDefinition) => readonly Write[] | undefined = () => undefined,
  ): Promise<TableDefinition> {
    const key = keyOfDefinition(table.definition)
    const steadyMs = this.#clock.steady()
    const { dropped, remains } = await this.#store.transact([key], ([value]): Decision<DroppedTable> => {
      const current = currentDefinition(table, value)
      mayDrop(current)
      const closed = withLogClosed(withoutIndexCuts(current), steadyMs)
      const writes = dropWrites(this.isShared, current, closed, keepItems(current))
      return {
        writes,
        answer: { dropped: current, remains: closed },
        effect: this.#becoming(table, { ...current, status: 'DELETING' }),
      }
    })
    if (isRemembered(remains)) this.#dropped.set(table.id, remains)
    this.#tables.forget(table)
    return dropped
  }

  /** What is known about a table, even if it was deleted. */
  definitionOf(tableId: number): TableDefinition | undefined {
    return this.#tables.withId(tableId)?.definition ?? this.#dropped.get(tableId)
  }

  /** Ends a cut of a table, even if it was deleted. Together with `beside`. */
  async endCut(tableId: number, cutId: number, through: Transactor, beside: readonly Write[] = []): Promise<void> {
    for (;;) {
      const table = this.#tables.withId(tableId)
      try {
        if (table === undefined || table.isDropped) await this.#endCutOfDropped(tableId, cutId, through, beside)
        else {
          await this.change(
            table,
            (definition) => withoutCut(definition, cutId),
            through,
            () => beside,
          )
        }
        return
      } catch (error) {
        // It was deleted at this very moment, perhaps by another server.
        if (table === undefined || !isNotFound(error)) throw error
        await this.refresh()
        if (!table.isDropped) throw error
      }
    }
  }

  async #endCutOfDropped(
    tableId: number,
    cutId: number,
    through: Transactor,
    beside: readonly Write[],
  ): Promise<void> {
    const key = droppedTableKey(tableId)
    const remains = await through.transact([key], ([value]): Decision<TableDefinition | undefined> => {
      const current = value && parseDefinition(value)
      const changed = current && withoutCut(current, cutId)
      const writes: Write[] = [...beside, ...newsWrites(this.isShared)]
      if (changed !== undefined) {
        writes.push(
          isRemembered(changed) ? { kind: 'put', key, value: encodeDefinition(changed) } : { kind: 'delete', key },
        )
      }
      for (const id of current === undefined ? [] : idsOfCuts(current)) {
        if (id === cutId) writes.push({ kind: 'put', key: purgeKey(id), value: purgeMark('index') })
      }
      return { writes, answer: changed }
    })
    if (remains !== undefined && isRemembered(remains)) this.#dropped.set(tableId, remains)
    else this.#dropped.delete(tableId)
  }

  /** Where decisions run in commit order, later decisions of the same commit must already see a changed definition.
   *  On a shared store they verify its version instead. */
  #becoming(table: Table, definition: TableDefinition): Effect | undefined {
    if (this.isShared) return undefined
    let before = definition
    return {
      apply: () => {
        before = table.definition
        table.replaceDefinition(definition)
      },
      undo: () => table.replaceDefinition(before),
    }
  }

  async #learnNews(): Promise<boolean> {
    if (await this.#seen.isCurrent()) return false
    const startedAtMs = performance.now()
    // A table that becomes known while the news is read may be missing from it, but that does not mean it was
    // deleted.
    const knownBefore = this.#tables.ids()
    const news = await this.#store.view((snapshot) =>
      readCatalogNews(snapshot, (tableId) => this.#tables.withId(tableId)?.version ?? 0),
    )
    await this.#store.refresh?.()
    for (const tableId of knownBefore) {
      const table = this.#tables.withId(tableId)
      if (table !== undefined && !news.tableIds.has(tableId)) this.#tables.forget(table)
    }
    for (const definition of news.definitions) this.#tables.remember(definition)
    this.#dropped.clear()
    for (const definition of news.dropped) this.#dropped.set(definition.tableId, definition)
    this.#seen.note(news.catalogVersion, startedAtMs)
    this.#newsCount++
    return true
  }

  /** For tables from a store that belonged to one process. */
  async #giveVersion({ tableId, accountId, region, tableName }: TableDefinition): Promise<void> {
    const key = catalogKey(accountId, region, tableName)
    await this.#store.transact([tableVersionKey(tableId), key], ([version, value]) => {
      const current = value && parseDefinition(value)
      if (current?.tableId !== tableId || version !== undefined) return { writes: [], answer: undefined }
      const versioned = { ...current, version: (current.version ?? 0) + 1 }
      return {
        writes: [{ kind: 'put', key, value: encodeDefinition(versioned) }, ...newsWrites(this.isShared, versioned)],
        answer: undefined,
      }
    })
  }
}

const unchanged = (definition: TableDefinition): DefinitionChange<undefined> => ({ definition, answer: undefined })

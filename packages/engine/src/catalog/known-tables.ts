import type { Scope } from '../scope.ts'
import { Table } from './table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'

/** The tables that this server knows. There is one handle for each, whichever way its changes are learnt. */
export class KnownTables {
  /** By account, then region, then name. Every request looks a table up, so this builds no strings. */
  readonly #byName = new Map<string, Map<string, Map<string, Table>>>()
  readonly #byId = new Map<number, Table>()

  find({ accountId, region }: Scope, tableName: string): Table | undefined {
    return this.#byName.get(accountId)?.get(region)?.get(tableName)
  }

  withId(tableId: number): Table | undefined {
    return this.#byId.get(tableId)
  }

  ids(): readonly number[] {
    return [...this.#byId.keys()]
  }

  names({ accountId, region }: Scope): readonly string[] {
    return [...(this.#byName.get(accountId)?.get(region)?.keys() ?? [])]
  }

  hasAny({ accountId, region }: Scope): boolean {
    return (this.#byName.get(accountId)?.get(region)?.size ?? 0) > 0
  }

  *all(): Iterable<Table> {
    for (const regions of this.#byName.values()) for (const tables of regions.values()) yield* tables.values()
  }

  /** Adds a table, or updates a known one to a newer definition: news may arrive late and twice. */
  remember(definition: TableDefinition): Table {
    const known = this.#byId.get(definition.tableId)
    if (known !== undefined) {
      if ((definition.version ?? 0) > known.version) known.replaceDefinition(definition)
      return known
    }
    const table = new Table(definition)
    this.#byId.set(definition.tableId, table)
    const tables = this.#tablesOf(definition)
    const namesake = tables.get(definition.tableName)
    // Identifiers increase: of two tables with the same name, the later one exists.
    if (namesake === undefined || namesake.id < table.id) tables.set(definition.tableName, table)
    return table
  }

  forget(table: Table): void {
    table.markDropped()
    this.#byId.delete(table.id)
    const tables = this.#tablesOf(table.definition)
    if (tables.get(table.name) === table) tables.delete(table.name)
  }

  #tablesOf({ accountId, region }: Scope): Map<string, Table> {
    const regions = this.#byName.get(accountId) ?? new Map<string, Map<string, Table>>()
    this.#byName.set(accountId, regions)
    const tables = regions.get(region) ?? new Map<string, Table>()
    regions.set(region, tables)
    return tables
  }
}

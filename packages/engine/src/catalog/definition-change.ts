import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Write } from '../store/store.ts'
import type { Transactor } from '../store/transactor.ts'
import type { NewTables } from './new-tables.ts'

/** The new definition, and what to return besides. */
export interface DefinitionChange<T> {
  readonly definition: TableDefinition
  readonly answer: T
}

export interface TogetherOptions {
  readonly through?: Transactor
  /** Written in the same transaction. */
  readonly beside?: () => readonly Write[]
  readonly made?: NewTables
}

export interface ChangedTogether<T> {
  readonly changed: readonly DefinitionChange<T>[]
  readonly created: readonly TableDefinition[]
}

export interface DroppedTable {
  readonly dropped: TableDefinition
  /** What is kept of it for its streams. */
  readonly remains: TableDefinition
}

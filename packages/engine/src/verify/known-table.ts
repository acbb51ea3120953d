import { keyOfDefinition } from '../catalog/stored-definition.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Key, MaybePromise, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { definitionProblems } from './check-definition.ts'

/** A table whose definition may change while it is checked. */
export class KnownTable {
  readonly key: Key
  readonly tableId: number
  #bytes: Value | undefined
  #definition: TableDefinition

  /** `key` is where the definition is stored: with those of existing tables by default. */
  constructor(definition: TableDefinition, key: Key = keyOfDefinition(definition)) {
    this.#definition = definition
    this.tableId = definition.tableId
    this.key = key
  }

  /** As it was last seen. */
  get definition(): TableDefinition {
    return this.#definition
  }

  /** The table's definition in this very snapshot; undefined if the table no longer exists. */
  in(snapshot: Snapshot): MaybePromise<TableDefinition | undefined> {
    return whenThere(snapshot.get(this.key), (value) => this.read(value))
  }

  read(value: Value | undefined): TableDefinition | undefined {
    if (value === undefined) return undefined
    if (this.#bytes?.equals(value) === true) return this.#definition
    const definition = definitionOf(value)
    if (definition?.tableId !== this.tableId) return undefined
    this.#bytes = value
    this.#definition = definition
    return definition
  }
}

function definitionOf(value: Value): TableDefinition | undefined {
  try {
    const raw: unknown = JSON.parse(value.toString('utf8'))
    return definitionProblems(raw).length === 0 ? (raw as TableDefinition) : undefined
  } catch {
    return undefined
  }
}

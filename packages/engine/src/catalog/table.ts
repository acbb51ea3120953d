import { changeLogOf, type ChangeLog } from '../changes/change-log.ts'
import { tableArn } from '../definitions/table-arn.ts'
import type { IndexDefinition, KeySchema, TableDefinition } from '../definitions/table-definition.ts'

/** A table that requests hold while its definition changes. A decision that runs later must see the indexes at the
 *  time of the decision, or a write could bypass an index that is being built. */
export class Table {
  #definition: TableDefinition
  #changeLog: ChangeLog | undefined

  constructor(definition: TableDefinition) {
    this.#definition = definition
    this.#changeLog = changeLogOf(definition)
  }

  get definition(): TableDefinition {
    return this.#definition
  }

  get name(): string {
    return this.#definition.tableName
  }

  get id(): number {
    return this.#definition.tableId
  }

  /** The version of the definition that this server knows; other servers may know a later one. */
  get version(): number {
    return this.#definition.version ?? 0
  }

  get keySchema(): KeySchema {
    return this.#definition.keySchema
  }

  /** What must be kept of each change; undefined if nothing. */
  get changeLog(): ChangeLog | undefined {
    return this.#changeLog
  }

  get isDropped(): boolean {
    return this.#definition.status === 'DELETING'
  }

  /** Whether its items are still being restored: until then it can only be described. */
  get isRestoring(): boolean {
    return this.#definition.restore !== undefined
  }

  get arn(): string {
    return tableArn(this.#definition)
  }

  index(indexName: string): IndexDefinition | undefined {
    const { localIndexes, globalIndexes } = this.#definition
    return (
      globalIndexes.find((index) => index.indexName === indexName) ??
      localIndexes.find((index) => index.indexName === indexName)
    )
  }

  /** Only the catalog calls this. */
  replaceDefinition(definition: TableDefinition): void {
    this.#definition = definition
    this.#changeLog = changeLogOf(definition, this.#changeLog)
  }

  /** Only the catalog calls this. Requests that still hold the table notice it. */
  markDropped(): void {
    this.#definition = { ...this.#definition, status: 'DELETING' }
  }
}

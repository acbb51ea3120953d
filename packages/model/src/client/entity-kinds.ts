import type { ModelDescription, TableDescription } from '../description.ts'
import type { EntityRuntime, StoredItem } from './entity-runtime.ts'
import { KindReader } from './kind-reader.ts'

/** Tells what the items of a model's tables are: by their discriminators, or by their keys. */
export class EntityKinds {
  readonly #byTable: ReadonlyMap<string, KindReader>

  constructor(model: ModelDescription, entities: ReadonlyMap<string, EntityRuntime>) {
    const all = [...entities.values()]
    this.#byTable = new Map(
      model.tables.map((table) => {
        const parts = {
          modelName: model.name,
          where: table.name,
          table,
          index: undefined,
          entities: all,
          expected: [],
          skipsUnknown: true,
        }
        return [table.id, new KindReader(parts)]
      }),
    )
  }

  /** The name of an entity, or of a guard or index item (`Customer.email`); undefined if the model has none such. */
  of(table: TableDescription, stored: StoredItem): string | undefined {
    return this.#byTable.get(table.id)?.kindOf(stored)
  }
}

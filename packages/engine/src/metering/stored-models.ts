import { transactOnTables, type Transacting } from '../catalog/transact-on-tables.ts'
import type { Table } from '../catalog/table.ts'
import type { ModelState } from '../partitions/partition-model.ts'
import { idOfPartitionModelKey, partitionModelKey, partitionModelRange } from '../layout/metering-keys.ts'
import type { Store, Write } from '../store/store.ts'

/** What is known about the partitions of a table or of one of its indexes. */
export interface StoredModel {
  readonly table: Table
  readonly id: number
  readonly state: ModelState
}

/** What was known about partitions when the store was last used, by the identifier of the table or index. */
export async function loadModels(store: Store): Promise<ReadonlyMap<number, ModelState>> {
  const states = new Map<number, ModelState>()
  await store.view((snapshot) =>
    snapshot.range(partitionModelRange(), (key, value) => {
      states.set(idOfPartitionModelKey(key), JSON.parse(value.toString('utf8')) as ModelState)
      return true
    }),
  )
  return states
}

/** Stores what is known about partitions, except for deleted tables and indexes, because nobody would remove it. */
export async function saveModels(engine: Transacting, models: readonly StoredModel[]): Promise<void> {
  if (models.length === 0) return
  const tables = models.map(({ table }) => table)
  await transactOnTables(engine, tables, [], () => ({
    writes: models
      .filter(({ table, id }) => idsOf(table).includes(id))
      .map(({ id, state }): Write => {
        return { kind: 'put', key: partitionModelKey(id), value: Buffer.from(JSON.stringify(state)) }
      }),
    answer: undefined,
  }))
}

/** Removes what earlier versions stored about deleted tables and indexes. */
export async function forgetModels({ store, catalog }: Transacting): Promise<void> {
  const stored = [...(await loadModels(store)).keys()]
  // If what was stored until now belongs to a table, that table is known after this.
  await catalog.refresh()
  const known = new Set([...catalog.all()].flatMap(idsOf))
  const keys = stored.filter((id) => !known.has(id)).map(partitionModelKey)
  if (keys.length === 0) return
  await store.transact([], () => ({ writes: keys.map((key) => ({ kind: 'delete', key })), answer: undefined }))
}

function idsOf({ isDropped, id, definition }: Table): readonly number[] {
  return isDropped ? [] : [id, ...definition.globalIndexes.map(({ indexId }) => indexId)]
}

import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import type { DerivedRuntime } from './derived-runtime.ts'
import type { Pace } from './pace.ts'

/** Where a scan is: the table, and the last key that was read in it. */
export interface ScanCursor {
  readonly table: number
  readonly key: StoredItem | undefined
}

export interface ScannedPage {
  readonly items: readonly { readonly entity: EntityRuntime; readonly stored: StoredItem }[]
  /** Undefined after the last page. */
  readonly next: ScanCursor | undefined
}

const pageItems = 200

/** Reads the items of these entities, wherever they are, with consistent reads, under the names that they have in the model. */
export async function* scanEntities(
  runtime: DerivedRuntime,
  names: ReadonlySet<string>,
  pace: Pace,
  from: ScanCursor = { table: 0, key: undefined },
): AsyncIterable<ScannedPage> {
  const wanted = [...runtime.entities.values()].filter(({ name }) => names.has(name))
  const tables = [...new Map(wanted.map((entity) => [entity.tableName, entity.table]))]
  let { table, key } = from
  while (table < tables.length) {
    const [TableName = '', described] = tables[table] ?? []
    const before = runtime.meter.readUnits + runtime.meter.writeUnits
    const page = await runtime.connection.send(
      'Scan',
      {
        TableName,
        ConsistentRead: true,
        Limit: pageItems,
        ReturnConsumedCapacity: 'TOTAL',
        ...(key !== undefined && { ExclusiveStartKey: key }),
      },
      runtime.meter,
    )
    const units = runtime.meter.readUnits + runtime.meter.writeUnits - before
    const items = (page.Items ?? []).flatMap((stored) => {
      const kind = described && runtime.kinds.of(described, stored)
      const entity = kind === undefined ? undefined : runtime.entities.get(kind)
      return entity !== undefined && names.has(entity.name) ? [{ entity, stored: entity.fromStored(stored) }] : []
    })
    key = page.LastEvaluatedKey
    if (key === undefined) table++
    yield { items, next: table < tables.length ? { table, key } : undefined }
    await pace.spend(units)
  }
}

import type { ModelMeasurement } from '../check/measure-model.ts'
import type { ModelDescription, TableDescription } from '../description.ts'
import type { StorageCost } from './model-cost.ts'
import { classPrices, type PriceSheet } from './prices/price-sheet.ts'

/** Added to every item and index entry when storage is billed. */
const overheadBytes = 100
const gigabyte = 1024 ** 3

/** What the tables and indexes of a model hold, from the declared number of items and their measured size. */
export function storageCosts(
  model: ModelDescription,
  measurement: ModelMeasurement,
  prices: PriceSheet,
): readonly StorageCost[] {
  return model.tables.flatMap((table) => {
    const own = tableBytes(model, measurement, table)
    const indexes = table.indexes.map(({ name }) => ({ name, bytes: indexBytes(model, measurement, table, name) }))
    const locals = table.indexes.filter(({ kind }) => kind === 'local').map(({ name }) => name)
    const backedUp =
      own + indexes.filter(({ name }) => locals.includes(name)).reduce((total, { bytes }) => total + bytes, 0)
    const { storagePerGbMonth } = classPrices(prices, table.tableClass)
    const cost = (place: string, kind: StorageCost['kind'], bytes: number, perGbMonth: number): StorageCost => ({
      place,
      kind,
      bytes,
      dollars: (bytes / gigabyte) * perGbMonth,
    })
    return [
      cost(table.name, 'table', own, storagePerGbMonth),
      ...indexes.map(({ name, bytes }) => cost(name, 'index', bytes, storagePerGbMonth)),
      // Continuous backups cover the table and its local indexes.
      ...(table.pointInTimeRecovery === true
        ? [cost(table.name, 'backup', backedUp, prices.pointInTimeRecoveryPerGbMonth)]
        : []),
    ]
  })
}

function tableBytes(model: ModelDescription, measurement: ModelMeasurement, table: TableDescription): number {
  let bytes = 0
  for (const { items, itemBytes, satellites } of entitiesOf(model, measurement, table)) {
    bytes += items * (itemBytes + overheadBytes + satellites.count * (satellites.bytes + overheadBytes))
  }
  return bytes
}

function indexBytes(
  model: ModelDescription,
  measurement: ModelMeasurement,
  table: TableDescription,
  index: string,
): number {
  let bytes = 0
  for (const { items, indexes } of entitiesOf(model, measurement, table)) {
    const entry = indexes.find((each) => each.index === index)
    if (entry !== undefined) bytes += items * entry.share * (entry.entryBytes + overheadBytes)
  }
  return bytes
}

function entitiesOf(model: ModelDescription, measurement: ModelMeasurement, table: TableDescription) {
  return model.entities.flatMap((entity) => {
    const measured = measurement.entities.find((each) => each.entity === entity.name)
    if (entity.table !== table.id || measured === undefined) return []
    return [
      { ...measured, items: entity.volume.items ?? 0, itemBytes: entity.volume.itemBytes ?? measured.itemBytes },
    ]
  })
}

import { counted } from '../counted.ts'
import type { ModelDescription, TableDescription } from '../description.ts'
import type { OtherCost, StorageCost } from './model-cost.ts'
import { findPrices } from './prices/find-prices.ts'
import { classPrices, replicatedPrices, type PriceSheet } from './prices/price-sheet.ts'

/** What a model does not say of itself, by the month. */
export interface CostExtras {
  /** On-demand backups of each table that are kept. */
  readonly backups?: number | undefined
  /** Full exports of each table to S3. */
  readonly exports?: number | undefined
  /** Calls of GetRecords a second, of consumers that are neither Lambda nor global tables. */
  readonly streamReads?: number | undefined
}

/** Write units a second at a table or index. */
export interface WriteLoad {
  readonly place: string
  readonly writes: number
  /** Provisioned, for the peak at the target utilisation. */
  readonly provisionedWrites: number
}

const hoursPerMonth = 730
const secondsPerMonth = hoursPerMonth * 3600

/** What is paid besides the requests and the storage of one region. */
export function otherCosts(
  model: ModelDescription,
  storage: readonly StorageCost[],
  loads: readonly WriteLoad[],
  prices: PriceSheet,
  extras: CostExtras,
): readonly OtherCost[] {
  const replicas = model.tables.flatMap((table) =>
    replicaPrices(table, prices).map((sheet) => replicaCost(table, sheet, storage, loads)),
  )
  return [...replicas, ...featureCosts(model, storage, prices, extras)]
}

/** The prices of the other regions of a global table. */
export function replicaPrices(table: TableDescription, prices: PriceSheet): readonly PriceSheet[] {
  return replicaRegions(table, prices.region).map(
    (region) =>
      findPrices(region, prices.effectiveFrom) ?? {
        ...prices,
        region,
        takenFrom: prices.takenFrom ?? prices.region,
      },
  )
}

/** All but the region whose prices are asked for; if the table is not there, all but its first. */
function replicaRegions({ global }: TableDescription, region: string): readonly string[] {
  const regions = global?.regions ?? []
  const own = regions.includes(region) ? region : regions[0]
  return regions.filter((each) => each !== own)
}

/** Every write of the table is written in the other region too, with its indexes, and stored there. Reads are counted once, in the
 *  region that was asked for. */
function replicaCost(
  table: TableDescription,
  sheet: PriceSheet,
  storage: readonly StorageCost[],
  loads: readonly WriteLoad[],
): OtherCost {
  const plain = classPrices(sheet, table.tableClass)
  const replicated = replicatedPrices(plain)
  let onDemand = 0
  let provisioned = 0
  const places = new Set([table.name, ...table.indexes.map(({ name }) => name)])
  for (const { place, writes, provisionedWrites } of loads) {
    if (!places.has(place)) continue
    const prices = place === table.name ? replicated : plain
    onDemand += (writes * secondsPerMonth * prices.onDemand.perMillionWriteUnits) / 1e6
    provisioned += provisionedWrites * hoursPerMonth * prices.provisioned.perWriteUnitHour
  }
  const stored = storage
    .filter(({ place }) => places.has(place))
    .map(({ kind, bytes }) =>
      gigabytes(bytes, kind === 'backup' ? sheet.pointInTimeRecoveryPerGbMonth : plain.storagePerGbMonth),
    )
    .reduce((total, dollars) => total + dollars, 0)
  return {
    name: `replica of ${table.name} in ${sheet.region}`,
    onDemand: onDemand + stored,
    provisioned: provisioned + stored,
  }
}

function featureCosts(
  model: ModelDescription,
  storage: readonly StorageCost[],
  { features }: PriceSheet,
  { backups = 0, exports = 0, streamReads = 0 }: CostExtras,
): readonly OtherCost[] {
  if (features === undefined) return []
  const locals = new Set(
    model.tables.flatMap(({ indexes }) => indexes.filter(({ kind }) => kind === 'local').map(({ name }) => name)),
  )
  // Backups and exports hold tables and their local indexes.
  const bytes = storage
    .filter(({ kind, place }) => kind === 'table' || (kind === 'index' && locals.has(place)))
    .reduce((total, each) => total + each.bytes, 0)
  const rows = [
    { name: `${counted(backups, 'backup')} kept`, dollars: backups * gigabytes(bytes, features.backupPerGbMonth) },
    { name: `${counted(exports, 'export')} to S3`, dollars: exports * gigabytes(bytes, features.exportPerGb) },
    {
      name: 'reading streams',
      dollars: (streamReads * secondsPerMonth * features.perMillionStreamReads) / 1e6,
    },
  ]
  return rows
    .filter(({ dollars }) => dollars > 0)
    .map(({ name, dollars }) => ({ name, onDemand: dollars, provisioned: dollars }))
}

function gigabytes(bytes: number, price: number): number {
  return (bytes / 1024 ** 3) * price
}

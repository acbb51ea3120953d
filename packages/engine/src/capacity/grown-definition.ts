import type { IndexDefinition, TableDefinition, WarmThroughput } from '../definitions/table-definition.ts'
import type { Meters } from '../metering/meters.ts'

/** A table's definition with its current warm throughput and that of its global indexes: on demand, they grow with
 *  traffic. */
export function grownDefinition(meters: Meters, definition: TableDefinition): TableDefinition {
  const { billing, globalIndexes } = definition
  if (billing.mode !== 'PAY_PER_REQUEST') return definition
  const grown = (index: IndexDefinition): IndexDefinition => {
    const warmThroughput = warmerOf(meters, index.indexId, index.warmThroughput)
    return warmThroughput === index.warmThroughput ? index : { ...index, ...(warmThroughput && { warmThroughput }) }
  }
  const warmThroughput = warmerOf(meters, definition.tableId, billing.warmThroughput)
  return {
    ...definition,
    billing: { ...billing, ...(warmThroughput && { warmThroughput }) },
    globalIndexes: globalIndexes.map(grown),
  }
}

function warmerOf(meters: Meters, id: number, warm: WarmThroughput | undefined): WarmThroughput | undefined {
  const grown = meters.grownTo(id)
  if (warm === undefined || grown === undefined) return warm
  if (grown.read <= warm.readUnitsPerSecond && grown.write <= warm.writeUnitsPerSecond) return warm
  return {
    readUnitsPerSecond: Math.max(Math.floor(grown.read), warm.readUnitsPerSecond),
    writeUnitsPerSecond: Math.max(Math.floor(grown.write), warm.writeUnitsPerSecond),
  }
}

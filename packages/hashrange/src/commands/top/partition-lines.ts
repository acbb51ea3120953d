import type { PartitionHeat, PlaceReport, TableReport } from '@hashrange/engine'
import { bar, cell, cut, figure, percent } from './cells.ts'
import type { Style } from './style.ts'

const barWidth = 20

/** The partitions of a table and its indexes, each with bars that show how much of it is used; if there are many, the
 *  busiest. */
export function partitionLines(
  table: TableReport,
  { columns, style }: { readonly columns: number; readonly style: Style },
): string[] {
  const nameWidth = Math.max(8, Math.min(24, columns - 92))
  return table.places.flatMap((place) => {
    const name = place.indexName ?? table.tableName
    const lines = place.partitions
      .toSorted((a, b) => shareOf(b) - shareOf(a))
      .slice(0, 8)
      .map((partition) => {
        const line =
          `  ${cell(name, nameWidth)} ${cell(rangeOf(partition), 15)}` +
          `R ${bar(readShare(partition), barWidth)}${cell(percent(readShare(partition)), 6, 'right')}  ` +
          `W ${bar(writeShare(partition), barWidth)}${cell(percent(writeShare(partition)), 6, 'right')}` +
          throttles(partition, place)
        return tone(cut(line, columns), partition, style)
      })
    return [...lines, ...more(place, lines.length, style)]
  })
}

function more(place: PlaceReport, shown: number, style: Style): string[] {
  return place.partitionCount > shown ? [style.dim(`  and ${place.partitionCount - shown} more partitions`)] : []
}

/** `00000000–7fffffff`: the first digits of the hashes distinguish partitions. */
function rangeOf({ fromKey, toKey }: PartitionHeat): string {
  return `${fromKey.slice(0, 6).padEnd(6, '0')}–${toKey === '' ? 'ffffff' : toKey.slice(0, 6).padEnd(6, '0')}`
}

/** A partition counts both what was throttled and what would have been; its table knows which. */
function throttles({ readThrottles, writeThrottles }: PartitionHeat, place: PlaceReport): string {
  const total = readThrottles + writeThrottles
  if (total === 0) return ''
  const isReal = place.readThrottles + place.writeThrottles > 0
  return `  ${figure(total)} ${isReal ? 'throttled' : 'would be'}`
}

function tone(line: string, partition: PartitionHeat, style: Style): string {
  const share = shareOf(partition)
  if (share >= 0.9 || partition.readThrottles + partition.writeThrottles > 0) return style.red(line)
  return share >= 0.6 ? style.yellow(line) : line
}

function shareOf(partition: PartitionHeat): number {
  return Math.max(readShare(partition), writeShare(partition))
}

function readShare({ readUnitsPerSecond, readCapacity }: PartitionHeat): number {
  return readCapacity === 0 ? 0 : readUnitsPerSecond / readCapacity
}

function writeShare({ writeUnitsPerSecond, writeCapacity }: PartitionHeat): number {
  return writeCapacity === 0 ? 0 : writeUnitsPerSecond / writeCapacity
}

import type { Item } from '@hashrange/core'
import type { ScanSource } from '../items/rows/scan-source.ts'

/** The items of one partition key, as far as they are shown. */
export interface Partition {
  readonly id: string
  readonly rows: readonly Item[]
  readonly hasBefore: boolean
  readonly hasMore: boolean
}

export interface PartitionPage {
  readonly partitions: readonly Partition[]
  /** Behind the last partition; nothing at the end. */
  readonly next: Item | undefined
}

const partitionsPerPage = 10
const rowsPerPartition = 6
const scanRows = 100
/** Where a filter leaves out most of what is read. */
const filteredScanRows = 1_000
/** A page of partitions takes no more requests than this, however the items lie. */
const mostRequests = 40

/** So many partitions after a cursor, each with its first rows. A large one is not read through: what follows its first rows is
 *  passed over. */
export async function loadPartitions(
  source: ScanSource<Item, Item>,
  start: Item | undefined,
  signal: AbortSignal,
  isFiltered = false,
): Promise<PartitionPage> {
  const partitions: { id: string; rows: Item[]; hasBefore: boolean; hasMore: boolean }[] = []
  let cursor = start
  for (let request = 0; request < mostRequests; request++) {
    const page = await source.fetch(
      cursor === undefined ? { kind: 'beginning' } : { kind: 'after', cursor },
      isFiltered ? filteredScanRows : scanRows,
      signal,
    )
    for (const row of page.rows) {
      const id = source.partitionOf(row)
      const current = partitions.at(-1)
      if (current?.id === id) {
        if (current.rows.length < rowsPerPartition) current.rows.push(row)
        else current.hasMore = true
      } else if (partitions.length === partitionsPerPage) {
        return { partitions, next: endOfLast(source, partitions) }
      } else {
        partitions.push({ id, rows: [row], hasBefore: false, hasMore: false })
      }
    }
    if (page.next === undefined) return { partitions, next: undefined }
    const last = partitions.at(-1)
    cursor = last?.hasMore === true ? endOfLast(source, partitions) : page.next
  }
  // With a filter, the last partition that was found may be far behind what was read.
  return { partitions, next: isFiltered ? cursor : endOfLast(source, partitions) }
}

/** The rows around one in its partition: its neighbours. */
export async function loadNeighbours(
  source: ScanSource<Item, Item>,
  after: (cursor: Item, limit: number, signal: AbortSignal) => Promise<readonly Item[]>,
  item: Item,
  width: number,
  signal: AbortSignal,
): Promise<Partition> {
  const cursor = source.cursorOf(item)
  const [before, behind] = await Promise.all([
    source.before(cursor, width + 1, signal),
    after(cursor, width + 1, signal),
  ])
  return {
    id: source.partitionOf(item),
    rows: [...before.slice(before.length > width ? 1 : 0), item, ...behind.slice(0, width)],
    hasBefore: before.length > width,
    hasMore: behind.length > width,
  }
}

function endOfLast(
  source: ScanSource<Item, Item>,
  partitions: readonly { readonly rows: readonly Item[] }[],
): Item | undefined {
  const row = partitions.at(-1)?.rows[0]
  return row === undefined ? undefined : source.endOf(row)
}

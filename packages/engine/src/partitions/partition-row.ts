import { KeyBoundary } from './key-boundary.ts'
import { Partition } from './partition.ts'

/** The maximum number of partitions per table or index that are tracked, however large it is, however long it runs
 *  and whatever its settings: each costs memory, space in what is stored every minute, and a check every minute. The
 *  service's quota of 40,000 units per second needs 54; the rest is for size and heat. */
export const mostPartitions = 1_024

/** Partitions of equal width. */
export function evenPartitions(count: number, nowMs: number): readonly Partition[] {
  const parts = boundedCount(count)
  const starts = Array.from({ length: parts }, (_, part) => KeyBoundary.ofHash(Math.ceil((2 ** 32 * part) / parts)))
  return partitionsBetween(starts, nowMs)
}

/** Partitions as they were stored, given where each except the first begins. If there are more than are tracked, some
 *  are dropped evenly, and their neighbours take over their keys. */
export function storedPartitions(boundaries: readonly string[], nowMs: number): readonly Partition[] {
  const step = Math.ceil((boundaries.length + 1) / mostPartitions)
  const kept = step === 1 ? boundaries : boundaries.filter((_, position) => (position + 1) % step === 0)
  return partitionsBetween([KeyBoundary.ofHash(0), ...kept.map((hex) => KeyBoundary.fromHex(hex))], nowMs)
}

/** Halves the widest partitions until there are this many. */
export function withAtLeast(partitions: readonly Partition[], count: number, nowMs: number): readonly Partition[] {
  const wanted = boundedCount(count)
  let row = partitions
  // Everything wider than half of the widest comes before any half: each round at least halves the remaining width.
  while (row.length < wanted) {
    const widest = row.reduce((width, one) => Math.max(width, one.width), 0)
    const wide = row.filter((one) => one.width > widest / 2).toSorted((a, b) => b.width - a.width)
    row = withHalved(row, new Set(wide.slice(0, wanted - row.length)), nowMs)
  }
  return row
}

/** Halves whatever is wider than this many hashes, as long as there is room for more. */
export function withWidthUpTo(
  partitions: readonly Partition[],
  width: number,
  nowMs: number,
): readonly Partition[] {
  let row = partitions
  for (;;) {
    const wide = row.filter((one) => one.width > width && one.width >= 2).toSorted((a, b) => b.width - a.width)
    const halved = wide.slice(0, mostPartitions - row.length)
    if (halved.length === 0) return row
    row = withHalved(row, new Set(halved), nowMs)
  }
}

/** Splits one partition, if there is room for one more. */
export function withDivided(
  partitions: readonly Partition[],
  divided: Partition,
  at: KeyBoundary,
  nowMs: number,
): readonly Partition[] {
  if (partitions.length >= mostPartitions) return partitions
  return partitions.flatMap((one) => (one === divided ? partsOf(one, at, nowMs) : [one]))
}

function withHalved(
  partitions: readonly Partition[],
  halved: ReadonlySet<Partition>,
  nowMs: number,
): readonly Partition[] {
  return partitions.flatMap((one) => (halved.has(one) ? partsOf(one, middleOf(one), nowMs) : [one]))
}

function partsOf({ from, to }: Partition, at: KeyBoundary, nowMs: number): readonly Partition[] {
  return [new Partition(from, at, nowMs), new Partition(at, to, nowMs)]
}

function middleOf({ from, width }: Partition): KeyBoundary {
  return KeyBoundary.ofHash(from.hash + Math.ceil(width / 2))
}

function partitionsBetween(starts: readonly KeyBoundary[], nowMs: number): readonly Partition[] {
  return starts.map((from, position) => new Partition(from, starts[position + 1], nowMs))
}

/** NaN asks for nothing. */
function boundedCount(count: number): number {
  return Number.isNaN(count) ? 1 : Math.min(Math.max(1, count), mostPartitions)
}

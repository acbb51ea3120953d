import { KeyBoundary } from './key-boundary.ts'
import { Partition } from './partition.ts'

/** So many partitions of one table or index are told apart, however large it is, however long it runs and whatever it was
 *  given: each costs memory, a place in what is stored every minute, and a look at it every minute. The service's quota of
 *  40,000 units a second comes to 54; the rest is for size and for heat. */
export const mostPartitions = 1_024

/** Partitions of even width. */
export function evenPartitions(count: number, nowMs: number): readonly Partition[] {
  const parts = boundedCount(count)
  const starts = Array.from({ length: parts }, (_, part) => KeyBoundary.ofHash(Math.ceil((2 ** 32 * part) / parts)))
  return partitionsBetween(starts, nowMs)
}

/** Partitions as they were stored, by where each but the first one begins. Of more than are told apart, some are left out
 *  evenly, so that their neighbours take their keys. */
export function storedPartitions(boundaries: readonly string[], nowMs: number): readonly Partition[] {
  const step = Math.ceil((boundaries.length + 1) / mostPartitions)
  const kept = step === 1 ? boundaries : boundaries.filter((_, position) => (position + 1) % step === 0)
  return partitionsBetween([KeyBoundary.ofHash(0), ...kept.map((hex) => KeyBoundary.fromHex(hex))], nowMs)
}

/** Halves the widest partitions until there are so many. */
export function withAtLeast(partitions: readonly Partition[], count: number, nowMs: number): readonly Partition[] {
  const wanted = boundedCount(count)
  let row = partitions
  // Whatever is wider than half of the widest comes before any half: each round at least halves the width that is left.
  while (row.length < wanted) {
    const widest = row.reduce((width, one) => Math.max(width, one.width), 0)
    const wide = row.filter((one) => one.width > widest / 2).toSorted((a, b) => b.width - a.width)
    row = withHalved(row, new Set(wide.slice(0, wanted - row.length)), nowMs)
  }
  return row
}

/** Halves whatever is wider than so many hashes, as long as there is room for more. */
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

/** Divides one partition, if there is room for one more. */
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

/** What is no number asks for nothing. */
function boundedCount(count: number): number {
  return Number.isNaN(count) ? 1 : Math.min(Math.max(1, count), mostPartitions)
}

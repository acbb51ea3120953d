import type { Partition } from './load-partitions.ts'

/** Why a panel shows no partition. */
export function NoPartitions({
  isFollowing,
  isFinding,
  isHere,
  missing,
  partitions,
  names,
  indexName,
}: {
  readonly isFollowing: boolean
  readonly isFinding: boolean
  readonly isHere: boolean
  readonly missing: readonly string[]
  readonly partitions: readonly Partition[]
  readonly names: readonly string[]
  readonly indexName: string | undefined
}) {
  const words =
    isFollowing && !isHere
      ? `The item is not in this index: it has no ${missing.join(' and no ')}.`
      : isFinding && partitions.length === 0
        ? 'No item collection has this partition key. Keys must match exactly: check upper and lower case.'
        : partitions.length > 0
          ? 'None of these item collections has an item of the selected entities.'
          : indexName === undefined
            ? 'The table is empty. Items that share a partition key will be shown together here.'
            : `No item has ${names.join(' and ')}. An index contains only the items that have its key attributes.`
  return <p className="collections-none">{words}</p>
}

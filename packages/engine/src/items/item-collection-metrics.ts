import { attributeOf, type AttributeValue, type Item } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'

export interface ItemCollectionMetrics {
  readonly ItemCollectionKey: Readonly<Record<string, AttributeValue>>
  readonly SizeEstimateRangeGB: readonly [number, number]
}

const gigabyte = 2 ** 30

/** The size of the item's collection as the service reports it: a range one gigabyte wide. Only tables with a local
 *  index have it. */
export function itemCollectionMetrics(
  wanted: 'SIZE' | 'NONE' | undefined,
  table: Table,
  item: Item,
  collectionBytes: number | undefined,
): ItemCollectionMetrics | undefined {
  if (wanted !== 'SIZE' || collectionBytes === undefined) return undefined
  const [name = ''] = table.keySchema.hash
  const value = attributeOf(item, name)
  if (value === undefined) return undefined
  const lower = Math.floor(collectionBytes / gigabyte)
  return { ItemCollectionKey: { [name]: value }, SizeEstimateRangeGB: [lower, lower + 1] }
}

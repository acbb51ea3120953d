import { attributeOf, type Item } from '@hashrange/core'
import { itemExpiryKey, itemExpiryRange } from '../layout/key-space.ts'
import type { Key, Write } from '../store/store.ts'

/** Older values are taken for mistakes, and the item stays. */
const oldestSeconds = 5 * 365.25 * 24 * 60 * 60

/** An expiry entry consists of its key; the value is empty. */
const noValue = Buffer.of(0)

/** When an item expires, in whole seconds; undefined if its attribute does not contain a time. */
export function expirySecondsOf(item: Item, attributeName: string): number | undefined {
  const value = attributeOf(item, attributeName)
  if (value === undefined || !('N' in value)) return undefined
  const seconds = Math.floor(Number(value.N))
  return seconds > 0 && seconds <= Number.MAX_SAFE_INTEGER ? seconds : undefined
}

export function expiryWrite(expiryIndexId: number, expirySeconds: number, itemKey: Key): Write {
  return { kind: 'put', key: itemExpiryKey(expiryIndexId, expirySeconds, itemKey), value: noValue }
}

/** Whether an item has expired, and not so long ago that it must be a mistake. */
export function isDue(expirySeconds: number, nowMs: number): boolean {
  const nowSeconds = Math.floor(nowMs / 1000)
  return expirySeconds < nowSeconds && expirySeconds >= nowSeconds - oldestSeconds
}

/** The expiry entries that are due. */
export function dueRange(expiryIndexId: number, nowMs: number): { from: Key; to: Key } {
  const nowSeconds = Math.max(0, Math.floor(nowMs / 1000))
  return itemExpiryRange(expiryIndexId, Math.max(0, Math.ceil(nowSeconds - oldestSeconds)), nowSeconds)
}

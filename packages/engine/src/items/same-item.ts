import { equalItems } from '@hashrange/core'
import type { Value } from '../store/store.ts'
import type { StoredItem } from './stored-item.ts'

/** Equal items differ at most in the order of their attributes: if their lengths or the sums of their bytes differ,
 *  nothing needs to be parsed. */
export function sameItem(before: StoredItem, after: StoredItem): boolean {
  if (before.value.length !== after.value.length) return false
  if (Buffer.compare(before.value, after.value) === 0) return true
  return sumOf(before.value) === sumOf(after.value) && equalItems(before.item, after.item)
}

function sumOf(bytes: Value): number {
  let sum = 0
  for (let index = 0; index < bytes.length; index++) sum += bytes[index] ?? 0
  return sum
}

import { equalItems } from '@hashrange/core'
import type { Value } from '../store/store.ts'
import { jsonStart, type StoredItem } from './stored-item.ts'

/** Equal items differ at most in the order of their attributes: if their lengths or the sums of their bytes differ,
 *  nothing needs to be parsed. */
export function sameItem(before: StoredItem, after: StoredItem): boolean {
  const one = jsonStart(before.value)
  const other = jsonStart(after.value)
  if (before.value.length - one !== after.value.length - other) return false
  if (sameBytes(before.value, one, after.value, other)) return true
  return haveSameSum(before.value, one, after.value, other) && equalItems(before.item, after.item)
}

/** Whether two stored items are the same to the byte, except for their stamps. */
export function sameStored(before: Value, after: Value): boolean {
  return sameBytes(before, jsonStart(before), after, jsonStart(after))
}

function sameBytes(one: Value, oneStart: number, other: Value, otherStart: number): boolean {
  return one.compare(other, otherStart, other.length, oneStart, one.length) === 0
}

/** For as many bytes of each. */
function haveSameSum(one: Value, oneStart: number, other: Value, otherStart: number): boolean {
  let difference = 0
  for (let index = oneStart, at = otherStart; index < one.length; index++, at++) {
    difference += (one[index] ?? 0) - (other[at] ?? 0)
  }
  return difference === 0
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { numberText } from '../schema/exact-number.ts'

/** Whether two stored values are the same; the order within a set does not count. */
export function isSameStored(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.S !== undefined) return a.S === b.S
  if (a.N !== undefined) return b.N !== undefined && numberText(a.N) === numberText(b.N)
  if (a.BOOL !== undefined) return a.BOOL === b.BOOL
  if (a.NULL !== undefined) return b.NULL !== undefined
  if (a.B !== undefined) return b.B !== undefined && sameBytes(a.B, b.B)
  if (a.SS !== undefined) return b.SS !== undefined && sameSet(a.SS, b.SS)
  if (a.NS !== undefined) return b.NS !== undefined && sameSet(a.NS.map(numberText), b.NS.map(numberText))
  if (a.BS !== undefined) return b.BS !== undefined && sameSet(a.BS.map(String), b.BS.map(String))
  if (a.L !== undefined) {
    const other = b.L
    return (
      other !== undefined && a.L.length === other.length && a.L.every((entry, i) => isSameStored(entry, other[i]))
    )
  }
  const [left, right] = [a.M, b.M]
  if (left === undefined || right === undefined) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameStored(left[name], right[name]))
  )
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const members = new Set(b)
  return a.length === b.length && a.every((member) => members.has(member))
}

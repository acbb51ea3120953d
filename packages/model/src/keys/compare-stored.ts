import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { toBigInt } from '../schema/exact-number.ts'

/** The order in which DynamoDB sorts key values of one type. */
export function compareStored(a: AttributeValue | undefined, b: AttributeValue | undefined): number {
  if (a?.S !== undefined && b?.S !== undefined) return compareText(a.S, b.S)
  if (a?.N !== undefined && b?.N !== undefined) return Number(a.N) - Number(b.N) || compareBig(a.N, b.N)
  if (a?.B !== undefined && b?.B !== undefined) return compareBytes(a.B, b.B)
  return 0
}

/** Beyond 2^53 different whole numbers are the same number to JavaScript. */
function compareBig(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [toBigInt(a), toBigInt(b)]
  if (left === undefined || right === undefined) return 0
  return left < right ? -1 : left > right ? 1 : 0
}

/** By UTF-8 bytes, which is by code points; JavaScript's own order differs where one is beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    // Half of a pair stands for something beyond U+FFFF, and so sorts after everything that is not.
    return rank(left) - rank(right)
  }
  return a.length - b.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

import type { AttributeValue, Item } from './attribute-value.ts'
import { attributeOf } from './attribute-value.ts'
import { compareBase64 } from './base64.ts'
import { compareNumbers } from './number.ts'
import { compareUtf8 } from './utf8.ts'

/** Up to this many members, looking through a set is faster than indexing it. */
const indexedSetMembers = 16

/** Deep equality of validated values: their numbers and binaries are canonical, so equal ones are equal strings. Sets
 *  and maps have no order. Recursion is bounded: validated values nest at most 32 levels. */
export function equalValues(a: AttributeValue, b: AttributeValue): boolean {
  if (a === b) return true
  if ('S' in a) return 'S' in b && a.S === b.S
  if ('N' in a) return 'N' in b && a.N === b.N
  if ('BOOL' in a) return 'BOOL' in b && a.BOOL === b.BOOL
  if ('M' in a) return 'M' in b && equalItems(a.M, b.M)
  if ('L' in a) return 'L' in b && equalLists(a.L, b.L)
  if ('B' in a) return 'B' in b && a.B === b.B
  if ('NULL' in a) return 'NULL' in b
  if ('SS' in a) return 'SS' in b && equalSets(a.SS, b.SS)
  if ('NS' in a) return 'NS' in b && equalSets(a.NS, b.NS)
  return 'BS' in b && equalSets(a.BS, b.BS)
}

/** Negative, zero or positive for two strings (by their UTF-8 bytes), two numbers, or two binaries (by their bytes);
 *  undefined where the service defines no order. */
export function compareScalars(a: AttributeValue, b: AttributeValue): number | undefined {
  if ('S' in a) return 'S' in b ? compareUtf8(a.S, b.S) : undefined
  if ('N' in a) return 'N' in b ? compareNumbers(a.N, b.N) : undefined
  if ('B' in a) return 'B' in b ? compareBase64(a.B, b.B) : undefined
  return undefined
}

/** Equality of whole items, or of maps. */
export function equalItems(a: Item, b: Item): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) {
    const left = attributeOf(a, name)
    const right = attributeOf(b, name)
    if (left === undefined || right === undefined || !equalValues(left, right)) return false
  }
  return true
}

function equalLists(a: readonly AttributeValue[], b: readonly AttributeValue[]): boolean {
  if (a.length !== b.length) return false
  for (let position = 0; position < a.length; position++) {
    const left = a[position]
    const right = b[position]
    if (left === undefined || right === undefined || !equalValues(left, right)) return false
  }
  return true
}

/** Neither holds a member twice, so equal sizes and inclusion one way suffice. */
function equalSets(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  if (a.length <= indexedSetMembers) return a.every((member) => b.includes(member))
  const members = new Set(b)
  return a.every((member) => members.has(member))
}

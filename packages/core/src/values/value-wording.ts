import { ServiceError, validationException } from '../errors.ts'
import type { AttributeValue, Item } from './attribute-value.ts'
import { numberValue } from './number-value.ts'
import { readAttributeValue, readItem } from './read-attribute-value.ts'
import { DuplicateMembers } from './read-set.ts'

/** The service reads values in more than one way. Which one an operation uses decides its message for an invalid
 *  number or a set with duplicates: `write` is PutItem, UpdateItem and DeleteItem; `current` is GetItem, BatchGetItem
 *  and Query; `older` is Scan, BatchWriteItem, the transactions and PartiQL. */
export type ValueWording = 'write' | 'older' | 'current'

/** `readItem` with the error messages of an operation. */
export function readItemIn(wording: ValueWording, raw: unknown): Item {
  try {
    return readItem(raw)
  } catch (error) {
    if (wording === 'older' && isOutOfRange(error)) refuseExtremeExponent({ M: raw })
    throw reworded(wording, error)
  }
}

/** `readAttributeValue` with the error messages of an operation. */
export function readAttributeValueIn(wording: ValueWording, raw: unknown, level = 1): AttributeValue {
  try {
    return readAttributeValue(raw, level)
  } catch (error) {
    if (wording === 'older' && isOutOfRange(error)) refuseExtremeExponent(raw)
    throw reworded(wording, error)
  }
}

/** An error of the two functions that read values, in the wording of an operation. */
export function reworded(wording: ValueWording, error: unknown): unknown {
  if (wording !== 'current') return error
  if (error instanceof DuplicateMembers) return error.inCurrentWording()
  if (error instanceof ServiceError && error.message === emptyNumber) return validationException(`${emptyNumber}: `)
  return error
}

const emptyNumber = 'The parameter cannot be converted to a numeric value'
const outOfRange = /^Number (over|under)flow/

function isOutOfRange(error: unknown): boolean {
  return error instanceof ServiceError && outOfRange.test(error.message)
}

/** Numbers out of range are rejected with a different message if their exponent is extreme. The first such number in
 *  document order is the one that was rejected. Recursion is bounded: values that nest too deeply were rejected
 *  before. */
function refuseExtremeExponent(raw: unknown): void {
  if (typeof raw !== 'object' || raw === null) return
  for (const [type, value] of Object.entries(raw)) {
    if (type === 'N' && typeof value === 'string') numberValue(value)
    else if (type === 'NS' && Array.isArray(value)) for (const member of value) numberValue(String(member))
    else if (type === 'L' && Array.isArray(value)) for (const element of value) refuseExtremeExponent(element)
    else if (type === 'M' && typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) refuseExtremeExponent(member)
    }
  }
}

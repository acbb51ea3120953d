import { ServiceError } from '../errors.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { readAttributeValue } from '../values/read-attribute-value.ts'
import { numberValue } from './number-value.ts'

/** Reads the values that the question marks of a statement stand for. All are read before the statement is. */
export function readParameters(raw: readonly unknown[] | undefined): readonly AttributeValue[] {
  return raw?.map(readParameter) ?? []
}

function readParameter(raw: unknown): AttributeValue {
  try {
    return readAttributeValue(raw)
  } catch (error) {
    if (error instanceof ServiceError && outOfRange.test(error.message)) refuseExtremeExponent(raw)
    throw error
  }
}

const outOfRange = /^Number (over|under)flow/

/** Numbers out of range are refused in other words if their exponent is extreme. The first such number in the order of
 *  the document is the one that was refused. Recursion is bounded: values that nest too deeply were refused before. */
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

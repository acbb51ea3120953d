import type { AttributeValue } from '../values/attribute-value.ts'
import { readAttributeValueIn } from '../values/value-wording.ts'

/** Reads the values that the question marks of a statement stand for. All are read before the statement is. */
export function readParameters(raw: readonly unknown[] | undefined): readonly AttributeValue[] {
  return raw?.map((value) => readAttributeValueIn('older', value)) ?? []
}

import type { AttributeValue } from '@hashrange/core'

/** A key as people read it: `USER#1`, `USER#1 | ORDER#7`. Binary is shown as its base64. */
export function textOfValues(values: readonly AttributeValue[]): string {
  return values.map(textOfValue).join(' | ')
}

export function textOfValue(value: AttributeValue): string {
  if ('S' in value) return value.S
  if ('N' in value) return value.N
  if ('B' in value) return value.B
  if ('NULL' in value) return ''
  return JSON.stringify(value)
}

import type { AttributeValue } from '@hashrange/core'

/** The value of a key attribute as it is typed into a field: binary as its base64. */
export function keyValueText(value: AttributeValue | undefined): string {
  if (value === undefined) return ''
  return 'S' in value ? value.S : 'N' in value ? value.N : 'B' in value ? value.B : ''
}

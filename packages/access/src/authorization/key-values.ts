import { ServiceError, readAttributeValue, type AttributeValue } from '@hashrange/core'
import { textOfValue } from '@hashrange/engine'

type Raw = Readonly<Record<string, unknown>>

/** A value that no policy can name: what stands for a key that a request ought to have and does not. Whatever a policy allows is then
 *  not allowed, and the operation, were it carried out, would refuse the request. */
export const unknownKey = '\uFFFE'

/** The values that several keys or items have for one attribute, as policies write them: numbers in their shortest form, binary as
 *  base64. */
export function keyValues(items: readonly Raw[], attribute: string): readonly string[] {
  return items.map((item) => (Object.hasOwn(item, attribute) ? keyText(item[attribute]) : unknownKey))
}

function keyText(raw: unknown): string {
  try {
    return textOfKey(readAttributeValue(raw))
  } catch (error) {
    if (error instanceof ServiceError) return unknownKey
    throw error
  }
}

export function textOfKey(value: AttributeValue): string {
  return 'S' in value || 'N' in value || 'B' in value ? textOfValue(value) : unknownKey
}

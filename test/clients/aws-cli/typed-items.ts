import type { AttributeValue } from '@aws-sdk/client-dynamodb'

export type TypedItem = Record<string, AttributeValue>

/** The items of an answer that was printed as JSON. None of the domains holds binary values, which JSON shows otherwise. */
export function typedItems(items: unknown): TypedItem[] {
  if (!Array.isArray(items)) throw new Error(`Items were expected, not ${JSON.stringify(items)}.`)
  return items as TypedItem[]
}

import type { AttributeValue } from '../../../api-types.ts'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { cutAtPlaceholders } from './legend.ts'
import { Placeholders } from './placeholders.ts'

const expressions = ['KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'] as const

/** The same request with placeholders that read like what they stand for: clients number theirs. */
export function readableRequest({ operation, input }: ServiceRequest): ServiceRequest {
  const placeholders = new Placeholders()
  const renamed = new Map<string, string>()
  let last = 'value'
  const rename = (placeholder: string): string => {
    const known = renamed.get(placeholder)
    const attribute = input.ExpressionAttributeNames?.[placeholder]
    if (attribute !== undefined) last = attribute
    if (known !== undefined) return known
    const value: AttributeValue | undefined = input.ExpressionAttributeValues?.[placeholder]
    const next =
      attribute !== undefined
        ? placeholders.name(attribute)
        : value === undefined
          ? placeholder
          : placeholders.value(value, last)
    renamed.set(placeholder, next)
    return next
  }
  const { ReturnConsumedCapacity: _capacity, ...rest } = input as typeof input & { ReturnConsumedCapacity?: string }
  const written: Record<string, unknown> = { ...rest }
  for (const name of expressions) {
    const text = input[name]
    if (text === undefined) continue
    written[name] = cutAtPlaceholders(text)
      .map((part, position) => (position % 2 === 1 ? rename(part) : part))
      .join('')
  }
  return { operation, input: { ...written, ...placeholders.members() } }
}

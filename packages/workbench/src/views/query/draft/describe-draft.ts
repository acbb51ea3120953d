import type { TableDescription } from '../../../api-types.ts'
import { typedText } from './value-text.ts'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { cutAtPlaceholders } from './legend.ts'

/** A request in one line, for a list of them: `Query gsi1: GSI1PK = "ORDER#1" AND begins_with(GSI1SK, "ITEM#")`. */
export function describeRequest({ operation, input }: ServiceRequest, table?: TableDescription): string {
  const place = input.IndexName === undefined ? '' : ` ${input.IndexName}`
  if (operation === 'GetItem') {
    const key = Object.entries(input.Key ?? {}).map(
      ([name, value]) => `${name} = ${JSON.stringify(typedText(value))}`,
    )
    return `GetItem: ${key.join(', ')}`
  }
  if (operation === 'ExecuteStatement') return (input.Statement ?? '').replaceAll(/\s+/g, ' ').trim()
  const condition = spelledOut(input.KeyConditionExpression, input)
  const filter = spelledOut(input.FilterExpression, input)
  const conditions = [condition, filter === '' ? '' : `filter ${filter}`].filter((text) => text !== '').join(', ')
  const all = table === undefined ? 'everything' : `all of ${input.IndexName ?? table.TableName}`
  return `${operation}${place}: ${conditions === '' ? all : conditions}`
}

/** An expression with what its placeholders stand for in their place. */
function spelledOut(expression: string | undefined, input: ServiceRequest['input']): string {
  return cutAtPlaceholders(expression ?? '')
    .map((part, position) => {
      if (position % 2 === 0) return part
      const value = input.ExpressionAttributeValues?.[part]
      if (value !== undefined) return 'N' in value ? value.N : JSON.stringify(typedText(value)).slice(0, 80)
      return input.ExpressionAttributeNames?.[part] ?? part
    })
    .join('')
}

import { typeOf } from '@hashrange/core'
import type { TableDescription } from '../../../api-types.ts'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { previewOf } from '../../../values/preview.ts'
import { keyShapeOf } from './key-schema.ts'

/** What a placeholder of an expression stands for. */
export interface LegendEntry {
  readonly placeholder: string
  /** The attribute's name, or the value in one line. */
  readonly text: string
  /** Of a value. */
  readonly type: string | undefined
  /** What it is for: "partition key", "filter". */
  readonly role: string
}

export function legendOf({ input }: ServiceRequest, table: TableDescription | undefined): LegendEntry[] {
  const key = table === undefined ? undefined : keyShapeOf(table, input.IndexName ?? '')
  const roleOf = (placeholder: string, attribute: string | undefined): string => {
    if (attribute !== undefined) {
      if (key?.partition.some(({ name }) => name === attribute) === true) return 'partition key'
      if (key?.sort.some(({ name }) => name === attribute) === true) return 'sort key'
    }
    const uses = [
      [input.KeyConditionExpression, 'key condition'],
      [input.FilterExpression, 'filter'],
      [input.ProjectionExpression, 'projection'],
    ] as const
    const used = uses.flatMap(([expression, role]) => (isUsed(expression, placeholder) ? [role] : []))
    return used.join(', ')
  }
  return [
    ...Object.entries(input.ExpressionAttributeNames ?? {}).map(([placeholder, name]) => ({
      placeholder,
      text: name,
      type: undefined,
      role: roleOf(placeholder, name),
    })),
    ...Object.entries(input.ExpressionAttributeValues ?? {}).map(([placeholder, value]) => ({
      placeholder,
      text: 'S' in value && value.S === '' ? '""' : previewOf(value, 200),
      type: typeOf(value),
      role: roleOf(placeholder, undefined),
    })),
  ]
}

function isUsed(expression: string | undefined, placeholder: string): boolean {
  return placeholdersIn(expression ?? '').includes(placeholder)
}

/** An expression cut at its placeholders, which stand at the odd positions. */
export function cutAtPlaceholders(expression: string): string[] {
  return expression.split(/([#:][A-Za-z0-9_]+)/)
}

function placeholdersIn(expression: string): string[] {
  return cutAtPlaceholders(expression).filter((_, position) => position % 2 === 1)
}

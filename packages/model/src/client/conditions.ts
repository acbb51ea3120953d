import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError, unreachable } from '../errors.ts'
import { codecOf } from '../schema/codec.ts'
import type { EntityRuntime } from './entity-runtime.ts'
import type { ItemPath } from './item-path.ts'
import { itemPath, pathText } from './item-path.ts'
import type { Placeholders } from './placeholders.ts'
import { AnyOf, Comparison } from './operators.ts'

/** `{ status: 'OPEN', stock: atLeast(1) }` as an expression. */
export function conditionText(entity: EntityRuntime, condition: object, placeholders: Placeholders): string {
  if (condition instanceof AnyOf) {
    if (condition.conditions.length === 0) throw emptyCondition(entity)
    // AND binds more strongly, so no parentheses are needed here; the service rejects redundant ones.
    return condition.conditions.map((term: object) => conditionText(entity, term, placeholders)).join(' OR ')
  }
  const terms = Object.entries(condition)
    .filter(([, given]) => given !== undefined)
    .map(([name, given]: [string, unknown]) => comparisonText(itemPath(entity, name), given, placeholders))
  if (terms.length === 0) throw emptyCondition(entity)
  return terms.join(' AND ')
}

/** One comparison of a condition or a filter; a plain value means "equals". */
export function comparisonText(path: ItemPath, given: unknown, placeholders: Placeholders): string {
  const name = pathText(path, placeholders)
  const hint = path.text
  const comparison = given instanceof Comparison ? given : new Comparison('equals', [given])
  const value = (i: number): string => placeholders.value(operand(path, comparison.operands[i]), hint)
  switch (comparison.kind) {
    case 'equals':
      return `${name} = ${value(0)}`
    case 'differs':
      return `${name} <> ${value(0)}`
    case 'below':
      return `${name} < ${value(0)}`
    case 'atMost':
      return `${name} <= ${value(0)}`
    case 'above':
      return `${name} > ${value(0)}`
    case 'atLeast':
      return `${name} >= ${value(0)}`
    case 'between':
      return `${name} BETWEEN ${value(0)} AND ${value(1)}`
    case 'oneOf':
      return `${name} IN (${comparison.operands.map((_, i) => value(i)).join(', ')})`
    case 'begins':
      return `begins_with(${name}, ${placeholders.value({ S: String(comparison.operands[0]) }, hint)})`
    case 'contains':
      return `contains(${name}, ${placeholders.value(elementOf(path, comparison.operands[0]), hint)})`
    case 'exists':
      return `attribute_exists(${name})`
    case 'absent':
      return `attribute_not_exists(${name})`
    default:
      return unreachable(comparison.kind)
  }
}

function operand({ text: name, codec }: ItemPath, value: unknown): AttributeValue {
  const stored = codec.encode(value, name)
  if (stored === undefined)
    throw new ModelError(
      'INVALID_VALUE',
      `${name} is compared with an empty set, which DynamoDB cannot store. Use absent().`,
    )
  return stored
}

function elementOf({ text: name, definition, codec }: ItemPath, value: unknown): AttributeValue {
  const stored = (definition.element === undefined ? codec : codecOf(definition.element)).encode(value, name)
  if (stored === undefined) throw new ModelError('INVALID_VALUE', `${name} cannot contain ${String(value)}.`)
  return stored
}

function emptyCondition(entity: EntityRuntime): ModelError {
  return new ModelError(
    'INVALID_VALUE',
    `The condition on ${entity.name} is empty. Name an attribute, or leave the condition out.`,
  )
}

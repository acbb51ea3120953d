import { validationException } from '../errors.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { setAttribute } from '../values/attribute-value.ts'
import { literalValue } from './literal-value.ts'
import { refusedAt } from './statement-errors.ts'
import type { Expression } from './syntax.ts'

/** The item that an INSERT names. Each attribute may be a parameter; so may the item as a whole. */
export function translateItem(value: Expression, parameters: readonly AttributeValue[]): Item {
  if (value.kind === 'parameter') {
    const given = literalValue(value, parameters)
    if ('M' in given) return given.M
  }
  if (value.kind !== 'tuple') {
    const problem = 'Unsupported data type: the value of an INSERT must be a tuple'
    throw 'at' in value ? refusedAt(problem, value.at) : validationException(problem)
  }
  const item: Record<string, AttributeValue> = {}
  for (const [name, attribute] of value.entries) {
    if (name.kind !== 'string') throw validationException('Keys of a tuple must be string literals')
    setAttribute(item, name.text, literalValue(attribute, parameters))
  }
  return item
}

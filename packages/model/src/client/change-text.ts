import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError, unreachable } from '../errors.ts'
import { codecOf } from '../schema/codec.ts'
import type { EntityRuntime } from './entity-runtime.ts'
import type { ItemPath } from './item-path.ts'
import { pathText } from './item-path.ts'
import type { Change, ChangeKind } from './operators.ts'
import type { Placeholders } from './placeholders.ts'

export interface ChangeText {
  readonly section: 'SET' | 'ADD' | 'REMOVE' | 'DELETE'
  readonly text: string
}

/** An operation on the value that is there; where there is none, on `base`, or on nothing. */
export function changeText(
  entity: EntityRuntime,
  path: ItemPath,
  { kind, operand }: Change<ChangeKind, unknown>,
  placeholders: Placeholders,
  base?: AttributeValue,
): ChangeText {
  const { text: name, attribute } = path
  const place = pathText(path, placeholders)
  const isPart = path.steps.length > 0
  const value = (): string => {
    const stored = path.codec.encode(operand, entity.pathOf(name))
    if (stored === undefined) throw entity.missing(name)
    return placeholders.value(stored, name)
  }
  const present = (otherwise: AttributeValue): string =>
    `if_not_exists(${place}, ${placeholders.value(base ?? otherwise, `${name}_default`)})`
  const set = (text: string): ChangeText => ({ section: 'SET', text: `${place} = ${text}` })
  switch (kind) {
    case 'add': {
      const amount = placeholders.value(amountOf(path, operand), name)
      // ADD is only for whole attributes, and begins at 0.
      if (base === undefined && !isPart) return { section: 'ADD', text: `${place} ${amount}` }
      return set(`${present({ N: '0' })} + ${amount}`)
    }
    case 'append':
      return set(`list_append(${present({ L: [] })}, ${value()})`)
    case 'prepend':
      return set(`list_append(${value()}, ${present({ L: [] })})`)
    case 'addToSet':
    case 'removeFromSet':
      if (isPart) {
        throw entity.error(
          'INVALID_VALUE',
          `DynamoDB changes sets only as whole attributes, not inside of others such as ${name}. Use modify.`,
          attribute.name,
        )
      }
      return { section: kind === 'addToSet' ? 'ADD' : 'DELETE', text: `${place} ${value()}` }
    case 'ifAbsent':
      return set(`if_not_exists(${place}, ${value()})`)
    case 'remove':
      return { section: 'REMOVE', text: place }
    default:
      return unreachable(kind)
  }
}

/** The amount itself need not be within the bounds of the attribute. */
function amountOf({ definition, text }: ItemPath, amount: unknown): AttributeValue {
  const { range: _range, validator: _validator, codec: _codec, ...bare } = definition
  const stored = codecOf(bare).encode(amount, text)
  if (stored?.N === undefined)
    throw new ModelError('INVALID_VALUE', `${text} is not a number, so you cannot add to it.`)
  return stored
}

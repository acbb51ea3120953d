import {
  assertNoKeyUpdate,
  setAttribute,
  unreachable,
  updatePaths,
  type AttributeValue,
  type Item,
  type Update,
  type UpdateAction,
  type UpdateOperand,
} from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { namesOf } from '../definitions/key-names.ts'
import { checkGivenAttributes } from './check-schema.ts'

/** Checks what can be checked without the item: an update does not change the table's key, gives index keys values of
 *  their types, and has no path that leads into a key. */
export function checkUpdate(table: Table, update: Update): void {
  assertNoKeyUpdate(update, namesOf(table.keySchema))
  checkGivenAttributes(table, givenAttributes(update))
  checkKeyPaths(table, updatePaths(update))
}

/** The top-level attributes whose new value, or at least its type, is in the request. */
function givenAttributes(update: Update): Item {
  const given: Record<string, AttributeValue> = {}
  for (const action of update.actions) {
    const [head, below] = action.path
    if (head?.kind !== 'name' || below !== undefined) continue
    const value = givenValue(action)
    if (value !== undefined) setAttribute(given, head.name, value)
  }
  return given
}

function givenValue(action: UpdateAction): AttributeValue | undefined {
  switch (action.kind) {
    case 'set':
      return operandValue(action.value)
    case 'add':
    case 'delete':
      return action.value
    case 'remove':
      return undefined
    default:
      return unreachable(action)
  }
}

/** Arithmetic gives a number and list_append a list, whatever their operands. */
function operandValue(operand: UpdateOperand): AttributeValue | undefined {
  switch (operand.kind) {
    case 'value':
      return operand.value
    case 'arithmetic':
      return { N: '0' }
    case 'list_append':
      return { L: [] }
    case 'path':
    case 'if_not_exists':
      return undefined
    default:
      return unreachable(operand)
  }
}

import { validationException } from '../errors.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { addNumbers } from '../values/number.ts'
import { setWithout, uniteSets } from '../values/read-set.ts'
import { incorrectDataType } from './evaluate-operand.ts'
import type { Update } from './syntax.ts'

type Origin = Update['origin']

/** ADD: adds to a number, or adds members to a set; the legacy form appends to a list. A missing attribute is
 *  created. */
export function addToValue(
  origin: Origin,
  current: AttributeValue | undefined,
  addend: AttributeValue,
): AttributeValue {
  if (current === undefined) return addend
  if ('N' in addend && 'N' in current) return { N: addNumbers(current.N, addend.N) }
  if ('SS' in addend && 'SS' in current) return { SS: uniteSets('SS', current.SS, addend.SS) }
  if ('NS' in addend && 'NS' in current) return { NS: uniteSets('NS', current.NS, addend.NS) }
  if ('BS' in addend && 'BS' in current) return { BS: uniteSets('BS', current.BS, addend.BS) }
  if ('L' in addend && 'L' in current) return { L: current.L.concat(addend.L) }
  throw typeMismatch(origin)
}

/** DELETE: removes members from a set. If none is left, the attribute is removed. */
export function deleteFromValue(
  origin: Origin,
  current: AttributeValue | undefined,
  members: AttributeValue,
): AttributeValue | undefined {
  if (current === undefined) return undefined
  if ('SS' in members && 'SS' in current) {
    const left = setWithout('SS', current.SS, members.SS)
    return left.length > 0 ? { SS: left } : undefined
  }
  if ('NS' in members && 'NS' in current) {
    const left = setWithout('NS', current.NS, members.NS)
    return left.length > 0 ? { NS: left } : undefined
  }
  if ('BS' in members && 'BS' in current) {
    const left = setWithout('BS', current.BS, members.BS)
    return left.length > 0 ? { BS: left } : undefined
  }
  throw typeMismatch(origin)
}

function typeMismatch(origin: Origin): Error {
  return origin === 'UpdateExpression'
    ? incorrectDataType()
    : validationException('Type mismatch for attribute to update')
}

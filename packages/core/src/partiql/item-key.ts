import { validationException } from '../errors.ts'
import type { Condition } from '../expressions/syntax.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { attributeOf, setAttribute } from '../values/attribute-value.ts'
import { equalValues } from '../values/compare-values.ts'
import { keyTermOf } from './key-term.ts'

export interface ItemCondition {
  readonly key: Item
  /** Further conditions on the item. */
  readonly condition: Condition | undefined
}

/** The one item that the WHERE clause of a write refers to: the clause must say what each key attribute equals. A
 *  second value for a key attribute is rejected, or kept as a condition. */
export function itemCondition(
  where: Condition | undefined,
  keyNames: readonly string[],
  otherValues: 'refuse' | 'keep',
): ItemCondition {
  const key: Record<string, AttributeValue> = {}
  const rest: Condition[] = []
  for (const term of conjuncts(where)) {
    const equality = keyTermOf(term)
    const [value] = equality?.values ?? []
    if (equality?.operator !== '=' || value === undefined || !keyNames.includes(equality.attribute)) {
      rest.push(term)
      continue
    }
    const known = attributeOf(key, equality.attribute)
    if (known === undefined) {
      setAttribute(key, equality.attribute, value)
    } else if (!equalValues(known, value)) {
      if (otherValues === 'refuse') {
        throw validationException(
          `Multiple conditions on same key ${equality.attribute}. Only single item Update/Insert/Delete are supported`,
        )
      }
      rest.push(term)
    }
  }
  if (keyNames.some((name) => attributeOf(key, name) === undefined)) {
    throw validationException('Where clause does not contain a mandatory equality on all key attributes')
  }
  const [only] = rest
  return { key, condition: rest.length > 1 ? { kind: 'and', terms: rest } : only }
}

/** The conditions that all have to hold. Recursion is bounded by the parser. */
function conjuncts(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return []
  return condition.kind === 'and' ? condition.terms.flatMap(conjuncts) : [condition]
}

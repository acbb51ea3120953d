import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { WriteStepAction } from '../../client/pattern-arguments.ts'
import type { EntityDescription } from '../../description.ts'
import { knownAfter, preferredValue, usuallyChanged } from '../../model/changed-names.ts'
import { primaryInputsOf } from '../../model/parameters.ts'
import { fitToPadding } from '../data/fit-to-padding.ts'
import { generateValue } from '../data/generate-value.ts'
import { withShards, type Values } from '../data/store-item.ts'
import { attributeOf } from '../model-index.ts'

/** New values for the changed attributes. If a pattern does not say which, for one that is not part of a key, a guard or an index
 *  item: several updates in a transaction would claim the same value. */
export function changedValues(
  entity: EntityDescription,
  values: Values,
  changes: readonly string[] | undefined,
  n: number,
  action: WriteStepAction,
): Values {
  const primary = primaryInputsOf(entity)
  const names = (changes ?? usuallyChanged(entity)).filter((name) => !primary.includes(name))
  const known = knownAfter(entity, action, names)
  const changed = new Map<string, AttributeValue>(values)
  for (const name of names) {
    const attribute = attributeOf(entity, name)
    if (attribute === undefined || !attribute.isStored) continue
    const fitting = fitToPadding(entity, attribute)
    const drawn = [0, 1, 2].map((i) => generateValue(fitting, 500_000 + n + i))
    const value = preferredValue(entity, name, known, values.get(name), drawn)
    changed.set(name, value ?? generateValue(fitting, n))
  }
  for (const { name, type } of entity.attributes) if (type === 'version') changed.set(name, { N: String(n + 2) })
  return withShards(entity, changed)
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { ModelDescription } from '../../description.ts'
import { byDependence } from './primary-holes.ts'
import { SampleFamily, type SampleOptions } from './sample-family.ts'
import { storedItems } from './stored-items.ts'

export interface SampleItem {
  /** The entity, or the guard or index item (`Customer.email`). */
  readonly kind: string
  /** What DynamoDB calls the table. */
  readonly tableName: string
  readonly item: Record<string, AttributeValue>
}

/** A few items of each entity, as they would be stored, guards and index items included. Items refer to each other:
 *  an order's customer exists. What the model computes with a function is made up, because a description has no
 *  functions. */
export function sampleData(description: ModelDescription, options: SampleOptions = {}): SampleItem[] {
  const family = new SampleFamily(description, options)
  const samples: SampleItem[] = []
  const taken = new Set<string>()
  for (const entity of byDependence(description.entities)) {
    for (const attributes of family.itemsOf(entity)) {
      const stored = storedItems(description, entity, attributes)
      const identities = stored.map(({ identity }) => identity)
      // Two guards of the same value, or two items of the same key, would be one.
      if (new Set(identities).size < identities.length || identities.some((identity) => taken.has(identity)))
        continue
      for (const identity of identities) taken.add(identity)
      family.keep(entity, attributes)
      samples.push(...stored.map(({ kind, tableName, item }) => ({ kind, tableName, item })))
    }
  }
  return samples
}

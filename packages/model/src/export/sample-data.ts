import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityDescription, ModelDescription } from '../description.ts'
import { SampleFamily } from './sample-family.ts'
import { storedItems } from './stored-items.ts'

export interface SampleOptions {
  /** The same seed gives the same data. */
  readonly seed?: number
  /** How many items an entity has at most. */
  readonly itemsPerEntity?: number
  /** Dates lie before it, expiries behind it. Fixed unless told, so that the same seed gives the same data on any day. */
  readonly now?: Date
}

export interface SampleItem {
  /** The entity, or the guard or index item (`Customer.email`). */
  readonly kind: string
  /** What DynamoDB calls the table. */
  readonly tableName: string
  readonly item: Record<string, AttributeValue>
}

/** A few items of each entity, as they would be stored, guards and index items included. Items refer to each other: an order's
 *  customer exists. What the model computes by a function is made up, since a description has no functions. */
export function sampleData(description: ModelDescription, options: SampleOptions = {}): SampleItem[] {
  const family = new SampleFamily(description, options)
  const samples: SampleItem[] = []
  const taken = new Set<string>()
  for (const entity of byDependence(description.entities)) {
    for (const attributes of family.itemsOf(entity)) {
      const stored = storedItems(description, entity, attributes)
      const identities = stored.map(({ identity }) => identity)
      // Two guards of the same value, or two items of the same key, would be one.
      if (new Set(identities).size < identities.length || identities.some((identity) => taken.has(identity))) continue
      for (const identity of identities) taken.add(identity)
      family.keep(entity, attributes)
      samples.push(...stored.map(({ kind, tableName, item }) => ({ kind, tableName, item })))
    }
  }
  return samples
}

/** Those with fewer parts in their key come first, because the others are found under them. */
function byDependence(entities: readonly EntityDescription[]): readonly EntityDescription[] {
  return [...entities].sort((a, b) => primaryHoles(a).length - primaryHoles(b).length)
}

/** The attributes of which an entity's primary key is made. */
export function primaryHoles({ key }: EntityDescription): readonly string[] {
  const parts = [...key.partition.parts, ...(key.sort?.parts ?? [])]
  return [...new Set(parts.flatMap((part) => (part.kind === 'hole' ? [part.attribute] : [])))]
}

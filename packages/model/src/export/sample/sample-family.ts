import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  AttributeDescription,
  EntityDescription,
  KeyFormatDescription,
  KeyPartDescription,
  ModelDescription,
} from '../../description.ts'
import { holeText } from '../../keys/key-text.ts'
import { shardOf } from '../../keys/shard-of.ts'
import { byDependence, primaryHoles } from './primary-holes.ts'
import { sampleValue } from './sample-value.ts'
import { seededRandom } from './seeded-random.ts'

export interface SampleOptions {
  /** The same seed gives the same data. */
  readonly seed?: number
  /** How many items an entity has at most. */
  readonly itemsPerEntity?: number
  /** Dates are before it, expiry times after it. Fixed by default, so that the same seed gives the same data on any
   *  day. */
  readonly now?: Date
  /** The value of a computed attribute; without it, the values that it is computed from stand in. */
  readonly compute?: (
    entity: string,
    attribute: string,
    attributes: ReadonlyMap<string, AttributeValue>,
  ) => AttributeValue | undefined
}

type Attributes = ReadonlyMap<string, AttributeValue>

const childrenEach = 2
const roots = 3

/** Generates the attributes of related items. The entity with the shortest key that contains an attribute owns its
 *  values; other entities with an attribute of that name refer to an item of the owner. */
export class SampleFamily {
  readonly #random: () => number
  readonly #now: Date
  readonly #limit: number
  readonly #compute: SampleOptions['compute']
  readonly #owners: ReadonlyMap<string, EntityDescription>
  readonly #kept = new Map<string, Attributes[]>()
  #made = 0

  constructor({ entities }: ModelDescription, { seed = 1, itemsPerEntity = 12, now, compute }: SampleOptions) {
    this.#random = seededRandom(seed)
    this.#now = now ?? new Date(Date.UTC(2026, 0, 15, 9, 30))
    this.#limit = itemsPerEntity
    this.#compute = compute
    this.#owners = ownersOf(entities)
  }

  /** Notes an item, so that others can refer to it. */
  keep(entity: EntityDescription, attributes: Attributes): void {
    const items = this.#kept.get(entity.name)
    if (items === undefined) this.#kept.set(entity.name, [attributes])
    else items.push(attributes)
  }

  *itemsOf(entity: EntityDescription): Generator<Attributes> {
    const parents = this.#parentsOf(entity)
    const isOnly = primaryHoles(entity).length === 0
    const combinations = parents.reduce((count, parent) => Math.max(count, parent.items.length), 0)
    const count = isOnly ? 1 : combinations === 0 ? roots : combinations * childrenEach
    for (let nth = 0; nth < Math.min(count, this.#limit); nth++) yield this.#item(entity, parents, nth)
  }

  #item(entity: EntityDescription, parents: readonly Parent[], nth: number): Attributes {
    const attributes = new Map<string, AttributeValue>()
    // The closest relative first: an order's line takes its customer from the order.
    parents.forEach(({ items }, i) => {
      // Further parents move more slowly, so that all combinations come up.
      const step = i === 0 ? nth : Math.floor(nth / Math.max(1, parents[0]?.items.length ?? 1)) + nth
      const parent = items[step % items.length]
      for (const { name } of entity.attributes) {
        const inherited = this.#isReference(entity, name) ? parent?.get(name) : undefined
        if (inherited !== undefined && !attributes.has(name)) attributes.set(name, inherited)
      }
    })
    for (const attribute of entity.attributes) {
      if (!attributes.has(attribute.name)) this.#fill(entity, attribute, attributes, nth)
    }
    for (const attribute of entity.attributes) this.#derive(entity, attribute, attributes)
    return attributes
  }

  #fill(
    entity: EntityDescription,
    attribute: AttributeDescription,
    attributes: Map<string, AttributeValue>,
    nth: number,
  ): void {
    if (attribute.computedFrom !== undefined || attribute.shard?.by !== undefined) return
    const holes = holesOf(entity, attribute.name)
    if (attribute.isOptional && holes.length === 0 && this.#random() < 0.3) return
    const formats = holes.map(({ format }) => format)
    // Lines of an order are numbered within it; everything else differs among all items.
    const within = attribute.type === 'int' || attribute.type === 'number' ? nth : this.#made++
    const value = sampleValue(attribute.name, attribute, formats, {
      random: this.#random,
      now: this.#now,
      nth: within,
    })
    attributes.set(attribute.name, withoutSeparators(value, holes))
  }

  /** What the library derives from other attributes. */
  #derive(
    entity: EntityDescription,
    attribute: AttributeDescription,
    attributes: Map<string, AttributeValue>,
  ): void {
    const { name, shard, computedFrom } = attribute
    const value =
      computedFrom === undefined
        ? shardIn(shard, attributes)
        : this.#compute === undefined
          ? standIn(attribute, attributes)
          : this.#compute(entity.name, name, attributes)
    if (value !== undefined) attributes.set(name, value)
  }

  #parentsOf(entity: EntityDescription): readonly Parent[] {
    const owners = new Set(
      entity.attributes.flatMap(({ name }) => (this.#isReference(entity, name) ? [this.#owners.get(name)] : [])),
    )
    return [...owners]
      .flatMap((owner) => (owner === undefined ? [] : [{ owner, items: this.#kept.get(owner.name) ?? [] }]))
      .filter(({ items }) => items.length > 0)
      .toSorted((a, b) => primaryHoles(b.owner).length - primaryHoles(a.owner).length)
  }

  #isReference(entity: EntityDescription, name: string): boolean {
    const owner = this.#owners.get(name)
    return owner !== undefined && owner !== entity
  }
}

interface Parent {
  readonly owner: EntityDescription
  readonly items: readonly Attributes[]
}

/** Only what identifies is referred to: two entities that both have a `createdAt` share nothing. */
function ownersOf(entities: readonly EntityDescription[]): ReadonlyMap<string, EntityDescription> {
  const owners = new Map<string, EntityDescription>()
  for (const entity of byDependence(entities)) {
    for (const name of primaryHoles(entity)) {
      const type = entity.attributes.find((attribute) => attribute.name === name)?.type
      const identifies = type === 'ulid' || type === 'uuid' || type === 'string'
      if (identifies && !owners.has(name)) owners.set(name, entity)
    }
  }
  return owners
}

interface Hole {
  readonly format: KeyFormatDescription
  readonly next: KeyPartDescription | undefined
}

/** Where an attribute stands in the keys of its entity, and what follows it there. */
function holesOf(entity: EntityDescription, name: string): readonly Hole[] {
  const templates = [
    entity.key.partition,
    ...(entity.key.sort === undefined ? [] : [entity.key.sort]),
    ...entity.indexKeys.flatMap(({ partition, sort }) => [...partition, ...sort]),
    ...entity.satellites.flatMap(({ key }) =>
      key.sort === undefined ? [key.partition] : [key.partition, key.sort],
    ),
  ]
  return templates.flatMap(({ parts }) =>
    parts.flatMap((part, i) =>
      part.kind === 'hole' && part.attribute === name ? [{ format: part.format, next: parts[i + 1] }] : [],
    ),
  )
}

/** A key rejects a value that contains what follows it. */
function withoutSeparators(value: AttributeValue, holes: readonly Hole[]): AttributeValue {
  let text = value.S
  if (text === undefined) return value
  for (const { next } of holes) if (next?.kind === 'literal') text = text.replaceAll(next.text, '')
  return { S: text === '' ? 'x' : text }
}

function shardIn(shard: AttributeDescription['shard'], attributes: Attributes): AttributeValue | undefined {
  const source = shard?.by === undefined ? undefined : attributes.get(shard.by)
  if (shard?.by === undefined || source === undefined) return undefined
  return { N: String(shardOf(holeText(shard.by, { kind: 'plain' }, source), shard.count)) }
}

/** A value of the right type for an attribute whose function nobody has. */
function standIn(
  { storedAs, computedFrom = [] }: AttributeDescription,
  attributes: Attributes,
): AttributeValue | undefined {
  const sources = computedFrom.flatMap((name) => attributes.get(name) ?? [])
  const [first] = sources
  if (first === undefined) return undefined
  const text = sources.map(({ S, N }) => S ?? N ?? '').join(' ')
  if (storedAs === 'N') return { N: String(Number(text) || text.length) }
  return storedAs === 'S' ? { S: text === '' ? 'x' : text } : first
}

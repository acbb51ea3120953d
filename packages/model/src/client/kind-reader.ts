import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  IndexDescription,
  KeyTemplateDescription,
  SatelliteDescription,
  TableDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import { matchKey } from '../keys/match-key.ts'
import { shown } from '../schema/value-errors.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { decodeSatellite } from './satellites.ts'

/** Reads items of one place, a table or an index, each as the kind it says it is. */
export class KindReader {
  readonly #table: TableDescription
  readonly #kinds = new Map<string, KindDecoder>()
  readonly #expected: ReadonlySet<string>
  readonly #modelName: string
  readonly #isKeysOnly: boolean
  readonly #where: string
  /** The kinds with the most text in their keys first: `USER#a#ORDERS` also looks like the user `a#ORDERS`. */
  #mostTelling: readonly (readonly [string, KindDecoder])[] | undefined
  readonly #skipsUnknown: boolean

  constructor(parts: {
    readonly modelName: string
    readonly where: string
    readonly table: TableDescription
    readonly index: IndexDescription | undefined
    readonly entities: readonly EntityRuntime[]
    /** Those the caller wants; other kinds that can occur are passed over. */
    readonly expected: readonly string[]
    /** Whether items of no known kind are passed over as well. */
    readonly skipsUnknown: boolean
  }) {
    this.#skipsUnknown = parts.skipsUnknown
    this.#table = parts.table
    this.#modelName = parts.modelName
    this.#where = parts.where
    this.#expected = new Set(parts.expected)
    this.#isKeysOnly = parts.index?.projection.type === 'KEYS_ONLY'
    const entities = parts.entities.filter((entity) => entity.table.id === parts.table.id)
    for (const entity of entities) this.#kinds.set(entity.name, entityDecoder(entity, parts.index))
    // After the entities: where only keys tell, an item is an entity's first.
    for (const entity of entities) {
      for (const satellite of entity.described.satellites) {
        this.#kinds.set(satellite.name, satelliteDecoder(entity, satellite))
      }
    }
  }

  names(): readonly string[] {
    return [...this.#kinds.keys()]
  }

  /** Undefined for an item that is not asked for. */
  read(
    stored: StoredItem,
    only?: ReadonlySet<string>,
  ): { readonly entity: string; readonly item: PlainItem } | undefined {
    const name = this.#kindOf(stored)
    const kind = name === undefined ? undefined : this.#kinds.get(name)
    if (name === undefined || kind === undefined) {
      // What a migration keeps in the table is nobody's business.
      if (this.#skipsUnknown || name === 'hashrange.migration') return undefined
      throw this.#unknown(stored, name)
    }
    if (!this.#expected.has(name)) return undefined
    return { entity: name, item: kind.decode(stored, only) }
  }

  /** The entity, or guard or index item, that an item is; undefined if the model has none such. */
  kindOf(stored: StoredItem): string | undefined {
    const name = this.#kindOf(stored)
    return name !== undefined && this.#kinds.has(name) ? name : undefined
  }

  #kindOf(stored: StoredItem): string | undefined {
    const { discriminator, discriminatorBefore = discriminator } = this.#table
    const said = stored[discriminator]?.S ?? stored[discriminatorBefore]?.S
    if (said !== undefined || (!this.#isKeysOnly && discriminator !== '' && discriminatorBefore !== '')) return said
    // An index of keys alone has no discriminator in it; the keys' own form tells.
    this.#mostTelling ??= [...this.#kinds].toSorted(([, a], [, b]) => b.literals - a.literals)
    return this.#mostTelling.find(([, { fits }]) => fits(stored))?.[0]
  }

  #unknown(stored: StoredItem, name: string | undefined): ModelError {
    const { partitionKey, sortKey, discriminator } = this.#table
    const fault =
      name !== undefined
        ? `says it is '${name}'`
        : this.#isKeysOnly || discriminator === ''
          ? 'has keys that match none of its entities'
          : `has no attribute ${discriminator} that says what it is`
    const key = [partitionKey.name, sortKey?.name]
      .filter((name) => name !== undefined)
      .map((name) => plain(stored[name]))
    return new ModelError(
      'UNKNOWN_ENTITY',
      `${this.#where} read the item ${key.map(shown).join(', ')}, which ${fault}. The model ${this.#modelName} knows ` +
        `${[...this.#kinds.keys()].join(', ')}. Add the entity to the model, or move such items to another table.`,
    )
  }
}

interface KindDecoder {
  /** With `only`, just these attributes. */
  readonly decode: (stored: StoredItem, only?: ReadonlySet<string>) => PlainItem
  readonly fits: (stored: StoredItem) => boolean
  /** How much of its keys is always the same. */
  readonly literals: number
}

function entityDecoder(entity: EntityRuntime, index: IndexDescription | undefined): KindDecoder {
  const key = entity.described.indexKeys.find((each) => each.index === index?.name)
  const templates = [...keyTemplates(entity.described.key), ...(key?.partition ?? []), ...(key?.sort ?? [])]
  const fits = fitsAll(entity, templates)
  const literals = literalsIn(templates)
  if (index === undefined || index.projection.type === 'ALL') {
    return {
      literals,
      fits: (stored) => (index === undefined || key !== undefined) && fits(stored),
      decode: (stored, only) => entity.decodeItem(stored, only),
    }
  }
  const copied = index.projection.type === 'INCLUDE' ? index.projection.attributes : []
  const included = new Set(
    entity.attributes.flatMap(({ name }) => (copied.includes(entity.storedNames.get(name) ?? name) ? [name] : [])),
  )
  return {
    literals,
    fits: (stored) => key !== undefined && fits(stored),
    decode: (stored, only) => entity.decodeProjected(stored, templates, included, only),
  }
}

function satelliteDecoder(entity: EntityRuntime, satellite: SatelliteDescription): KindDecoder {
  return {
    fits: fitsAll(entity, keyTemplates(satellite.key)),
    literals: literalsIn(keyTemplates(satellite.key)),
    decode: (stored, only) => {
      const item = decodeSatellite(entity, satellite, stored)
      if (only === undefined) return item
      return Object.fromEntries(Object.entries(item).filter(([name]) => only.has(name)))
    },
  }
}

function fitsAll(
  entity: EntityRuntime,
  templates: readonly KeyTemplateDescription[],
): (stored: StoredItem) => boolean {
  return (stored) =>
    templates.every(
      (template) =>
        matchKey(template, stored[template.attribute], (name) => entity.byName.get(name)?.described) !== undefined,
    )
}

function literalsIn(templates: readonly KeyTemplateDescription[]): number {
  const parts = templates.flatMap((template) => template.parts)
  return parts.reduce((total, part) => total + (part.kind === 'literal' ? part.text.length : 0), 0)
}

function keyTemplates({
  partition,
  sort,
}: {
  readonly partition: KeyTemplateDescription
  readonly sort?: KeyTemplateDescription
}): readonly KeyTemplateDescription[] {
  return sort === undefined ? [partition] : [partition, sort]
}

function plain(value: AttributeValue | undefined): unknown {
  return value?.S ?? value?.N
}

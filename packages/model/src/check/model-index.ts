import type {
  AttributeDescription,
  EntityDescription,
  IndexDescription,
  IndexKeyDescription,
  KeyTemplateDescription,
  LocationDescription,
  ModelDescription,
  PatternDescription,
  SatelliteDescription,
  TableDescription,
} from '../description.ts'

/** Where a kind of item can be found: the keys it has in a table or an index. */
export interface KindKey {
  /** An entity's name, or a satellite's. */
  readonly kind: string
  readonly entity: EntityDescription
  readonly satellite?: SatelliteDescription
  readonly indexKey?: IndexKeyDescription
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
}

/** A table or an index. */
export interface Place {
  /** The table's `id` or the index's name. */
  readonly name: string
  readonly table: TableDescription
  readonly index?: IndexDescription
}

/** A description with its names looked up. */
export class ModelIndex {
  readonly model: ModelDescription
  readonly #entities: ReadonlyMap<string, EntityDescription>
  readonly #satellites: ReadonlyMap<string, { entity: EntityDescription; satellite: SatelliteDescription }>
  readonly #tables: ReadonlyMap<string, TableDescription>

  constructor(model: ModelDescription) {
    this.model = model
    this.#entities = new Map(model.entities.map((entity) => [entity.name, entity]))
    this.#tables = new Map(model.tables.map((table) => [table.id, table]))
    this.#satellites = new Map(
      model.entities.flatMap((entity) =>
        entity.satellites.map((satellite) => [satellite.name, { entity, satellite }] as const),
      ),
    )
  }

  entity(name: string): EntityDescription | undefined {
    return this.#entities.get(name)
  }

  /** The entity itself, or the owner of the satellite of that name. */
  ownerOf(kind: string): EntityDescription | undefined {
    return this.#entities.get(kind) ?? this.#satellites.get(kind)?.entity
  }

  satellite(name: string): { entity: EntityDescription; satellite: SatelliteDescription } | undefined {
    return this.#satellites.get(name)
  }

  table(id: string): TableDescription {
    const table = this.#tables.get(id)
    if (table === undefined) throw new Error(`The model ${this.model.name} has no table ${id}.`)
    return table
  }

  tableOf(entity: EntityDescription): TableDescription {
    return this.table(entity.table)
  }

  places(): readonly Place[] {
    return this.model.tables.flatMap((table) => [
      { name: table.id, table },
      ...table.indexes.map((index) => ({ name: index.name, table, index })),
    ])
  }

  placeOf(pattern: PatternDescription): Place {
    const table = this.table(pattern.table)
    const index = table.indexes.find(({ name }) => name === pattern.index)
    return index === undefined ? { name: table.id, table } : { name: index.name, table, index }
  }

  /** The kinds of items that can be in a place, with their keys there. */
  kindsIn({ table, index }: Place): readonly KindKey[] {
    const kinds: KindKey[] = []
    for (const entity of this.model.entities) {
      if (entity.table !== table.id) continue
      if (index === undefined) {
        kinds.push({ kind: entity.name, entity, ...keysOf(entity.key) })
        for (const satellite of entity.satellites) {
          kinds.push({ kind: satellite.name, entity, satellite, ...keysOf(satellite.key) })
        }
        continue
      }
      const indexKey = entity.indexKeys.find((key) => key.index === index.name)
      if (indexKey === undefined) continue
      const partition = index.kind === 'local' ? [entity.key.partition] : indexKey.partition
      kinds.push({ kind: entity.name, entity, indexKey, partition, sort: indexKey.sort })
    }
    return kinds
  }

  locationOf(place: Place): LocationDescription | undefined {
    return this.kindsIn(place).find(({ entity }) => entity.location !== undefined)?.entity.location
  }
}

export function attributeOf(entity: EntityDescription, name: string): AttributeDescription | undefined {
  return entity.attributes.find((attribute) => attribute.name === name)
}

/** The attributes in the holes of templates, in order. */
export function holesOf(templates: readonly KeyTemplateDescription[]): readonly string[] {
  return templates.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'hole' ? [part.attribute] : [])))
}

function keysOf(key: EntityDescription['key']): Pick<KindKey, 'partition' | 'sort'> {
  return { partition: [key.partition], sort: key.sort === undefined ? [] : [key.sort] }
}

import type { CheckTemplate, Holes, KeyText, Refused } from '../keys/template-types.ts'
import type {
  AnyAttribute,
  Attribute,
  AttributeDefinition,
  AttributeFlag,
  Attributes,
} from '../schema/attribute.ts'
import type { ItemOf } from '../schema/attribute-types.ts'
import type {
  EntityTypes,
  IndexTypes,
  KeyTypes,
  PrimaryNames,
  SatelliteItem,
  SatelliteTypes,
} from './entity-types.ts'
import type { VolumeDescription } from '../description.ts'

/** Begins an entity: its name, which is also stored in each item, and its attributes. */
export function entity<const Name extends string, A extends Attributes>(
  name: Name,
  attributes: A & CheckAttributes<A>,
): Entity<Name, 'main', A, never, EmptyRecord, EmptyRecord> {
  const definitions = Object.entries<AnyAttribute>(attributes).map(
    ([key, { definition }]) => [key, definition] as const,
  )
  return new Entity({
    name,
    table: 'main',
    attributes: new Map(definitions),
    key: undefined,
    indexes: [],
    satellites: [],
    volume: {},
    description: undefined,
    owner: undefined,
    origin: new Error('defined here'),
  })
}

type EmptyRecord = Record<never, never>

/** A shard must be the hash of an attribute that exists. */
type CheckAttributes<A extends Attributes> = {
  readonly [K in keyof A]: [Exclude<A[K]['$']['sources'], keyof A>] extends [never]
    ? unknown
    : Refused<`${Exclude<A[K]['$']['sources'], keyof A>} is not an attribute of this entity`>
}

/** Any entity, for constraints. */
export interface AnyEntity {
  readonly $: EntityTypes
  readonly definition: EntityDefinition
}

type When<A extends Attributes> = { readonly [K in keyof A]?: A[K]['$']['out'] | readonly A[K]['$']['out'][] }

/** One kind of item. Immutable: each method returns a changed copy. */
export class Entity<
  Name extends string,
  Table extends string,
  A extends Attributes,
  K extends KeyTypes,
  I extends Readonly<Record<string, IndexTypes>>,
  S extends Readonly<Record<string, SatelliteTypes>>,
> {
  /** Only for the type checker. */
  declare readonly $: {
    readonly name: Name
    readonly table: Table
    readonly attributes: A
    readonly key: K
    readonly indexes: I
    readonly satellites: S
  }
  readonly definition: EntityDefinition

  constructor(definition: EntityDefinition) {
    this.definition = definition
  }

  /** The table it lives in, if the model has several; `was` is the one it lived in before, while items are still there. */
  in<const T extends string>(table: T, before: { readonly was?: string } = {}): Entity<Name, T, A, K, I, S> {
    const { was } = before
    return new Entity({ ...this.definition, table, ...(was !== undefined && { tableBefore: was }) })
  }

  /** An attribute made of others whenever those are written: `.computed('emailKey', s.string(), ['email'], ({ email }) =>
   *  email.toLowerCase())`. It is stored, can be part of keys, and cannot be set. */
  computed<const C extends string, In, Out, F extends AttributeFlag, const From extends keyof A & string>(
    name: C,
    type: Attribute<In, Out, F>,
    from: readonly From[],
    compute: (item: Pick<ItemOf<A>, From & keyof ItemOf<A>>) => In | undefined,
  ): Entity<Name, Table, A & { readonly [c in C]: Attribute<In, Out, F | 'computed', From> }, K, I, S> {
    const definition: AttributeDefinition = { ...type.definition, computed: { from, compute } }
    const { attributes } = this.definition
    return new Entity({
      ...this.definition,
      attributes: new Map([...attributes, [name, definition]]),
      ...(attributes.has(name) && { definedTwice: name }),
    })
  }

  /** The primary key. `sk` is left out for a table that has none. Entities that are `shared` may have the same key, of which
   *  only one item can exist: a person or a company. `was` is the key before, while items still have it. */
  key<
    const P extends string,
    const Sort extends string | undefined = undefined,
    const Shared extends boolean = false,
    const OldP extends string | undefined = undefined,
    const OldSort extends string | undefined = undefined,
  >(key: {
    readonly pk: P & CheckTemplate<P, A>
    readonly sk?: Sort & CheckTemplate<Sort, A>
    readonly shared?: Shared
    readonly was?: {
      readonly pk?: OldP & CheckTemplate<OldP, A>
      readonly sk?: OldSort & CheckTemplate<OldSort, A>
    }
  }): Entity<Name, Table, A, { readonly pk: P; readonly sk: Sort; readonly shared: Shared }, I, S> {
    const { pk, sk, shared, was } = key
    return new Entity({
      ...this.definition,
      key: { pk, sk, ...(was !== undefined && { was }) },
      sharesKeys: shared === true,
    })
  }

  /** The key under which items appear in an index. Without `pk` the index is local: it has the table's partition key.
   *  With `when`, only the items whose attributes have these values appear. Lists of attributes are a native
   *  multi-attribute key. `was` is the key before, while items still have it. */
  index<
    const X extends string,
    const P extends KeyText = K['pk'],
    const Sort extends KeyText | undefined = undefined,
    const W extends When<A> = EmptyRecord,
    const OldP extends KeyText | undefined = undefined,
    const OldSort extends KeyText | undefined = undefined,
  >(
    name: X,
    key: {
      readonly pk?: P & CheckTemplate<P, A>
      readonly sk?: Sort & CheckTemplate<Sort, A>
      readonly when?: W
      readonly was?: {
        readonly pk?: OldP & CheckTemplate<OldP, A>
        readonly sk?: OldSort & CheckTemplate<OldSort, A>
      }
    },
  ): Entity<
    Name,
    Table,
    A,
    K,
    I & { readonly [x in X]: { readonly pk: P; readonly sk: Sort; readonly when: W } },
    S
  > {
    const { pk, sk, when = {}, was } = key
    const index: IndexDefinition = { name, pk, sk, when, ...(was !== undefined && { was }) }
    return new Entity({ ...this.definition, indexes: [...this.definition.indexes, index] })
  }

  /** No two items have the same value of this attribute, or the same values of these. A guard item is kept in the same
   *  transaction as the item. Its key is `UNIQUE#<entity>#<attributes>#{…}` and `UNIQUE`, unless you give one. */
  unique<
    const U extends (keyof A & string) | readonly [keyof A & string, ...(keyof A & string)[]],
    const P extends string = DefaultGuardKey<Name, U>,
    const Sort extends string | undefined = 'UNIQUE',
  >(
    attributes: U,
    key?: { readonly pk: P & CheckTemplate<P, A>; readonly sk?: Sort & CheckTemplate<Sort, A> },
  ): Entity<
    Name,
    Table,
    A,
    K,
    I,
    S & {
      readonly [n in `${Name}.${PlusJoined<U>}`]: {
        readonly key: { readonly pk: P; readonly sk: Sort }
        readonly item: SatelliteItem<A, NamesIn<U> | PrimaryOf<A, K>, never>
      }
    }
  > {
    const names: readonly string[] = typeof attributes === 'string' ? [attributes] : attributes
    const name = names.join('+')
    const defaults = {
      pk: `UNIQUE#${this.definition.name}#${name}#${names.map((each) => `{${each}}`).join('#')}`,
      sk: 'UNIQUE',
    }
    return this.#withSatellite({
      kind: 'unique',
      name: `${this.definition.name}.${name}`,
      attributes: names,
      pk: key?.pk ?? defaults.pk,
      sk: key === undefined ? defaults.sk : key.sk,
      each: undefined,
      include: [],
    })
  }

  /** A further item of the table by which this one can be found, kept in the same transaction: strongly consistent, and
   *  not one of the twenty global indexes. With `each`, one for every element of that set or list. */
  indexItem<
    const N extends string,
    const P extends string,
    const Sort extends string | undefined = undefined,
    const Each extends keyof A & string = never,
    const Include extends keyof A & string = never,
  >(
    name: N,
    key: {
      readonly pk: P & CheckTemplate<P, A>
      readonly sk?: Sort & CheckTemplate<Sort, A>
      readonly each?: Each
      readonly include?: readonly Include[]
    },
  ): Entity<
    Name,
    Table,
    A,
    K,
    I,
    S & {
      readonly [n in `${Name}.${N}`]: {
        readonly key: { readonly pk: P; readonly sk: Sort }
        readonly item: SatelliteItem<A, Holes<P> | Holes<Sort> | PrimaryOf<A, K> | Include, Each>
      }
    }
  > {
    return this.#withSatellite({
      kind: 'index-item',
      name: `${this.definition.name}.${name}`,
      attributes: undefined,
      pk: key.pk,
      sk: key.sk,
      each: key.each,
      include: key.include ?? [],
    })
  }

  /** How many items there are and how large, for generated data, cost and review. */
  volume(volume: VolumeDescription): this {
    return new Entity({ ...this.definition, volume }) as this
  }

  describe(description: string): this {
    return new Entity({ ...this.definition, description }) as this
  }

  /** The team that answers for it. */
  owner(owner: string): this {
    return new Entity({ ...this.definition, owner }) as this
  }

  #withSatellite(satellite: SatelliteDefinition): never {
    return new Entity({ ...this.definition, satellites: [...this.definition.satellites, satellite] }) as never
  }
}

type NamesIn<U> = U extends readonly (infer Name)[] ? Name : U

type PlusJoined<U> = U extends readonly [infer First extends string, ...infer Rest extends readonly string[]]
  ? Rest extends readonly []
    ? First
    : `${First}+${PlusJoined<Rest>}`
  : U & string

type HashJoined<U> = U extends readonly [infer First extends string, ...infer Rest extends readonly string[]]
  ? Rest extends readonly []
    ? `{${First}}`
    : `{${First}}#${HashJoined<Rest>}`
  : `{${U & string}}`

type DefaultGuardKey<Name extends string, U> = `UNIQUE#${Name}#${PlusJoined<U>}#${HashJoined<U>}`

type PrimaryOf<A extends Attributes, K extends KeyTypes> = PrimaryNames<{
  readonly name: string
  readonly table: string
  readonly attributes: A
  readonly key: K
  readonly indexes: EmptyRecord
  readonly satellites: EmptyRecord
}>

export interface EntityDefinition {
  readonly name: string
  readonly table: string
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  /** The last attribute that was defined although there was one of its name. */
  readonly definedTwice?: string
  readonly tableBefore?: string
  readonly key: EntityKeyDefinition | undefined
  readonly sharesKeys?: boolean
  readonly indexes: readonly IndexDefinition[]
  readonly satellites: readonly SatelliteDefinition[]
  readonly volume: VolumeDescription
  readonly description: string | undefined
  readonly owner: string | undefined
  /** Its stack says where it was defined; it is only made readable when someone asks. */
  readonly origin: Error
}

interface EntityKeyDefinition {
  readonly pk: string
  readonly sk: string | undefined
  readonly was?: { readonly pk?: string | undefined; readonly sk?: string | undefined }
}

export interface IndexDefinition {
  readonly name: string
  readonly pk: KeyText | undefined
  readonly sk: KeyText | undefined
  readonly was?: { readonly pk?: KeyText | undefined; readonly sk?: KeyText | undefined }
  readonly when: Readonly<Record<string, unknown>>
}

export interface SatelliteDefinition {
  readonly kind: 'unique' | 'index-item'
  readonly name: string
  /** Undefined: those of its key. */
  readonly attributes: readonly string[] | undefined
  readonly pk: string
  readonly sk: string | undefined
  readonly each: string | undefined
  readonly include: readonly string[]
}

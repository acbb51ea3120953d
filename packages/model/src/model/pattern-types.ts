import type { Holes, Joined, KeyText, NextHole, PeriodHoles, Refused, Shape } from '../keys/template-types.ts'
import type { Attributes } from '../schema/attribute.ts'
import type { ItemOf, Simplify } from '../schema/attribute-types.ts'
import type { AnyEntity } from './entity.ts'
import type { EntityTypes, KeyOnlyNames, KeyTypes, SatelliteTypes, SourcesOf } from './entity-types.ts'
import type { ProjectionOf, Tables } from './table-config.ts'

export type Entities = Readonly<Record<string, AnyEntity>>

/** All kinds of items: entities, and the guards and index items that go with them (`Customer.email`). */
export type KindName<Es extends Entities> = (keyof Es & string) | SatelliteName<Es>

type SatelliteName<Es extends Entities> = {
  [N in keyof Es]: keyof Es[N]['$']['satellites'] & string
}[keyof Es]

/** `'email'` for `Customer.email`. */
export type SatelliteShortName<
  Es extends Entities,
  N extends keyof Es & string,
> = keyof Es[N]['$']['satellites'] extends infer S ? (S extends `${N}.${infer Short}` ? Short : never) : never

type OwnerName<N> = N extends `${infer Owner}.${string}` ? Owner : N

type TypesOf<Es extends Entities, N> = OwnerName<N> extends keyof Es ? Es[OwnerName<N>]['$'] : never

type SatelliteOf<Es extends Entities, N> = N extends keyof TypesOf<Es, N>['satellites']
  ? TypesOf<Es, N>['satellites'][N]
  : never

export type AttributesOf<Es extends Entities, N> = TypesOf<Es, N>['attributes']

/** The key of a kind in a place, which is a table or an index; never if it does not appear there. */
export type KeyIn<Es extends Entities, N, Place> = N extends keyof Es
  ? KeyOfTypes<Es[N]['$'], Place>
  : SatelliteOf<Es, N> extends infer S extends SatelliteTypes
    ? Place extends TypesOf<Es, N>['table']
      ? S['key']
      : never
    : never

type KeyOfTypes<E extends EntityTypes, Place> = Place extends E['table']
  ? E['key']
  : Place extends keyof E['indexes']
    ? E['indexes'][Place]
    : never

/** All tables and indexes that have items. */
export type PlaceOf<Es extends Entities> = {
  [N in keyof Es]: Es[N]['$']['table'] | (keyof Es[N]['$']['indexes'] & string)
}[keyof Es]

/** The partition templates of a place, as they stand in the model: what a query may ask for. */
export type PartitionIn<Es extends Entities, Place> = {
  [N in KindName<Es>]: KeyIn<Es, N, Place>['pk']
}[KindName<Es>] extends infer Partition extends KeyText
  ? Partition
  : never

/** Which kinds share a partition, by its shape. Computed once for each place. */
type ByPartition<Es extends Entities, Place> = {
  [N in KindName<Es> as [KeyIn<Es, N, Place>] extends [never] ? never : Shape<KeyIn<Es, N, Place>['pk']>]: N
}

export type KindsUnder<Es extends Entities, Place, P> = [ByPartition<Es, Place>, Shape<P>] extends [
  infer Groups,
  infer Key,
]
  ? Key extends keyof Groups
    ? Groups[Key]
    : never
  : never

/** `'ORDER#*'` begins; `'PROFILE'` is all of it. Lists of attributes are the first of a native key. */
export type SortPrefix<Sort> = Sort extends `${infer Prefix}*` ? Prefix : Joined<Sort>

/** Those of `Kinds` whose sort key fits. */
export type KindsMatching<Es extends Entities, Place, Kinds, Sort> = [Sort] extends [undefined]
  ? Kinds
  : Kinds extends unknown
    ? SortFits<KeyIn<Es, Kinds, Place>['sk'], Sort> extends true
      ? Kinds
      : never
    : never

type SortFits<Template, Sort> = Sort extends `${infer Prefix}*`
  ? Shape<Template> extends `${Shape<Prefix>}${string}`
    ? true
    : false
  : Sort extends string
    ? Shape<Template> extends Shape<Sort>
      ? true
      : false
    : Shape<Template> extends Shape<Sort> | `${Shape<Sort>}+${string}`
      ? true
      : false

/** The attribute of which a range may be taken: the hole after the prefix, unless the partition needs one value of it. */
export type RangeIn<Es extends Entities, Place, Kinds, P, Sort> = Exclude<
  HoleAfter<Es, Place, Kinds, Sort>,
  Exclude<HoleParameter<Es, Kinds, Holes<P>>, PeriodHoles<P>>
>

/** Says why a range cannot be taken. */
export type CheckRange<Es extends Entities, Place, Kinds, P, Sort, R> = [R] extends [never]
  ? unknown
  : [R] extends [RangeIn<Es, Place, Kinds, P, Sort>]
    ? unknown
    : [R] extends [HoleParameter<Es, Kinds, Holes<P>>]
      ? Refused<`The partition key needs one value of ${R & string}, so a caller cannot give a range of it: remove range, or give the period in the partition key an attribute of its own`>
      : Refused<
          `No sort key has {${R & string}} directly after the prefix of this query`,
          RangeIn<Es, Place, Kinds, P, Sort>
        >

type HoleAfter<Es extends Entities, Place, Kinds, Sort> = Kinds extends unknown
  ? NextHole<KeyIn<Es, Kinds, Place>['sk'], [Sort] extends [undefined] ? '' : SortPrefix<Sort>>
  : never

/** What a caller may say of an attribute, whichever kinds have it. */
export type InOf<Es extends Entities, Kinds, H> = Kinds extends unknown
  ? H extends keyof AttributesOf<Es, Kinds>
    ? AttributesOf<Es, Kinds>[H]['$']['in']
    : never
  : never

type FlagsIn<Es extends Entities, Kinds, H> = Kinds extends unknown
  ? H extends keyof AttributesOf<Es, Kinds>
    ? AttributesOf<Es, Kinds>[H]['$']['flags']
    : never
  : never

/** The parameters of holes: computed ones ask for what they are made of, shards for nothing. */
type HoleParameter<Es extends Entities, Kinds, H> = H extends unknown
  ? 'shard' extends FlagsIn<Es, Kinds, H>
    ? never
    : Kinds extends unknown
      ? SourcesOf<AttributesOf<Es, Kinds>, H>
      : never
  : never

type ShardHole<Es extends Entities, Kinds, H> = H extends unknown
  ? 'shard' extends FlagsIn<Es, Kinds, H>
    ? H
    : never
  : never

/** `from` and `to` are included, `after` and `before` are not; `begins` is a beginning of the text. */
export type Range<T> =
  | (LowerBound<T> & UpperBound<T> & { readonly begins?: undefined })
  | {
      readonly begins: T & string
      readonly from?: undefined
      readonly to?: undefined
      readonly after?: undefined
      readonly before?: undefined
    }

/** A range over the periods of a partition key. It begins somewhere, and ends now if nothing else is said. */
export type PeriodRange<T> = (
  { readonly from: T; readonly after?: undefined } | { readonly after: T; readonly from?: undefined }
) &
  UpperBound<T>

type LowerBound<T> =
  { readonly from?: T | undefined; readonly after?: undefined } | { readonly after: T; readonly from?: undefined }

type UpperBound<T> =
  { readonly to?: T | undefined; readonly before?: undefined } | { readonly before: T; readonly to?: undefined }

export type QueryParameters<Es extends Entities, Kinds, P, Sort, R extends string, F extends string> = Simplify<
  {
    readonly [H in Exclude<HoleParameter<Es, Kinds, Holes<P> | Holes<SortHoles<Sort>>>, R> & string]: ElementIn<
      InOf<Es, Kinds, H>
    >
  } & {
    readonly [H in HoleParameter<Es, Kinds, F> & string]: InOf<Es, Kinds, H>
  } & {
    /** One shard alone; without it, all are read and merged. */
    readonly [H in ShardHole<Es, Kinds, Holes<P>> & string]?: number | undefined
  } & {
    readonly [H in Exclude<R, PeriodHoles<P>>]?: Range<InOf<Es, Kinds, H>> | undefined
  } & {
    readonly [H in R & PeriodHoles<P>]: PeriodRange<InOf<Es, Kinds, H>>
  }
>

/** In a key, a set or list stands for one of its elements. */
export type ElementIn<T> = T extends string | number | boolean | Date
  ? T
  : T extends Iterable<infer Element>
    ? Element
    : T

type SortHoles<Sort> = Sort extends undefined ? never : Sort

/** The item of a kind as a place shows it. */
export type ItemIn<Es extends Entities, T extends Tables, N, Place> = N extends keyof Es
  ? Place extends Es[N]['$']['table']
    ? ItemOf<Es[N]['$']['attributes']>
    : ProjectedItem<Es[N]['$'], ProjectionOf<T, Place>, KeyOfTypes<Es[N]['$'], Place>>
  : SatelliteOf<Es, N> extends infer S extends SatelliteTypes
    ? S['item']
    : never

type ProjectedItem<E extends EntityTypes, Projection, X extends KeyTypes> = Projection extends 'ALL'
  ? ItemOf<E['attributes']>
  : Projection extends readonly (infer Name)[]
    ? PickItem<E['attributes'], KeyOnlyNames<E, X> | Name>
    : PickItem<E['attributes'], KeyOnlyNames<E, X>>

type PickItem<A extends Attributes, Names> = Simplify<Pick<ItemOf<A>, Names & keyof ItemOf<A>>>

// ---- refusals ----------------------------------------------------------------------------------------------------

export type CheckSort<Es extends Entities, Place, Kinds, Sort> = [Sort] extends [undefined]
  ? unknown
  : [KindsMatching<Es, Place, Kinds, Sort>] extends [never]
    ? Sort extends `${string}*`
      ? Refused<
          `No entity under this partition key has a sort key that begins with '${SortPrefix<Sort>}'.`,
          SortTexts<Es, Place, Kinds>
        >
      : Sort extends string
        ? Refused<
            `No entity under this partition key has the sort key '${Sort}'. To match a prefix, write '${Sort}*'.`,
            SortTexts<Es, Place, Kinds>
          >
        : Refused<'These are not the first attributes of the sort key of this index'>
    : unknown

type SortTexts<Es extends Entities, Place, Kinds> = Kinds extends unknown
  ? Joined<KeyIn<Es, Kinds, Place>['sk']>
  : never

/** Each entity of a model must have a key, stand under its own name, and share its key with no other. */
export type CheckEntities<Es extends Entities> = {
  readonly [N in keyof Es]: [Es[N]['$']['key']] extends [never]
    ? Refused<`${N & string} has no key: add .key({ pk, sk })`>
    : Es[N]['$']['name'] extends N
      ? [Exclude<ByPrimaryKey<Es>[PrimaryShape<Es, N> & keyof ByPrimaryKey<Es>], N>] extends [never]
        ? unknown
        : Refused<`${N & string} and ${Exclude<ByPrimaryKey<Es>[PrimaryShape<Es, N> & keyof ByPrimaryKey<Es>], N> & string} can have the same key: give one of them a different literal part`>
      : Refused<`The entity ${Es[N]['$']['name']} is listed in the model as ${N & string}: use the same name`>
}

type PrimaryShape<Es extends Entities, N> =
  N extends KindName<Es>
    ? KeyIn<Es, N, TypesOf<Es, N>['table']> extends infer K extends KeyTypes
      ? K extends { readonly shared: true }
        ? never
        : `${TypesOf<Es, N>['table']} ${Shape<K['pk']>} ${Shape<K['sk'] & string>}`
      : never
    : never

type ByPrimaryKey<Es extends Entities> = { [N in KindName<Es> as PrimaryShape<Es, N>]: N }

import type { ExactHoles, Holes, KeyText } from '../keys/template-types.ts'
import type { Attributes } from '../schema/attribute.ts'
import type { ItemOf, Simplify } from '../schema/attribute-types.ts'

/** What the type checker knows of an entity. */
export interface EntityTypes {
  readonly name: string
  readonly table: string
  readonly attributes: Attributes
  readonly key: KeyTypes
  readonly indexes: Readonly<Record<string, IndexTypes>>
  readonly satellites: Readonly<Record<string, SatelliteTypes>>
}

export interface KeyTypes {
  readonly pk: KeyText
  readonly sk: KeyText | undefined
  readonly shared?: boolean
}

export interface IndexTypes extends KeyTypes {
  /** The values with which items are in it. */
  readonly when: object
}

/** A guard or an index item: an item of its own, that carries its owner's key. */
export interface SatelliteTypes {
  readonly key: KeyTypes
  readonly item: object
}

/** Holes of a key's both templates. */
export type KeyHoles<K extends KeyTypes> = Holes<K['pk']> | Holes<K['sk']>

/** The attributes a caller gives for a hole: those of which a computed one is made, otherwise the hole itself. */
export type SourcesOf<A extends Attributes, H> = H extends keyof A
  ? [A[H]['$']['sources']] extends [never]
    ? H
    : A[H]['$']['sources']
  : never

/** What identifies an item: `{ customerId, placedAt, orderId }`. */
export type KeyInputOf<E extends EntityTypes> = Simplify<{
  readonly [H in PrimaryNames<E>]: E['attributes'][H]['$']['in']
}>

export type PrimaryNames<E extends EntityTypes> = SourcesOf<E['attributes'], KeyHoles<E['key']>> &
  keyof E['attributes']

export type EntityItem<E extends EntityTypes> = ItemOf<E['attributes']>

/** Attributes that are in every index entry, because its keys show them. */
export type KeyOnlyNames<E extends EntityTypes, X extends KeyTypes> =
  ExactHoles<E['key']['pk']> | ExactHoles<E['key']['sk']> | ExactHoles<X['pk']> | ExactHoles<X['sk']>

/** The item of a guard or index item. */
export type SatelliteItem<A extends Attributes, Names, Each> = Simplify<
  Pick<ItemOf<A>, Exclude<Names, Each> & keyof ItemOf<A>> & {
    [E in Each & keyof A]: A[E]['$']['out'] extends Iterable<infer Element> ? Element : never
  }
>

import type { EntityItem, EntityTypes, PrimaryNames, SourcesOf } from '../model/entity-types.ts'
import type { Holes, Refused } from '../keys/template-types.ts'
import type { Attributes } from '../schema/attribute.ts'
import type { InputOf } from '../schema/attribute-types.ts'
import type { Change, ChangeKind } from './operators.ts'
import type { AnyPart, PartsOf } from './path-types.ts'

/** A pattern that declares what it changes changes nothing else. */
export type CheckDeclared<Declared extends string, U> = [Declared] extends [never]
  ? unknown
  : {
      readonly [
        K in Exclude<keyof U, Declared | `${Declared}${'.' | '['}${string}`>
      ]: Refused<`This pattern does not declare that it changes ${K & string}: add it to its changes`>
    }

export type ChangeFunction<E extends EntityTypes> = (
  item: EntityItem<E>,
) => PutInput<E['attributes']> | undefined | Promise<PutInput<E['attributes']> | undefined>

/** Like `InputOf`; attributes that follow from others may be present, because an item that was read has them, and are
 *  ignored. */
export type PutInput<A extends Attributes> = InputOf<A> & {
  readonly [K in keyof A as 'computed' extends A[K]['$']['flags'] ? K : never]?: A[K]['$']['out'] | undefined
}

type FlagsOf<A extends Attributes, K extends keyof A> = A[K]['$']['flags']

/** Attributes an update may name. */
type ChangeableNames<E extends EntityTypes> = {
  [K in keyof E['attributes']]: [
    Extract<FlagsOf<E['attributes'], K>, 'readOnly' | 'computed' | 'virtual' | 'version'>,
  ] extends [never]
    ? K extends PrimaryNames<E>
      ? never
      : K
    : never
}[keyof E['attributes']]

export type ChangesOf<E extends EntityTypes> = AttributeChangesOf<E> & {
  readonly [P in PartsIn<E['attributes'], ChangeableNames<E>> as P['path']]?:
    P['in'] | OperationOn<P['in'], P['in'], P['isOptional'] extends true ? 'optional' : never> | undefined
}

/** The parts of some attributes: `address.city`, `history[0].what`. */
export type PartsIn<A extends Attributes, Names extends keyof A> = {
  [K in Names & string]: PartsOf<A[K]['$']['in'], K>
}[Names & string] &
  AnyPart

/** Changes of whole attributes. */
export type AttributeChangesOf<E extends EntityTypes> = {
  readonly [K in ChangeableNames<E>]?:
    | E['attributes'][K]['$']['in']
    | OperationOn<E['attributes'][K]['$']['in'], E['attributes'][K]['$']['out'], FlagsOf<E['attributes'], K>>
    | undefined
} & {
  // Only here so that it is rejected with a sentence rather than as unknown.
  readonly [K in Exclude<keyof E['attributes'], ChangeableNames<E>>]?: unknown
}

type OperationOn<In, Out, Flags> =
  | ([In] extends [number | bigint] ? Change<'add', In> : never)
  | ([Out] extends [readonly (infer Element)[]] ? Change<'append' | 'prepend', Element> : never)
  | ([Out] extends [Set<infer Element>] ? Change<'addToSet' | 'removeFromSet', Element> : never)
  | ('optional' extends Flags ? Change<'remove', never> : never)
  | Change<'ifAbsent', In>

/** Says what is wrong with an update: an attribute that does not exist or cannot change, or half a key. */
export type CheckChanges<E extends EntityTypes, U> = {
  readonly [
    K in Exclude<keyof U, ChangeableNames<E> | PartsIn<E['attributes'], ChangeableNames<E>>['path']>
  ]: Refused<Unchangeable<E, K>>
} & Together<E, KeyGroups<E>, U>

type Unchangeable<E extends EntityTypes, K> = K extends keyof E['attributes']
  ? K extends PrimaryNames<E>
    ? `${K & string} is part of the primary key, which cannot be changed: delete the item and create a new one`
    : `${K & string} is read-only, computed, or maintained by the library, and cannot be updated`
  : `${K & string} is not an attribute of ${E['name']}`

/** The attributes that make one composed key attribute, for each of them, and the `when` of its index:
 *  [those, { status: 'OPEN' }] | […]. */
type KeyGroups<E extends EntityTypes> = IndexGroups<E> | ComputedGroups<E['attributes']>

type IndexGroups<E extends EntityTypes> = {
  [X in keyof E['indexes']]:
    | Group<E, E['indexes'][X]['pk'], E['indexes'][X]['when']>
    | Group<E, E['indexes'][X]['sk'], E['indexes'][X]['when']>
}[keyof E['indexes']]

/** A native key is its attributes; only a composed one has to be composed again. Shards can always be drawn or derived. */
type Group<E extends EntityTypes, T, When> = T extends string
  ? [
      Exclude<SourcesOf<E['attributes'], SettledHoles<E['attributes'], Holes<T>> | keyof When>, PrimaryNames<E>>,
      When,
    ]
  : never

type SettledHoles<A extends Attributes, H> = H extends keyof A
  ? 'shard' extends A[H]['$']['flags']
    ? 'virtual' extends A[H]['$']['flags']
      ? H
      : never
    : H
  : never

type ComputedGroups<A extends Attributes> = {
  [K in keyof A]: 'computed' extends A[K]['$']['flags'] ? [A[K]['$']['sources'], unknown] : never
}[keyof A]

/** Whoever changes one attribute of a group gives all of them, as values and not as operations; but not if the item leaves the
 *  index. */
type Together<E extends EntityTypes, Groups, U> = [Groups] extends [never]
  ? unknown
  : UnionToIntersection<
        Groups extends [infer Names, infer When]
          ? {
              readonly all: [Extract<Names, keyof U>] extends [never]
                ? unknown
                : true extends Leaves<When, U> | Removes<Names, When, U>
                  ? unknown
                  : PartsOfOneKey<Names, PartValues<E, Names>>
            }
          : never
      > extends infer Wrapped
    ? Wrapped extends { readonly all: infer Parts }
      ? Parts
      : unknown
    : never

/** Whether the new values include one with which an item is never in the index. */
type Leaves<When, U> = {
  [K in keyof When & keyof U]: IsOutside<U[K], When[K] extends readonly (infer Value)[] ? Value : When[K]>
}[keyof When & keyof U]

/** Whether a part of the index key is removed. What is computed may not need it: there is no `when` then. */
type Removes<Names, When, U> = unknown extends When
  ? false
  : { [K in Names & keyof U]: [U[K]] extends [Change<'remove', never>] ? true : false }[Names & keyof U]

type IsOutside<New, In> = [
  Extract<New, In | undefined | Change<Exclude<ChangeKind, 'remove'>, unknown>> | Extract<In, New>,
] extends [never]
  ? true
  : false

/** These attributes make one key together: give all of them, or use `modify`, which reads the others. */
export type PartsOfOneKey<Names, Values> = { readonly [K in Names & keyof Values]: Values[K] }

type PartValues<E extends EntityTypes, Names> = {
  [K in Names & keyof E['attributes']]:
    | E['attributes'][K]['$']['in']
    | ('optional' extends FlagsOf<E['attributes'], K> ? Change<'remove', never> : never)
}

type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? I
  : never

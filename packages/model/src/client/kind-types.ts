import type { Simplify } from '../schema/attribute-types.ts'

// A page's type names what can be in it as a union of small names, each on one line: editors print object types with a line for
// each property, those of whole entities with hundreds.

/** A kind of item in a result: its name, and what it has. */
export interface Kind<Name extends string, Fields> {
  readonly name: Name
  readonly fields: Fields
}

/** An attribute that every item of a kind has. */
export interface Has<Name, Value> {
  readonly always: Name
  readonly value: Value
}

/** An attribute that an item of a kind may have. */
export interface MayHave<Name, Value> {
  readonly sometimes: Name
  readonly value: Value
}

export type AnyKind = Kind<string, unknown>

export type FieldsIn<I> = {
  [K in keyof I]-?: Record<never, never> extends Pick<I, K> ? MayHave<K, I[K]> : Has<K, I[K]>
}

type ItemFrom<Fields> = Simplify<
  {
    [F in Extract<Fields, Has<PropertyKey, unknown>> as F['always']]: F['value']
  } & {
    [F in Extract<Fields, MayHave<PropertyKey, unknown>> as F['sometimes']]?: F['value']
  }
>

/** The names of the attributes that items of these kinds can have. */
export type FieldName<Kinds extends AnyKind> = Kinds['fields'] extends infer Field
  ? Field extends { readonly always: infer Name extends string }
    ? Name
    : Field extends { readonly sometimes: infer Name extends string }
      ? Name
      : never
  : never

/** The kinds with only the attributes `S`; all if it is never. */
export type Selected<Kinds extends AnyKind, S extends string> = [S] extends [never]
  ? Kinds
  : Kinds extends Kind<infer Name, infer Fields>
    ? Kind<Name, Extract<Fields, { readonly always: S } | { readonly sometimes: S }>>
    : never

/** The items of a page, by entity. */
export type ItemsOf<Kinds extends AnyKind> = { [K in Kinds as K['name']]: ItemFrom<K['fields']>[] }

/** One item of a page, with the entity it is. */
export type EntryOf<Kinds extends AnyKind> = Kinds extends unknown ? Entry<Kinds['name'], Kinds['fields']> : never

export interface Entry<Name, Fields> {
  readonly entity: Name
  readonly item: ItemFrom<Fields>
}

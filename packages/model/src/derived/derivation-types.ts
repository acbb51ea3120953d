import type { Refused } from '../keys/template-types.ts'
import type { AnyEntity } from '../model/entity.ts'
import type { PrimaryNames } from '../model/entity-types.ts'
import type { Item } from '../model/item-types.ts'

/** The attributes that tell derived items apart: those of the key, without shards, which are drawn from the source item. */
export type GroupNames<T extends AnyEntity> = {
  [K in PrimaryNames<T['$']>]: 'shard' extends T['$']['attributes'][K]['$']['flags'] ? never : K
}[PrimaryNames<T['$']>]

/** The derived item that an item counts for: the names of its attributes that make the key of the derived one, or a function
 *  that returns the key. Undefined: none. */
export type GroupBy<S extends AnyEntity, T extends AnyEntity> =
  (keyof Item<S> & string) | readonly (keyof Item<S> & string)[] | ((item: Item<S>) => GroupKey<T> | undefined)

export type GroupKey<T extends AnyEntity> = {
  readonly [K in GroupNames<T>]: T['$']['attributes'][K]['$']['in']
}

/** `unknown` if the names make up the key of the target. */
export type CheckGroup<T extends AnyEntity, By> = By extends (...words: never) => unknown
  ? unknown
  : [Exclude<GroupNames<T>, NamesIn<By>>] extends [never]
    ? unknown
    : Refused<`the key of ${T['$']['name']} also needs ${Exclude<GroupNames<T>, NamesIn<By>> & string}`>

type NamesIn<By> = By extends readonly (infer Name)[] ? Name : By

/** Which items count: those whose attributes have these values, or for which the function returns true. */
export type When<S extends AnyEntity> =
  ((item: Item<S>) => boolean) | { readonly [K in keyof Item<S>]?: Item<S>[K] | readonly Item<S>[K][] }

export type NumberNames<E extends AnyEntity> = {
  [K in keyof E['$']['attributes']]: E['$']['attributes'][K]['$']['in'] extends number | bigint | string ? K : never
}[keyof E['$']['attributes']] &
  string

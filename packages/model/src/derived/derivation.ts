import type { AnyEntity } from '../model/entity.ts'
import type { Item, ItemInput } from '../model/item-types.ts'
import type { CheckGroup, GroupBy, NumberNames, When } from './derivation-types.ts'

/** One thing that is derived from the items of an entity, as a model file declares it. */
export type Derivation = AmountDerivation | EntriesDerivation | RankingDerivation | CopyDerivation

interface Grouped {
  readonly source: string
  readonly target: string
  readonly by: string | readonly string[] | ((item: never) => object | undefined)
  readonly when: ((item: never) => boolean) | Readonly<Record<string, unknown>> | undefined
}

/** A counter or a sum. */
export interface AmountDerivation extends Grouped {
  readonly kind: 'amount'
  /** Undefined for a counter. */
  readonly attribute: string | undefined
  readonly set: string
}

/** Items of their own, such as search keys. */
export interface EntriesDerivation {
  readonly kind: 'entries'
  readonly source: string
  readonly target: string
  readonly make: (item: never) => Iterable<object>
}

/** The first items of a pattern: the smallest or largest value, or a list. */
export interface RankingDerivation extends Grouped {
  readonly kind: 'ranking'
  readonly via: string
  readonly set: string
  readonly n: number
  /** Undefined: the value of `attribute` in the first item, not a list. */
  readonly each: ((item: never) => unknown) | undefined
  readonly attribute: string | undefined
  readonly isLargest: boolean | undefined
}

/** Attributes of an item in each item that refers to it. */
export interface CopyDerivation {
  readonly kind: 'copy'
  readonly source: string
  readonly target: string
  readonly via: string
  /** From the name in the source to the name in the target. */
  readonly attributes: Readonly<Record<string, string>>
}

interface GroupOptions<S extends AnyEntity, T extends AnyEntity, By extends GroupBy<S, T>> {
  /** The entity of the derived items. */
  readonly into: T
  readonly by: By & CheckGroup<T, By>
  readonly when?: When<S>
}

/** How many items there are: `count(Order, { by: 'customerId', into: CustomerTotals, set: 'orders' })`. */
export function count<S extends AnyEntity, T extends AnyEntity, const By extends GroupBy<S, T>>(
  source: S,
  options: GroupOptions<S, T, By> & { readonly set: NumberNames<T> },
): AmountDerivation {
  return { kind: 'amount', attribute: undefined, set: options.set, ...grouped(source, options) }
}

/** The sum of an attribute: `sum(Order, 'total', { by: 'customerId', into: CustomerTotals, set: 'spent' })`. An item without
 *  the attribute adds nothing. */
export function sum<S extends AnyEntity, T extends AnyEntity, const By extends GroupBy<S, T>>(
  source: S,
  attribute: NumberNames<S>,
  options: GroupOptions<S, T, By> & { readonly set: NumberNames<T> },
): AmountDerivation {
  return { kind: 'amount', attribute, set: options.set, ...grouped(source, options) }
}

interface RankingOptions<S extends AnyEntity, T extends AnyEntity, By extends GroupBy<S, T>> extends GroupOptions<
  S,
  T,
  By
> {
  /** A query pattern that returns the items of a group in this order, by a key of the table or of a local index: its reads can
   *  be consistent. */
  readonly via: string
  readonly set: keyof T['$']['attributes'] & string
}

/** The largest value of an attribute. `via` is a pattern whose sort key begins with it. */
export function max<S extends AnyEntity, T extends AnyEntity, const By extends GroupBy<S, T>>(
  source: S,
  attribute: keyof Item<S> & string,
  options: RankingOptions<S, T, By>,
): RankingDerivation {
  return extreme(source, attribute, options, true)
}

/** The smallest value of an attribute. `via` is a pattern whose sort key begins with it. */
export function min<S extends AnyEntity, T extends AnyEntity, const By extends GroupBy<S, T>>(
  source: S,
  attribute: keyof Item<S> & string,
  options: RankingOptions<S, T, By>,
): RankingDerivation {
  return extreme(source, attribute, options, false)
}

/** The first `n` items of the pattern `via`, as a list: `topN(Score, 10, { …, via: 'scoresOfGame', each: ({ player, points }) =>
 *  ({ player, points }) })`. */
export function topN<S extends AnyEntity, T extends AnyEntity, const By extends GroupBy<S, T>>(
  source: S,
  n: number,
  options: RankingOptions<S, T, By> & { readonly each: (item: Item<S>) => unknown },
): RankingDerivation {
  const { via, set, each } = options
  return {
    kind: 'ranking',
    via,
    set,
    n,
    each,
    attribute: undefined,
    isLargest: undefined,
    ...grouped(source, options),
  }
}

/** Items of their own for each item, such as search keys: `entries(Product, { into: ProductWord, make: ({ productId, name }) =>
 *  words(name).map((word) => ({ word, productId })) })`. Their key must contain what identifies the item. */
export function entries<S extends AnyEntity, T extends AnyEntity>(
  source: S,
  options: { readonly into: T; readonly make: (item: Item<S>) => Iterable<ItemInput<T>> },
): EntriesDerivation {
  const { into, make } = options
  return {
    kind: 'entries',
    source: source.definition.name,
    target: into.definition.name,
    make: make as EntriesDerivation['make'],
  }
}

/** Attributes of an item, kept in each item that refers to it: `copy(Product, { into: Line, attributes: { name: 'productName' },
 *  via: 'linesOfProduct' })`. `via` is a query pattern that finds them; the items have the attributes of the key of their
 *  source, under the same names. */
export function copy<S extends AnyEntity, T extends AnyEntity>(
  source: S,
  options: {
    readonly into: T
    readonly via: string
    readonly attributes: {
      readonly [K in keyof Item<S> & string]?: {
        [N in keyof Item<T>]: NonNullable<Item<S>[K]> extends Item<T>[N] ? N : never
      }[keyof Item<T>] &
        string
    }
  },
): CopyDerivation {
  const { into, via, attributes } = options
  return {
    kind: 'copy',
    source: source.definition.name,
    target: into.definition.name,
    via,
    attributes: attributes as CopyDerivation['attributes'],
  }
}

function extreme<S extends AnyEntity, T extends AnyEntity, By extends GroupBy<S, T>>(
  source: S,
  attribute: string,
  options: RankingOptions<S, T, By>,
  isLargest: boolean,
): RankingDerivation {
  const { via, set } = options
  return { kind: 'ranking', via, set, n: 1, each: undefined, attribute, isLargest, ...grouped(source, options) }
}

function grouped(
  source: AnyEntity,
  options: { readonly into: AnyEntity; readonly by: unknown; readonly when?: unknown },
): Grouped {
  const { by, into, when } = options
  return {
    source: source.definition.name,
    target: into.definition.name,
    by: by as Grouped['by'],
    when: when as Grouped['when'],
  }
}

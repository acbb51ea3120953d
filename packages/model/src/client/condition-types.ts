import type { EntityTypes } from '../model/entity-types.ts'
import type { Attributes } from '../schema/attribute.ts'
import type { PartsIn } from './change-types.ts'
import type { AnyOf, Comparison, Containing } from './operators.ts'

export type ConditionOf<A extends Attributes> = AttributeConditions<A> | AnyOf<AttributeConditions<A>>

type AttributeConditions<A extends Attributes> = {
  readonly [K in keyof A]?: A[K]['$']['in'] | ComparisonOn<A[K]['$']['in'], A[K]['$']['out']> | undefined
} & {
  readonly [P in PartsIn<A, keyof A> as P['path']]?: P['in'] | ComparisonOn<P['in'], P['in']> | undefined
}

export type ComparisonOn<In, Out> =
  | Comparison<In>
  | Comparison<never>
  | ([Out] extends [Iterable<infer Element>] ? Comparison<Containing<Element>> : never)

export interface ConditionOption<E extends EntityTypes> {
  /** Only if the item is so: `{ status: 'OPEN', stock: atLeast(1) }`. */
  readonly if?: ConditionOf<E['attributes']> | undefined
}

export interface WriteCondition<E extends EntityTypes> extends ConditionOption<E> {
  /** Only if the item still has this version. */
  readonly version?: number | undefined
}

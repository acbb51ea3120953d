/** A comparison in a condition: `{ if: { stock: atLeast(3) } }`. A plain value means "equals". */
export class Comparison<T> {
  declare readonly $: T
  readonly kind: ComparisonKind
  readonly operands: readonly unknown[]

  constructor(kind: ComparisonKind, operands: readonly unknown[]) {
    this.kind = kind
    this.operands = operands
  }
}

export type ComparisonKind =
  | 'equals'
  | 'differs'
  | 'below'
  | 'atMost'
  | 'above'
  | 'atLeast'
  | 'between'
  | 'oneOf'
  | 'begins'
  | 'contains'
  | 'exists'
  | 'absent'

export const equals = <T>(value: T): Comparison<T> => new Comparison('equals', [value])
export const differs = <T>(value: T): Comparison<T> => new Comparison('differs', [value])
export const below = <T>(value: T): Comparison<T> => new Comparison('below', [value])
export const atMost = <T>(value: T): Comparison<T> => new Comparison('atMost', [value])
export const above = <T>(value: T): Comparison<T> => new Comparison('above', [value])
export const atLeast = <T>(value: T): Comparison<T> => new Comparison('atLeast', [value])
export const between = <T>(from: T, to: T): Comparison<T> => new Comparison('between', [from, to])
export const oneOf = <const T>(...values: readonly T[]): Comparison<T> => new Comparison('oneOf', values)
export const beginsWith = (text: string): Comparison<string> => new Comparison('begins', [text])
/** A string that contains this text, or a set or list that contains this element. */
export const contains = <T>(element: T): Comparison<Containing<T>> => new Comparison('contains', [element])
export const exists = (): Comparison<never> => new Comparison('exists', [])
export const absent = (): Comparison<never> => new Comparison('absent', [])

/** What `contains` can be asked of. */
export interface Containing<T> {
  readonly containing: T
}

/** At least one of these conditions holds: `{ if: anyOf({ status: 'OPEN' }, { total: atMost(0) }) }`. */
export class AnyOf<C> {
  readonly conditions: readonly C[]

  constructor(conditions: readonly C[]) {
    this.conditions = conditions
  }
}

export const anyOf = <C extends object>(...conditions: readonly C[]): AnyOf<C> => new AnyOf(conditions)

/** A change other than "set to this value": `update(key, { stock: subtract(1) })`. Done by the database, so that nobody
 *  else's change is lost. */
export class Change<K extends ChangeKind, T> {
  declare readonly $: T
  readonly kind: K
  readonly operand: unknown

  constructor(kind: K, operand: unknown) {
    this.kind = kind
    this.operand = operand
  }
}

export type ChangeKind = 'add' | 'append' | 'prepend' | 'addToSet' | 'removeFromSet' | 'remove' | 'ifAbsent'

/** An atomic counter. An absent number counts as 0. */
export const add = <T extends number | bigint>(amount: T): Change<'add', T> => new Change('add', amount)
export const subtract = <T extends number | bigint>(amount: T): Change<'add', T> => new Change('add', -amount)
/** At the end of a list; an absent list counts as empty. */
export const append = <T>(...elements: readonly T[]): Change<'append', T> => new Change('append', elements)
export const prepend = <T>(...elements: readonly T[]): Change<'prepend', T> => new Change('prepend', elements)
export const addToSet = <T>(...elements: readonly T[]): Change<'addToSet', T> => new Change('addToSet', elements)
export const removeFromSet = <T>(...elements: readonly T[]): Change<'removeFromSet', T> =>
  new Change('removeFromSet', elements)
/** Takes an optional attribute away. */
export const remove = (): Change<'remove', never> => new Change('remove', undefined)
/** Sets the attribute only if it has no value yet. */
export const ifAbsent = <T>(value: T): Change<'ifAbsent', T> => new Change('ifAbsent', value)

/** A pattern of EventBridge: names lead to patterns, and in the end to lists of tests of which one must hold. */
export interface ObjectPattern {
  readonly kind: 'object'
  readonly members: readonly (readonly [name: string, pattern: Pattern])[]
  /** Of each list, one must hold as well. */
  readonly alternatives: readonly (readonly ObjectPattern[])[]
}

export interface LeafPattern {
  readonly kind: 'leaf'
  readonly tests: readonly Test[]
}

export type Pattern = ObjectPattern | LeafPattern

/** What a value of an event is tested for. */
export type Test =
  | { readonly kind: 'equals'; readonly value: string | number | boolean | null }
  | { readonly kind: 'exists'; readonly isThere: boolean }
  | { readonly kind: 'text'; readonly match: (text: string) => boolean }
  | { readonly kind: 'number'; readonly match: (value: number) => boolean }
  /** Holds for every value for which none of the tests does. */
  | { readonly kind: 'none'; readonly of: readonly Test[] }

export class PatternError extends Error {
  override readonly name = 'PatternError'
}

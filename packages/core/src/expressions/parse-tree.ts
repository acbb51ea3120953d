import type { Comparator, Path } from './syntax.ts'

/** Trees as they are parsed and cached: placeholders are still placeholders, for each request has its own. */

export type ParsedPart =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'alias'; readonly alias: string }
  | { readonly kind: 'index'; readonly index: number; readonly text: string }

export interface ParsedPath {
  readonly kind: 'path'
  readonly parts: readonly ParsedPart[]
  /** The resolved path, where the text has no alias in it. */
  readonly fixed: Path | undefined
}

export interface ParsedPlaceholder {
  readonly kind: 'placeholder'
  readonly placeholder: string
}

export interface ParsedCall {
  readonly kind: 'call'
  readonly name: string
  readonly operands: readonly ParsedOperand[]
}

export type ParsedOperand = ParsedPath | ParsedPlaceholder | ParsedCall

export type ParsedCondition =
  | { readonly kind: 'and'; readonly terms: readonly ParsedCondition[] }
  | { readonly kind: 'or'; readonly terms: readonly ParsedCondition[] }
  | { readonly kind: 'not'; readonly term: ParsedCondition }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: ParsedOperand
      readonly right: ParsedOperand
    }
  | {
      readonly kind: 'between'
      readonly operand: ParsedOperand
      readonly lower: ParsedOperand
      readonly upper: ParsedOperand
    }
  | { readonly kind: 'in'; readonly operand: ParsedOperand; readonly candidates: readonly ParsedOperand[] }
  | ParsedCall

export interface ParsedArithmetic {
  readonly kind: 'arithmetic'
  readonly operator: '+' | '-'
  readonly left: ParsedOperand
  readonly right: ParsedOperand
}

export type ParsedUpdateValue = ParsedOperand | ParsedArithmetic

export type ParsedAction =
  | { readonly kind: 'set'; readonly path: ParsedPath; readonly value: ParsedUpdateValue }
  | { readonly kind: 'remove'; readonly path: ParsedPath }
  | { readonly kind: 'add' | 'delete'; readonly path: ParsedPath; readonly value: ParsedPlaceholder }

export type Section = 'SET' | 'REMOVE' | 'ADD' | 'DELETE'

export interface ParsedClause {
  readonly section: Section
  readonly actions: readonly ParsedAction[]
}

export interface ParsedUpdate {
  readonly clauses: readonly ParsedClause[]
}

export interface ParsedProjection {
  readonly paths: readonly ParsedPath[]
}

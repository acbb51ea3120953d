import type { Comparator } from '../expressions/syntax.ts'
import type { Position } from './tokens.ts'

/** Statements as they are written: names, values and tables are resolved later. */

export type Expression =
  | Literal
  | { readonly kind: 'parameter'; readonly index: number; readonly at: Position }
  | PathExpression
  | CallExpression
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Expression[] }
  | { readonly kind: 'not'; readonly term: Expression }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'between'
      readonly operand: Expression
      readonly lower: Expression
      readonly upper: Expression
    }
  | { readonly kind: 'in'; readonly operand: Expression; readonly candidates: Expression }
  /** `typeName` in lower case. */
  | { readonly kind: 'is'; readonly operand: Expression; readonly typeName: string }
  /** Arithmetic, and what of SQL has no meaning here. */
  | {
      readonly kind: 'operation'
      readonly operator: string
      readonly operands: readonly Expression[]
      readonly at: Position
    }
  | { readonly kind: 'star'; readonly at: Position }
  | { readonly kind: 'select'; readonly select: Select; readonly at: Position }

export type Literal =
  | { readonly kind: 'string'; readonly text: string; readonly at: Position }
  | { readonly kind: 'number'; readonly text: string; readonly at: Position }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: Position }
  | { readonly kind: 'null' | 'missing'; readonly at: Position }
  | { readonly kind: 'list'; readonly elements: readonly Expression[]; readonly at: Position }
  | { readonly kind: 'bag'; readonly elements: readonly Expression[]; readonly at: Position }
  | {
      readonly kind: 'tuple'
      readonly entries: readonly (readonly [name: Expression, value: Expression])[]
      readonly at: Position
    }

export interface PathExpression {
  readonly kind: 'path'
  readonly parts: readonly PathPart[]
  /** Of its first name. */
  readonly at: Position
}

export type PathPart =
  | { readonly kind: 'name'; readonly name: string }
  /** A sign is part of `text`, though not of what `at` counts. */
  | { readonly kind: 'index'; readonly text: string; readonly at: Position }
  | { readonly kind: 'unexpected'; readonly at: Position }

export interface CallExpression {
  readonly kind: 'call'
  /** In lower case. */
  readonly name: string
  readonly operands: readonly Expression[]
  readonly at: Position
}

/** What a statement reads or changes: a table, or `"table"."index"`. */
export interface Target {
  readonly path: Expression
  readonly aliased: boolean
}

export interface OrderTerm {
  readonly expression: Expression
  readonly descending: boolean
}

export interface Select {
  readonly columns: readonly Column[]
  readonly from: Target
  readonly where: Expression | undefined
  readonly orderBy: readonly OrderTerm[]
  /** A clause of SQL that the service does not know. */
  readonly unsupportedClause: string | undefined
}

export interface Column {
  readonly expression: Expression
  readonly aliased: boolean
}

export type Change =
  | { readonly kind: 'set'; readonly path: PathExpression; readonly value: Expression }
  | { readonly kind: 'remove'; readonly path: PathExpression }

export interface Returning {
  readonly what: 'ALL' | 'MODIFIED'
  readonly when: 'OLD' | 'NEW'
}

export type Statement =
  | { readonly kind: 'select'; readonly select: Select }
  | { readonly kind: 'exists'; readonly select: Select }
  | { readonly kind: 'insert'; readonly target: Target; readonly value: Expression }
  | {
      readonly kind: 'update'
      readonly target: Target
      readonly changes: readonly Change[]
      readonly where: Expression | undefined
      readonly returning: Returning | undefined
    }
  | {
      readonly kind: 'delete'
      readonly target: Target
      readonly where: Expression | undefined
      readonly returning: Returning | undefined
    }
  /** Well formed PartiQL that is no statement for a table. */
  | { readonly kind: 'unsupported'; readonly operation: string }

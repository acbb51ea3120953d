/** A policy as it is written, with its lists made uniform: one statement or many, one value or many. */
export interface PolicyDocument {
  readonly version: '2008-10-17' | '2012-10-17'
  readonly id?: string
  readonly statements: readonly Statement[]
}

export interface Statement {
  readonly sid?: string
  readonly effect: 'Allow' | 'Deny'
  readonly action: Patterns
  /** A trust policy has none: it is about the role that it belongs to. */
  readonly resource?: Patterns
  /** Only policies of resources say whom they are about. */
  readonly principal?: PrincipalElement
  readonly conditions: readonly ConditionElement[]
}

/** `Action` or `NotAction`, `Resource` or `NotResource`. */
export interface Patterns {
  readonly negated: boolean
  readonly patterns: readonly string[]
}

/** `Principal` or `NotPrincipal`. */
export interface PrincipalElement {
  readonly negated: boolean
  /** `"*"` or `{"AWS": "*"}`. */
  readonly everyone: boolean
  /** ARNs, account ids and unique ids under `AWS`. */
  readonly aws: readonly string[]
  /** `Service`, `Federated` and `CanonicalUser`, which are nobody here. */
  readonly others: readonly { readonly kind: string; readonly values: readonly string[] }[]
}

/** One key of one operator of `Condition`. */
export interface ConditionElement {
  readonly operator: ConditionOperator
  readonly quantifier?: 'ForAllValues' | 'ForAnyValue'
  readonly ifExists: boolean
  readonly key: string
  readonly values: readonly string[]
}

export const conditionOperators = [
  'StringEquals',
  'StringNotEquals',
  'StringEqualsIgnoreCase',
  'StringNotEqualsIgnoreCase',
  'StringLike',
  'StringNotLike',
  'NumericEquals',
  'NumericNotEquals',
  'NumericLessThan',
  'NumericLessThanEquals',
  'NumericGreaterThan',
  'NumericGreaterThanEquals',
  'DateEquals',
  'DateNotEquals',
  'DateLessThan',
  'DateLessThanEquals',
  'DateGreaterThan',
  'DateGreaterThanEquals',
  'Bool',
  'BinaryEquals',
  'IpAddress',
  'NotIpAddress',
  'ArnEquals',
  'ArnLike',
  'ArnNotEquals',
  'ArnNotLike',
  'Null',
] as const

export type ConditionOperator = (typeof conditionOperators)[number]

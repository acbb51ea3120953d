import { compileArn } from './compile-arn.ts'
import { compileText, resolveText, type MatchText } from './compile-text.ts'
import { isInRange, readIpAddress, readIpRange } from './ip-range.ts'
import { readPolicyDate } from './policy-date.ts'
import type { ConditionOperator } from './policy-document.ts'
import { textTokens } from './text-tokens.ts'

/** One test for each value of a condition, without the operator's negation. */
export function compileMatchers(
  operator: Exclude<ConditionOperator, 'Null'>,
  values: readonly string[],
  variables: boolean,
): readonly MatchText[] {
  switch (operator) {
    case 'StringEquals':
    case 'StringNotEquals':
      return values.map((value) => compileText(value, { variables, wildcards: false }))
    case 'StringEqualsIgnoreCase':
    case 'StringNotEqualsIgnoreCase':
      return values.map((value) => ignoringCase(value, variables))
    case 'StringLike':
    case 'StringNotLike':
      return values.map((value) => compileText(value, { variables, wildcards: true }))
    case 'ArnEquals':
    case 'ArnLike':
    case 'ArnNotEquals':
    case 'ArnNotLike':
      return values.map((value) => compileArn(value, { variables, wildcards: true }))
    case 'Bool':
      return values.map((value) => ignoringCase(value, variables))
    case 'BinaryEquals':
      return values.map((value) => binary(value))
    case 'IpAddress':
    case 'NotIpAddress':
      return values.map((value) => address(value))
    case 'NumericEquals':
    case 'NumericNotEquals':
    case 'NumericLessThan':
    case 'NumericLessThanEquals':
    case 'NumericGreaterThan':
    case 'NumericGreaterThanEquals':
    case 'DateEquals':
    case 'DateNotEquals':
    case 'DateLessThan':
    case 'DateLessThanEquals':
    case 'DateGreaterThan':
    case 'DateGreaterThanEquals':
      return values.map((value) => ordered(operator, value))
  }
}

function ignoringCase(value: string, variables: boolean): MatchText {
  const tokens = textTokens(value, { variables, wildcards: false })
  return (text, context) => resolveText(tokens, context)?.toLowerCase() === text.toLowerCase()
}

function binary(value: string): MatchText {
  const bytes = Buffer.from(value, 'base64')
  return (text) => bytes.equals(Buffer.from(text, 'base64'))
}

function address(value: string): MatchText {
  const range = readIpRange(value)
  if (range === undefined) return () => false
  return (text) => {
    const sent = readIpAddress(text)
    return sent !== undefined && isInRange(range, sent)
  }
}

type OrderedOperator = Extract<ConditionOperator, `Numeric${string}` | `Date${string}`>

function ordered(operator: OrderedOperator, value: string): MatchText {
  const read = operator.startsWith('Date') ? readPolicyDate : readNumber
  const wanted = read(value)
  if (wanted === undefined) return () => false
  const compare = comparisons[operator.replace(/^(Numeric|Date)/, '') as keyof typeof comparisons]
  return (text) => {
    const sent = read(text)
    return sent !== undefined && compare(sent, wanted)
  }
}

/** `NotEquals` is the negation of what stands here. */
const comparisons = {
  Equals: (sent: number, wanted: number) => sent === wanted,
  NotEquals: (sent: number, wanted: number) => sent === wanted,
  LessThan: (sent: number, wanted: number) => sent < wanted,
  LessThanEquals: (sent: number, wanted: number) => sent <= wanted,
  GreaterThan: (sent: number, wanted: number) => sent > wanted,
  GreaterThanEquals: (sent: number, wanted: number) => sent >= wanted,
}

function readNumber(text: string): number | undefined {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : undefined
}

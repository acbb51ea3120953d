import type { ServiceError } from '../errors.ts'
import { unreachable, validationException } from '../errors.ts'
import type { AttributeType, AttributeValue } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import { compareScalars } from '../values/compare-values.ts'
import { assertAttributeName, readAttributeValue } from '../values/read-attribute-value.ts'
import type { AskedTerm, Condition, KeyOperator, Operand, Path } from './syntax.ts'

/** The forms of conditions from before expressions existed, translated to the same trees. The request was checked
 *  against the API model, so types and names of operators are valid. */

export type LegacyOperator =
  | 'EQ'
  | 'NE'
  | 'IN'
  | 'LE'
  | 'LT'
  | 'GE'
  | 'GT'
  | 'BETWEEN'
  | 'NOT_NULL'
  | 'NULL'
  | 'CONTAINS'
  | 'NOT_CONTAINS'
  | 'BEGINS_WITH'

/** A member of QueryFilter, ScanFilter or KeyConditions. */
export interface LegacyCondition {
  readonly ComparisonOperator: LegacyOperator
  readonly AttributeValueList?: readonly unknown[] | null
}

/** A member of Expected. */
export interface LegacyExpectation {
  readonly ComparisonOperator?: LegacyOperator | null
  readonly AttributeValueList?: readonly unknown[] | null
  readonly Value?: unknown
  readonly Exists?: boolean | null
}

export type ConditionalOperator = 'AND' | 'OR'

/** QueryFilter and ScanFilter. An empty filter matches everything and is undefined. */
export function legacyFilter(
  filter: Readonly<Record<string, LegacyCondition>>,
  conditionalOperator: ConditionalOperator | null | undefined,
): Condition | undefined {
  const terms = Object.entries(filter).map(([attribute, condition]) => {
    assertAttributeName(attribute)
    const values = readValues(condition.AttributeValueList)
    assertOperands(condition.ComparisonOperator, values)
    return translate(attribute, condition.ComparisonOperator, values)
  })
  return combined(terms, conditionalOperator)
}

export function legacyExpected(
  expected: Readonly<Record<string, LegacyExpectation>>,
  conditionalOperator: ConditionalOperator | null | undefined,
): Condition | undefined {
  const terms = Object.entries(expected).map(([attribute, expectation]) => readExpectation(attribute, expectation))
  return combined(terms, conditionalOperator)
}

const keyOperators: Readonly<Partial<Record<LegacyOperator, KeyOperator>>> = {
  EQ: '=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  BETWEEN: 'BETWEEN',
  BEGINS_WITH: 'begins_with',
}

/** KeyConditions. */
export function legacyKeyTerms(conditions: Readonly<Record<string, LegacyCondition>>): readonly AskedTerm[] {
  return Object.entries(conditions).map(([attribute, condition]) => {
    const values = readValues(condition.AttributeValueList)
    assertOperands(condition.ComparisonOperator, values)
    return { attribute, operator: keyOperators[condition.ComparisonOperator], values }
  })
}

function readExpectation(attribute: string, expectation: LegacyExpectation): Condition {
  assertAttributeName(attribute)
  const { ComparisonOperator: operator, AttributeValueList: list, Value: value, Exists: exists } = expectation
  if (isPresent(list) && isPresent(value)) {
    throw invalidParameter(`Value and AttributeValueList cannot be used together for Attribute: ${attribute}`)
  }
  if (isPresent(operator)) {
    if (isPresent(exists)) {
      throw invalidParameter(`Exists and ComparisonOperator cannot be used together for Attribute: ${attribute}`)
    }
    if (!isPresent(list) && !isPresent(value) && operator !== 'NULL' && operator !== 'NOT_NULL') {
      throw invalidParameter(
        `Value or AttributeValueList must be used with ComparisonOperator: ${operator} for Attribute: ${attribute}`,
      )
    }
    const values = readValues(list ?? (isPresent(value) ? [value] : []))
    assertOperands(operator, values)
    return translate(attribute, operator, values)
  }
  if (isPresent(list)) {
    throw invalidParameter(
      `AttributeValueList can only be used with a ComparisonOperator for Attribute: ${attribute}`,
    )
  }
  return readExistence(attribute, value, exists)
}

function readExistence(attribute: string, value: unknown, exists: boolean | null | undefined): Condition {
  if (exists === false) {
    if (isPresent(value)) {
      throw invalidParameter(`Value cannot be used when Exists is false for Attribute: ${attribute}`)
    }
    return translate(attribute, 'NULL', [])
  }
  if (!isPresent(value)) {
    throw invalidParameter(
      `Value must be provided when Exists is ${String(exists ?? null)} for Attribute: ${attribute}`,
    )
  }
  return translate(attribute, 'EQ', [readAttributeValue(value)])
}

function readValues(list: readonly unknown[] | null | undefined): readonly AttributeValue[] {
  return (list ?? []).map((raw) => readAttributeValue(raw))
}

const scalars: ReadonlySet<AttributeType> = new Set(['S', 'N', 'B'])
const soughtTypes: ReadonlySet<AttributeType> = new Set(['S', 'N', 'B', 'BOOL', 'NULL'])
const prefixTypes: ReadonlySet<AttributeType> = new Set(['S', 'B'])

/** For each operator how many values it takes, and of which types if not of all. */
const operandRules: Readonly<
  Record<LegacyOperator, { least: number; most: number; types?: ReadonlySet<AttributeType> }>
> = {
  NULL: { least: 0, most: 0 },
  NOT_NULL: { least: 0, most: 0 },
  EQ: { least: 1, most: 1 },
  NE: { least: 1, most: 1 },
  LE: { least: 1, most: 1, types: scalars },
  LT: { least: 1, most: 1, types: scalars },
  GE: { least: 1, most: 1, types: scalars },
  GT: { least: 1, most: 1, types: scalars },
  CONTAINS: { least: 1, most: 1, types: soughtTypes },
  NOT_CONTAINS: { least: 1, most: 1, types: soughtTypes },
  BEGINS_WITH: { least: 1, most: 1, types: prefixTypes },
  IN: { least: 1, most: Infinity, types: scalars },
  BETWEEN: { least: 2, most: 2, types: scalars },
}

function assertOperands(operator: LegacyOperator, values: readonly AttributeValue[]): void {
  const rule = operandRules[operator]
  if (values.length < rule.least || values.length > rule.most) {
    throw invalidParameter(`Invalid number of argument(s) for the ${operator} ComparisonOperator`)
  }
  const types = new Set(values.map(typeOf))
  if (types.size > 1) {
    throw invalidParameter('AttributeValues inside AttributeValueList must be of same type')
  }
  for (const type of types) {
    if (rule.types === undefined || rule.types.has(type)) continue
    throw invalidParameter(`ComparisonOperator ${operator} is not valid for ${type} AttributeValue type`)
  }
  const [lower, upper] = values
  if (operator !== 'BETWEEN' || lower === undefined || upper === undefined) return
  if ((compareScalars(lower, upper) ?? 0) > 0) {
    throw validationException(
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    )
  }
}

function translate(attribute: string, operator: LegacyOperator, values: readonly AttributeValue[]): Condition {
  const path: Path = [{ kind: 'name', name: attribute }]
  const left: Operand = { kind: 'path', path }
  const operands = values.map((value): Operand => ({ kind: 'value', value }))
  const right = operands[0] ?? left
  switch (operator) {
    case 'EQ':
      return { kind: 'compare', operator: '=', left, right }
    case 'NE':
      return { kind: 'compare', operator: '<>', left, right }
    case 'LT':
      return { kind: 'compare', operator: '<', left, right }
    case 'LE':
      return { kind: 'compare', operator: '<=', left, right }
    case 'GT':
      return { kind: 'compare', operator: '>', left, right }
    case 'GE':
      return { kind: 'compare', operator: '>=', left, right }
    case 'NULL':
      return { kind: 'attribute_not_exists', path }
    case 'NOT_NULL':
      return { kind: 'attribute_exists', path }
    case 'CONTAINS':
      return { kind: 'contains', operand: left, sought: right }
    case 'NOT_CONTAINS': {
      // Unlike NE, NOT_CONTAINS is false for an attribute that is missing.
      const contains: Condition = { kind: 'contains', operand: left, sought: right }
      return {
        kind: 'and',
        terms: [
          { kind: 'attribute_exists', path },
          { kind: 'not', term: contains },
        ],
      }
    }
    case 'BEGINS_WITH':
      return { kind: 'begins_with', operand: left, prefix: right }
    case 'IN':
      return { kind: 'in', operand: left, candidates: operands }
    case 'BETWEEN':
      return { kind: 'between', operand: left, lower: right, upper: operands[1] ?? right }
    default:
      return unreachable(operator)
  }
}

function combined(
  terms: readonly Condition[],
  conditionalOperator: ConditionalOperator | null | undefined,
): Condition | undefined {
  if (terms.length < 2) return terms[0]
  return { kind: conditionalOperator === 'OR' ? 'or' : 'and', terms }
}

function isPresent<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}

function invalidParameter(problem: string): ServiceError {
  return validationException(`One or more parameter values were invalid: ${problem}`)
}

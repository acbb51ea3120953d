import { ServiceError, unreachable, validationException } from '../errors.ts'
import { limits } from '../limits.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { setAttribute } from '../values/attribute-value.ts'
import { readAttributeValue } from '../values/read-attribute-value.ts'
import { numberValue } from '../values/number-value.ts'
import { refusedAt } from './statement-errors.ts'
import type { Expression } from './syntax.ts'

/** The value that a literal or a parameter stands for. */
export function literalValue(expression: Expression, parameters: readonly AttributeValue[]): AttributeValue {
  return expression.kind === 'parameter' ? parameterAt(expression.index, parameters) : valueUnder(expression, [])
}

const literalKinds: ReadonlySet<Expression['kind']> = new Set([
  'string',
  'number',
  'boolean',
  'null',
  'list',
  'bag',
  'tuple',
  'parameter',
])

export function isLiteral(expression: Expression): boolean {
  return literalKinds.has(expression.kind)
}

function parameterAt(index: number, parameters: readonly AttributeValue[]): AttributeValue {
  const value = parameters[index]
  if (value === undefined) throw validationException("Number of parameters in request and statement don't match.")
  return value
}

/** Recursion is bounded: `keys` leads from the root to the value, and may be no longer than values may nest. */
function valueUnder(expression: Expression, keys: readonly string[]): AttributeValue {
  if (keys.length >= limits.nestingLevels) {
    throw validationException(`Nesting Levels have exceeded supported limits under ${keyText(keys)}`)
  }
  switch (expression.kind) {
    case 'string':
      return { S: expression.text }
    case 'number':
      return { N: numberUnder(expression.text, keys) }
    case 'boolean':
      return { BOOL: expression.value }
    case 'null':
      return { NULL: true }
    case 'list':
      return { L: expression.elements.map((element, index) => valueUnder(element, [...keys, `[${index}]`])) }
    case 'tuple':
      return { M: entriesUnder(expression.entries, keys) }
    case 'bag':
      return setUnder(expression.elements, keys)
    case 'missing':
    case 'parameter':
    case 'path':
    case 'call':
    case 'operation':
    case 'star':
    case 'select':
      throw refusedAt(
        `Unsupported data type: ${dataTypeName(expression)} under key ${keyText(keys)}`,
        expression.at,
      )
    case 'and':
    case 'or':
    case 'not':
    case 'compare':
    case 'between':
    case 'in':
    case 'is':
      throw validationException(`Unsupported data type: NAry under key ${keyText(keys)}`)
    default:
      return unreachable(expression)
  }
}

function entriesUnder(
  entries: readonly (readonly [Expression, Expression])[],
  keys: readonly string[],
): Readonly<Record<string, AttributeValue>> {
  const values: Record<string, AttributeValue> = {}
  for (const [name, value] of entries) {
    if (name.kind !== 'string') throw validationException('Keys of a tuple must be string literals')
    setAttribute(values, name.text, valueUnder(value, [...keys, `.${name.text}`]))
  }
  return values
}

function numberUnder(text: string, keys: readonly string[]): string {
  try {
    return numberValue(text)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw validationException(`${error.message} under ${keyText(keys)}`)
  }
}

function setUnder(elements: readonly Expression[], keys: readonly string[]): AttributeValue {
  if (elements.length === 0) throw validationException('Empty bags are not supported')
  const texts = elements.map((element) => ('text' in element ? element.text : ''))
  if (elements.every(({ kind }) => kind === 'string')) return readAttributeValue({ SS: texts })
  if (!elements.every(({ kind }) => kind === 'number')) {
    throw validationException(
      'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags',
    )
  }
  const numbers = texts.map((text) => numberUnder(text, keys))
  if (new Set(numbers).size < numbers.length) {
    throw validationException(
      `One or more parameter values were invalid: Input collection [${texts.join(', ')}] contains duplicates! under ${keyText(keys)}`,
    )
  }
  return { NS: numbers }
}

function keyText(keys: readonly string[]): string {
  return `root${keys.join('')}`
}

const dataTypeNames: Readonly<Partial<Record<Expression['kind'], string>>> = {
  parameter: 'Parameter',
  path: 'VariableReference',
  missing: 'LiteralMissing',
  select: 'Select',
}

function dataTypeName(expression: Expression): string {
  return expression.kind === 'call' ? expression.name : (dataTypeNames[expression.kind] ?? 'NAry')
}

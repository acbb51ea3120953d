import { blockContains } from './address-block.ts'
import { PatternError, type ObjectPattern, type Pattern, type Test } from './pattern.ts'
import { wildcard } from './wildcard.ts'

const deepest = 60
/** So many combinations of `$or` are allowed. */
const mostCombinations = 1_000
const largestNumber = 5_000_000_000

type Json = Readonly<Record<string, unknown>>

/** Reads a pattern in the language of EventBridge. Throws a PatternError for what is none. */
export function readPattern(text: string): ObjectPattern {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new PatternError('It is not valid JSON.')
  }
  const pattern = readObject(value, 0)
  if (combinationsOf(pattern) > mostCombinations) throw new PatternError('It has too many combinations of $or.')
  return pattern
}

function readObject(value: unknown, depth: number): ObjectPattern {
  if (!isObject(value)) throw new PatternError('It must be an object.')
  if (depth > deepest) throw new PatternError('It is nested too deeply.')
  const members: [string, Pattern][] = []
  const alternatives: (readonly ObjectPattern[])[] = []
  for (const [name, member] of Object.entries(value)) {
    // A list of anything but objects is an attribute of that name.
    if (name === '$or' && Array.isArray(member) && member.length >= 2 && member.every(isAlternative))
      alternatives.push(member.map((choice) => readObject(choice, depth + 1)))
    else members.push([name, readMember(name, member, depth + 1)])
  }
  return { kind: 'object', members, alternatives }
}

function isAlternative(value: unknown): boolean {
  return isObject(value) && !Object.keys(value).some((name) => operators.has(name))
}

function readMember(name: string, value: unknown, depth: number): Pattern {
  if (isObject(value)) return readObject(value, depth)
  if (!Array.isArray(value)) throw new PatternError(`"${name}" must be an object or an array.`)
  if (value.length === 0) throw new PatternError(`"${name}" is an empty array.`)
  return { kind: 'leaf', tests: value.map((test) => readTest(test)) }
}

function readTest(value: unknown): Test {
  if (isScalar(value)) return { kind: 'equals', value }
  const [operator, operand] = onlyMember(value)
  const read = operators.get(operator)
  if (read === undefined) throw new PatternError(`Unrecognized match type ${operator}.`)
  return read(operand)
}

const operators: ReadonlyMap<string, (operand: unknown) => Test> = new Map<string, (operand: unknown) => Test>([
  ['prefix', (operand) => affix(operand, 'prefix')],
  ['suffix', (operand) => affix(operand, 'suffix')],
  ['equals-ignore-case', (operand) => equalsIgnoringCase(requireText(operand, 'equals-ignore-case'))],
  ['wildcard', (operand) => ({ kind: 'text', match: wildcard(requireText(operand, 'wildcard')) })],
  ['numeric', numeric],
  ['exists', exists],
  ['cidr', (operand) => ({ kind: 'text', match: blockContains(requireText(operand, 'cidr')) })],
  ['anything-but', anythingBut],
])

function affix(operand: unknown, which: 'prefix' | 'suffix'): Test {
  if (isObject(operand)) {
    const [operator, inner] = onlyMember(operand)
    if (operator !== 'equals-ignore-case') throw new PatternError(`${which} does not take ${operator}.`)
    const wanted = requireText(inner, which).toLowerCase()
    return { kind: 'text', match: (text) => hasAffix(text.toLowerCase(), wanted, which) }
  }
  const wanted = requireText(operand, which)
  return { kind: 'text', match: (text) => hasAffix(text, wanted, which) }
}

function hasAffix(text: string, wanted: string, which: 'prefix' | 'suffix'): boolean {
  return which === 'prefix' ? text.startsWith(wanted) : text.endsWith(wanted)
}

function equalsIgnoringCase(wanted: string): Test {
  const lower = wanted.toLowerCase()
  return { kind: 'text', match: (text) => text.toLowerCase() === lower }
}

function exists(operand: unknown): Test {
  if (typeof operand !== 'boolean') throw new PatternError('exists must be true or false.')
  return { kind: 'exists', isThere: operand }
}

/** Values, or one of the operators for text with one or several values. */
function anythingBut(operand: unknown): Test {
  if (isObject(operand)) {
    const [operator, inner] = onlyMember(operand)
    const read = operators.get(operator)
    if (read === undefined || !excluding.has(operator))
      throw new PatternError(`anything-but does not take ${operator}.`)
    return { kind: 'none', of: listOf(inner).map((one) => read(one)) }
  }
  const values = listOf(operand)
  if (!values.every((value) => typeof value === 'string') && !values.every((value) => typeof value === 'number'))
    throw new PatternError('anything-but takes text or numbers.')
  return { kind: 'none', of: values.map((value): Test => ({ kind: 'equals', value })) }
}

const excluding = new Set(['prefix', 'suffix', 'equals-ignore-case', 'wildcard'])

type Comparison = (value: number, bound: number) => boolean

const comparisons = new Map<unknown, Comparison>([
  ['<', (value, bound) => value < bound],
  ['<=', (value, bound) => value <= bound],
  ['=', (value, bound) => value === bound],
  ['>=', (value, bound) => value >= bound],
  ['>', (value, bound) => value > bound],
])

/** One bound, or a lower one and then an upper one. */
function numeric(operand: unknown): Test {
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4))
    throw new PatternError('numeric takes one or two comparisons.')
  const [first, low, second, high] = operand as readonly unknown[]
  const lower = comparison(first, low)
  if (operand.length === 2) return { kind: 'number', match: lower }
  if (!['>', '>='].includes(String(first)) || !['<', '<='].includes(String(second)))
    throw new PatternError('A numeric range has its lower bound first.')
  const upper = comparison(second, high)
  if (!(Number(low) < Number(high))) throw new PatternError('The bottom of a numeric range must be below its top.')
  return { kind: 'number', match: (value) => lower(value) && upper(value) }
}

function comparison(operator: unknown, bound: unknown): (value: number) => boolean {
  const compare = comparisons.get(operator)
  if (compare === undefined) throw new PatternError(`Unrecognized numeric operator ${String(operator)}.`)
  if (typeof bound !== 'number' || Math.abs(bound) > largestNumber)
    throw new PatternError('A numeric bound must be a number between -5.0e9 and 5.0e9.')
  return (value) => compare(value, bound)
}

function listOf(value: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length === 0) throw new PatternError('An empty array matches nothing.')
  return list
}

function requireText(value: unknown, operator: string): string {
  if (typeof value !== 'string') throw new PatternError(`${operator} takes text.`)
  return value
}

function onlyMember(value: unknown): readonly [name: string, member: unknown] {
  const entries = isObject(value) ? Object.entries(value) : []
  const [entry] = entries
  if (entry === undefined || entries.length > 1)
    throw new PatternError('A match expression has exactly one operator.')
  return entry
}

function combinationsOf(pattern: Pattern): number {
  if (pattern.kind === 'leaf') return 1
  let product = 1
  for (const [, member] of pattern.members) product *= combinationsOf(member)
  for (const choices of pattern.alternatives)
    product *= choices.reduce((sum, choice) => sum + combinationsOf(choice), 0)
  return product
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { describe, expect, test } from 'vitest'
import { compileCondition } from './compile-condition.ts'
import { ExpressionScope } from './expression-scope.ts'
import type { Condition } from './syntax.ts'

function compile(
  text: string,
  values?: Readonly<Record<string, unknown>>,
  names?: Readonly<Record<string, string>>,
): Condition {
  return compileCondition(text, 'FilterExpression', new ExpressionScope(names, values))
}

function refusal(
  text: string,
  values?: Readonly<Record<string, unknown>>,
  names?: Readonly<Record<string, string>>,
): string {
  try {
    compile(text, values, names)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'accepted'
}

const a = { kind: 'path', path: [{ kind: 'name', name: 'a' }] }
const b = { kind: 'path', path: [{ kind: 'name', name: 'b' }] }
const c = { kind: 'path', path: [{ kind: 'name', name: 'c' }] }
const aEqualsB = { kind: 'compare', operator: '=', left: a, right: b }
const aLessC = { kind: 'compare', operator: '<', left: a, right: c }

describe('syntax', () => {
  test('AND binds stronger than OR, NOT strongest', () => {
    expect(compile('a = b OR NOT a = b AND a < c')).toEqual({
      kind: 'or',
      terms: [aEqualsB, { kind: 'and', terms: [{ kind: 'not', term: aEqualsB }, aLessC] }],
    })
  })

  test('parentheses group conditions', () => {
    expect(compile('(a = b OR (a < c)) AND a = b')).toEqual({
      kind: 'and',
      terms: [{ kind: 'or', terms: [aEqualsB, aLessC] }, aEqualsB],
    })
  })

  test.each(['a=b', ' ( a ) = ( b ) ', '(a = b)', '((a) = b)', '(a=(b))', '\n#a\t= #b\r'])(
    '%j is one comparison',
    (text) => {
      const names = text.includes('#') ? { '#a': 'a', '#b': 'b' } : undefined
      expect(compile(text, undefined, names)).toEqual(aEqualsB)
    },
  )

  test('the AND of BETWEEN is not the logical one', () => {
    expect(compile('a BETWEEN b AND c AND a = b')).toEqual({
      kind: 'and',
      terms: [{ kind: 'between', operand: a, lower: b, upper: c }, aEqualsB],
    })
  })

  test.each([
    ['foo', '<EOF>', 'foo'],
    ['things are not gonna be ok', 'are', 'things are not'],
    ['a > 4', '4', '> 4'],
    ['attribute_exists(Pictures-RearView)', '-', 'Pictures-RearView'],
    ['attribute_exists(', '<EOF>', '('],
    ['attribute_exists()', ')', '()'],
    ['attribute_exists(Pictures..RearView)', '.', '..RearView'],
    ['a in b, c', 'b', 'in b,'],
    ['a in (b,c,)', ')', ',)'],
    ['a > between', 'between', '> between'],
    ['(a)between(b.(c.d))and(c)', '(', '.(c'],
    ['b[:a] > a', ':a', '[:a]'],
    ['a.b[01] = c', '1', '01]'],
    ['ü > a', 'ü', 'ü >'],
    ['size(a).b > a', '.', ').b'],
    ['(size(a))[0] > a', '[', ')[0'],
    ['tenantAgent:abc123-4', ':abc123', 'tenantAgent:abc123-'],
    ['#articleId attribute_not_exists :x', 'attribute_not_exists', '#articleId attribute_not_exists :x'],
    ['contains (themes, :theme', '<EOF>', ':theme'],
    ['(NOT a)', ')', 'a)'],
    ['a AND b = c', 'AND', 'a AND b'],
    ['(a = b AND c)', ')', 'c)'],
    ['(a)', '<EOF>', ')'],
    ['a = b)', ')', 'b)'],
    ['(a = b) = c', '=', ') = c'],
    ['set = a', 'set', 'set ='],
    ['', '', ''],
  ])('%j is refused at %j', (text, token, near) => {
    const problem =
      text === '' ? 'The expression can not be empty;' : `Syntax error; token: "${token}", near: "${near}"`
    expect(refusal(text)).toBe(`Invalid FilterExpression: ${problem}`)
  })

  test.each([
    'a=a and a > ((views))',
    '(a)between(((b.c)).d)and(c)',
    'a > whatever((:things), ((a)))',
    'a=a AND ((a=a AND a=a)) AND a=a',
    'a=a OR ((a=a OR (a=a OR a=a)))',
    '((a = b)) syntax error',
  ])('%j has redundant parentheses', (text) => {
    expect(refusal(text)).toBe('Invalid FilterExpression: The expression has redundant parentheses;')
  })
})

describe('names and functions', () => {
  test.each([
    ['a=a and whatever((:things)) > a', 'Invalid function name; function: whatever'],
    ['attRIbute_exIsts((views), #a)', 'Invalid function name; function: attRIbute_exIsts'],
    ['if_not_exists(a, b) = c', 'The function is not allowed in a condition expression; function: if_not_exists'],
    ...[
      ['a=a and attribute_exists((views), (#a)) > b', 'attribute_exists'],
      ['attribute_type(things, :a) > b', 'attribute_type'],
      ['size(contains(a, b)) > a', 'contains'],
      ['size(things)', 'size'],
      ['NOT (size(things))', 'size'],
      ['a between b and attribute_exists(things)', 'attribute_exists'],
      ['a in (b, attribute_exists(things))', 'attribute_exists'],
    ].map(([text, name]) => [
      text,
      `The function is not allowed to be used this way in an expression; function: ${name}`,
    ]),
    ['attribute_exists(views, #a)', 'Attribute name is a reserved keyword; reserved keyword: views'],
    [':a < abOrT', 'Attribute name is a reserved keyword; reserved keyword: abOrT'],
    ['b.names = :a', 'Attribute name is a reserved keyword; reserved keyword: names'],
    ['a[2147483648] = b', 'List index is not within the allowable range; index: [2147483648]'],
  ])('%j', (text, problem) => {
    expect(refusal(text ?? '')).toBe(`Invalid FilterExpression: ${problem}`)
  })
})

describe('placeholders and operands', () => {
  const undefinedName = 'An expression attribute name used in the document path is not defined; attribute name: '
  const undefinedValue = 'An expression attribute value used in expression is not defined; attribute value: '
  const count = 'Incorrect number of operands for operator or function; operator or function: '
  const distinct =
    'The first operand must be distinct from the remaining operands for this operator or function; operator: '
  test.each([
    ['attribute_exists(#Pictures.RearView, :a) and a=a', `${undefinedName}#Pictures`],
    ['begins_with(Pictures.#RearView)', `${undefinedName}#RearView`],
    ['(#P between :lo and :hi) and (#PC in (:cat1, :cat2))', `${undefinedName}#P`],
    ['begins_with(:hello, #a, #b)', `${undefinedValue}:hello`],
    [':a < :b', `${undefinedValue}:a`],
    ['attribute_exists(things, a) and a=a', `${count}attribute_exists, number of operands: 2`],
    ['attribute_type(things)', `${count}attribute_type, number of operands: 1`],
    ['begins_with(things, size(a), b)', `${count}begins_with, number of operands: 3`],
    ['size(things, a) > b', `${count}size, number of operands: 2`],
    ['a = a AND #a = b AND :views > a', `${distinct}=, first operand: [a]`],
    ['((a=a) OR (a=a))', `${distinct}=, first operand: [a]`],
    ['contains(ab.bc[1].a, ab.bc[1].a)', `${distinct}contains, first operand: [ab, bc, [1], a]`],
    ['attribute_type(ab.bc[1].a, ab.bc[1].a)', `${distinct}attribute_type, first operand: [ab, bc, [1], a]`],
    ['a in (b, a)', `${distinct}IN, first operand: [a]`],
    ['a between b and a', `${distinct}BETWEEN, first operand: [a]`],
    [`a${'.b'.repeat(32)} = c`, 'The document path has too many nesting levels; nesting levels: 33'],
  ])('%j', (text, problem) => {
    expect(refusal(text)).toBe(`Invalid FilterExpression: ${problem}`)
  })

  test('an alias and its name are the same operand', () => {
    expect(refusal('a > #a', undefined, { '#a': 'a' })).toContain('first operand: [a]')
  })

  const type = 'Incorrect operand type for operator or function; operator or function: '
  test.each([
    ['attribute_type(a, size(a)) and a=a and a=:a', { N: '1' }, `${type}attribute_type, operand type: N`],
    ['attribute_type(a, :a)', { BOOL: true }, `${type}attribute_type, operand type: BOOL`],
    [
      'attribute_type(a, b) and a=:a',
      { S: 'S' },
      `${type}attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}`,
    ],
    ['begins_with(a, :a)', { N: '1' }, `${type}begins_with, operand type: N`],
    ['begins_with(:a, a)', { L: [] }, `${type}begins_with, operand type: L`],
    ['size(size(a)) > :a', { N: '1' }, `${type}size, operand type: N`],
    ['attribute_not_exists(size(:a))', { N: '1' }, `${type}size, operand type: N`],
    ['size(:a) > a', { NULL: true }, `${type}size, operand type: NULL`],
    ['a < :a', { BOOL: true }, `${type}<, operand type: BOOL`],
    [':a >= a', { SS: ['a'] }, `${type}>=, operand type: SS`],
    ['a between :a and b', { M: {} }, `${type}BETWEEN, operand type: M`],
    [
      'attribute_type(a, :a)',
      { S: '1' },
      'Invalid attribute type name found; type: 1, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
    ],
    [
      'attribute_exists(:a)',
      { S: '1' },
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    [
      'attribute_not_exists(size(:a))',
      { S: '1' },
      'Operator or function requires a document path; operator or function: attribute_not_exists',
    ],
  ])('%j with %j', (text, value, problem) => {
    expect(refusal(text, { ':a': value })).toBe(`Invalid FilterExpression: ${problem}`)
  })

  test.each(['a = :a', 'a <> :a', 'contains(a, :a)', 'a IN (:a)'])('%s takes any type', (text) => {
    expect(refusal(text, { ':a': { BOOL: true } })).toBe('accepted')
  })

  test.each([
    [{ N: '1' }, { S: 'a' }, 'same data type for lower and upper bounds', '{N:1}', '{S:a}'],
    [{ S: 'b' }, { S: 'a' }, 'upper bound to be greater than or equal to lower bound', '{S:b}', '{S:a}'],
    [{ N: '10' }, { N: '9' }, 'upper bound to be greater than or equal to lower bound', '{N:10}', '{N:9}'],
  ])('BETWEEN %j AND %j is refused', (lower, upper, rule, lowerText, upperText) => {
    expect(refusal('a between :b and :c', { ':b': lower, ':c': upper })).toBe(
      `Invalid FilterExpression: The BETWEEN operator requires ${rule}; ` +
        `lower bound operand: AttributeValue: ${lowerText}, upper bound operand: AttributeValue: ${upperText}`,
    )
  })
})

function chain(terms: number): string {
  return Array.from({ length: terms }, () => 'a<b').join(' or ')
}

function among(operands: number): string {
  return `a in (${Array.from({ length: operands }, () => 'b').join(',')})`
}

describe('limits', () => {
  test('an expression has at most 4096 bytes', () => {
    expect(refusal(`a = ${'b'.repeat(4092)}`)).toBe('accepted')
    expect(refusal(`a = ${'b'.repeat(4093)}`)).toBe(
      'Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097',
    )
    expect(refusal('ü'.repeat(2049))).toContain('expression size: 4098')
  })

  test('an expression has at most 300 operators', () => {
    expect(refusal(chain(150))).toBe('accepted')
    expect(refusal(chain(151))).toBe(
      'Invalid FilterExpression: The expression contains too many operators; operator count: 301',
    )
    expect(refusal(`a<b ${'or (a<b '.repeat(149)}${')'.repeat(149)}`)).toBe('accepted')
    expect(refusal(`a<b ${'or (a<b '.repeat(454)}${')'.repeat(454)}`)).toContain('operator count: 301')
    expect(refusal(`${'not '.repeat(1000)}a<b`)).toContain('operator count: 301')
    expect(refusal(`${'not '.repeat(299)}a<b`)).toBe('accepted')
  })

  test('IN takes at most 100 operands', () => {
    expect(refusal(among(100))).toBe('accepted')
    expect(refusal(among(101))).toBe(
      'Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101',
    )
  })

  test.each(['(', 'f(', 'a<f(', 'not(', '(a=b or '])('%j without end is refused, not a crash', (text) => {
    expect(refusal(text.repeat(Math.floor(4096 / text.length)))).toMatch(/^Invalid FilterExpression: /)
  })
})

test('a text that was parsed before means what this request puts in', () => {
  const text = '#x = :y'
  expect(compile(text, { ':y': { N: '1' } }, { '#x': 'one' })).toEqual({
    kind: 'compare',
    operator: '=',
    left: { kind: 'path', path: [{ kind: 'name', name: 'one' }] },
    right: { kind: 'value', value: { N: '1' } },
  })
  expect(compile(text, { ':y': { S: '2' } }, { '#x': 'two' })).toMatchObject({
    left: { path: [{ kind: 'name', name: 'two' }] },
    right: { value: { S: '2' } },
  })
  expect(refusal(text)).toContain('attribute name: #x')
})

import { describe, expect, test } from 'vitest'
import { compileUpdate } from './compile-update.ts'
import { ExpressionScope } from './expression-scope.ts'
import type { Update } from './syntax.ts'
import { assertNoKeyUpdate } from './updated-attributes.ts'

type Values = Readonly<Record<string, unknown>>
type Names = Readonly<Record<string, string>>

function compile(text: string, values?: Values, names?: Names): Update {
  return compileUpdate(text, new ExpressionScope(names, values))
}

function refusal(text: string, values?: Values, names?: Names): string {
  try {
    compile(text, values, names)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'accepted'
}

const path = (...names: string[]) => names.map((name) => ({ kind: 'name', name }))
const operand = (name: string) => ({ kind: 'path', path: path(name) })

describe('syntax', () => {
  test('clauses come in any order and case, and keep the order of the text', () => {
    expect(
      compile('remove a, b.c SET d = e, f = :v ADD g :v delete h :s', { ':v': { N: '1' }, ':s': { SS: ['x'] } }),
    ).toEqual({
      origin: 'UpdateExpression',
      actions: [
        { kind: 'remove', path: path('a') },
        { kind: 'remove', path: path('b', 'c') },
        { kind: 'set', path: path('d'), value: operand('e') },
        { kind: 'set', path: path('f'), value: { kind: 'value', value: { N: '1' } } },
        { kind: 'add', path: path('g'), value: { N: '1' } },
        { kind: 'delete', path: path('h'), value: { SS: ['x'] } },
      ],
    })
  })

  test.each(['set a = b + c', 'set a = (b + c)', 'set a = (b) + (c)', 'SET a = ((b)+(c))'])(
    '%s is a sum',
    (text) => {
      expect(compile(text).actions[0]).toEqual({
        kind: 'set',
        path: path('a'),
        value: { kind: 'arithmetic', operator: '+', left: operand('b'), right: operand('c') },
      })
    },
  )

  test('functions nest', () => {
    expect(compile('SET a = list_append(if_not_exists(a, b), c) ').actions[0]).toMatchObject({
      value: {
        kind: 'list_append',
        first: { kind: 'if_not_exists', otherwise: operand('b') },
        second: operand('c'),
      },
    })
  })

  test.each([
    ['INVALID SYNTAX HERE', 'INVALID', 'INVALID SYNTAX'],
    ['SET _123 = :val1', '_', 'SET _123'],
    ['ADD hits : incr', ':', 'hits : incr'],
    ['SET a = :v,', '<EOF>', ','],
    ['set a', '<EOF>', 'a'],
    ['set a=set', 'set', '=set'],
    ['remove a = b', '=', 'a = b'],
    ['delete a b', 'b', 'a b'],
    ['add a if_not_exist(b)', 'if_not_exist', 'a if_not_exist('],
    ['set :a = b', ':a', 'set :a ='],
    ['set a = b / c', '/', 'b / c'],
    ['set a[1] = 1', '1', '= 1'],
    ['SET a = if_not_exist(a, 100)', '100', ', 100)'],
    ['set (a = (b + c))', '(', 'set (a'],
    ['set a = (b.c).d + e', '.', ').d'],
    ['set a = b + c + d', '+', 'c + d'],
    ['set a = (b + c) + d', '+', ') + d'],
  ])('%j is refused at %j', (text, token, near) => {
    expect(refusal(text)).toBe(`Invalid UpdateExpression: Syntax error; token: "${token}", near: "${near}"`)
  })

  test('an empty expression is refused', () => {
    expect(refusal('')).toBe('Invalid UpdateExpression: The expression can not be empty;')
  })

  test('redundant parentheses are refused', () => {
    expect(refusal('set a = ((b))')).toBe('Invalid UpdateExpression: The expression has redundant parentheses;')
    expect(refusal('set a = if_not_exists(a, ((b)))')).toContain('redundant parentheses')
  })
})

describe('checks, in their order', () => {
  const values = { ':a': { S: 'a' }, ':b': { S: 'a' } }
  const names = { '#a': 'a', '#b': 'b' }
  test.each([
    [' set #c = :c set abOrt = true ', 'Attribute name is a reserved keyword; reserved keyword: abOrt'],
    [' remove Absolute ', 'Attribute name is a reserved keyword; reserved keyword: Absolute'],
    ['set #c = if_not_exist(:c) set c = d', 'Invalid function name; function: if_not_exist'],
    ['set a = size(b)', 'The function is not allowed in an update expression; function: size'],
    [
      'set a = list_append(list_append(:a, :b), :c)',
      'The function is not allowed to be used this way in an expression; function: list_append',
    ],
    [
      'set a = :a + list_append(b, c)',
      'The function is not allowed to be used this way in an expression; function: list_append',
    ],
    ['set a = #c set c = :d', 'The "SET" section can only be used once in an update expression;'],
    ['remove #d set a = b remove e', 'The "REMOVE" section can only be used once in an update expression;'],
    ['add #d :e set a = b add e :f', 'The "ADD" section can only be used once in an update expression;'],
    ['delete #d :e set a = b delete #e :f', 'The "DELETE" section can only be used once in an update expression;'],
    [
      'SET #c = if_not_exists(:c)',
      'An expression attribute name used in the document path is not defined; attribute name: #c',
    ],
    [
      'SET #a = if_not_exists(:c)',
      'An expression attribute value used in expression is not defined; attribute value: :c',
    ],
    [
      'SET a = :undefined, b = #c',
      'An expression attribute name used in the document path is not defined; attribute name: #c',
    ],
    [
      'set a = if_not_exists(c)',
      'Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1',
    ],
    [
      'set a = if_not_exists(:a, c)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
    [
      'set a = if_not_exists(if_not_exists(a, b), c)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
  ])('%j', (text, problem) => {
    expect(refusal(text, values, names)).toBe(`Invalid UpdateExpression: ${problem}`)
  })

  test.each([
    ['set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)', 'overlap', '[c, [1], a]', '[c]'],
    ['set #c[3].#d = a, #c[3] = a', 'overlap', '[c, [3], [3]]', '[c, [3]]'],
    ['set #c = a, c = b', 'overlap', '[c]', '[c]'],
    ['set a = b remove a.b', 'overlap', '[a]', '[a, b]'],
    ['remove a.#c set a[1] = #d', 'conflict', '[a, c]', '[a, [1]]'],
    ['set #c[3].#d = a, #c.#d[3] = if_not_exists(a)', 'conflict', '[c, [3], [3]]', '[c, [3], [3]]'],
  ])('%j: paths %s', (text, how, one, two) => {
    expect(refusal(text, undefined, { '#c': 'c', '#d': '[3]' })).toBe(
      `Invalid UpdateExpression: Two document paths ${how} with each other; ` +
        `must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`,
    )
  })

  test.each([
    ['add a.b :a', { S: 'a' }, 'ADD', 'STRING'],
    ['add a.b :a', { BOOL: true }, 'ADD', 'BOOLEAN'],
    ['add a.b :a', { L: [] }, 'ADD', 'LIST'],
    ['delete a.b :a', { N: '1' }, 'DELETE', 'NUMBER'],
    ['delete a.b :a', { M: {} }, 'DELETE', 'MAP'],
  ])('%j with %j', (text, value, operator, type) => {
    expect(refusal(text, { ':a': value })).toBe(
      'Invalid UpdateExpression: Incorrect operand type for operator or function; ' +
        `operator: ${operator}, operand type: ${type}, typeSet: ALLOWED_FOR_${operator}_OPERAND`,
    )
  })

  test.each([
    ['set a = list_append(:a, a)', 'list_append', { S: 'a' }, 'S'],
    ['set a = list_append(a, :a)', 'list_append', { SS: ['a'] }, 'SS'],
    ['set a = a + :a', '+', { S: 'a' }, 'S'],
    ['set a = :a - a', '-', { L: [] }, 'L'],
  ])('%j has operands of a wrong type', (text, operator, value, type) => {
    expect(refusal(text, { ':a': value })).toBe(
      'Invalid UpdateExpression: Incorrect operand type for operator or function; ' +
        `operator or function: ${operator}, operand type: ${type}`,
    )
  })

  test('two thousand paths are checked in no time', () => {
    const text = `remove ${Array.from({ length: 800 }, (_, index) => `a${index}`).join(',')}`
    expect(compile(text).actions).toHaveLength(800)
  })
})

describe('assertNoKeyUpdate', () => {
  const update = compile('set a = b remove c.d')
  test.each([['a'], ['c']])('refuses a change of %s', (name) => {
    expect(() => assertNoKeyUpdate(update, ['pk', name])).toThrow(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    )
  })

  test('a key may be read', () => {
    expect(() => assertNoKeyUpdate(update, ['b', 'd'])).not.toThrow()
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../errors.ts'
import { parseStatement } from './parse-statement.ts'
import { MalformedStatement } from './statement-errors.ts'
import type { Expression } from './syntax.ts'
import { tokenize } from './tokens.ts'

function whereOf(condition: string): Expression | undefined {
  const statement = parseStatement(`SELECT * FROM t WHERE ${condition}`)
  return statement.kind === 'select' ? statement.select.where : undefined
}

describe('tokens', () => {
  test('know their place, past comments and lines', () => {
    const [, , second] = tokenize('a -- note\n /* more\n */ b "c""d"')
    expect(second).toEqual({ kind: 'quoted', text: 'c"d', at: { line: 3, column: 7, length: 6 } })
  })

  test('are words, names, texts, numbers and marks', () => {
    const kinds = tokenize(`Select "a" 'it''s' .5e-3 5. ? <<!= And $x`).map(({ kind, text }) => [kind, text])
    expect(kinds).toEqual([
      ['keyword', 'select'],
      ['quoted', 'a'],
      ['string', "it's"],
      ['number', '.5e-3'],
      ['number', '5.'],
      ['parameter', '?'],
      ['punctuation', '<<'],
      ['operator', '<>'],
      ['operator', 'and'],
      ['word', '$x'],
      ['end', ''],
    ])
  })

  test.each(["'open", '"open', '/* open', '1e', '1x', 'ä', '#', '1e2147483648', '1.5e-2147483647', '`ion`'])(
    'none begins with %s',
    (text) => {
      expect(() => tokenize(text)).toThrow(/^Statement wasn't well formed, can't be processed: $/)
    },
  )
})

describe('expressions', () => {
  test('bind NOT above AND above OR', () => {
    expect(whereOf('a = 1 OR NOT b = 2 AND c = 3')).toMatchObject({
      kind: 'or',
      terms: [{ kind: 'compare' }, { kind: 'and', terms: [{ kind: 'not' }, { kind: 'compare' }] }],
    })
  })

  test('keep a long chain flat', () => {
    const where = whereOf(Array.from({ length: 800 }, () => 'a = 1').join(' AND '))
    expect(where).toMatchObject({ kind: 'and' })
    expect(where?.kind === 'and' && where.terms).toHaveLength(800)
  })

  test('number their parameters from left to right', () => {
    expect(parseStatement('UPDATE t SET a = ?, b = ? WHERE c = ?')).toMatchObject({
      changes: [{ value: { index: 0 } }, { value: { index: 1 } }],
      where: { right: { index: 2 } },
    })
  })

  test('fold signs into numbers', () => {
    expect(whereOf('a = - -+ - 1.5')).toMatchObject({ right: { kind: 'number', text: '-1.5' } })
    expect(whereOf('a = -b')).toMatchObject({ right: { kind: 'operation', operator: '-' } })
  })

  test('are refused when they nest too deeply, however they do', () => {
    for (const deep of ['(', '[', '<<', "{'a':", 'NOT ', '- ', 'f(', 'a[', 'a = (']) {
      expect(() => parseStatement(`SELECT * FROM t WHERE ${deep.repeat(1_500)}`)).toThrow('nested too deeply')
    }
  })
})

test('whatever is sent, a statement is read or refused in the service’s way', () => {
  const word = fc.constantFrom(
    ...'SELECT FROM WHERE UPDATE SET REMOVE INSERT INTO VALUE DELETE RETURNING ALL OLD NEW MODIFIED * ORDER BY ASC DESC'.split(
      ' ',
    ),
    ...'AND OR NOT IN BETWEEN IS MISSING NULL LIKE EXISTS size begins_with set_add a b "t" \'s\' 1 -2.5 ? true'.split(
      ' ',
    ),
    ...'( ) [ ] { } << >> , . : ; = <> < <= > >= + - / || LIMIT GROUP AS --x'.split(' '),
  )
  const statement = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(
      fc.oneof(
        statement,
        fc.string(),
        statement.map((text) => `SELECT * FROM t WHERE ${text}`),
      ),
      (text) => {
        try {
          parseStatement(text === '' ? ' ' : text)
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([
  ["SELECT * FORM music WHERE pk = 'a'", 1, 10, 4],
  ["SELECT *\n  FROM music\n  WHRE pk = 'a'", 3, 8, 2],
  ["SELECT * FROM music WHERE pk = = 'a'", 1, 32, 1],
  ["SELECT * FROM music WHERE pk = 'a' AND", 1, 39, 0],
  ["UPDATE music SET = 1 WHERE pk = 'a'", 1, 18, 1],
  ["SELECT * FROM music WHERE pk = 'open", 1, 32, 1],
  ['SELECT * FROM music WHERE pk IS nonsense AND sk = 1', 1, 33, 8],
  ['SELECT * FROM music; SELECT 1', 1, 22, 6],
  ['SELECT * FROM music -- c\n WHERE § = 1', 2, 8, 1],
])('%s is refused where it goes wrong', (text, line, column, length) => {
  const refusal = refusalOf(text)
  expect(refusal.message).toMatch(/^Statement wasn't well formed, can't be processed: /)
  expect(refusal.at).toEqual({ line, column, length })
})

function refusalOf(text: string): MalformedStatement {
  try {
    parseStatement(text)
  } catch (error) {
    if (error instanceof MalformedStatement) return error
  }
  throw new Error(`not refused: ${text}`)
}

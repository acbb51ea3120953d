import { describe, expect, test } from 'vitest'
import { tableOf } from '../../api/testing/table-of.ts'
import { isScan, placed, readStatement } from './read-statement.ts'
import { splitStatements } from './split-statements.ts'

const one = (text: string) => {
  const [first] = splitStatements(text)
  if (first === undefined) throw new Error('no statement')
  return first
}

const table = tableOf(
  'music',
  { pk: 'S', sk: 'S', genre: 'S' },
  { partition: ['pk'], sort: ['sk'] },
  { byGenre: { partition: ['genre'], sort: [] } },
)

describe('several statements', () => {
  test('are cut at semicolons outside of quotes and comments', () => {
    const text = `SELECT * FROM "a;b" WHERE x = ';' -- no; end\n;\n /* ; ? */ DELETE FROM t WHERE a = ? AND b = '?''?' ; `
    expect(splitStatements(text)).toEqual([
      { text: `SELECT * FROM "a;b" WHERE x = ';' -- no; end`, start: 0, end: 44, parameterCount: 0 },
      { text: `/* ; ? */ DELETE FROM t WHERE a = ? AND b = '?''?'`, start: 48, end: 98, parameterCount: 1 },
    ])
    expect(splitStatements(' ; -- nothing\n;')).toEqual([])
    expect(splitStatements("SELECT 'open")).toHaveLength(1)
  })
})

describe('a statement', () => {
  test('is known by its kind and its table', () => {
    expect(readStatement(one('SELECT * FROM "music"."byGenre"'))).toMatchObject({
      kind: 'select',
      tableName: 'music',
      indexName: 'byGenre',
      isWrite: false,
    })
    expect(readStatement(one(`INSERT INTO music VALUE {'pk': 'a'}`))).toMatchObject({
      kind: 'insert',
      isWrite: true,
    })
    expect(readStatement(one('UPDATE music SET a = 1 WHERE pk = ?'))).toMatchObject({
      kind: 'update',
      isWrite: true,
    })
  })
  test("that is none says so in the service's words", () => {
    expect(readStatement(one('SELEC * FROM x')).problem?.message).toContain("Statement wasn't well formed")
    expect(readStatement(one('1 + 1')).problem?.message).toContain('not a statement for a table')
  })
  test('that is malformed is marked where it goes wrong', () => {
    const marked = (text: string): string => {
      const { problem } = readStatement(one(text))
      return text.slice(problem?.start, problem?.end)
    }
    expect(marked("SELEC * FROM music WHERE pk = 'a'")).toBe('SELEC')
    expect(marked("SELECT * FORM music WHERE pk = 'a'")).toBe('FORM')
    expect(marked("\n -- all\n SELECT *\n FROM music\n WHRE pk = 'a' AND sk = 'b'")).toBe('pk')
    expect(marked("SELECT * FROM music WHERE pk = = 'a' AND sk = 'b'")).toBe('=')
    expect(marked("SELECT * FROM music WHERE pk = 'a' AND")).toBe('AND')
    expect(marked("UPDATE music SET = 1 WHERE pk = 'a'")).toBe('=')
  })
  test('has its mistakes in their place', () => {
    const statement = one('\n SELECT *\n FROM x ORDER BY y')
    const { start, end } = placed(statement, 'Something at 2:9:5')
    expect('\n SELECT *\n FROM x ORDER BY y'.slice(start, end)).toBe('ORDER')
    const named = placed(
      one('SELECT * FROM x ORDER BY y'),
      'Attribute y in ORDER BY clause must be part of the primary key',
    )
    expect([named.start, named.end]).toEqual([25, 26])
  })
})

describe('a SELECT', () => {
  const scans = (text: string) => isScan(one(text), table, [])
  test('by its partition key is no scan', () => {
    expect(scans(`SELECT * FROM music WHERE pk = 'a'`)).toBe(false)
    expect(scans(`SELECT * FROM music WHERE pk IN ('a', ?) AND sk > 'b'`)).toBe(false)
    expect(scans(`SELECT * FROM "music"."byGenre" WHERE genre = ?`)).toBe(false)
  })
  test('without it is one', () => {
    expect(scans('SELECT * FROM music')).toBe(true)
    expect(scans(`SELECT * FROM music WHERE sk = 'a'`)).toBe(true)
    expect(scans(`SELECT * FROM music WHERE pk = 'a' OR sk = 'b'`)).toBe(true)
    expect(scans(`SELECT * FROM "music"."byGenre" WHERE pk = 'a'`)).toBe(true)
  })
})

import { describe, expect, test } from 'vitest'
import {
  checkLibrary,
  exportLibrary,
  importLibrary,
  withHistory,
  without,
  withSaved,
  type KeptQuery,
  type Library,
} from './query-library.ts'

const empty: Library = { saved: [], history: [] }
const query = (title: string, table = 'shop', changes: Partial<KeptQuery> = {}): KeptQuery => ({
  id: `${table}/${title}`,
  view: 'query',
  table,
  title,
  search: `q=${title}`,
  at: 1,
  ...changes,
})
const titles = (queries: readonly KeptQuery[]): string[] => queries.map(({ title }) => title)

describe('the history', () => {
  test('has the newest first, each once', () => {
    let library = empty
    for (const title of ['a', 'b', 'a']) library = withHistory(library, query(title))
    expect(titles(library.history)).toEqual(['a', 'b'])
  })
  test('is bounded for each table, and in all', () => {
    let library = withHistory(empty, query('other', 'music'))
    for (let n = 0; n < 60; n++) library = withHistory(library, query(String(n)))
    expect(library.history).toHaveLength(41)
    expect(titles(library.history).at(0)).toBe('59')
    expect(titles(library.history).at(-1)).toBe('other')
    expect(withHistory(library, query('long', 'shop', { search: 'x'.repeat(9000) }))).toBe(library)
  })
})

describe('saved queries', () => {
  test('have one of a name for each table, and go again', () => {
    let library = withSaved(withSaved(empty, query('a', 'shop', { id: '1' })), query('a', 'shop', { id: '2' }))
    library = withSaved(library, query('a', 'music', { id: '3' }))
    expect(library.saved.map(({ id }) => id)).toEqual(['3', '2'])
    expect(without(library, '3').saved.map(({ id }) => id)).toEqual(['2'])
  })
  test('go to a file and come back', () => {
    const library = withHistory(withSaved(empty, query('kept')), query('run'))
    const { library: back, added } = importLibrary(empty, exportLibrary(library))
    expect(back).toEqual(library)
    expect(added).toBe(1)
    expect(() => importLibrary(empty, 'no json')).toThrow('This file is not valid JSON')
    expect(() => importLibrary(empty, '[]')).toThrow('contains no queries')
  })
  test('of another version, or changed by hand, are taken as far as they go', () => {
    expect(
      checkLibrary({ saved: [null, 7, { table: 'x' }, { ...query('a'), view: 'other' }, query('ok')] }),
    ).toEqual({
      saved: [query('ok')],
      history: [],
    })
    expect(checkLibrary(undefined)).toEqual(empty)
  })
})

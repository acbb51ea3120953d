import { describe, expect, test } from 'vitest'
import { RowPages } from './row-pages.ts'

/** So many pages of ten rows, of which three keep theirs. */
function pagesOf(count: number): RowPages<number, number> {
  const pages = new RowPages<number, number>(3)
  for (let first = 0; first < count * 10; first += 10) {
    pages.list.push(
      pages.make(
        first,
        first,
        Array.from({ length: 10 }, (_, at) => first + at),
      ),
    )
  }
  return pages
}

describe('pages of rows', () => {
  test('find a row by its number, wherever it is', () => {
    const pages = pagesOf(3)
    expect([0, 9, 10, 29, 30, -1].map((index) => pages.rowAt(index))).toEqual([0, 9, 10, 29, undefined, undefined])
    expect(pages.afterLast).toBe(30)
    expect(pages.between(9, 10).map(({ firstRow }) => firstRow)).toEqual([0, 10])
  })

  test('let go of those not used for long, but for one that is spared', () => {
    const pages = pagesOf(6)
    const [first, second] = pages.list
    if (second !== undefined) pages.use(second)
    pages.letGo(first)
    expect(pages.list.map(({ rows }) => rows !== undefined)).toEqual([true, true, false, false, true, true])
    expect([pages.rowAt(25), pages.afterLast]).toEqual([undefined, 60])
  })

  test('a page that is fetched again keeps its length, so that no number moves', () => {
    const pages = pagesOf(2)
    const [first] = pages.list
    if (first !== undefined) pages.refill(first, [...Array.from({ length: 10 }, (_, at) => -at), 99])
    expect([pages.rowAt(9), pages.rowAt(10)]).toEqual([-9, 10])
  })
})

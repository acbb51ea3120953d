import { describe, expect, test } from 'vitest'
import { PagedRows } from './paged-rows.ts'

/** Numbers up to a million, a hundred a page. */
function numbers(keptPages: number) {
  const fetched: number[] = []
  const rows = new PagedRows<number, number>(async (cursor = 0) => {
    fetched.push(cursor)
    const page = Array.from({ length: 100 }, (_, position) => cursor + position)
    return { rows: page, next: cursor + 100 < 1_000_000 ? cursor + 100 : undefined }
  }, keptPages)
  const settled = async (): Promise<void> => {
    do await Promise.resolve()
    while (rows.state.isLoading)
  }
  return { rows, fetched, settled }
}

describe('paged rows', () => {
  test('fetch the next page when the end of the last comes near, and not before', async () => {
    const { rows, fetched, settled } = numbers(5)
    rows.need(0, 0)
    await settled()
    expect(rows.state.rowCount).toBe(100)
    rows.need(0, 40)
    await settled()
    expect(fetched).toEqual([0])
    rows.need(50, 90)
    await settled()
    expect(fetched).toEqual([0, 100])
    expect(rows.rowAt(150)).toBe(150)
  })

  test('let go of pages far away, and fetch them again by their cursor', async () => {
    const { rows, fetched, settled } = numbers(5)
    rows.need(0, 0)
    await settled()
    for (let page = 1; page <= 50; page++) {
      rows.need(page * 100 - 30, page * 100 - 1)
      await settled()
    }
    expect(rows.state.rowCount).toBe(5100)
    expect(rows.rowAt(5)).toBeUndefined()
    fetched.length = 0
    rows.need(0, 30)
    await settled()
    expect(fetched).toEqual([0])
    expect(rows.rowAt(5)).toBe(5)
    expect(rows.state.rowCount).toBe(5100)
  })

  test('tell of an error, keep what they have, and go on when asked', async () => {
    let isBroken = true
    const rows = new PagedRows<number, number>(async () => {
      if (isBroken) throw new Error('broken')
      return { rows: [1], next: undefined }
    })
    rows.need(0, 0)
    await expect.poll(() => rows.state.error).toBeInstanceOf(Error)
    rows.need(0, 0)
    expect(rows.state.isLoading).toBe(false)
    isBroken = false
    rows.retry()
    await expect.poll(() => rows.state.rowCount).toBe(1)
    expect(rows.state).toMatchObject({ isComplete: true, error: undefined })
  })

  test('skip pages without rows, which a filter makes', async () => {
    const rows = new PagedRows<number, number>(async (cursor = 0) => ({
      rows: cursor === 3 ? [7] : [],
      next: cursor < 3 ? cursor + 1 : undefined,
    }))
    rows.need(0, 0)
    await expect.poll(() => rows.state.isComplete).toBe(true)
    expect(rows.rowAt(0)).toBe(7)
  })
})

import { describe, expect, test } from 'vitest'
import { checkTransactions } from './check-transactions.ts'
import type { Read, Transaction } from './transaction.ts'

/** What one does: appends by list, reads by list. A number as a read is a length. */
interface Does {
  readonly append?: Readonly<Record<string, readonly number[]>>
  readonly read?: Readonly<Record<string, readonly number[] | number>>
  readonly outcome?: Transaction['outcome']
}

type Times = readonly [startedAtMs: number, endedAtMs: number]

function history(...transactions: readonly (readonly [Times, Does])[]): readonly Transaction[] {
  return transactions.map(([[startedAtMs, endedAtMs], { append = {}, read = {}, outcome = 'committed' }], id) => ({
    id,
    client: 'client',
    startedAtMs,
    endedAtMs: outcome === 'unknown' ? Infinity : endedAtMs,
    outcome,
    appends: Object.entries(append).map(([key, values]) => ({ key, values })),
    reads: Object.entries(read).map(([key, value]): Read =>
      typeof value === 'number' ? { key, length: value } : { key, values: value },
    ),
  }))
}

const together: Times = [0, 10]
const afterwards: Times = [11, 12]

function kindsIn(...transactions: readonly (readonly [Times, Does])[]): readonly string[] {
  return checkTransactions(history(...transactions)).map(({ kind }) => kind)
}

describe('it accepts', () => {
  test('appends and reads one after the other', () => {
    expect(
      kindsIn(
        [[0, 1], { append: { x: [1] } }],
        [[2, 3], { append: { x: [2, 3] }, read: { x: [1] } }],
        [[4, 5], { read: { x: [1, 2, 3] } }],
      ),
    ).toEqual([])
  })

  test('transactions at the same time, in whatever order', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1], y: [2] } }],
        [together, { append: { x: [3], y: [4] } }],
        [together, { read: { x: [], y: [] } }],
        [afterwards, { read: { x: [3, 1], y: [4, 2] } }],
      ),
    ).toEqual([])
  })

  test('what ends in the moment in which another begins, as being at the same time', () => {
    expect(kindsIn([[0, 5], { append: { x: [1] } }], [[5, 9], { read: { x: [] } }])).toEqual([])
  })

  test('a transaction without an answer, whether it happened, happened late or not at all', () => {
    const unknown: [Times, Does] = [[0, 1], { append: { x: [9], y: [8] }, outcome: 'unknown' }]
    const others: [Times, Does][] = [
      [[1, 2], { append: { x: [1] } }],
      [[3, 4], { read: { x: [1], y: [] } }],
    ]
    expect(kindsIn(unknown, ...others)).toEqual([])
    expect(kindsIn(unknown, ...others, [[5, 6], { read: { x: [1, 9], y: [8] } }])).toEqual([])
  })

  test('appends that nobody has looked for', () => {
    expect(kindsIn([[0, 1], { append: { x: [1] } }], [[2, 3], { append: { x: [2] } }])).toEqual([])
  })

  test('what a refused transaction has read, and conditions on lengths', () => {
    expect(
      kindsIn(
        [[0, 1], { append: { x: [1] } }],
        [[2, 3], { append: { x: [2] }, read: { x: [1] }, outcome: 'aborted' }],
        [[4, 5], { append: { y: [3] }, read: { x: 1 } }],
        [[6, 7], { read: { x: [1], y: [3] } }],
      ),
    ).toEqual([])
  })
})

describe('it finds', () => {
  test('G0, appends of two transactions in two orders', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1], y: [2] } }],
        [together, { append: { x: [3], y: [4] } }],
        [afterwards, { read: { x: [1, 3], y: [4, 2] } }],
      ),
    ).toEqual(['G0 (write cycle)'])
  })

  test('G0, an append that another one tears apart', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1, 2] } }],
        [together, { append: { x: [3] } }],
        [afterwards, { read: { x: [1, 3, 2] } }],
      ),
    ).toEqual(['G0 (write cycle)'])
  })

  test('G1a, a read of what was refused, and what builds upon it', () => {
    expect(
      kindsIn(
        [[0, 1], { append: { x: [1] }, outcome: 'aborted' }],
        [[2, 3], { append: { x: [2] } }],
        [[4, 5], { read: { x: [1, 2] } }],
      ),
    ).toEqual(['G1a (aborted read)', 'dirty update'])
  })

  test('G1b, a read in the middle of an append', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1, 2] } }],
        [together, { read: { x: [1] } }],
        [afterwards, { read: { x: [1, 2] } }],
      ),
    ).toContain('G1b (intermediate read)')
  })

  test('G1c, two that have read of each other', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1] }, read: { y: [2] } }],
        [together, { append: { y: [2] }, read: { x: [1] } }],
        [afterwards, { read: { x: [1], y: [2] } }],
      ),
    ).toEqual(['G1c (circular information flow)'])
  })

  test('G-single, half a transaction', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1], y: [2] } }],
        [together, { read: { x: [1], y: [] } }],
        [afterwards, { read: { x: [1], y: [2] } }],
      ),
    ).toEqual(['G-single (read skew)'])
  })

  test('G-single, half a transaction without an answer', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1], y: [2] }, outcome: 'unknown' }],
        [afterwards, { read: { x: [1], y: [] } }],
      ),
    ).toEqual(['G-single (read skew)'])
  })

  test('G2, write skew, by what was read and by conditions on lengths', () => {
    for (const nothing of [[], 0]) {
      expect(
        kindsIn(
          [together, { append: { x: [1] }, read: { y: nothing } }],
          [together, { append: { y: [2] }, read: { x: nothing } }],
          [afterwards, { read: { x: [1], y: [2] } }],
        ),
      ).toEqual(['G2 (write skew)'])
    }
  })

  test('G2, two readers that saw two appends in two orders', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1] } }],
        [together, { append: { y: [2] } }],
        [together, { read: { x: [1], y: [] } }],
        [together, { read: { x: [], y: [2] } }],
        [afterwards, { read: { x: [1], y: [2] } }],
      ),
    ).toEqual(['G2 (write skew)'])
  })

  test('a lost update', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1] }, read: { x: [] } }],
        [together, { append: { x: [2] }, read: { x: [] } }],
        [afterwards, { read: { x: [1, 2] } }],
      ),
    ).toEqual(['lost update'])
  })

  test('a lost append, of what was acknowledged, and of what only a condition had seen', () => {
    expect(
      kindsIn([[0, 1], { append: { x: [1] } }], [[0, 1], { append: { x: [2] } }], [[2, 3], { read: { x: [2] } }]),
    ).toEqual(['lost append'])
    expect(
      kindsIn(
        [[0, 1], { append: { x: [1] }, outcome: 'unknown' }],
        [[2, 3], { append: { y: [2] }, read: { x: 1 } }],
        [[4, 5], { read: { x: [], y: [2] } }],
      ),
    ).toContain('lost append')
  })

  test('a read of the past', () => {
    expect(
      kindsIn([[0, 1], { append: { x: [1] } }], [[2, 3], { read: { x: [] } }], [[4, 5], { read: { x: [1] } }]),
    ).toEqual(['G-single (read skew) in real time'])
  })

  test('a read of the future', () => {
    expect(kindsIn([[0, 1], { read: { x: [1] } }], [[2, 3], { append: { x: [1] } }])).toEqual([
      'G1c (circular information flow) in real time',
    ])
  })

  test('appends in another order than they were made in', () => {
    expect(
      kindsIn(
        [[0, 1], { append: { x: [1] } }],
        [[2, 3], { append: { x: [2] } }],
        [[4, 5], { read: { x: [2, 1] } }],
      ),
    ).toEqual(['G0 (write cycle) in real time'])
  })

  test('incompatible orders', () => {
    expect(
      kindsIn(
        [together, { append: { x: [1] } }],
        [together, { append: { x: [2] } }],
        [afterwards, { read: { x: [1, 2] } }],
        [afterwards, { read: { x: [2, 1] } }],
      ),
    ).toEqual(['incompatible orders'])
  })

  test('duplicate elements, as of a transaction that was sent twice and happened twice', () => {
    expect(kindsIn([[0, 1], { append: { x: [1] } }], [[2, 3], { read: { x: [1, 1] } }])).toContain(
      'duplicate elements',
    )
  })

  test('a transaction that read its own append before it made it', () => {
    expect(kindsIn([[0, 1], { append: { x: [1] }, read: { x: [1] } }], [[2, 3], { read: { x: [1] } }])).toEqual([
      'internal inconsistency',
    ])
  })

  test('a value that came from nowhere, or from another list', () => {
    expect(kindsIn([[0, 1], { read: { x: [1] } }])).toEqual(['garbage read'])
    expect(kindsIn([[0, 1], { append: { y: [1] } }], [[2, 3], { read: { x: [1], y: [1] } }])).toEqual([
      'garbage read',
    ])
  })
})

test('an anomaly is explained by its transactions, and by why each comes before the next', () => {
  const [anomaly] = checkTransactions(
    history(
      [[0, 1], { append: { z: [7] } }],
      [together, { append: { x: [1], y: [2] } }],
      [together, { read: { x: [1], y: [] } }],
      [afterwards, { read: { x: [1], y: [2], z: [7] } }],
    ),
  )
  expect(anomaly?.explanation).toBe(
    [
      'no order explains what was read:',
      '  T2 (client, committed, 0.000–10.000 ms): x = [1], y = []',
      '  T1 (client, committed, 0.000–10.000 ms): x += 1, y += 2',
      'since',
      '  T2 comes before T1: it read y without 2, which the other appended',
      '  T1 comes before T2: the other read what it had appended to x',
    ].join('\n'),
  )
})

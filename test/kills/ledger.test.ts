import { expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

function ledgerWith(versions: number): Ledger {
  const ledger = new Ledger()
  for (let n = 0; n < versions; n++) ledger.acknowledge(ledger.ask([{ key: 'a/1', isDelete: false }]))
  return ledger
}

test('what was acknowledged last must be there', () => {
  expect(ledgerWith(2).settle(new Map([['a/1', 2]])).problems).toEqual([])
  expect(ledgerWith(2).settle(new Map([['a/1', 1]])).problems).toEqual(['a/1 holds version 1 instead of version 2'])
  expect(ledgerWith(2).settle(new Map()).problems).toEqual(['a/1 holds nothing instead of version 2'])
})

test('what was deleted must not come back, and what was never written must not be there', () => {
  const ledger = ledgerWith(1)
  ledger.acknowledge(ledger.ask([{ key: 'a/1', isDelete: true }]))
  expect(ledger.settle(new Map([['a/1', 1]])).problems).toEqual([
    'a/1 holds version 1 instead of nothing: version 2 was a deletion',
  ])
  expect(ledger.settle(new Map([['b/1', 1]])).problems).toEqual(['b/1 was never written'])
})

test('what was asked for may have happened or not, and from then on it has or has not', () => {
  for (const found of [1, 2]) {
    const ledger = ledgerWith(1)
    const asked = ledger.ask([{ key: 'a/1', isDelete: false }])
    const { problems, unwritten } = ledger.settle(new Map([['a/1', found]]))
    expect(problems).toEqual([])
    expect(unwritten.has(asked)).toBe(found === 1)
    expect(ledger.settle(new Map([['a/1', 3 - found]])).problems).toHaveLength(1)
    expect(ledger.takeChanges().map(({ version }) => version)).toEqual(found === 1 ? [1] : [1, 2])
  }
})

test('a transaction has happened whole or not at all', () => {
  const ledger = new Ledger()
  ledger.ask(['a/1', 'b/1'].map((key) => ({ key, isDelete: false })))
  expect(ledger.settle(new Map([['a/1', 1]])).problems[0]).toBe(
    'half a transaction: a/1 version 1 was written, b/1 version 1 was not written',
  )
})

test('a number is not used twice, even for what has not happened', () => {
  const ledger = ledgerWith(1)
  ledger.ask([{ key: 'a/1', isDelete: false }])
  ledger.settle(new Map([['a/1', 1]]))
  expect(ledger.ask([{ key: 'a/1', isDelete: false }])).toEqual([{ key: 'a/1', version: 3, isDelete: false }])
})

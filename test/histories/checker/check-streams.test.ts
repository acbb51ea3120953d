import { describe, expect, test } from 'vitest'
import { checkItemStream, type ItemRecord } from './check-item-stream.ts'
import { checkListStream, type ListRecord } from './check-list-stream.ts'
import type { Held, ItemAction, ItemAnswer, ItemOperation } from './item-operation.ts'
import type { Transaction } from './transaction.ts'

describe('a stream of lists', () => {
  const append = (
    id: number,
    values: readonly number[],
    outcome: Transaction['outcome'] = 'committed',
  ): Transaction => ({
    id,
    client: 'c',
    startedAtMs: id,
    endedAtMs: outcome === 'unknown' ? Infinity : id + 0.5,
    outcome,
    appends: [{ key: 'x', values }],
    reads: [],
  })
  const read = (id: number, values: readonly number[]): Transaction => ({
    ...append(id, []),
    appends: [],
    reads: [{ key: 'x', values }],
  })
  const history = [
    append(0, [1]),
    append(1, [2, 3]),
    append(2, [4], 'unknown'),
    append(3, [5], 'aborted'),
    read(4, [1, 2, 3]),
  ]
  const kindsIn = (...lists: readonly (readonly number[])[]): readonly string[] =>
    checkListStream(
      history,
      lists.map((values): ListRecord => ({ key: 'x', values })),
    ).map(({ kind }) => kind)

  test('shows each append once and in order', () => {
    expect(kindsIn([1], [1, 2, 3])).toEqual([])
  })

  test('may show what had no answer, after the last read too', () => {
    expect(kindsIn([1], [1, 2, 3], [1, 2, 3, 4])).toEqual([])
  })

  test('that misses, repeats, tears or reorders is found', () => {
    expect(kindsIn([1])).toEqual(['stream misses a record'])
    expect(kindsIn([1, 2, 3])).toEqual(['stream misses a record'])
    expect(kindsIn()).toEqual(['stream misses a record'])
    expect(kindsIn([1], [1], [1, 2, 3])).toEqual(['stream repeats a record'])
    expect(kindsIn([1], [1, 2], [1, 2, 3])).toContain('stream misses a record')
    expect(kindsIn([1], [1, 2, 3], [1])).toContain('stream out of order')
    expect(kindsIn([1], [1, 2, 3], [1, 2, 3, 5])).toContain('stream shows what has not happened')
  })
})

describe('a stream of items', () => {
  const operation = (id: number, action: ItemAction, answer?: ItemAnswer): ItemOperation => ({
    id,
    client: 'c',
    key: 'x',
    startedAtMs: id,
    endedAtMs: answer === undefined ? Infinity : id + 0.5,
    action,
    answer,
  })
  const done = (held: Held): ItemAnswer => ({ isDone: true, before: { held } })
  const operations = [
    operation(0, { kind: 'write', value: 10 }, done(undefined)),
    operation(1, { kind: 'compare and set', expected: 10, value: 11 }, done(10)),
    operation(2, { kind: 'compare and set', expected: 10, value: 12 }, { isDone: false }),
    operation(3, { kind: 'write', value: 13 }),
    operation(4, { kind: 'delete' }, done(11)),
    operation(5, { kind: 'delete' }, done(undefined)),
    operation(6, { kind: 'add', amount: 7 }, done(undefined)),
    operation(7, { kind: 'add', amount: 2 }, { isDone: true }),
    operation(8, { kind: 'read' }, done(9)),
  ]
  const all: readonly (readonly [Held, Held])[] = [
    [undefined, 10],
    [10, 11],
    [11, undefined],
    [undefined, 7],
    [7, 9],
  ]
  const kindsIn = (records: readonly (readonly [Held, Held])[]): readonly string[] =>
    checkItemStream(
      operations,
      records.map(([before, after]): ItemRecord => ({ key: 'x', before, after })),
    ).map(({ kind }) => kind)

  test('shows each change once and in order, and of what had no answer nothing or one', () => {
    expect(kindsIn(all)).toEqual([])
    expect(kindsIn([...all, [9, 13]])).toEqual([])
  })

  test('that misses one is found', () => {
    expect(kindsIn(all.slice(0, 4))).toEqual(['stream misses a record'])
    expect(kindsIn(all.toSpliced(1, 1))).toContain('stream misses or repeats a record')
    expect(kindsIn([])).toContain('stream misses a record')
  })

  test('that shows one twice, or one that was refused, is found', () => {
    expect(kindsIn(all.toSpliced(1, 0, [undefined, 10]))).toContain('stream misses or repeats a record')
    expect(kindsIn([...all, [9, 12]])).toEqual(['stream shows what has not happened'])
    expect(kindsIn([...all, [9, 13], [13, 13]])).toEqual(['stream shows what has not happened'])
  })

  test('in another order than clients have seen is found', () => {
    const one = operation(0, { kind: 'write', value: 1 }, { isDone: true })
    const other = operation(1, { kind: 'write', value: 2 }, { isDone: true })
    const records = [
      { key: 'x', before: undefined, after: 2 },
      { key: 'x', before: 2, after: 1 },
    ]
    expect(checkItemStream([one, other], records).map(({ kind }) => kind)).toEqual(['stream out of order'])
  })
})

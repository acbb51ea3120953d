import { describe, expect, test } from 'vitest'
import { checkSerializable } from './check-serializable.ts'
import type { Operation } from './history.ts'

let nextId = 0

function operation(
  [invokedAtMs, completedAtMs]: readonly [number, number],
  what: { append?: Record<string, string>; read?: Record<string, readonly string[]> },
): Operation {
  return {
    id: nextId++,
    client: 'client',
    invokedAtMs,
    completedAtMs,
    appends: new Map(Object.entries(what.append ?? {})),
    reads: new Map(Object.entries(what.read ?? {})),
  }
}

describe('the checker accepts', () => {
  test('appends and reads one after the other', () => {
    const history = [
      operation([0, 1], { append: { x: '1' } }),
      operation([2, 3], { append: { x: '2' }, read: { x: ['1'] } }),
      operation([4, 5], { read: { x: ['1', '2'] } }),
    ]
    expect(checkSerializable(history)).toBeUndefined()
  })

  test('operations at the same time, in whatever order', () => {
    const history = [
      operation([0, 10], { append: { x: '1', y: '1' } }),
      operation([0, 10], { append: { x: '2', y: '2' } }),
      operation([0, 10], { read: { x: [], y: [] } }),
      operation([11, 12], { read: { x: ['2', '1'], y: ['2', '1'] } }),
    ]
    expect(checkSerializable(history)).toBeUndefined()
  })

  test('an append without an answer, whether it happened, happened late or not at all', () => {
    const unknown = operation([0, Infinity], { append: { x: 'late' } })
    const others = [operation([1, 2], { append: { x: '1' } }), operation([3, 4], { read: { x: ['1'] } })]
    expect(checkSerializable([unknown, ...others])).toBeUndefined()
    expect(
      checkSerializable([unknown, ...others, operation([5, 6], { read: { x: ['1', 'late'] } })]),
    ).toBeUndefined()
  })
})

describe('the checker finds', () => {
  test('a lost append', () => {
    const history = [
      operation([0, 1], { append: { x: '1' } }),
      operation([0, 1], { append: { x: '2' } }),
      operation([2, 3], { read: { x: ['2'] } }),
    ]
    expect(checkSerializable(history)).toContain('lost')
  })

  test('an update that was lost between two that read the same', () => {
    const history = [
      operation([0, 10], { append: { x: '1' }, read: { x: [] } }),
      operation([0, 10], { append: { x: '2' }, read: { x: [] } }),
      operation([11, 12], { read: { x: ['1', '2'] } }),
    ]
    expect(checkSerializable(history)).toContain('no order')
  })

  test('write skew', () => {
    const history = [
      operation([0, 10], { append: { x: '1' }, read: { y: [] } }),
      operation([0, 10], { append: { y: '1' }, read: { x: [] } }),
      operation([11, 12], { read: { x: ['1'], y: ['1'] } }),
    ]
    expect(checkSerializable(history)).toContain('no order')
  })

  test('half a transaction', () => {
    const history = [
      operation([0, 10], { append: { x: '1', y: '1' } }),
      operation([0, 10], { read: { x: ['1'], y: [] } }),
      operation([11, 12], { read: { x: ['1'], y: ['1'] } }),
    ]
    expect(checkSerializable(history)).toContain('no order')
  })

  test('a read of the past', () => {
    const history = [
      operation([0, 1], { append: { x: '1' } }),
      operation([2, 3], { read: { x: [] } }),
      operation([4, 5], { read: { x: ['1'] } }),
    ]
    expect(checkSerializable(history)).toContain('no order')
  })

  test('two servers that disagree about an order', () => {
    const history = [
      operation([0, 10], { append: { x: '1' } }),
      operation([0, 10], { append: { x: '2' } }),
      operation([11, 12], { read: { x: ['1', '2'] } }),
      operation([11, 12], { read: { x: ['2', '1'] } }),
    ]
    expect(checkSerializable(history)).toContain('position 0')
  })

  test('a value that came from nowhere, and one that came twice', () => {
    expect(checkSerializable([operation([0, 1], { read: { x: ['1'] } })])).toContain('nobody')
    const twice = [operation([0, 1], { append: { x: '1' } }), operation([2, 3], { read: { x: ['1', '1'] } })]
    expect(checkSerializable(twice)).toContain('twice')
  })
})

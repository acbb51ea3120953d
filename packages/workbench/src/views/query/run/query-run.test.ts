import { describe, expect, test } from 'vitest'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { QueryRun } from './query-run.ts'
import { formatDollars } from '../../../values/dollars.ts'
import { totalsOf, wastedUnits } from './run-cost.ts'

const request = (partition: string): ServiceRequest => ({
  operation: 'Query',
  input: { TableName: 't', ExpressionAttributeValues: { ':pk': { S: partition } } },
})
const item = (n: number) => ({ sk: { N: String(n) } })

/** A service of which each partition has these pages. */
function service(partitions: Readonly<Record<string, readonly (readonly number[])[]>>) {
  const asked: unknown[] = []
  const send = async (_operation: string, input: object): Promise<Record<string, unknown>> => {
    asked.push(input)
    const { ExpressionAttributeValues, ExclusiveStartKey } = input as {
      ExpressionAttributeValues: { ':pk': { S: string } }
      ExclusiveStartKey?: { page: number }
    }
    const pages = partitions[ExpressionAttributeValues[':pk'].S] ?? []
    const at = ExclusiveStartKey?.page ?? 0
    const numbers = pages[at] ?? []
    return {
      Items: numbers.map(item),
      Count: numbers.length,
      ScannedCount: numbers.length * 2,
      ConsumedCapacity: { CapacityUnits: 1.5 },
      ...(at + 1 < pages.length && { LastEvaluatedKey: { page: at + 1 } }),
    }
  }
  return { send, asked }
}

describe('a run', () => {
  test('reads a page when it is asked for one, and counts what it took', async () => {
    const { send, asked } = service({ a: [[1, 2], [3]] })
    const run = new QueryRun({ requests: [request('a')] }, send)
    await run.nextPage()
    expect(run.state).toMatchObject({ status: 'done', hasMore: true, items: [item(1), item(2)] })
    await run.nextPage()
    expect(run.state).toMatchObject({ hasMore: false, items: [item(1), item(2), item(3)] })
    await run.nextPage()
    expect(asked).toHaveLength(2)
    expect(asked[0]).toMatchObject({ ReturnConsumedCapacity: 'INDEXES' })
    expect(totalsOf(run.state.pages)).toEqual({ requests: 2, count: 3, scannedCount: 6, units: 3 })
  })

  test('reads all pages of all shards and merges them', async () => {
    const { send } = service({ a: [[9, 5], [1]], b: [[8, 2]], c: [[]] })
    const run = new QueryRun(
      { requests: ['a', 'b', 'c'].map(request), mergeBy: { attribute: 'sk', isDescending: true } },
      send,
    )
    await run.readAll()
    expect(run.state.items).toEqual([9, 8, 5, 2, 1].map(item))
    expect(run.state.pages).toHaveLength(4)
  })

  test('that is cancelled keeps what it has, and can go on', async () => {
    const { send } = service({ a: [[1], [2], [3]] })
    let wait: () => void = () => undefined
    const slow = async (operation: string, input: object, signal: AbortSignal) => {
      if ('ExclusiveStartKey' in input) await new Promise<void>((resolve) => (wait = resolve))
      signal.throwIfAborted()
      return send(operation, input)
    }
    const run = new QueryRun({ requests: [request('a')] }, slow)
    const all = run.readAll()
    await expect.poll(() => run.state.items.length).toBe(1)
    run.cancel()
    wait()
    await all
    expect(run.state).toMatchObject({ status: 'cancelled', hasMore: true, items: [item(1)] })
  })

  test('that fails says why, and keeps what it has', async () => {
    const { send } = service({ a: [[1], [2]] })
    const failing = async (operation: string, input: object) => {
      if ('ExclusiveStartKey' in input) throw new Error('throttled')
      return send(operation, input)
    }
    const run = new QueryRun({ requests: [request('a')] }, failing)
    await run.readAll()
    expect(run.state).toMatchObject({
      status: 'failed',
      error: new Error('throttled'),
      items: [item(1)],
      hasMore: true,
    })
  })

  test('of a lookup follows what it found to its owner', async () => {
    const { send } = service({ guard: [[1]], owner: [[7]] })
    const run = new QueryRun({ requests: [request('guard')], follow: async () => request('owner') }, send)
    await run.nextPage()
    expect(run.state).toMatchObject({ items: [item(7)], hasMore: false })
    expect(run.state.pages).toHaveLength(2)
  })
})

describe('what a run costs', () => {
  const page = { operation: 'Query', count: 1, scannedCount: 40, units: 10, bytes: 2000 }
  test('a filter wastes what reading the rest alone would not have cost', () => {
    expect(wastedUnits([page], true, false)).toBe(9.5)
    expect(wastedUnits([page], true, true)).toBe(9)
    expect(wastedUnits([page], false, false)).toBe(9.75)
    expect(wastedUnits([{ ...page, count: 40 }], true, false)).toBe(0)
    expect(wastedUnits([{ ...page, scannedCount: undefined }], true, false)).toBe(0)
  })
  test('dollars have two digits that say something', () => {
    expect([0, 0.0000003125, 0.0125, 0.5, 1.25, 164.254, 12345.6].map(formatDollars)).toEqual([
      '$0',
      '$0.00000031',
      '$0.013',
      '$0.50',
      '$1.25',
      '$164.25',
      '$12,346',
    ])
  })
})

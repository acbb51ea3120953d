import { describe, expect, test } from 'vitest'
import { KeyChange, type KeyWrite } from '../items/key-change.ts'
import { StoredItem } from '../items/stored-item.ts'
import type { Key, Range, Snapshot, Value } from '../store/store.ts'
import { LaggingSnapshot } from './lagging-snapshot.ts'
import { RecentChanges } from './recent-changes.ts'

const key = (number: number): Buffer => Buffer.from(`\x10\0\0\0\x01${String(number).padStart(3, '0')}`, 'latin1')
const valueOf = (text: string): Value => StoredItem.of({ text: { S: text } }).value

/** Everything in order, a store's limit taken at its word; answers at once, or later. */
function snapshotOf(entries: ReadonlyMap<number, Value>, later: boolean): Snapshot {
  const sorted = [...entries].toSorted(([a], [b]) => a - b).map(([number, value]) => [key(number), value] as const)
  const find = (wanted: Key): Value | undefined => sorted.find(([each]) => each.equals(wanted))?.[1]
  const visitAll = ({ from, to, reverse, limit }: Range, visit: (key: Key, value: Value) => boolean): void => {
    const within = sorted.filter(([each]) => Buffer.compare(each, from) >= 0 && Buffer.compare(each, to) < 0)
    for (const [each, value] of (reverse === true ? within.toReversed() : within).slice(0, limit)) {
      if (!visit(each, value)) return
    }
  }
  return {
    get: (wanted) => (later ? Promise.resolve(find(wanted)) : find(wanted)),
    getMany: (wanted) => (later ? Promise.resolve(wanted.map(find)) : wanted.map(find)),
    range: (bounds, visit) =>
      later ? Promise.resolve().then(() => visitAll(bounds, visit)) : visitAll(bounds, visit),
  }
}

describe.each([
  ['at once', false],
  ['later', true],
])('over a store that answers %s', (_, later) => {
  const before = new Map<number, Value>()
  const after = new Map<number, Value>()
  const recent = new RecentChanges({ maxLagMs: 1e12 }, { now: () => 0 })
  const writes: KeyWrite[] = []
  for (let number = 0; number < 200; number++) {
    const kind = number < 60 ? 'inserted' : ['kept', 'inserted', 'removed', 'changed'][(number * 7) % 4]
    if (kind !== 'inserted') before.set(number, valueOf(`old ${number}`))
    if (kind === 'kept') after.set(number, valueOf(`old ${number}`))
    if (kind === 'inserted' || kind === 'changed') after.set(number, valueOf(`new ${number}`))
    if (kind === 'kept') continue
    const value = before.get(number)
    const change = new KeyChange(key(number), 1, value && new StoredItem(value))
    const next = after.get(number)
    writes.push(
      next === undefined
        ? { kind: 'delete', key: key(number), change }
        : { kind: 'put', key: key(number), value: next, change },
    )
  }
  recent.note(writes)
  const lagging = new LaggingSnapshot(snapshotOf(after, later), recent)
  const expected = snapshotOf(before, false)

  const read = async (snapshot: Snapshot, bounds: Range, take: number): Promise<string[]> => {
    const found: string[] = []
    await snapshot.range(bounds, (each, value) => {
      found.push(`${Buffer.from(each).toString('latin1')} ${value.toString('latin1', 5)}`)
      return found.length < take
    })
    return found
  }

  test.each([
    [0, 200, undefined],
    [0, 200, 1],
    [0, 200, 7],
    [55, 70, 3],
    [61, 199, 40],
    [120, 120, 5],
    [199, 200, undefined],
  ])('from %i to %i, at most %s, it shows the past, both ways', async (from, to, limit) => {
    for (const reverse of [false, true]) {
      const bounds: Range = { from: key(from), to: key(to), reverse, ...(limit !== undefined && { limit }) }
      expect(await read(lagging, bounds, limit ?? Infinity)).toEqual(
        await read(expected, bounds, limit ?? Infinity),
      )
    }
  })

  test('key by key as well', async () => {
    const keys = Array.from({ length: 200 }, (_value, number) => key(number))
    expect(await lagging.getMany(keys)).toEqual(await expected.getMany(keys))
    expect(await lagging.get(key(3))).toBeUndefined()
  })
})

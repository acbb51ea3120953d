import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../simulation/seeded-random.ts'
import type { KeyChange, Range } from '../store.ts'
import { BufferedDataFile, type BufferOptions } from './buffered-data-file.ts'
import { openDataFile, type CheckedDataFile, type DataFile, type HeldState } from './data-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-buffered-'))
let count = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const everything = { from: Buffer.of(0), to: Buffer.of(0xff) }

const change = (key: string, value: string | undefined): KeyChange => ({
  key: Buffer.from(key, 'latin1'),
  value: value === undefined ? undefined : Buffer.from(value),
})

function open(
  options: Partial<BufferOptions> = {},
  wrap: (file: CheckedDataFile) => CheckedDataFile = (file) => file,
) {
  const below = openDataFile(join(folder, `${count++}.mdb`))
  const failures: unknown[] = []
  const data = new BufferedDataFile(wrap(below), {
    mostBytes: 1_000_000,
    onFailure: (cause) => failures.push(cause),
    ...options,
  })
  return { data, below, failures }
}

type Entries = readonly (readonly [key: string, value: string])[]

function entriesOf(data: DataFile, bounds: Range = everything, at?: HeldState): Entries {
  const entries: (readonly [string, string])[] = []
  data.range(bounds, (key, value) => entries.push([Buffer.from(key).toString('latin1'), value.toString()]) > 0, at)
  return entries
}

const flushed = (data: BufferedDataFile): Promise<void> => data.flush(() => undefined)

describe('changes above a data file', () => {
  test('are seen at once, and the file has them later', async () => {
    const { data, below } = open()
    await data.commit([change('a', '1'), change('b', '2')])
    expect(data.get(Buffer.from('a'))?.toString()).toBe('1')
    expect(entriesOf(below)).toEqual([])
    await data.commit([change('a', undefined), change('c', '3')])
    expect(data.get(Buffer.from('a'))).toBeUndefined()
    await flushed(data)
    expect(data.bytes).toBe(0)
    const expected = [
      ['b', '2'],
      ['c', '3'],
    ]
    expect(entriesOf(below)).toEqual(expected)
    await data.commit([change('b', undefined)])
    expect(data.get(Buffer.from('b'))).toBeUndefined()
    expect(entriesOf(data)).toEqual([['c', '3']])
    expect(entriesOf(below)).toEqual(expected)
    await data.close()
  })

  test('may be followed by others to the same memory: values are copied in and out', async () => {
    const { data } = open()
    const value = Buffer.from('first')
    await data.commit([{ key: Buffer.from('a'), value }])
    value.fill('x')
    const read = data.get(Buffer.from('a'))
    read?.fill('y')
    expect(data.get(Buffer.from('a'))?.toString()).toBe('first')
    await data.close()
  })

  test('of any size are kept, from none to larger than a block', async () => {
    const { data, below } = open({ mostBytes: 100_000_000 })
    const sizes = [0, 1, 262_139, 262_140, 262_141, 262_144, 400_000, 3, 1_000_000, 5]
    await data.commit(sizes.map((size, index) => change(`k${index}`, String(index).repeat(size))))
    for (const file of [data, below]) {
      if (file === below) await flushed(data)
      const found = sizes.map((_, index) => file.get(Buffer.from(`k${index}`))?.toString())
      expect(found).toEqual(sizes.map((size, index) => String(index).repeat(size)))
    }
    await data.close()
  })

  test('are brought to the file before they take too much memory', async () => {
    const { data, below } = open({ mostBytes: 10_000 })
    for (let number = 0; number < 200; number++) {
      await data.commit([change(`key ${number}`, 'x'.repeat(500))])
      expect(data.bytes).toBeLessThan(12_000)
    }
    await flushed(data)
    expect(entriesOf(below)).toHaveLength(200)
    await data.close()
  })

  test('that are many at once are committed to the file, after those before them', async () => {
    const { data, below } = open({ mostBytes: 32_000 })
    await data.commit([change('a', 'small'), change('b', 'small')])
    const before = data.hold()
    await data.commit([change('a', 'x'.repeat(1_000)), change('c', undefined)])
    expect(data.bytes).toBe(0)
    for (const file of [data, below]) {
      expect(entriesOf(file)).toEqual([
        ['a', 'x'.repeat(1_000)],
        ['b', 'small'],
      ])
    }
    expect(entriesOf(data, everything, before).map(([, value]) => value)).toEqual(['small', 'small'])
    before.release()
    await data.close()
  })

  test('that the file rejects stay, and are brought there when it accepts them', async () => {
    let rejects = 2
    const { data, below, failures } = open({ mostBytes: 64_000 }, (file) => ({
      get: (key, at) => file.get(key, at),
      range: (bounds, visit, at) => file.range(bounds, visit, at),
      hold: () => file.hold(),
      close: () => file.close(),
      commitSync: (changes) => file.commitSync(changes),
      commit: (changes) => file.commit(changes),
      commitChecked: async (changes) => {
        if (rejects-- > 0) throw new Error('EIO')
        await file.commitChecked(changes)
      },
    }))
    const names = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index))
    for (const name of names) await data.commit([change(name, 'x'.repeat(500))])
    await expect.poll(() => failures).toHaveLength(1)
    await expect(flushed(data)).rejects.toThrow('EIO')
    expect(entriesOf(below)).toEqual([])
    expect(entriesOf(data)).toHaveLength(names.length)
    for (const name of names) await data.commit([change(name, name === 'a' ? '2' : undefined)])
    await flushed(data)
    expect(entriesOf(below)).toEqual([['a', '2']])
    await data.close()
  })

  test('nothing is being written to the file when a flush says that it has everything', async () => {
    let running = 0
    const { data } = open({ mostBytes: 8_000 }, (file) => ({
      get: (key, at) => file.get(key, at),
      range: (bounds, visit, at) => file.range(bounds, visit, at),
      hold: () => file.hold(),
      close: () => file.close(),
      commitSync: (changes) => file.commitSync(changes),
      commit: (changes) => file.commit(changes),
      commitChecked: async (changes) => {
        running++
        await file.commitChecked(changes)
        running--
      },
    }))
    const flushes: Promise<number>[] = []
    for (let number = 0; number < 300; number++) {
      await data.commit([change(`key ${number % 40}`, 'x'.repeat(number))])
      if (number % 7 === 0) flushes.push(data.flush(() => running))
    }
    expect(new Set(await Promise.all(flushes))).toEqual(new Set([0]))
    await data.close()
  })
})

describe('held states and ranges, compared with maps', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i', { timeout: 60_000 }, async (seed) => {
    const random = new SeededRandom(seed)
    const mostBytes = random.pick([1, 3_000, 1_000_000])
    const { data } = open({ mostBytes })
    const expected = new Map<string, string>()
    const held: { readonly state: HeldState; readonly entries: ReadonlyMap<string, string> }[] = []
    const name = (): string =>
      String.fromCharCode(random.below(4) === 0 ? 0xe0 + random.below(16) : 97 + random.below(26)) +
      (random.chance(0.5) ? '' : String(random.below(9)))
    for (let step = 0; step < 600; step++) {
      const changes = new Map<string, string | undefined>()
      for (let left = random.below(6); left > 0; left--)
        changes.set(name(), random.chance(0.3) ? undefined : `${step}`)
      const committing = data.commit([...changes].map(([key, value]) => change(key, value)))
      for (const [key, value] of changes) {
        if (value === undefined) expected.delete(key)
        else expected.set(key, value)
      }
      // The many that go to the file are not seen before.
      if (mostBytes < 1_000_000 || random.chance(0.7)) await committing
      if (random.chance(0.05)) void flushed(data)
      if (random.chance(0.05)) await flushed(data)
      if (random.chance(0.1)) held.push({ state: data.hold(), entries: new Map(expected) })
      if (held.length > 0 && random.chance(0.08)) held.splice(random.below(held.length), 1)[0]?.state.release()

      const compared =
        random.chance(0.5) || held.length === 0 ? { state: undefined, entries: expected } : random.pick(held)
      const [from = '', to = ''] = [name(), name()].toSorted()
      const bounds: Range = {
        from: Buffer.from(from, 'latin1'),
        to: Buffer.from(to, 'latin1'),
        reverse: random.chance(0.5),
        ...(random.chance(0.5) && { limit: random.below(8) }),
      }
      expect(entriesOf(data, bounds, compared.state), `step ${step}`).toEqual(
        inRange(compared.entries, from, to, bounds),
      )
      const one = name()
      expect(data.get(Buffer.from(one, 'latin1'), compared.state)?.toString()).toBe(compared.entries.get(one))
    }
    for (const { state, entries } of held) {
      expect(entriesOf(data, everything, state)).toEqual(inRange(entries, '', '\u{ff}\u{ff}', everything))
      state.release()
    }
    await flushed(data)
    expect(entriesOf(data)).toEqual(inRange(expected, '', '\u{ff}\u{ff}', everything))
    await data.close()
  })
})

function inRange(entries: ReadonlyMap<string, string>, from: string, to: string, bounds: Range): Entries {
  const all = [...entries]
    .filter(([key]) => key >= from && key < to)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return (bounds.reverse === true ? all.toReversed() : all).slice(0, bounds.limit)
}

import { describe, expect, test } from 'vitest'
import { keyText } from '../store/key-text.ts'
import { SortedRun } from './sorted-run.ts'

/** Five bytes before the hash, as items' keys have. */
const keyOf = (hash: number, rest: string): Buffer => {
  const key = Buffer.alloc(9 + rest.length)
  key.writeUInt32BE(hash, 5)
  key.write(rest, 9)
  return key
}

const add = (run: SortedRun, key: Buffer, value: Buffer): void =>
  run.add(key, value.length + 10, (target, offset) => offset + value.copy(target, offset))

describe('a sorted run', () => {
  test('has its entries in the order of their keys, and of one key the last', () => {
    const run = new SortedRun()
    const expected = new Map<string, string>()
    for (let number = 0; number < 20_000; number++) {
      const key = keyOf((number * 2_654_435_761) % 4_000, `sort ${number % 7}`)
      add(run, key, Buffer.from(`value ${number}`))
      expected.set(key.toString('latin1'), `value ${number}`)
    }
    const read = run.sorted().map((number) => [keyText(run.key(number)), run.value(number).toString()])
    expect(read).toEqual([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })

  test('can be used again, and holds values larger than its chunks', () => {
    const run = new SortedRun()
    add(run, keyOf(4_294_967_295, ''), Buffer.from('before'))
    run.clear()
    const large = Buffer.alloc(9_000_000, 1)
    add(run, keyOf(2, ''), large)
    add(run, keyOf(1, ''), Buffer.from('after'))
    const [first, second] = run.sorted()
    expect(run.value(first ?? 0).toString()).toBe('after')
    expect(run.value(second ?? 0).equals(large)).toBe(true)
  })
})

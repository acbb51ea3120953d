import { assertItemTypes, itemSizeBytes, readItem, type Item } from '@hashrange/core'
import { describe, expect, test } from 'vitest'
import { ItemScanner } from './item-scanner.ts'

const scanner = new ItemScanner(['id', 'rank'])

/** What the parser makes of the same item: what is stored, its size, and its key attributes. */
function parsed(json: string): { json: string; sizeBytes: number; attributes: Item } {
  const raw: unknown = JSON.parse(json)
  assertItemTypes(raw)
  const item = readItem(raw)
  const attributes = Object.fromEntries(Object.entries(item).filter(([name]) => name === 'id' || name === 'rank'))
  return { json: JSON.stringify(item), sizeBytes: itemSizeBytes(item), attributes }
}

function scan(item: string): ReturnType<typeof parsed> | undefined {
  const scanned = scanner.scan(`{"Item":${item}}`)
  return scanned && { json: scanned.json, sizeBytes: scanned.sizeBytes, attributes: scanned.attributes }
}

describe('an item scanner', () => {
  test.each([
    [
      'every type',
      '{"id":{"S":"a"},"rank":{"N":"-1.5"},"b":{"B":"AAE="},"t":{"BOOL":true},"f":{"BOOL":false},"n":{"NULL":true},"m":{"M":{"x":{"L":[{"S":""},{"M":{}},{"L":[]}]}}},"s":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AA==","AQ=="]}}',
    ],
    ['letters of two, three and four bytes', '{"id":{"S":"é€𐍈"},"straße":{"S":"ß"}}'],
    ['sets out of order', '{"id":{"S":"a"},"s":{"SS":["b","a"]},"t":{"NS":["10","9","-1"]},"u":{"S":"after"}}'],
    [
      'numbers that are written otherwise',
      '{"id":{"S":"a"},"rank":{"N":"+01.50"},"n":{"L":[{"N":"1e2"},{"N":".5"}]}}',
    ],
    ['booleans as text', '{"id":{"S":"a"},"t":{"BOOL":"yes"}}'],
    ['names of a prototype', '{"__proto__":{"S":"a"},"constructor":{"M":{"__proto__":{"N":"1"}}}}'],
    ['nothing', '{}'],
  ])('reads %s as the parser does', (_, json) => {
    expect(scan(json)).toEqual(parsed(json))
  })

  test.each([
    ['white space', '{"id": {"S":"a"}}'],
    ['an escape', '{"id":{"S":"a\\n"}}'],
    ['an escape in a name', '{"i\\u0064":{"S":"a"}}'],
    ['a name twice', '{"id":{"S":"a"},"id":{"S":"b"}}'],
    ['a name twice in a map', '{"m":{"M":{"a":{"S":"1"},"a":{"S":"2"}}}}'],
    ['a name that is a number', '{"b":{"S":"a"},"1":{"S":"a"}}'],
    ['a type twice', '{"id":{"S":"a","N":"1"}}'],
    ['an unknown type', '{"id":{"X":"a"}}'],
    ['no number', '{"id":{"N":"one"}}'],
    ['an empty set', '{"id":{"SS":[]}}'],
    ['a set with a member twice', '{"id":{"SS":["a","a"]}}'],
    ['an end too early', '{"id":{"S":"a"'],
    ['more than an end', '{"id":{"S":"a"}}}'],
    ['too many levels', `{"l":${'{"L":['.repeat(33)}${']}'.repeat(33)}}`],
    ['a control character', '{"id":{"S":"a\u0001"}}'],
  ])('leaves %s to the parser', (_, json) => {
    expect(scan(json)).toBeUndefined()
  })

  test('agrees with the parser on whatever it reads', () => {
    const seed = Number(process.env['HASHRANGE_SEED'])
    const random = randomOf(seed)
    let read = 0
    for (let round = 0; round < 20_000; round++) {
      const whole = JSON.stringify(randomMap(random, 0))
      // A line has been decoded from bytes, and so has no half of a pair alone.
      const json = Buffer.from(random() < 0.5 ? whole : damaged(whole, random)).toString()
      const scanned = scan(json)
      if (scanned === undefined) continue
      read++
      expect(scanned, `seed ${seed}, ${json}`).toEqual(parsed(json))
    }
    expect(read).toBeGreaterThan(5_000)
  })
})

type Random = () => number

function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) / 2 ** 23
  }
}

function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0]
}

function many<T>(random: Random, make: () => T): T[] {
  return Array.from({ length: Math.floor(random() * 4) }, make)
}

function randomMap(random: Random, level: number): Record<string, unknown> {
  const names = many(random, () =>
    pick(random, ['id', 'rank', 'a', 'b', 'ä', 'a b', 'x"y', '7', 'constructor', 'é€']),
  )
  return Object.fromEntries(names.map((name) => [name, randomValue(random, level)]))
}

function randomValue(random: Random, level: number): unknown {
  const text = () => pick(random, ['', 'a', 'b', 'é', '€', '𐍈', 'a\\b', 'a}b', ']', '{"S":"a"}', 'x"y'])
  const number = () =>
    pick(random, ['0', '-0', '1', '-12', '0.5', '1.50', '1e3', '12345678901234567890', '.5', 'x'])
  const binary = () => pick(random, ['', 'AA==', 'AAE=', 'AAEC', 'AB==', '!'])
  switch (Math.floor(random() * (level > 3 ? 8 : 10))) {
    case 0:
      return { S: text() }
    case 1:
      return { N: number() }
    case 2:
      return { B: binary() }
    case 3:
      return { BOOL: pick<unknown>(random, [true, false, 'no', 'maybe']) }
    case 4:
      return { NULL: random() < 0.9 }
    case 5:
      return { SS: many(random, text) }
    case 6:
      return { NS: many(random, number) }
    case 7:
      return { BS: many(random, binary) }
    case 8:
      return { M: randomMap(random, level + 1) }
    default:
      return { L: many(random, () => randomValue(random, level + 1)) }
  }
}

/** With a piece left out, doubled or put elsewhere. */
function damaged(json: string, random: Random): string {
  const place = () => Math.floor(random() * json.length)
  const [from, to, target] = [place(), place(), place()]
  const piece = json.slice(from, to)
  return pick(random, [
    json.slice(0, from) + json.slice(from + 1),
    json.slice(0, target) + piece + json.slice(target),
    json.slice(0, target) + pick(random, [' ', '"', '{', '}', ',', ':', '\\', '1']) + json.slice(target),
  ])
}

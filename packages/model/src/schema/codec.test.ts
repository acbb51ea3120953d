import { describe, expect, test } from 'vitest'
import type { AnyAttribute } from './attribute.ts'
import { codecOf } from './codec.ts'
import { now, secondsFromNow, ulid, uuid } from './generators.ts'
import { toIsoBound, toIsoDate } from './iso-date.ts'
import { s } from './s.ts'
import type { StandardSchema } from './standard-schema.ts'

function roundTrip(attribute: AnyAttribute, value: unknown): unknown {
  const codec = codecOf(attribute.definition)
  const stored = codec.encode(value, 'x')
  return stored === undefined ? undefined : codec.decode(stored, 'x')
}

function refusal(attribute: AnyAttribute, value: unknown): string {
  try {
    codecOf(attribute.definition).encode(value, 'x')
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return 'accepted'
}

describe('each type', () => {
  test.each([
    ['string', s.string(), 'é', 'é'],
    ['number', s.number(), -1.5, -1.5],
    ['int', s.int(), 42, 42],
    ['boolean', s.boolean(), false, false],
    ['binary', s.binary(), new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ['iso', s.iso(), '2026-06-10T16:32:00+02:00', '2026-06-10T14:32:00.000Z'],
    ['iso day', s.iso('day'), new Date(Date.UTC(2026, 5, 10, 23)), '2026-06-10'],
    ['enum', s.enum('a', 'b'), 'b', 'b'],
    ['list', s.list(s.int()), [1, 2], [1, 2]],
    ['map', s.map({ a: s.string(), b: s.int().optional() }), { a: 'x' }, { a: 'x' }],
    ['map with a default', s.map({ a: s.string().default('d') }), {}, { a: 'd' }],
    ['record', s.record(s.number()), { constructor: 1, b: 2 }, { constructor: 1, b: 2 }],
    ['set', s.set(s.number()), [1, 2, 1], new Set([1, 2])],
    ['empty set', s.set(s.string()), [], undefined],
    ['ttl', s.ttl(), new Date(1_800_000_000_500), 1_800_000_000],
    ['any', s.any(), { a: [1, null, new Set(['x'])], b: true }, { a: [1, null, new Set(['x'])], b: true }],
  ] as const)('%s is stored and read back', (_, attribute, value, expected) => {
    expect(roundTrip(attribute, value)).toEqual(expected)
  })

  test.each([
    [s.string(), 1, 'x must be a string, not 1.'],
    [s.int(), 1.5, 'x must be a safe integer, not 1.5.'],
    [s.number(), Number.NaN, 'x must be a finite number, not null.'],
    [s.enum('a', 'b'), 'c', 'x must be one of a, b, not "c".'],
    [s.iso(), '10.6.2026', 'x must be an ISO 8601 date or a Date, not "10.6.2026".'],
    [s.ulid(), 'abc', 'x must be a ULID (26 characters, upper case), not "abc".'],
    [s.uuid(), 'abc', 'x must be a UUID, not "abc".'],
    [s.ttl(), Date.now(), 'x must be whole seconds since 1970 (not milliseconds)'],
    [s.list(s.int()), [1, 'a'], 'x[1] must be'],
    [s.map({ a: s.string() }), { a: 'x', b: 1 }, 'with the fields a'],
    [s.map({ a: s.string() }), {}, 'x.a is missing'],
    [s.int().range(1, 5), 6, 'x must be a number from 1 to 5, not 6.'],
    [s.any(), () => 1, 'x is a function'],
  ] as const)('%# refuses what it cannot hold', (attribute, value, message) => {
    expect(refusal(attribute, value)).toContain(message)
  })

  test('what is stored otherwise is an error that says so', () => {
    expect(() => codecOf(s.int().definition).decode({ S: 'a' }, 'Order.total')).toThrow(
      'Order.total is stored as S, but the model declares N',
    )
  })
})

test('any Standard Schema validator has its say', () => {
  const upper: StandardSchema<string, string> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) =>
        typeof value === 'string' && value.length < 4
          ? { value: value.toUpperCase() }
          : { issues: [{ message: 'at most 3 letters', path: ['code'] }] },
    },
  }
  expect(roundTrip(s.string().check(upper), 'abc')).toBe('ABC')
  expect(refusal(s.string().check(upper), 'abcd')).toBe('x: code: at most 3 letters.')
  expect(roundTrip(s.schema(upper), 'abc')).toBe('ABC')
})

test('dates are one length in UTC, whatever was given', () => {
  expect(toIsoDate('2026-06-10', 'millisecond')).toBe('2026-06-10T00:00:00.000Z')
  expect(toIsoDate('2026-06-10T14', 'second')).toBe('2026-06-10T14:00:00Z')
  expect(toIsoDate('2026-06-10T14:32', 'minute')).toBe('2026-06-10T14:32Z')
  expect(toIsoDate('2026-06-10T23:30:00-02:00', 'day')).toBe('2026-06-11')
  expect(toIsoDate('nonsense', 'day')).toBeUndefined()
  expect(toIsoBound('2026-06', 'millisecond')).toBe('2026-06')
  expect(toIsoBound('2026-06-10T14:32:00Z', 'millisecond')).toBe('2026-06-10T14:32:00.000Z')
})

test('generators draw on the clock and the randomness they are given', () => {
  const context = { now: () => new Date(1_469_918_176_385), random: () => 0 }
  expect(ulid(context)).toBe('01ARYZ6S410000000000000000')
  expect(uuid(context)).toBe('00000000-0000-4000-8000-000000000000')
  expect(now(context)).toEqual(new Date(1_469_918_176_385))
  expect(secondsFromNow(10)(context)).toBe(1_469_918_186)
})

import { expect, test } from 'vitest'
import { CborScanner } from './cbor-scanner.ts'
import { CborWriter } from './cbor-writer.ts'
import { writeAttributeValue } from './attribute-values.ts'

function sample(): Buffer {
  const writer = new CborWriter().integer(1).integer(-742646399).beginMap().integer(3).integer(2).end()
  writeAttributeValue(writer, {
    M: { a: { L: [{ N: '1' }, { N: '12345678901234567890123' }, { SS: ['x'.repeat(300), ''] }] }, b: { M: {} } },
  })
  return writer.null().bytes(Buffer.alloc(700)).double(1.5).take()
}

test('the ends of values are found, in whatever pieces they arrive', () => {
  const bytes = sample()
  for (const size of [1, 2, 7, 1000, bytes.length]) {
    const scanner = new CborScanner()
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size)
      expect(scanner.whole).toBeLessThan(7)
      expect(scanner.scan(piece, 0, 7)).toBe(piece.length)
    }
    expect(scanner.whole).toBe(7)
  }
})

test('what follows the wanted values is left', () => {
  const scanner = new CborScanner()
  expect(scanner.scan(Buffer.from('0102f6f6', 'hex'), 0, 2)).toBe(2)
})

test.each([
  ['nesting without end', Buffer.alloc(5000, 0x81)],
  ['nesting without end or length', Buffer.alloc(5000, 0x9f)],
  ['more values than anybody needs', Buffer.concat([Buffer.of(0x9f), Buffer.alloc(300_000, 0x01)])],
  ['a list of four billion', Buffer.from('9affffffff01', 'hex')],
  ['an end without a beginning', Buffer.from('ff', 'hex')],
  ['an end within a list with a length', Buffer.from('8201ff', 'hex')],
  ['an unknown length', Buffer.from('1c', 'hex')],
  ['a number without end', Buffer.from('1f', 'hex')],
])('%s is refused', (_, bytes) => {
  expect(() => new CborScanner().scan(bytes, 0, 1)).toThrow()
})

test('a string longer than any request is waited for, and takes no memory', () => {
  const scanner = new CborScanner()
  expect(scanner.scan(Buffer.from('5bffffffffffffffff00', 'hex'), 0, 1)).toBe(10)
  expect(scanner.whole).toBe(0)
})

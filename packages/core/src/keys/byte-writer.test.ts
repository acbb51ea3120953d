import { expect, test } from 'vitest'
import { ByteWriter } from './byte-writer.ts'

test('grows beyond its capacity', () => {
  const out = new ByteWriter(1)
  for (let i = 0; i < 300; i++) out.push(i)
  out.append(new Uint8Array(1_000).fill(7))
  expect(out.length).toBe(1_300)
  expect(out.bytes().slice(254, 258)).toEqual(new Uint8Array([254, 255, 0, 1]))
  expect(out.bytes().at(-1)).toBe(7)
})

test('hands out copies that later writes leave alone', () => {
  const out = new ByteWriter()
  out.push(1)
  const bytes = out.bytes()
  out.reset()
  out.push(2)
  expect(bytes).toEqual(new Uint8Array([1]))
  expect(out.bytes()).toEqual(new Uint8Array([2]))
})

test('claims zeros, also where something was written before', () => {
  const out = new ByteWriter()
  out.appendUint32(0xffffffff)
  out.truncate(1)
  out.claim(2)
  expect(out.bytes()).toEqual(new Uint8Array([0xff, 0, 0]))
})

test('writes integers with the highest byte first', () => {
  const out = new ByteWriter()
  out.appendUint32(0x81020304)
  expect(out.bytes()).toEqual(new Uint8Array([0x81, 2, 3, 4]))
})

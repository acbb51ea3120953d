import { expect, test } from 'vitest'
import { CborReader } from '../wire/cbor-reader.ts'
import { CborWriter } from '../wire/cbor-writer.ts'
import { readOptions } from './request-options.ts'

/** The client for version 1 of the Java SDK sends the filter of a scan that has none. */
test('an expression or a key that is sent as nothing is not there', () => {
  const nothing = Buffer.alloc(0)
  const writer = new CborWriter().beginMap()
  for (const option of [0, 4, 8, 9, 10]) writer.integer(option).bytes(nothing)
  expect(readOptions(new CborReader(writer.end().take()))).toEqual({})
})

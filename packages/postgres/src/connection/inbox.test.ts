import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorFields, Inbox, rowOf } from './inbox.ts'

const message = (kind: number, body: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(5 + body.length)
  bytes[0] = kind
  bytes.writeInt32BE(4 + body.length, 1)
  bytes.set(body, 5)
  return bytes
}

test('messages are the same however the stream was cut', () => {
  const someMessages = fc.array(fc.tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ maxLength: 40 })), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(someMessages, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (messages, sizes) => {
      const stream = Buffer.concat(messages.map(([kind, body]) => message(kind, body)))
      const received: [number, Buffer][] = []
      const inbox = new Inbox((kind, bytes, from, to) =>
        received.push([kind, Buffer.from(bytes.subarray(from, to))]),
      )
      let from = 0
      for (const size of sizes) {
        if (from >= stream.length) break
        inbox.add(stream.subarray(from, from + size))
        from += size
      }
      expect(received).toEqual(messages.map(([kind, body]) => [kind, Buffer.from(body)]))
    }),
  )
})

test('a row tells an absent column from an empty one', () => {
  const bytes = Buffer.from([9, 0, 3, 0, 0, 0, 2, 7, 8, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
  expect(rowOf(bytes, 1)).toEqual([Buffer.of(7, 8), undefined, Buffer.of()])
})

test('an error is read by its fields', () => {
  const fields = errorFields(Buffer.from('SERROR\0C23505\0Mduplicate key\0\0'))
  expect([fields.get('C'), fields.get('M')]).toEqual(['23505', 'duplicate key'])
})

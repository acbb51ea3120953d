import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from './serve.ts'
import type { Server } from './serve.ts'
import { RawClient } from './testing/raw-client.ts'

const authorization =
  'AWS4-HMAC-SHA256 Credential=111122223333/20261115/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=abc'

const good =
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n' +
  `X-Amz-Date: 20261115T000000Z\r\nAuthorization: ${authorization}\r\nContent-Length: 11\r\n\r\n{"a":"bé"}`

const chunked = good
  .replace('Content-Length: 11', 'Transfer-Encoding: chunked')
  .replace(/\{.*$/, '4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n')

let server: Server
const failures: unknown[] = []

beforeAll(async () => {
  server = await serve(
    {
      knows: (_, operation) => operation === 'GetItem',
      execute: (_scope, _target, _operation, body) => Promise.resolve({ body }),
    },
    {
      host: '127.0.0.1',
      port: 0,
      maxBodyBytes: 4096,
      limits: { lingerMs: 50 },
      // A mangled Host is told of without an error.
      logger: { error: (_, error) => void (error !== undefined && failures.push(error)) },
    },
  )
})

afterAll(() => server.close())

test('whatever bytes arrive, the server answers no 500 and goes on serving', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(hostileBytes(), fc.array(fc.nat(400), { maxLength: 5 }), async (bytes, cuts) => {
      const client = await RawClient.open(server.port)
      for (const packet of cutAt(bytes, cuts)) {
        client.send(packet)
        await new Promise((resolve) => setImmediate(resolve))
      }
      client.socket.end()
      const received = await client.rest()
      client.close()
      expect(received).not.toMatch(/HTTP\/1\.1 5(?!01|05)/)
      expect(failures).toEqual([])
      const next = await RawClient.open(server.port)
      next.send(good)
      const response = await next.response()
      next.close()
      expect(response.status).toBe(200)
    }),
    { numRuns: 400, endOnFailure: true },
  )
})

function hostileBytes(): fc.Arbitrary<Buffer> {
  const random = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes))
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\r',
      '\n',
      '\0',
      ':',
      ' ',
      '\t',
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
    ),
    fc.constantFrom(
      'Expect: 100-continue\r\n',
      'Connection: close\r\n',
      '0\r\n\r\n',
      'ffffffffff\r\n',
      good,
      chunked,
      '{',
      '[[',
    ),
    fc.string({ maxLength: 20 }),
  )
  const edit = fc.record({ at: fc.nat(500), remove: fc.nat(12), insert: piece })
  const mangled = fc
    .tuple(fc.constantFrom(good, chunked, good + good, chunked + good), fc.array(edit, { maxLength: 6 }))
    .map(([text, edits]) => {
      let bytes = Buffer.from(text)
      for (const { at, remove, insert } of edits) {
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at + remove)])
      }
      return bytes
    })
  return fc.oneof({ weight: 1, arbitrary: random }, { weight: 4, arbitrary: mangled })
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.toSorted((left, right) => left - right), bytes.length]
  return places
    .slice(1)
    .map((place, index) => bytes.subarray(places[index], place))
    .filter((packet) => packet.length > 0)
}

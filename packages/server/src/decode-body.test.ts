import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeBody } from './decode-body.ts'

const json = Buffer.from('{"TableName":"music"}')
const maxBytes = 100_000

describe('decodeBody', () => {
  test.each([
    ['gzip', gzipSync(json)],
    ['GZIP', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['identity', json],
    // RFC 1952 lets several compressed parts follow each other.
    ['gzip', Buffer.concat([gzipSync(json.subarray(0, 10)), gzipSync(json.subarray(10))])],
  ])('%s', async (coding, body) => {
    expect(await decodeBody(coding, body, maxBytes)).toEqual(json)
  })

  test.each([
    ['br', json],
    ['aws-chunked', json],
    ['', json],
    ['gzip', json],
    ['deflate', json],
    ['gzip', Buffer.alloc(0)],
    ['deflate', Buffer.alloc(0)],
    ['gzip', gzipSync(json).subarray(0, -1)],
  ])('%j that is none is a server error, as the service has it', async (coding, body) => {
    await expect(decodeBody(coding, body, maxBytes)).rejects.toMatchObject({
      code: 'SerializationException',
      message: expect.stringMatching(/^The request body cannot be decoded: /),
    })
  })

  test('stops at the limit of a body, however much more there would be', async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000))
    const before = process.memoryUsage().arrayBuffers
    await expect(decodeBody('gzip', bomb, maxBytes)).rejects.toMatchObject({
      code: 'RequestEntityTooLargeException',
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
    expect(await decodeBody('gzip', gzipSync(Buffer.alloc(maxBytes)), maxBytes)).toHaveLength(maxBytes)
  })
  test('makes no more of a small body than it may come to', async () => {
    const plenty = 16_000_000
    await expect(decodeBody('gzip', gzipSync(Buffer.alloc(plenty)), plenty)).rejects.toMatchObject({
      code: 'RequestEntityTooLargeException',
    })
    const varied = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `{"N":"${index}"}`).join(','))
    expect((await decodeBody('gzip', gzipSync(varied), plenty)).equals(varied)).toBe(true)
  })

  test('decodes many at once', async () => {
    const bodies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => decodeBody('gzip', gzipSync(`${index}`), maxBytes)),
    )
    expect(bodies.map(String)).toEqual(Array.from({ length: 50 }, (_, index) => String(index)))
  })
})

import { createHash, createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacSha256, sha256 } from './sha256.ts'
import { signRequest } from './sign-request.ts'

test('hashes are those of others, at every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const message = Uint8Array.from({ length }, (_, index) => (index * 7) & 255)
    expect(Buffer.from(sha256(message))).toEqual(createHash('sha256').update(message).digest())
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 150 }), fc.uint8Array({ maxLength: 150 }), (key, message) => {
      expect(Buffer.from(hmacSha256(key, message))).toEqual(createHmac('sha256', key).update(message).digest())
    }),
    { numRuns: 50 },
  )
})

test('a request is signed with the header fields that it is sent with, and without its secret', () => {
  const key = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI', sessionToken: '' }
  const request = {
    path: '/p',
    body: '{}',
    host: 'h:1',
    service: 's',
    region: 'r',
    atMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  }
  const signed = signRequest(key, request)
  expect(signed).toEqual({
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20260102\/r\/s\/aws4_request, SignedHeaders=host;x-amz-date, Signature=[0-9a-f]{64}$/,
    ) as string,
    'x-amz-date': '20260102T030405Z',
  })
  const session = signRequest({ ...key, sessionToken: 'token' }, request)
  expect(session['x-amz-security-token']).toBe('token')
  expect(session['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token')
  expect(JSON.stringify([signed, session])).not.toContain(key.secretAccessKey)
})

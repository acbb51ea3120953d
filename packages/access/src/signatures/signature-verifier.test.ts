import { ServiceError } from '@hashrange/core'
import type { HttpRequest } from '@hashrange/server'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signedRequest } from '../testing/signed-request.ts'
import { deriveEcdsaKey } from './ecdsa-keys.ts'
import { sha256Hex } from './sha256.ts'
import { canonicalRequest } from './canonical-request.ts'
import { SignatureVerifier } from './signature-verifier.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

/** Requests and signatures that AWS has published for those who implement the algorithm. */
const published: Readonly<Record<string, string>> = {
  'nothing but a host': `GET / HTTP/1.1
Host:example.amazonaws.com
X-Amz-Date:20150830T123600Z
Authorization:AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31

`,
  'a form': `POST / HTTP/1.1
Content-Type:application/x-www-form-urlencoded
Host:example.amazonaws.com
Content-Length:13
X-Amz-Date:20150830T123600Z
x-amz-content-sha256:9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e
Authorization:AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=content-length;content-type;host;x-amz-content-sha256;x-amz-date, Signature=d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b

Param1=value1`,
  'values with blanks': `GET / HTTP/1.1
Host:example.amazonaws.com
My-Header1: value1
My-Header2: "a   b   c"
X-Amz-Date:20150830T123600Z
Authorization:AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;my-header1;my-header2;x-amz-date, Signature=acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736

`,
  'a query': `GET /?Param-3=Value3&Param=Value2&%E1%88%B4=Value1 HTTP/1.1
Host:example.amazonaws.com
X-Amz-Date:20150830T123600Z
Authorization:AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac

`,
  'a path with dots': `GET /./example HTTP/1.1
Host:example.amazonaws.com
X-Amz-Date:20150830T123600Z
Authorization:AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5

`,
  'a signature in the query': `GET /?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20150830%2Fus-east-1%2Fservice%2Faws4_request&X-Amz-Date=20150830T123600Z&X-Amz-SignedHeaders=host&X-Amz-Expires=3600&X-Amz-Signature=e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d HTTP/1.1
Host:example.amazonaws.com

`,
  'version 4A': `GET / HTTP/1.1
Host:example.amazonaws.com
X-Amz-Date:20150830T123600Z
X-Amz-Region-Set:us-east-1
Authorization:AWS4-ECDSA-P256-SHA256 Credential=AKIDEXAMPLE/20150830/service/aws4_request, SignedHeaders=host;x-amz-date;x-amz-region-set, Signature=3046022100fddaaf816a31e30d04973875b13bc27b98da10907a3a1872fd5819a221334abc022100de2ee81d83b54f31efc82834de07e6cd4d5c6f25bfa08e0f29a15bb0977c343e

`,
}
const publishedAtMs = Date.UTC(2015, 7, 30, 12, 36)

describe('a published request is verified', () => {
  test.each(Object.entries(published))('with %s', (_, text) => {
    expect(() => verify(requestOf(text), publishedAtMs)).not.toThrow()
    expect(() => verify(requestOf(text), publishedAtMs, 'another secret')).toThrow(
      expect.objectContaining({ code: 'InvalidSignatureException' }),
    )
  })

  test('and a key of version 4A is the one that others derive', () => {
    const key = deriveEcdsaKey('AKISORANDOMAASORANDOM', 'q+jcrXGc+0zWN6uzclKVhvMmUsIfRPa4rlRandom')
    expect(key.toString('hex')).toBe('7fd3bd010c0d9c292141c2b77bfbde1042c92e6836fff749d1269ec890fca1bd')
  })
})

test('keys of S3 are signed as they are sent, and bodies in chunks as what they are', () => {
  const request = { method: 'PUT', target: '/assets/a%20b//../c.json?x-id=PutObject', body: Buffer.from('{}') }
  const fields = new Map([['x-amz-content-sha256', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER']])
  const names = ['x-amz-content-sha256']
  const ofS3 = canonicalRequest(request, fields, names, 'hash', 's3').split('\n')
  expect([ofS3[1], ofS3.at(-1)]).toEqual(['/assets/a%20b//../c.json', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'])
  const ofAnother = canonicalRequest(request, fields, names, 'hash', 'lambda').split('\n')
  expect([ofAnother[1], ofAnother.at(-1)]).toEqual(['/assets/c.json', 'hash'])
})

const atMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const good = signedRequest({ accessKeyId: 'AKIDEXAMPLE', secret, atMs, service: 'service', operation: 'A.B' })

describe('a request that was changed after it was signed is refused', () => {
  const changes: Readonly<Record<string, Partial<HttpRequest>>> = {
    'in its body': { body: Buffer.from('{"a":1}') },
    'in its method': { method: 'GET' },
    'in its path': { target: '/other' },
    'in its query': { target: '/?a=b' },
    'in a header': { fields: good.fields?.map((field) => field.replace('A.B', 'A.C')) },
    'by a header that is gone': { fields: good.fields?.filter((field) => !field.startsWith('X-Amz-Target')) },
    'by a second value of a header': { fields: [...(good.fields ?? []), 'X-Amz-Target: C.D'] },
  }
  test('and only then', () => expect(() => verify(good, atMs)).not.toThrow())

  test.each(Object.entries(changes))('%s', (_, change) => {
    expect(refusalOf({ ...good, ...change }, atMs)).toMatchObject({ code: 'InvalidSignatureException' })
  })

  test('by a header of its own that nobody signed', () => {
    const fields = [...(good.fields ?? []), 'X-Amz-Security-Token: stolen']
    expect(refusalOf({ ...good, fields }, atMs).message).toBe(
      "'x-amz-security-token' must be a 'SignedHeader' in the AWS Authorization.",
    )
  })
})

describe('a verifier that knows a client', () => {
  const key = { accessKeyId: 'AKIDEXAMPLE', atMs, service: 'service', secret }
  const anyRequest = fc
    .record({
      secret: fc.constantFrom(secret, secret, secret, 'another'),
      atMs: fc.constantFrom(atMs, atMs + 1000, atMs + 3_600_000, atMs + 86_400_000),
      body: fc.constantFrom('{}', '{"a":1}', ''),
      operation: fc.constantFrom('A.B', 'A.C'),
      fields: fc.constantFrom(
        [],
        ['X-Amz-A: 1'],
        ['x-amz-a: 1'],
        ['B:  two  blanks '],
        ['A: 1', 'A: 2'],
        ['A: 1,2'],
      ),
      method: fc.constantFrom('POST', 'POST', 'GET'),
      target: fc.constantFrom('/', '/', '/?a=b'),
    })
    .map((options) => signedRequest({ ...key, ...options }))
  const anyChange: fc.Arbitrary<(request: HttpRequest) => HttpRequest> = fc.constantFrom(
    (request) => request,
    (request) => request,
    (request) => ({ ...request, body: Buffer.from('changed') }),
    (request) => ({ ...request, fields: [...(request.fields ?? []), 'User-Agent: anybody'] }),
    (request) => ({ ...request, fields: [...(request.fields ?? []), 'X-Amz-Unsigned: 1'] }),
    (request) => ({ ...request, fields: [...(request.fields ?? []), 'Host: elsewhere'] }),
    (request) => ({ ...request, fields: request.fields?.toReversed() }),
    (request) => ({ ...request, fields: request.fields?.map((line) => line.replace('A.B', 'A.D')) }),
    (request) => ({ ...request, fields: request.fields?.map((line) => line.replace(': ', ':\t ')) }),
    (request) => ({ ...request, fields: request.fields?.map((line) => line.toUpperCase()) }),
    (request) => ({ ...request, authorization: request.authorization?.replace(/.$/, '0') }),
    (request) => ({ ...request, authorization: `${request.authorization}, Signature=${'0'.repeat(64)}` }),
    (request) => ({ ...request, method: 'PUT' }),
  )

  test('decides every request as one that has never seen it', () => {
    const requests = fc.array(
      fc.tuple(anyRequest, anyChange).map(([request, change]) => change(request)),
      { minLength: 2, maxLength: 12 },
    )
    fc.assert(
      fc.property(requests, (sent) => {
        const knowing = new SignatureVerifier()
        for (const request of [...sent, ...sent]) {
          for (const atMs of [key.atMs, key.atMs + 86_400_000]) {
            expect(verdictOf(knowing, request, atMs)).toBe(verdictOf(new SignatureVerifier(), request, atMs))
          }
        }
      }),
    )
  })

  test('knows it by a header that is not longer than it may be', () => {
    const knowing = new SignatureVerifier()
    for (const length of [10, 3000, 8000, 10]) {
      const request = signedRequest({ ...key, fields: [`A: ${'a'.repeat(length)}`] })
      expect(verdictOf(knowing, request, atMs)).toBe('verified')
      const fields = request.fields?.map((line) => line.replace('aa', 'ab'))
      expect(verdictOf(knowing, { ...request, fields }, atMs)).toContain('does not match')
    }
  })
})

function verdictOf(verifier: SignatureVerifier, request: HttpRequest, nowMs: number): string {
  try {
    verifier.assertSignedWith(secret, request, verifier.claimOf(request, 'service', nowMs))
    return 'verified'
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`
    throw error
  }
}

describe('refusals are in the words of the service', () => {
  test('a signature that does not match is told with what should have been signed', () => {
    const body = Buffer.from('{}x')
    const canonical =
      'POST\n/\n\ncontent-type:application/x-amz-json-1.0\nhost:localhost:8000\nx-amz-date:20260102T030405Z\nx-amz-target:A.B\n\n' +
      `content-type;host;x-amz-date;x-amz-target\n${sha256Hex(body)}`
    const toSign = `AWS4-HMAC-SHA256\n20260102T030405Z\n20260102/eu-west-1/service/aws4_request\n${sha256Hex(canonical)}`
    expect(refusalOf({ ...good, body }, atMs).message).toBe(
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.\n\n' +
        `The Canonical String for this request should have been\n'${canonical}'\n\nThe String-to-Sign should have been\n'${toSign}'\n`,
    )
  })

  test('so is a clock that is behind, and one that is ahead', () => {
    expect(() => verify(good, atMs + 15 * 60_000)).not.toThrow()
    expect(refusalOf(good, atMs + 15 * 60_000 + 1000)).toMatchObject({
      code: 'InvalidSignatureException',
      message:
        'Signature expired: 20260102T030405Z is now earlier than 20260102T030406Z (20260102T031906Z - 15 min.)',
    })
    expect(refusalOf(good, atMs - 15 * 60_000 - 1000)).toMatchObject({
      code: 'InvalidSignatureException',
      message:
        'Signature not yet current: 20260102T030405Z is still later than 20260102T030404Z (20260102T024904Z + 15 min.)',
    })
  })

  test('a query string is good for as long as it says', () => {
    const presigned = requestOf(published['a signature in the query'] ?? '')
    expect(() => verify(presigned, publishedAtMs + 3_599_000)).not.toThrow()
    expect(refusalOf(presigned, publishedAtMs + 3_601_000).message).toMatch(/^Signature expired: /)
    const forever = { ...presigned, target: presigned.target.replace('Expires=3600', 'Expires=604801') }
    expect(refusalOf(forever, publishedAtMs).message).toMatch(/^X-Amz-Expires must be less than a week/)
  })

  const parts: readonly [string, Partial<HttpRequest>, string, string][] = [
    [
      'a date that is none',
      { amzDate: '201' },
      'IncompleteSignatureException',
      "Date must be in ISO-8601 'basic format'. Got '201'. See http://en.wikipedia.org/wiki/ISO_8601",
    ],
    [
      'another day in the scope',
      changed('/20260102/', '/20260101/'),
      'InvalidSignatureException',
      "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20260101' != '20260102', from '20260102T030405Z'.",
    ],
    [
      'another service in the scope',
      changed('/service/', '/s3/'),
      'InvalidSignatureException',
      "Credential should be scoped to correct service: 'service'. ",
    ],
    [
      'a host that is not signed',
      changed(';host;', ';'),
      'InvalidSignatureException',
      "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.",
    ],
  ]
  test.each(parts)('%s', (_, change, code, message) => {
    expect(refusalOf({ ...good, ...change }, atMs)).toMatchObject({ code, message })
  })
})

function changed(from: string, to: string): Partial<HttpRequest> {
  return { authorization: good.authorization?.replace(from, to) }
}

function verify(request: HttpRequest, nowMs: number, withSecret = secret): void {
  const verifier = new SignatureVerifier()
  verifier.assertSignedWith(withSecret, request, verifier.claimOf(request, 'service', nowMs))
}

function refusalOf(request: HttpRequest, nowMs: number): ServiceError {
  try {
    verify(request, nowMs)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('the request was not refused')
}

function requestOf(text: string): HttpRequest {
  const end = text.indexOf('\n\n')
  const [line = '', ...fields] = text.slice(0, end).split('\n')
  const [method = '', target = ''] = line.split(' ')
  const named = (name: string): string | undefined =>
    fields
      .find((field) => field.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  return {
    method,
    target,
    fields,
    body: Buffer.from(text.slice(end + 2)),
    authorization: named('authorization'),
    amzDate: named('x-amz-date'),
    amzRegionSet: named('x-amz-region-set'),
  }
}

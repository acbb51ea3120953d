import { ServiceError } from '@hashrange/core'
import type { HttpRequest } from '@hashrange/server'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClosedEngine, requestOf, type ClosedEngine } from '../testing/closed-engine.ts'

let closed: ClosedEngine
beforeAll(async () => (closed = await openClosedEngine()))
afterAll(() => closed.db.close())

const odd = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom('', ' ', '/', '////', '%', '%4', '%41', '__proto__', '\u00FF', 'a'.repeat(20_000), ';', ',', '='),
  fc.constantFrom('aws4_request', 'AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256', 'host', 'X-Amz-Date', '20260102'),
)

/** What a right request has, with some of it replaced by something else. */
const header = fc
  .tuple(
    fc.constantFrom('AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256', 'AWS4-X', 'Bearer', ''),
    fc.array(fc.oneof(odd, fc.constant('eu-west-1'), fc.constant('dynamodb')), { maxLength: 7 }),
    fc.array(odd, { maxLength: 4 }),
    odd,
    fc.constantFrom(', ', ',', ' ', ''),
  )
  .map(
    ([algorithm, credential, signed, signature, comma]) =>
      `${algorithm} Credential=${credential.join('/')}${comma}SignedHeaders=${signed.join(';')}${comma}Signature=${signature}`,
  )

const request: fc.Arbitrary<Partial<HttpRequest>> = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    target: fc.oneof(
      odd,
      odd.map((text) => `/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${text}`),
      fc.constant('/'),
    ),
    authorization: fc.oneof(header, odd),
    amzDate: fc.oneof(odd, fc.constant('20260102T030405Z'), fc.constant('99999999T999999Z')),
    date: odd,
    amzSecurityToken: odd,
    amzRegionSet: odd,
    fields: fc.array(
      fc.oneof(
        odd,
        odd.map((text) => `X-Amz-${text}: ${text}`),
      ),
      { maxLength: 6 },
    ),
  },
  { requiredKeys: [] },
)

test('whatever stands in a request, it is refused in words of the service, or verified', async () => {
  const good = requestOf(closed.root, 'dynamodb', '{}', closed.gate.identities.clock.now())
  // A server that shares its store looks for keys that it does not know.
  const late: Promise<unknown>[] = []
  fc.assert(
    fc.property(request, fc.boolean(), (change, onGood) => {
      const base = { method: 'POST', target: '/', body: Buffer.alloc(0), ...(onGood && good) }
      try {
        const answer = closed.gate.authenticate({ ...base, ...change }, 'dynamodb')
        if (answer instanceof Promise) late.push(answer.catch((error: unknown) => error))
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError)
      }
    }),
    { numRuns: 3000 },
  )
  for (const refusal of await Promise.all(late)) expect(refusal).toBeInstanceOf(ServiceError)
})

test.each([false, true])(
  'no change of a right request is verified, whether its kind is known: %s',
  async (isKnown) => {
    const good = requestOf(closed.root, 'dynamodb', '{"a":1}', closed.gate.identities.clock.now(), {
      operation: 'A.B',
    })
    if (isKnown) await closed.gate.authenticate(good, 'dynamodb')
    const signature = good.authorization?.slice(-64) ?? ''
    fc.assert(
      fc.property(fc.nat(63), fc.constantFrom(...'0123456789abcdef'.split('')), (at, digit) => {
        fc.pre(signature[at] !== digit)
        const changed = signature.slice(0, at) + digit + signature.slice(at + 1)
        const authorization = good.authorization?.replace(signature, changed)
        expect(() => closed.gate.authenticate({ ...good, authorization }, 'dynamodb')).toThrow(ServiceError)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        fc.pre(!Buffer.from(bytes).equals(good.body))
        expect(() => closed.gate.authenticate({ ...good, body: Buffer.from(bytes) }, 'dynamodb')).toThrow(
          ServiceError,
        )
      }),
    )
  },
)

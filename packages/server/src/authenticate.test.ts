import { ServiceError } from '@hashrange/core'
import { describe, expect, test } from 'vitest'
import { authenticateBySignature } from './authenticate.ts'
import type { HttpRequest } from './http/http-request.ts'

const authenticate = authenticateBySignature({ shared: false })

describe('the scope of a request', () => {
  test('is the account of its key and the region it is signed for', () => {
    for (let time = 0; time < 2; time++) {
      expect(authenticate(signed('111122223333/20261115/eu-west-1/dynamodb/aws4_request'))).toEqual({
        accountId: '111122223333',
        region: 'eu-west-1',
      })
    }
  })

  test('comes out of a presigned query string as well', () => {
    const query =
      'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=111122223333%2F20261115%2Feu-west-1%2Fdynamodb%2Faws4_request' +
      '&X-Amz-Date=20261115T000000Z&X-Amz-SignedHeaders=host&X-Amz-Signature=abc'
    expect(authenticate(requestWith({ target: `/?${query}` }))).toEqual({
      accountId: '111122223333',
      region: 'eu-west-1',
    })
  })

  test('differs by key, unless keys are shared', () => {
    const shared = authenticateBySignature({ shared: 'keys' })
    const [one, other] = ['one', 'other'].map((key) => signed(`${key}/20261115/eu-west-1/dynamodb/aws4_request`))
    if (one === undefined || other === undefined) throw new Error('two requests were made')
    expect(authenticate(one).accountId).not.toBe(authenticate(other).accountId)
    expect(shared(one)).toEqual({ accountId: '123456789012', region: 'eu-west-1' })
    expect(shared(other)).toEqual(shared(one))
  })

  test('is the same for every key and region if all is shared', () => {
    const shared = authenticateBySignature({ shared: true })
    for (const region of ['eu-west-1', 'localhost', 'us-east-1']) {
      expect(shared(signed(`${region}-key/20261115/${region}/dynamodb/aws4_request`))).toEqual({
        accountId: '123456789012',
        region: 'us-east-1',
      })
    }
  })

  test('is found whatever the order and spacing of the header', () => {
    const authorization =
      'AWS4-HMAC-SHA256 Signature=b,SignedHeaders=host,  Credential=111122223333/20261115/eu-west-1/dynamodb/aws4_request'
    expect(authenticate(requestWith({ authorization, date: 'today' })).accountId).toBe('111122223333')
  })

  test('stays right when thousands of keys are used', () => {
    for (let key = 0; key < 3000; key++) {
      const accountId = String(key).padStart(12, '0')
      expect(authenticate(signed(`${accountId}/20261115/r/dynamodb/aws4_request`)).accountId).toBe(accountId)
    }
  })
})

describe('a request without a usable signature is refused', () => {
  const good = '111122223333/20261115/eu-west-1/dynamodb/aws4_request'

  test.each<[string, Partial<HttpRequest>, string, string]>([
    ['none at all', {}, 'MissingAuthenticationTokenException', 'Request is missing Authentication Token'],
    [
      'another scheme',
      { authorization: 'Basic abc' },
      'MissingAuthenticationTokenException',
      'Request is missing Authentication Token',
    ],
    [
      'no parameters',
      { authorization: 'AWS4-HMAC-SHA256' },
      'IncompleteSignatureException',
      "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. " +
        "Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a " +
        "'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256",
    ],
    [
      'another algorithm',
      { authorization: `AWS4-HMAC-SHA25 Credential=${good}, SignedHeaders=host, Signature=a`, amzDate: 'x' },
      'IncompleteSignatureException',
      "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ",
    ],
    [
      'too few elements',
      { authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=host, Signature=a', amzDate: 'x' },
      'IncompleteSignatureException',
      "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'a/b/c/d'",
    ],
    [
      'elements that are wrong',
      { authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c!/d/e, SignedHeaders=host, Signature=a', amzDate: 'x' },
      'InvalidSignatureException',
      "Credential should be scoped to a valid region, not 'c!'. Credential should be scoped to correct service: " +
        "'dynamodb'. Credential should be scoped with a valid terminator: 'aws4_request', not 'e'. ",
    ],
    [
      'an empty key',
      {
        authorization: 'AWS4-HMAC-SHA256 Credential=/b/c/dynamodb/aws4_request, SignedHeaders=host, Signature=a',
        amzDate: 'x',
      },
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    ],
    [
      'header and query at once',
      { authorization: 'AWS4-HMAC-SHA256 x', target: '/?X-Amz-Algorithm=a' },
      'InvalidSignatureException',
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    ],
    [
      'a bare query',
      { target: '/?X-Amz-Algorithm=AWS4-HMAC-SHA256' },
      'IncompleteSignatureException',
      "AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters must include " +
        "'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters " +
        "must include 'X-Amz-Date'. Re-examine the query-string parameters.",
    ],
  ])('with %s', (_, request, code, message) => {
    const attempt = (): unknown => authenticate(requestWith(request))
    expect(attempt).toThrow(ServiceError)
    expect(attempt).toThrow(expect.objectContaining({ code, message }))
  })

  test('also when the credential is known from an earlier request', () => {
    authenticate(signed(good))
    const authorization = `AWS4-HMAC-SHA256 Credential=${good}`
    expect(() => authenticate(requestWith({ authorization, amzDate: 'x' }))).toThrow(
      "requires 'Signature' parameter",
    )
    const whole = signed(good)
    expect(() => authenticate({ ...whole, amzDate: undefined })).toThrow("'X-Amz-Date' or a 'Date' header")
  })
})

function signed(credential: string): HttpRequest {
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=abc`
  return requestWith({ authorization, amzDate: '20261115T000000Z' })
}

function requestWith(parts: Partial<HttpRequest>): HttpRequest {
  return { method: 'POST', target: '/', body: Buffer.from('{}'), ...parts }
}

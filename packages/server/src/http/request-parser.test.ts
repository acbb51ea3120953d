import { describe, expect, test } from 'vitest'
import { defaultHttpLimits } from './http-limits.ts'
import type { HttpLimits } from './http-limits.ts'
import { HttpRefusal } from './http-refusal.ts'
import { RequestHead } from './request-head.ts'
import { RequestParser } from './request-parser.ts'
import type { ParsedRequest } from './request-parser.ts'

const post = 'POST / HTTP/1.1\r\nHost: x\r\nX-AMZ-target: DynamoDB_20120810.GetItem\r\nContent-Length: 2\r\n\r\n{}'
const chunkedHead = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('a request is read', () => {
  test('whole', () => {
    const [request] = parse([post])
    expect(request).toMatchObject({
      method: 'POST',
      target: '/',
      amzTarget: 'DynamoDB_20120810.GetItem',
      keepAlive: true,
    })
    expect(request?.body.toString()).toBe('{}')
  })

  test('byte by byte, with the same result', () => {
    for (const text of [post, `${chunkedHead}3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n`]) {
      expect(summaries(parse(text.split('')))).toEqual(summaries(parse([text])))
    }
  })

  test('cut anywhere in two', () => {
    const text = post + post
    for (let cut = 0; cut <= text.length; cut++) {
      expect(summaries(parse([text.slice(0, cut), text.slice(cut)]))).toEqual(['POST / {}', 'POST / {}'])
    }
  })

  test('after another one in the same packet', () => {
    const requests = parse([`${post}GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n${post}`])
    expect(summaries(requests)).toEqual(['POST / {}', 'GET /a?b=c ', 'POST / {}'])
  })

  test('after an empty line that a client sent too much', () => {
    expect(summaries(parse([`${post}\r\n\r\n${post}`]))).toEqual(['POST / {}', 'POST / {}'])
  })

  test('with a chunked body, extensions and trailers skipped', () => {
    const [request] = parse([
      `${chunkedHead}3;name="v"\r\nabc\r\na\r\n0123456789\r\n0\r\nExpires: never\r\nX: y\r\n\r\n`,
    ])
    expect(request?.body.toString()).toBe('abc0123456789')
  })

  test('with white space around a value, and a list over two lines', () => {
    const list = 'Access-Control-Request-Headers: a\r\naccess-control-request-headers:b\r\n'
    const [request] = parse([`GET / HTTP/1.1\r\nHost:\t x \r\n${list}\r\n`])
    expect(request).toMatchObject({ host: 'x', accessControlRequestHeaders: 'a, b' })
  })

  test('with fields of no interest left aside', () => {
    const [request] = parse([
      'GET / HTTP/1.1\r\nHost: x\r\n__proto__: 1\r\nconstructor: 2\r\nX-Long: ' + 'y'.repeat(5000) + '\r\n\r\n',
    ])
    expect(JSON.stringify(request)).not.toContain('yyy')
    expect(Object.getPrototypeOf(request)).toBe(RequestHead.prototype)
  })
})

describe('the connection is kept', () => {
  test.each([
    ['HTTP/1.1', '', true],
    ['HTTP/1.1', 'Connection: close\r\n', false],
    ['HTTP/1.1', 'Connection: Keep-Alive, CLOSE\r\n', false],
    ['HTTP/1.1', 'Connection: upgrade\r\n', true],
    ['HTTP/1.0', '', false],
    ['HTTP/1.0', 'Connection: Keep-Alive\r\n', true],
  ])('%s %j: %s', (version, field, expected) => {
    const [request] = parse([`GET / ${version}\r\nHost: x\r\n${field}\r\n`])
    expect(request?.keepAlive).toBe(expected)
  })
})

describe('a request is refused', () => {
  test.each([
    ['two lengths', 400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'the same length twice',
      400,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['a list of lengths', 400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2, 2\r\n\r\n{}'],
    [
      'a length and a coding',
      400,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    ],
    ['a signed length', 400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}'],
    ['an empty length', 400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n{}'],
    ['two hosts', 400, 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['no host', 400, 'GET / HTTP/1.1\r\n\r\n'],
    ['two credentials', 400, 'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n'],
    ['a folded field', 400, 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n'],
    ['white space before the colon', 400, 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a field without a colon', 400, 'GET / HTTP/1.1\r\nHost: x\r\nabc\r\n\r\n'],
    ['a field without a name', 400, 'GET / HTTP/1.1\r\nHost: x\r\n: abc\r\n\r\n'],
    ['a bare line feed', 400, 'GET / HTTP/1.1\nHost: x\n\n'],
    ['a bare carriage return', 400, 'GET / HTTP/1.1\r\nHost: x\ry\r\n\r\n'],
    ['a NUL', 400, 'GET / HTTP/1.1\r\nHost: x\0\r\n\r\n'],
    ['two spaces in the request line', 400, 'GET  / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no version', 400, 'GET /\r\n\r\n'],
    ['a tab in the target', 400, 'GET /\t HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['HTTP/2 preface', 505, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS greeting', 400, '\x16\x03\x01\x02\0\x01'],
    ['another transfer coding', 501, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
    ['a transfer coding in HTTP/1.0', 400, 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['another expectation', 417, 'POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n'],
    ['a chunk without a size', 400, `${chunkedHead};a\r\n`],
    ['a chunk longer than its size', 400, `${chunkedHead}2\r\nabc\r\n`],
    ['a negative chunk', 400, `${chunkedHead}-2\r\nabc\r\n`],
  ])('with %s', (_, status, text) => {
    expect(refusalOf([text])).toBe(status)
    expect(refusalOf(text.split(''))).toBe(status)
  })

  test.each<[string, number, string, Partial<HttpLimits>]>([
    ['a long request line', 400, `GET /${'a'.repeat(200)}`, { requestLineBytes: 100 }],
    ['a long field', 400, `GET / HTTP/1.1\r\nHost: ${'a'.repeat(200)}`, { headBytes: 100 }],
    ['fields that are long together', 400, `GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(50)}`, { headBytes: 100 }],
    ['many fields', 431, `GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(11)}`, { headerFields: 10 }],
    ['a long body', 413, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n', { bodyBytes: 100 }],
    ['a long chunk', 413, `${chunkedHead}65\r\n`, { bodyBytes: 100 }],
    ['many chunks', 413, `${chunkedHead}${'1\r\na\r\n'.repeat(101)}`, { bodyBytes: 100 }],
    ['a chunk size beyond numbers', 413, `${chunkedHead}${'f'.repeat(100)}\r\n`, {}],
    ['long trailers', 400, `${chunkedHead}0\r\n${'A: b\r\n'.repeat(50)}`, { headBytes: 200 }],
  ])('with %s', (_, status, text, limits) => {
    expect(refusalOf([text], limits)).toBe(status)
    expect(refusalOf(text.split(''), limits)).toBe(status)
  })
})

test('a body that comes in many small packets costs linear time', () => {
  const parser = new RequestParser(defaultHttpLimits)
  const lengthBytes = 1 << 20
  parser.push(Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${lengthBytes}\r\n\r\n`))
  const before = process.cpuUsage()
  let request: ParsedRequest | undefined
  for (let sent = 0; sent < lengthBytes; sent += 4) {
    parser.push(Buffer.from('abcd'))
    request = parser.next()
  }
  expect(request?.body.length).toBe(lengthBytes)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5000)
})

test('a head may be as long as the service lets it be', () => {
  const long = `A: ${'b'.repeat(16_000)}\r\n`
  expect(parse([`GET /${'a'.repeat(16_000)} HTTP/1.1\r\nHost: x\r\n${long}\r\n`])).toHaveLength(1)
  expect(refusalOf([`GET / HTTP/1.1\r\nHost: x\r\n${long}${long}\r\n`])).toBe(400)
  expect(refusalOf([`GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`])).toBe(400)
})

test('leave to send a body is asked for once, and only if the body has not come', () => {
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n'
  const parser = new RequestParser(defaultHttpLimits)
  parser.push(Buffer.from(head))
  expect(parser.next()).toBeUndefined()
  expect(parser.takeContinueAsked()).toBe(true)
  expect(parser.takeContinueAsked()).toBe(false)
  parser.push(Buffer.from(`{}${head}{}`))
  expect(parser.next()?.body.toString()).toBe('{}')
  expect(parser.next()?.body.toString()).toBe('{}')
  expect(parser.takeContinueAsked()).toBe(false)
})

function parse(packets: readonly string[], limits: Partial<HttpLimits> = {}): ParsedRequest[] {
  const parser = new RequestParser({ ...defaultHttpLimits, ...limits })
  const requests: ParsedRequest[] = []
  for (const packet of packets) {
    parser.push(Buffer.from(packet, 'latin1'))
    for (let request = parser.next(); request !== undefined; request = parser.next()) requests.push(request)
  }
  return requests
}

function summaries(requests: readonly ParsedRequest[]): string[] {
  return requests.map((request) => `${request.method} ${request.target} ${request.body.toString()}`)
}

function refusalOf(packets: readonly string[], limits: Partial<HttpLimits> = {}): number | undefined {
  try {
    parse(packets, limits)
    return undefined
  } catch (error) {
    if (error instanceof HttpRefusal) return error.status
    throw error
  }
}

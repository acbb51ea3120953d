import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RawClient } from '../testing/raw-client.ts'
import { testCertificate } from '../testing/test-certificate.ts'
import { WatchedCredentials } from '../tls/watched-credentials.ts'
import type { HttpLimits } from './http-limits.ts'
import type { HttpHandler } from './http-request.ts'
import { listenHttp, type HttpServer } from './http-server.ts'

const servers: HttpServer[] = []
const clients: RawClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const server of servers.splice(0)) await server.close(0)
})

const megabyte = 1024 * 1024
const half = Buffer.alloc(4 * megabyte, 'x')
const beginning = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${8 * megabyte}\r\n\r\n`

const certificate = testCertificate('localhost')
let wire: 'plain' | 'TLS' = 'plain'

describe.each(['plain', 'TLS'] as const)('over %s,', (given) => {
  beforeEach(() => void (wire = given))

  describe('what all connections hold', () => {
    test('is bounded, and clients that do not go on give way to those that do', async () => {
      const server = await start(echo, { heldBytes: 32 * megabyte })
      const idlers = await Promise.all(Array.from({ length: 30 }, () => connectTo(server)))
      for (const idler of idlers) {
        idler.send(beginning)
        idler.send(half)
      }
      // A connection that is closed while a client still sends may end before the client has read why.
      const ends: (number | 'cut')[] = []
      for (const idler of idlers) {
        void idler.response().then(
          ({ status }) => ends.push(status),
          () => ends.push('cut'),
        )
      }
      // More of them than this do not fit; what they have sent takes its time on a busy machine.
      const held = (32 * megabyte) / half.length
      await vi.waitFor(() => expect(ends.length).toBeGreaterThanOrEqual(idlers.length - held), { timeout: 60_000 })
      await vi.waitFor(() => expect(server.heldBytes).toBeLessThanOrEqual(32 * megabyte), { timeout: 60_000 })
      const worker = await connectTo(server)
      worker.send(beginning)
      worker.send(half)
      worker.send(half)
      expect((await worker.response()).status).toBe(200)
      expect(ends.filter((end) => end !== 503 && end !== 'cut')).toEqual([])
      expect(server.heldBytes).toBeLessThanOrEqual(32 * megabyte)
    })

    test('counts answers that are not taken', async () => {
      const answer = Buffer.alloc(8 * megabyte, 'y')
      const server = await start(() => ({ status: 200, headers: {}, body: answer }), { heldBytes: 32 * megabyte })
      for (let count = 0; count < 20; count++) {
        const client = await connectTo(server)
        client.socket.pause()
        client.send(post('').repeat(4))
      }
      const reader = await connectTo(server)
      reader.send(post(''))
      expect((await reader.response()).body.length).toBe(answer.length)
      await vi.waitFor(() => expect(server.heldBytes).toBeLessThanOrEqual(32 * megabyte), { timeout: 60_000 })
    })

    test('is nothing once everybody is answered, although connections are kept', async () => {
      const server = await start(echo)
      for (let count = 0; count < 3; count++) {
        const client = await connectTo(server)
        client.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${half.length}\r\n\r\n`)
        client.send(half)
        expect((await client.response()).body.length).toBe(half.length)
        client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        await client.response()
        client.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
        client.send(`${half.length.toString(16)}\r\n`)
        client.send(half)
        client.send('\r\n0\r\n\r\n')
        expect((await client.response()).body.length).toBe(half.length)
      }
      await vi.waitFor(() => expect(server.heldBytes).toBe(0))
    })

    test('is given back by clients that go away', async () => {
      const server = await start(echo)
      const client = await connectTo(server)
      client.send(beginning)
      client.send(half)
      await vi.waitFor(() => expect(server.heldBytes).toBeGreaterThan(megabyte))
      client.close()
      await vi.waitFor(() => expect(server.heldBytes).toBe(0))
    })

    test('is what has arrived, not what was announced', async () => {
      const server = await start(echo)
      const client = await connectTo(server)
      client.send(beginning)
      client.send('x')
      await vi.waitFor(() => expect(server.heldBytes).toBeGreaterThan(0))
      expect(server.heldBytes).toBeLessThan(10_000)
    })

    test('has requests refused if all of it is being worked on, until some of it is done', async () => {
      const finish: (() => void)[] = []
      const handler: HttpHandler = (request) =>
        request.body.length < 100
          ? echo(request)
          : new Promise((resolve) =>
              finish.push(() => resolve({ status: 200, headers: {}, body: Buffer.alloc(0) })),
            )
      const server = await start(handler, { heldBytes: 10_000 })
      const busy = await connectTo(server)
      busy.send(post('x'.repeat(1_000)).repeat(12))
      await vi.waitFor(() => expect(server.isOverloaded).toBe(true))
      const other = await connectTo(server)
      other.send(post('small'))
      expect((await other.response()).status).toBe(503)
      for (const one of finish) one()
      expect((await busy.response()).status).toBe(200)
      other.send(post('small'))
      expect((await other.response()).body).toBe('small')
    })
  })

  describe('a client', () => {
    test('that sends a body byte by byte is cut off, and one that is merely slow is not', async () => {
      const server = await start(echo, { bodyMs: 600, slowestBytesPerSecond: 200 })
      const drip = await connectTo(server)
      const steady = await connectTo(server)
      drip.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n')
      steady.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n')
      const drops = setInterval(() => drip.send('x'), 50)
      const flow = setInterval(() => steady.send('x'.repeat(250)), 150)
      expect((await drip.response()).status).toBe(408)
      expect((await steady.response()).status).toBe(200)
      clearInterval(drops)
      clearInterval(flow)
    })

    test('beyond the number of connections is turned away, and the others are served', async () => {
      const server = await start(echo, { connections: 3 })
      const served = await Promise.all([connectTo(server), connectTo(server), connectTo(server)])
      const turnedAway = await connectTo(server).then(
        (client) => client.rest(),
        () => '',
      )
      expect(turnedAway).toBe('')
      for (const client of served) {
        client.send(post('here'))
        expect((await client.response()).body).toBe('here')
      }
    })

    test('that sends nothing but empty lines is refused', async () => {
      const client = await connectTo(await start(echo))
      client.send('\r\n\r\n')
      client.send(post('still there'))
      expect((await client.response()).body).toBe('still there')
      client.send('\r\n'.repeat(10_000))
      expect((await client.response()).status).toBe(400)
    })

    test('that shuts its side in the middle of a request is let go', async () => {
      const server = await start(echo)
      for (const text of ['POST', beginning, `${post('whole')}${beginning}x`]) {
        const client = await connectTo(server)
        client.socket.end(text)
        expect(await client.rest()).toEqual(text.includes('whole') ? expect.stringContaining('whole') : '')
      }
      await vi.waitFor(() => expect(server.heldBytes).toBe(0))
    })

    const refusedFields: [string, number][] = [
      ['Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', 400],
      ['Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', 400],
      ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', 400],
      ['Transfer-Encoding: gzip, chunked\r\n', 501],
      ['Transfer-Encoding: \r\n', 501],
      ['Content-Length: 5\r\nContent-Length: 5\r\n', 400],
      ['Content-Length: 5, 5\r\n', 400],
      ['Content-Length: +5\r\n', 400],
      ['Content-Length: 0x5\r\n', 400],
      ['Content-Length : 5\r\n', 400],
      ['Content-Length: 99999999999999999999\r\n', 400],
      [`Content-Length: ${2 ** 40}\r\n`, 413],
      [`X: ${'y'.repeat(20_000)}\r\n`, 400],
      ['X: y\r\n'.repeat(101), 431],
      ['Host: again\r\n', 400],
      [' folded: y\r\n', 400],
    ]
    test.each(refusedFields.map(named))('with the fields %s is refused', async (_, fields, status) => {
      const client = await connectTo(await start(echo))
      client.send(`POST / HTTP/1.1\r\nHost: x\r\n${fields}\r\nhello`)
      const response = await client.response()
      expect([response.status, response.headers.get('connection')]).toEqual([status, 'close'])
    })

    const goodChunks: [string, string][] = [
      ['1\r\na\r\n02\r\nbc\r\n0\r\n\r\n', 'abc'],
      ['3;name=value\r\nabc\r\n0;last\r\n\r\n', 'abc'],
      ['A\r\n0123456789\r\na\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n', '01234567890123456789'],
      ['0\r\n\r\n', ''],
      ['000000000000000003\r\nabc\r\n000\r\n\r\n', 'abc'],
    ]
    test.each(goodChunks.map(named))('may send the chunks %s', async (_, chunks, body) => {
      const client = await connectTo(await start(echo))
      await client.sendByteByByte(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)
      expect((await client.response()).body).toBe(body)
    })

    const badChunks: [string, number][] = [
      ['\r\n', 400],
      ['-1\r\n', 400],
      ['0x3\r\nabc\r\n', 400],
      ['3\r\nabcd\r\n', 400],
      ['3\nabc\r\n', 400],
      ['g\r\n', 400],
      ['FFFFFFFFFFFFFFFFFFFF\r\n', 413],
      [`1;${'e'.repeat(1000)}\r\n`, 400],
      [`0\r\n${'T: x\r\n'.repeat(5_000)}`, 400],
    ]
    test.each(badChunks.map(named))('may not send the chunks %s', async (_, chunks, status) => {
      const client = await connectTo(await start(echo))
      client.send(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)
      expect((await client.response()).status).toBe(status)
    })

    test('whose chunks never end is refused when they are too many', async () => {
      const client = await connectTo(await start(echo, { bodyBytes: megabyte }))
      client.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
      for (let count = 0; count < 300; count++) client.send(chunk)
      expect((await client.response()).status).toBe(413)
    })

    test('that sends thousands of requests at once gets as many answers', async () => {
      const client = await connectTo(await start(echo))
      client.send(Array.from({ length: 2_000 }, (_, index) => post(String(index))).join(''))
      for (let index = 0; index < 2_000; index++) expect((await client.response()).body).toBe(String(index))
    })
  })
})

/** Some of the texts are too long for a name. */
function named<T>([text, expected]: readonly [string, T]): [string, string, T] {
  return [JSON.stringify(text.slice(0, 60)), text, expected]
}

function echo(request: Parameters<HttpHandler>[0]): ReturnType<HttpHandler> {
  return { status: 200, headers: {}, body: request.body }
}

function post(body: string): string {
  return `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

async function start(handler: HttpHandler, limits: Partial<HttpLimits> = {}): Promise<HttpServer> {
  const server = await listenHttp({
    host: '127.0.0.1',
    port: 0,
    handler,
    refuse: (refusal) => ({ status: refusal.status, headers: {}, body: Buffer.from(refusal.message) }),
    onFailure: (error) => {
      throw error
    },
    limits,
    tls:
      wire === 'plain'
        ? undefined
        : {
            credentials: new WatchedCredentials({ tls: certificate, logger: console }),
            requiresClientCertificate: false,
          },
  })
  servers.push(server)
  return server
}

async function connectTo(server: HttpServer): Promise<RawClient> {
  const client = await RawClient.open(
    server.address.port,
    wire === 'TLS' ? { rejectUnauthorized: false } : undefined,
  )
  clients.push(client)
  return client
}

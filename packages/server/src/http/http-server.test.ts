import { afterEach, describe, expect, test } from 'vitest'
import { RawClient } from '../testing/raw-client.ts'
import type { HttpLimits } from './http-limits.ts'
import type { HttpHandler, HttpRequest } from './http-request.ts'
import { listenHttp } from './http-server.ts'
import type { HttpServer } from './http-server.ts'

const servers: HttpServer[] = []
const clients: RawClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const server of servers.splice(0)) await server.close(0)
})

describe('requests of one connection', () => {
  test('are answered one after the other on a kept connection', async () => {
    const client = await connectTo(await start(echo))
    for (const body of ['first', 'second', 'third']) {
      client.send(post(body))
      const response = await client.response()
      expect([response.status, response.body, response.headers.get('connection')]).toEqual([
        200,
        body,
        'keep-alive',
      ])
    }
  })

  test('are answered when they come byte by byte', async () => {
    const client = await connectTo(await start(echo))
    await client.sendByteByByte(post('slowly'))
    expect((await client.response()).body).toBe('slowly')
    await client.sendByteByByte(
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nslow\r\n0\r\n\r\n',
    )
    expect((await client.response()).body).toBe('slow')
  })

  test('are answered in their order though later ones are ready first', async () => {
    const client = await connectTo(await start(echoAfter((body) => (body === 'slow' ? 50 : 0))))
    client.send(post('slow') + post('quick') + post('slow') + post('quick'))
    for (const body of ['slow', 'quick', 'slow', 'quick']) expect((await client.response()).body).toBe(body)
  })

  test('are worked on a few at a time', async () => {
    let underWay = 0
    let most = 0
    const handler: HttpHandler = async (request) => {
      underWay++
      most = Math.max(most, underWay)
      await pause(1)
      underWay--
      return echo(request)
    }
    const client = await connectTo(await start(handler, { pipelinedRequests: 4 }))
    client.send(Array.from({ length: 100 }, (_, index) => post(String(index))).join(''))
    for (let index = 0; index < 100; index++) expect((await client.response()).body).toBe(String(index))
    expect(most).toBe(4)
  })

  test('end with the one that asks to close', async () => {
    const client = await connectTo(await start(echo))
    client.send(post('last', 'Connection: close\r\n') + post('ignored'))
    const response = await client.response()
    expect([response.body, response.headers.get('connection')]).toEqual(['last', 'close'])
    expect(await client.rest()).toBe('')
  })

  test('end after one in HTTP/1.0', async () => {
    const client = await connectTo(await start(echo))
    client.send('POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nold')
    expect((await client.response()).body).toBe('old')
    expect(await client.rest()).toBe('')
  })

  test('are still answered when the client has shut its side', async () => {
    const client = await connectTo(
      await start(
        echoAfter(() => 20),
        { pipelinedRequests: 2 },
      ),
    )
    client.socket.end(post('1') + post('2') + post('3') + post('4') + post('5'))
    for (const body of ['1', '2', '3', '4', '5']) expect((await client.response()).body).toBe(body)
    expect(await client.rest()).toBe('')
  })

  test('are given leave to send a body that they ask for', async () => {
    const client = await connectTo(await start(echo))
    client.send('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n')
    expect((await client.response()).status).toBe(100)
    client.send('body')
    expect((await client.response()).body).toBe('body')
  })

  test('get no body in answer to HEAD', async () => {
    const client = await connectTo(await start(echo))
    client.send(`HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc${post('next')}`)
    expect((await client.response({ bodiless: true })).headers.get('content-length')).toBe('3')
    expect((await client.response()).body).toBe('next')
  })
})

describe('a client', () => {
  test('whose bytes are no request is told so after the answers that are due, and cut off', async () => {
    const client = await connectTo(await start(echo))
    client.send(`${post('good')}nonsense\r\n\r\n`)
    expect((await client.response()).body).toBe('good')
    const refusal = await client.response()
    expect([refusal.status, refusal.headers.get('connection')]).toEqual([400, 'close'])
    expect(await client.rest()).toBe('')
  })

  test('that sends too much hears why, even while it is still sending', async () => {
    const client = await connectTo(await start(echo, { bodyBytes: 1000 }))
    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n')
    client.send(Buffer.alloc(1_000_000))
    expect((await client.response()).status).toBe(413)
    expect(await client.rest()).toBe('')
  })

  test('that never finishes its head is cut off', async () => {
    const client = await connectTo(await start(echo, { headMs: 60 }))
    const drip = setInterval(() => client.send('A: b\r\n'), 10)
    client.send('POST / HTTP/1.1\r\n')
    expect((await client.response()).status).toBe(408)
    clearInterval(drip)
    expect(await client.rest()).toBe('')
  })

  test('that never finishes its body is cut off', async () => {
    const client = await connectTo(await start(echo, { requestMs: 60 }))
    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc')
    expect((await client.response()).status).toBe(408)
  })

  test('that says nothing for long is disconnected, and one that waits for its answer is not', async () => {
    const client = await connectTo(
      await start(
        echoAfter(() => 300),
        { idleMs: 60 },
      ),
    )
    client.send(post('patience'))
    expect((await client.response()).body).toBe('patience')
    expect(await client.rest()).toBe('')
  })

  test('that does not read its answers is not read from, and gets them all once it does', async () => {
    let handled = 0
    const body = Buffer.alloc(1_000_000, 'x')
    const handler: HttpHandler = () => {
      handled++
      return Promise.resolve({ status: 200, headers: {}, body })
    }
    const client = await connectTo(await start(handler))
    client.socket.pause()
    client.send(post('').repeat(200))
    await pause(300)
    expect(handled).toBeLessThan(60)
    client.socket.resume()
    for (let index = 0; index < 200; index++) expect((await client.response()).body.length).toBe(body.length)
    expect(handled).toBe(200)
  })

  test('that never reads its answers is cut off', async () => {
    const body = Buffer.alloc(16_000_000, 'x')
    const handler: HttpHandler = () => Promise.resolve({ status: 200, headers: {}, body })
    const server = await start(handler, { stallMs: 60 })
    const client = await connectTo(server)
    client.socket.pause()
    client.send(post(''))
    await pause(400)
    client.socket.resume()
    expect((await client.rest()).length).toBeLessThan(body.length)
  })
})

describe('closing', () => {
  test('finishes the request that is under way, and says that the connection ends', async () => {
    const server = await start(echoAfter(() => 100))
    const { port } = server.address
    const client = await connectTo(server)
    client.send(post('in flight'))
    await pause(30)
    const closed = server.close(5000)
    const response = await client.response()
    expect([response.body, response.headers.get('connection')]).toEqual(['in flight', 'close'])
    await closed
    await expect(RawClient.open(port)).rejects.toThrow()
  })

  test('does not wait for idle connections', async () => {
    const server = await start(echo)
    const client = await connectTo(server)
    client.send(post('once'))
    await client.response()
    // Longer than a test may take.
    await server.close(120_000)
    expect(await client.rest()).toBe('')
  })

  test('waits no longer than told', async () => {
    const server = await start(() => new Promise(() => undefined))
    const client = await connectTo(server)
    client.send(post('forever'))
    await pause(30)
    await server.close(50)
    expect(await client.rest()).toBe('')
  })
})

test('an address that is taken is refused with its code', async () => {
  const { port } = (await start(echo)).address
  await expect(start(echo, {}, port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

function echo(request: HttpRequest): ReturnType<HttpHandler> {
  return Promise.resolve({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: request.body })
}

function echoAfter(delayMs: (body: string) => number): HttpHandler {
  return async (request) => {
    await pause(delayMs(request.body.toString()))
    return echo(request)
  }
}

function post(body: string, fields = ''): string {
  return `POST / HTTP/1.1\r\nHost: x\r\n${fields}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

async function start(handler: HttpHandler, limits: Partial<HttpLimits> = {}, port = 0): Promise<HttpServer> {
  const server = await listenHttp({
    host: '127.0.0.1',
    port,
    handler,
    refuse: (refusal) => ({ status: refusal.status, headers: {}, body: Buffer.from(refusal.message) }),
    onFailure: (error) => {
      throw error
    },
    limits,
  })
  servers.push(server)
  return server
}

async function connectTo(server: HttpServer): Promise<RawClient> {
  const client = await RawClient.open(server.address.port)
  clients.push(client)
  return client
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

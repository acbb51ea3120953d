import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect as connectPlainly } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RawClient } from '../testing/raw-client.ts'
import { testCertificate } from '../testing/test-certificate.ts'
import type { TlsOptions } from '../tls/tls-options.ts'
import { WatchedCredentials } from '../tls/watched-credentials.ts'
import type { HttpLimits } from './http-limits.ts'
import type { HttpRequest } from './http-request.ts'
import { listenHttp, type HttpServer } from './http-server.ts'

const ours = testCertificate('localhost')
const servers: HttpServer[] = []
const clients: { destroy(): void }[] = []
const folders: string[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  for (const server of servers.splice(0)) await server.close(0)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('a server with TLS', () => {
  test('proves its name to a client that trusts its issuer', async () => {
    const issuer = testCertificate('Test CA')
    const { server, seen } = await start(testCertificate('db.example.com', { issuer }))
    const client = await open(server, { ca: issuer.cert, servername: 'db.example.com' })
    client.send(get)
    expect((await client.response()).status).toBe(200)
    expect(seen[0]?.tls).toMatchObject({ version: 'TLSv1.3', cipherSuite: expect.stringContaining('TLS_') })
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const { server, seen } = await start(ours)
    const client = await open(server, { maxVersion: version, minVersion: version })
    client.send(get)
    expect((await client.response()).status).toBe(200)
    expect(seen[0]?.tls?.version).toBe(version)
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
    const { server } = await start(ours)
    const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' }
    await expect(open(server, old)).rejects.toThrow(/protocol version|unsupported/i)
  })

  test('agrees on http/1.1, and refuses clients that speak nothing but h2', async () => {
    const { server } = await start(ours)
    const socket = await handshake(server, { ALPNProtocols: ['h2', 'http/1.1'] })
    expect(socket.alpnProtocol).toBe('http/1.1')
    expect((await handshake(server, {})).alpnProtocol).toBe(false)
    await expect(handshake(server, { ALPNProtocols: ['h2'] })).rejects.toThrow(/no application protocol/)
  })

  test('does not negotiate again on an open connection', async () => {
    const { server } = await start(ours)
    const socket = await handshake(server, { maxVersion: 'TLSv1.2' })
    const failure = new Promise((resolve) => socket.once('error', resolve))
    socket.renegotiate({ rejectUnauthorized: false }, () => undefined)
    expect(String(await failure)).toMatch(/renegotiation/i)
  })

  test.each([
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
    'SSH-2.0-client\r\n',
    '\0',
  ])('tells a client that sends %j that it speaks TLS', async (bytes) => {
    const { server } = await start(ours)
    const client = await RawClient.open(server.address.port)
    client.send(bytes)
    const response = await client.response()
    expect(response.status).toBe(400)
    expect(response.body).toContain('Use https:// in the address')
    expect(response.headers.get('connection')).toBe('close')
    client.close()
    await vi.waitFor(() => expect(server.handshakes).toBe(0))
  })

  test('ends handshakes that do not end, however the bytes are spread', async () => {
    const { server } = await start(ours, { limits: { handshakeMs: 300 } })
    const hello = Buffer.from('1603010200010001fc0303', 'hex')
    const silent = connectPlainly(server.address.port, '127.0.0.1')
    const started = connectPlainly(server.address.port, '127.0.0.1')
    const drip = connectPlainly(server.address.port, '127.0.0.1')
    const garbage = connectPlainly(server.address.port, '127.0.0.1')
    clients.push(silent, started, drip, garbage)
    const closed = [silent, started, drip, garbage].map((socket) => {
      socket.on('error', () => undefined)
      socket.resume()
      return new Promise((resolve) => socket.on('close', resolve))
    })
    started.write(hello)
    garbage.write(Buffer.alloc(100_000, 0x16))
    let at = 0
    const drops = setInterval(() => drip.write(hello.subarray(at, ++at % hello.length)), 20)
    await Promise.all(closed)
    clearInterval(drops)
    await vi.waitFor(() => expect(server.handshakes).toBe(0))
  })

  test('forgets clients that go away in the middle of a handshake', async () => {
    const { server } = await start(ours)
    for (const bytes of ['', '\x16', '\x16\x03\x01\x02\x00', 'GET']) {
      const socket = connectPlainly(server.address.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.end(bytes, 'latin1')
      socket.resume()
      const other = connectPlainly(server.address.port, '127.0.0.1', () => other.resetAndDestroy())
      other.on('error', () => undefined)
    }
    await vi.waitFor(() => expect(server.handshakes).toBe(0), { timeout: 60_000 })
    const client = await open(server)
    client.send(get)
    expect((await client.response()).status).toBe(200)
  })

  test('serves on while hundreds of handshakes hang', async () => {
    const { server } = await start(ours)
    for (let count = 0; count < 300; count++) {
      const socket = connectPlainly(server.address.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write('\x16\x03')
      clients.push(socket)
    }
    await vi.waitFor(() => expect(server.handshakes).toBe(300), { timeout: 60_000 })
    const client = await open(server)
    client.send(get)
    expect((await client.response()).status).toBe(200)
    expect(server.heldBytes).toBe(0)
  })

  test('closes although handshakes hang', async () => {
    const { server } = await start(ours)
    const socket = connectPlainly(server.address.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('\x16\x03')
    await vi.waitFor(() => expect(server.handshakes).toBe(1))
    await server.close(60_000)
  })
})

describe('client certificates', () => {
  const issuer = testCertificate('Client CA')
  const tls = { ...ours, clientCa: issuer.cert }

  test('from the named issuer are let in, with their name', async () => {
    const { server, seen } = await start(tls)
    const client = await open(server, testCertificate('billing', { issuer }))
    client.send(get)
    expect((await client.response()).status).toBe(200)
    expect(seen[0]?.tls?.clientName).toBe('billing')
  })

  test.each<[string, ConnectionOptions, string]>([
    ['no certificate', {}, 'none was sent'],
    ['a certificate of its own making', testCertificate('billing'), 'not one that this server accepts'],
    [
      'one of another issuer with the same name',
      testCertificate('billing', { issuer: testCertificate('Client CA') }),
      'not one that this server accepts',
    ],
    [
      'one that has expired',
      testCertificate('billing', { issuer, validTo: new Date(Date.now() - 60_000) }),
      'not valid',
    ],
  ])('a client with %s is told so, and no request of it is handled', async (_, options, why) => {
    const { server, seen } = await start(tls)
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const client = await open(server, { ...options, minVersion: version, maxVersion: version })
      client.send(get)
      const response = await client.response()
      expect(response.status).toBe(400)
      expect(response.body).toContain(why)
    }
    expect(seen).toEqual([])
  })

  test('are asked for again after a reload, from clients that would resume their session too', async () => {
    const files = writeFiles(tls)
    const { server, credentials } = await start(files)
    const first = await handshake(server, { ...testCertificate('billing', { issuer }), maxVersion: 'TLSv1.2' })
    const session = first.getSession()
    write(files.clientCa, testCertificate('Another CA').cert)
    credentials.check()
    const client = await open(server, { session, maxVersion: 'TLSv1.2' })
    client.send(get)
    expect((await client.response()).status).toBe(400)
  })
})

describe('a certificate', () => {
  test('is replaced without a restart, and open connections go on', async () => {
    const files = writeFiles(ours)
    const { server, told } = await start(files, { everyMs: 20 })
    const before = await open(server)
    const next = testCertificate('next.example.com')
    write(files.cert, next.cert)
    write(files.key, next.key)
    await vi.waitFor(async () => expect(await nameShownBy(server)).toBe('next.example.com'), { timeout: 60_000 })
    before.send(get)
    expect((await before.response()).status).toBe(200)
    expect(told.join()).toContain('the TLS certificate was reloaded')
  })

  test('whose new pair does not fit keeps the old one in use, and this is told once', async () => {
    const files = writeFiles(ours)
    const { server, told, credentials } = await start(files)
    write(files.cert, testCertificate('next.example.com').cert)
    credentials.check()
    credentials.check()
    expect(told).toEqual([expect.stringContaining('does not belong to the certificate')])
    expect(told[0]).toContain('The old certificate stays in use.')
    expect(told[0]).not.toContain('PRIVATE KEY')
    expect(await nameShownBy(server)).toBe('localhost')
    for (const wrong of ['', 'nonsense', ours.cert.slice(0, 200)]) {
      write(files.cert, wrong)
      credentials.check()
      expect(await nameShownBy(server)).toBe('localhost')
    }
    rmSync(files.cert)
    credentials.check()
    expect(await nameShownBy(server)).toBe('localhost')
    write(files.cert, ours.cert)
    credentials.check()
    expect(told.at(-1)).toContain('reloaded')
  })

  test('that has expired is told of', async () => {
    const { told } = await start(testCertificate('old', { validTo: new Date(Date.now() - 60_000) }))
    expect(told.join()).toContain('the TLS certificate expired on')
  })

  test.each<[string, TlsOptions, string]>([
    ['a missing file', { ...ours, cert: '/nowhere/cert.pem' }, '/nowhere/cert.pem cannot be read'],
    ['a key of another', { ...ours, key: testCertificate('x').key }, 'does not belong'],
    ['a certificate instead of the key', { ...ours, key: ours.cert }, 'does not contain a private key'],
    ['a key instead of the certificate', { ...ours, cert: ours.key }, 'does not contain a certificate'],
    ['nonsense', { ...ours, cert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'does not'],
  ])('is refused at the start: %s', async (_, tls, why) => {
    const failure = await start(tls).then(
      () => '',
      (error: unknown) => String(error),
    )
    expect(failure).toContain(why)
    expect(failure).not.toContain('PRIVATE KEY---')
  })
})

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

interface StartOptions {
  readonly limits?: Partial<HttpLimits>
  readonly everyMs?: number
}

async function start(tls: TlsOptions, { limits, everyMs }: StartOptions = {}) {
  const seen: HttpRequest[] = []
  const told: string[] = []
  const credentials = new WatchedCredentials({ tls, logger: { error: (text) => told.push(text) }, everyMs })
  const server = await listenHttp({
    host: '127.0.0.1',
    port: 0,
    handler: (request) => {
      const { tls: details } = request
      seen.push({ method: request.method, target: request.target, body: request.body, tls: details })
      return { status: 200, headers: {}, body: request.body }
    },
    refuse: (refusal) => ({ status: refusal.status, headers: {}, body: Buffer.from(refusal.message) }),
    onFailure: (error) => {
      throw error
    },
    limits,
    tls: { credentials, requiresClientCertificate: tls.clientCa !== undefined },
  })
  servers.push(server)
  return { server, seen, told, credentials }
}

async function open(server: HttpServer, options: ConnectionOptions = {}): Promise<RawClient> {
  const isTrusting = options.ca === undefined
  const client = await RawClient.open(server.address.port, { rejectUnauthorized: !isTrusting, ...options })
  clients.push(client.socket)
  return client
}

function handshake(server: HttpServer, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.address.port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
    clients.push(socket)
    socket.once('error', reject)
    socket.once('secureConnect', () => resolve(socket))
  })
}

async function nameShownBy(server: HttpServer): Promise<unknown> {
  return (await handshake(server, {})).getPeerCertificate().subject.CN
}

function writeFiles(tls: TlsOptions & { clientCa: string }): { cert: string; key: string; clientCa: string }
function writeFiles(tls: TlsOptions): { cert: string; key: string }
function writeFiles(tls: TlsOptions): { cert: string; key: string; clientCa?: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-tls-'))
  folders.push(folder)
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  write(files.cert, tls.cert)
  write(files.key, tls.key)
  if (tls.clientCa === undefined) return files
  const clientCa = join(folder, 'ca.pem')
  write(clientCa, tls.clientCa)
  return { ...files, clientCa }
}

/** Two writes within one tick of the file system's clock would look like one. */
function write(file: string, text: string): void {
  writeFileSync(file, text)
  const at = new Date(Date.now() + writes++)
  utimesSync(file, at, at)
}

let writes = 0

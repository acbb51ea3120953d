import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { callPeer, PeerConnections, zippedType, type Peer } from './call-peer.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function callTo(answer: RequestListener): Promise<Buffer> {
  server = createServer(answer)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const peer = { region: 'eu-west-1', url: `http://127.0.0.1:${port}` }
  return call(peer, new PeerConnections(peer))
}

async function call(peer: Peer, connections: PeerConnections): Promise<Buffer> {
  const stopping = new AbortController().signal
  try {
    return (await callPeer(peer, 'exchange', {}, { connections, waitMs: 0, stopping })).bytes
  } finally {
    connections.close()
  }
}

const zipped = { 'content-type': zippedType }

test('a response is decompressed', async () => {
  const bytes = await callTo((_, response) => response.writeHead(200, zipped).end(gzipSync('hello')))
  expect(bytes.toString('utf8')).toBe('hello')
})

test('messages that follow each other share a connection', async () => {
  let opened = 0
  server = createServer((_, response) => setTimeout(() => response.end('later'), 5))
  server.on('connection', () => opened++)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const peer = { region: 'eu-west-1', url: `http://127.0.0.1:${port}` }
  const connections = new PeerConnections(peer)
  const stopping = new AbortController().signal
  for (let n = 0; n < 5; n++) await callPeer(peer, 'exchange', {}, { connections, waitMs: 0, stopping })
  connections.close()
  expect(opened).toBe(1)
})

const zeros = Buffer.alloc(65 * 2 ** 20)

const refused: Record<string, [answer: RequestListener, reason: RegExp]> = {
  'compressed bytes that are cut off': [
    (_, response) => response.writeHead(200, zipped).end(gzipSync('hello').subarray(0, 12)),
    /^its response cannot be decompressed$/,
  ],
  'little that decompresses to very much': [
    (_, response) => response.writeHead(200, zipped).end(gzipSync(zeros)),
    /^its response cannot be decompressed$/,
  ],
  'very much': [(_, response) => response.writeHead(200).end(zeros), /^its response is too large$/],
  'half of what it announces': [
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    },
    /./,
  ],
  'nothing, and ends the connection': [(request) => request.socket.destroy(), /^it cannot be reached \(/],
  'another address': [
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    /redirect/,
  ],
  'what a server without links does': [
    (_, response) => response.writeHead(405).end('Use GET.'),
    /^it does not replicate\. Start it with --region eu-west-1 and --replicate/,
  ],
  'a status of its own': [(_, response) => response.writeHead(418).end(), /^it responded with HTTP status 418$/],
}

test.each(Object.keys(refused))('a peer that sends %s is refused in a sentence', async (name) => {
  const [answer, reason] = refused[name] ?? [() => undefined, /never/]
  await expect(callTo(answer)).rejects.toThrow(reason)
})

import { connect, type Socket } from 'node:net'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'

const hello = Buffer.from('674a3779 6e653547 00 f6 a0 00'.replaceAll(' ', ''), 'hex')
const endpoints = Buffer.from('011a1b2bcf02', 'hex')

let db: Database
let port = 0
beforeAll(async () => {
  db = await open({ auth: true })
  port = Number(new URL((await db.listen({ daxPort: 0 })).daxEndpoint ?? '').port)
})
afterAll(() => db.close())

/** Sends bytes, and returns what comes back until the server closes or `enough` is there. */
function exchange(bytes: Uint8Array, enough = Number.POSITIVE_INFINITY): Promise<Buffer> {
  return new Promise((resolve) => {
    const received: Buffer[] = []
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(received)))
    socket.on('data', (piece: Buffer) => {
      received.push(piece)
      if (Buffer.concat(received).length >= enough) socket.destroy()
    })
  })
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.of(0x79, bytes.length >> 8, bytes.length & 255), bytes])
}

test.each([
  ['a browser', Buffer.from('POST / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['another word', Buffer.from('67585858585858582020', 'hex')],
  ['nesting without end', Buffer.concat([hello, Buffer.alloc(100_000, 0x81)])],
  ['an unknown method', Buffer.concat([hello, Buffer.from('011a00112233', 'hex')])],
  ['an unknown service', Buffer.concat([hello, Buffer.from('021a1b2bcf02', 'hex')])],
  [
    'more than a stranger may send',
    Buffer.concat([hello, Buffer.from('011a58c2336b5bffffffffffffffff', 'hex'), Buffer.alloc(200_000)]),
  ],
])('%s gets an error, and the connection is closed', async (_, bytes) => {
  expect((await exchange(bytes)).length).toBeGreaterThan(0)
})

test('a request without a signature, and one with a wrong one, are told so', async () => {
  expect((await exchange(Buffer.concat([hello, endpoints]), 5)).subarray(0, 7).toString('hex')).toBe(
    '840417181f1821',
  )
  const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const toSign = Buffer.from(`AWS4-HMAC-SHA256\n${date}\n${date.slice(0, 8)}/us-east-1/dax/aws4_request\nabc`)
  const authorize = Buffer.concat([
    Buffer.from('011a58c2336b', 'hex'),
    text('AKIANOBODY0000000001'),
    text('0'.repeat(64)),
    Buffer.of(0x58, toSign.length),
    toSign,
    Buffer.from('f6f6', 'hex'),
  ])
  const answer = await exchange(Buffer.concat([hello, authorize, endpoints]), 40)
  expect(answer.subarray(0, 7).toString('hex')).toBe('840417181f1820')
  expect(answer.toString('latin1')).toContain('The security token included in the request is invalid.')
})

test('connections that say nothing, or half of something, do not disturb others', async () => {
  const silent = Array.from({ length: 100 }, (_, index) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    if (index % 2 === 0) socket.write(hello.subarray(0, index % hello.length))
    return socket
  })
  expect((await exchange(Buffer.concat([hello, endpoints]), 5)).length).toBeGreaterThan(0)
  for (const socket of silent) socket.destroy()
})

import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiConnection, NoAnswer } from '../../support/api-connection.ts'
import { CutProxy } from './cut-proxy.ts'

let server: Server
let proxy: CutProxy
const arrived: string[] = []

beforeEach(async () => {
  arrived.length = 0
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      arrived.push(bytes.toString())
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"is": "here"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  proxy = await CutProxy.open(() => port)
})

afterEach(() => {
  proxy.close()
  server.close()
})

function connection(timeoutMs = 5_000): ApiConnection {
  return new ApiConnection({ port: proxy.port, timeoutMs })
}

test('what is sent arrives, and so does the answer', async () => {
  const client = connection()
  expect(await client.call('target', 'one')).toEqual({ status: 200, body: { is: 'here' } })
  expect(await client.call('target', 'two')).toEqual({ status: 200, body: { is: 'here' } })
  client.close()
})

test('a connection that is cut has no answer, and the next one has', async () => {
  const client = connection()
  await client.call('target', 'one')
  void proxy.stall(50)
  const call = client.call('target', 'two')
  setTimeout(() => proxy.cut(), 20)
  await expect(call).rejects.toMatchObject({ wasSent: true })
  expect((await client.call('target', 'three')).status).toBe(200)
  client.close()
})

test('an answer that is cut is no answer, though the request has arrived', async () => {
  const client = connection()
  await client.call('target', 'one')
  proxy.cutInAnswers()
  await expect(client.call('target', 'two')).rejects.toBeInstanceOf(NoAnswer)
  expect(arrived.at(-1)).toContain('two')
  client.close()
})

test('what is held back arrives when nobody waits for it any more', async () => {
  const client = connection(50)
  const stalled = proxy.stall(200)
  await expect(client.call('target', 'late')).rejects.toMatchObject({ wasSent: true })
  expect(arrived).toEqual([])
  await stalled
  await expect.poll(() => arrived.join('')).toContain('late')
})

test('where no connections are taken, it is known that nothing was sent', async () => {
  proxy.refuse()
  const client = connection()
  await expect(client.call('target', 'one')).rejects.toMatchObject({ wasSent: false })
  await proxy.accept()
  expect((await client.call('target', 'two')).status).toBe(200)
  client.close()
})

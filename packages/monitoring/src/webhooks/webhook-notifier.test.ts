import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AlarmNotification } from '../api/alarm-notifier.ts'
import { post } from './post.ts'
import { webhookNotifier } from './webhook-notifier.ts'

const notification: AlarmNotification = {
  Type: 'Notification',
  MessageId: 'id',
  TopicArn: '',
  Subject: 'ALARM',
  Message: '{}',
  Timestamp: '2026-11-15T12:00:00.000Z',
}
const going = { aborted: false }
const logged: string[] = []
const notifier = webhookNotifier(
  { error: (message) => logged.push(message) },
  { timeoutMs: 1500, retryAfterMs: [10, 10] },
)

let receiver: Server
let url: string
/** What the receiver answers, one after the other; 0 is silence. */
let statuses: number[]
let received: number

beforeAll(async () => {
  receiver = createServer((request, response) => {
    received++
    const status = statuses.shift() ?? 200
    if (status > 0) response.writeHead(status, { location: '/elsewhere' }).end()
    request.resume()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret-path`
})

afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

beforeEach(() => {
  statuses = []
  received = 0
  logged.length = 0
})

test('delivers once to a receiver that takes it', async () => {
  await notifier.notify(url, notification, going)
  expect(received).toBe(1)
})

test('tries again where the receiver fails or is silent', async () => {
  statuses = [500, 0]
  await notifier.notify(url, notification, going)
  expect(received).toBe(3)
})

test('gives up in the end, and says so without the secrets of the address', async () => {
  statuses = [503, 503, 503]
  await expect(notifier.notify(url, notification, going)).rejects.toThrow('it answered with status 503')
  expect(received).toBe(3)
  expect(logged).toEqual([
    `hashrange: an alarm could not be delivered to ${new URL(url).origin}: it answered with status 503`,
  ])
})

test.each([400, 404, 302])('does not insist where the answer is %i', async (status) => {
  statuses = [status]
  await expect(notifier.notify(url, notification, going)).rejects.toThrow(String(status))
  expect(received).toBe(1)
})

test('does not try again when all is to stop', async () => {
  statuses = [503, 503]
  await expect(notifier.notify(url, notification, { aborted: true })).rejects.toThrow('503')
  expect(received).toBe(1)
})

test('an address without anybody is told as such', async () => {
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as AddressInfo
  await new Promise((resolve) => gone.close(resolve))
  await expect(notifier.notify(`http://127.0.0.1:${port}/`, notification, going)).rejects.toThrow('ECONNREFUSED')
})

describe('a receiver that may not be called', () => {
  test('is not, although an alarm names it', async () => {
    const strict = webhookNotifier(
      { error: (message) => logged.push(message) },
      { webhooks: ['https://hooks.example/'], adviceOn: (prefix) => `Allow ${prefix}` },
    )
    expect(strict.refusalOf(url)).toBe(`hashrange is not allowed to call it. Allow ${new URL(url).origin}/`)
    await expect(strict.notify(url, notification, going)).rejects.toThrow('not allowed to call it')
    expect(received).toBe(0)
    expect(logged).toHaveLength(1)
  })

  test('is not called through a name that was another address when it was checked', async () => {
    const { port } = new URL(url)
    const options = { headers: {}, body: '{}', timeoutMs: 2_000 }
    const called = post(new URL(`http://localhost:${port}/`), { ...options, mayConnectTo: () => false })
    await expect(called).rejects.toThrow('resolves to an address that is not allowed')
    expect(received).toBe(0)
    expect(await post(new URL(url), { ...options, mayConnectTo: () => false })).toBe(200)
  })

  test('is not called through a redirect', async () => {
    statuses = [307]
    await expect(notifier.notify(url, notification, going)).rejects.toThrow('307')
    expect(received).toBe(1)
  })
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Links } from '@hashrange/engine/links'
import { openTestEngine, type TestEngine } from '@hashrange/engine/test-engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Link } from './link.ts'

const virginia = 'us-east-1'

let owned: TestEngine
let server: Server
let port: number
let answers: number
let status: number
let sentence: () => string

beforeEach(async () => {
  owned = await openTestEngine(undefined, { regionsElsewhere: [virginia], linkedRegion: 'eu-west-1' })
  answers = 0
  server = createServer((_, response) => {
    answers++
    response.writeHead(status).end(`${sentence()}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await owned.close()
})

test('each reason why a link is down is logged once', async () => {
  const logged: string[] = []
  const { engine } = owned
  const url = `http://127.0.0.1:${port}`
  const links = new Links(engine, 'eu-west-1', () => undefined)
  const link = new Link(engine, links, { region: virginia, url }, (line) => logged.push(line))
  const stop = new AbortController()
  status = 503
  sentence = () => 'Too many servers ask at once.'
  const running = link.run(stop.signal)
  await expect.poll(() => logged.length).toBe(1)
  status = 400
  sentence = () => `The clock is ${answers} seconds behind.`
  await expect.poll(() => logged.length).toBe(2)
  const before = answers
  await expect.poll(() => answers, { timeout: 5_000 }).toBeGreaterThan(before + 1)
  stop.abort()
  await running
  expect(logged).toEqual([
    `The link to us-east-1 (${url}) is down: Too many servers ask at once. Writes are kept here, and hashrange keeps trying to connect.`,
    expect.stringMatching(/^The link to us-east-1 is still down: The clock is \d+ seconds behind\.$/),
  ])
  expect(link.status).toMatchObject({ state: 'down', error: expect.stringMatching(/seconds behind$/) as string })
})

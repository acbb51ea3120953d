import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTableInput, openTestEngine } from '@hashrange/engine/test-engine'
import type { ServiceHost } from '@hashrange/engine'
import { expect, test } from 'vitest'
import { runWebhooks } from './run-webhooks.ts'
import { webhookRecords } from './webhook-record.ts'

const TableName = 'orders'
const secret = 'a secret of a test'

/** A receiver that refuses some deliveries. */
async function receiver(refuses: (delivery: number) => boolean): Promise<{
  readonly url: string
  readonly accepted: string[]
  readonly server: Server
}> {
  const accepted: string[] = []
  let deliveries = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const [, seconds, signature] =
        /^t=(\d+),v1=(\w+)$/.exec(String(request.headers['x-hashrange-signature'])) ?? []
      const isSigned = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex') === signature
      const isRefused = refuses(deliveries++) || !isSigned
      if (!isRefused) {
        const { changes } = JSON.parse(body) as { changes: { dynamodb: { Keys: { id: { S: string } } } }[] }
        accepted.push(...changes.map(({ dynamodb }) => dynamodb.Keys.id.S))
      }
      response.writeHead(isRefused ? 503 : 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, accepted, server }
}

async function openWithWebhook(url: string, disabledAfterMs?: number) {
  const problems: unknown[] = []
  let host: ServiceHost | undefined
  const test = await openTestEngine(undefined, {
    services: [
      (opened) => {
        host = opened
        return {
          operations: new Map(),
          begin: () => {
            runWebhooks(opened, {
              webhooks: [{ tableName: TableName, url }],
              secret,
              onError: (error) => problems.push(error),
              firstPauseMs: 20,
              ...(disabledAfterMs !== undefined && { disabledAfterMs }),
            })
            return Promise.resolve()
          },
        }
      },
    ],
  })
  await test.run('CreateTable', createTableInput(TableName, { hash: 'id:S' }))
  if (host === undefined) throw new Error('the service was not opened')
  const records = webhookRecords(host)
  const status = async () => (await records.all())[0]?.record.status
  await expect.poll(status).toBe('ACTIVE')
  return {
    ...test,
    status,
    problems,
    put: (id: string) => test.run('PutItem', { TableName, Item: { id: { S: id } } }),
  }
}

test('a webhook gets every change, signed, although it fails at times', async () => {
  const { url, accepted, server } = await receiver((delivery) => delivery % 3 !== 2)
  const { put, problems, backgroundErrors, close } = await openWithWebhook(url)
  for (let count = 0; count < 20; count++) await put(`id${count}`)
  await expect.poll(() => new Set(accepted).size).toBe(20)
  expect(problems.length).toBeGreaterThan(0)
  expect(backgroundErrors).toEqual([])
  await close()
  server.close()
})

test('a webhook that fails for too long is disabled, and holds nothing', async () => {
  const { url, accepted, server } = await receiver(() => true)
  const { put, status, engine, advance, close } = await openWithWebhook(url, 60_000)
  await put('a')
  await expect.poll(status).toBe('FAILING')
  advance(61_000)
  await expect.poll(status).toBe('DISABLED')
  await expect.poll(() => [...engine.catalog.all()][0]?.definition.logHolders).toBeUndefined()
  expect(accepted).toEqual([])
  await close()
  server.close()
})

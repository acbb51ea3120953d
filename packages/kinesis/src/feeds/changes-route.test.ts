import { serve } from '@hashrange/server'
import { createTableInput, openTestEngine } from '@hashrange/engine/test-engine'
import { expect, test } from 'vitest'
import { changesRoute } from './changes-route.ts'

const TableName = 'orders'

interface Feed {
  /** Reads until there are as many events, and returns their item keys and the last id. */
  readonly read: (count: number) => Promise<{ readonly keys: readonly string[]; readonly id: string }>
  readonly rest: () => Promise<string>
  readonly close: () => Promise<void>
}

async function follow(url: string, headers: Record<string, string> = {}): Promise<Feed> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body?.getReader()
  let text = ''
  const more = async (): Promise<boolean> => {
    const chunk = await reader?.read()
    text += Buffer.from(chunk?.value ?? []).toString()
    return chunk?.done === false
  }
  return {
    read: async (count) => {
      const keysIn = (): string[] =>
        [...text.matchAll(/"Keys":\{"id":\{"S":"([^"]*)"/g)].map(([, key]) => key ?? '')
      while (keysIn().length < count || !text.endsWith('\n\n')) if (!(await more())) break
      return { keys: keysIn(), id: [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '' }
    },
    rest: async () => {
      while (await more());
      return text
    },
    close: async () => {
      abort.abort()
      await reader?.cancel().catch(() => undefined)
    },
  }
}

test('a feed shows changes as they happen, and continues after the last event that a client has seen', async () => {
  const { engine, run, close } = await openTestEngine()
  const source = { logs: engine.logs, scopesOf: (name: string) => engine.catalog.scopesOf(name) }
  const server = await serve(engine, { host: '127.0.0.1', port: 0, routes: [changesRoute(source)] })
  const url = `http://127.0.0.1:${server.port}/_hashrange/changes`
  const put = (id: string): Promise<unknown> => run('PutItem', { TableName, Item: { id: { S: id } } })
  await run('CreateTable', createTableInput(TableName, { hash: 'id:S' }))

  expect((await fetch(url)).status).toBe(400)
  expect((await fetch(`${url}?table=%41`)).status).toBe(404)
  expect((await fetch(`${url}?table=${TableName}`)).status).toBe(409)
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' }
  await run('UpdateTable', { TableName, StreamSpecification })
  expect((await fetch(`${url}?table=${TableName}&after=__proto__`)).status).toBe(400)
  expect((await fetch(`${url}?table=${TableName}`, { headers: { Origin: 'http://localhost' } })).status).toBe(403)

  await put('before')
  const feed = await follow(`${url}?table=${TableName}`)
  await put('a')
  await put('b')
  const seen = await feed.read(2)
  expect([...seen.keys].toSorted()).toEqual(['a', 'b'])
  await feed.close()
  await put('c')
  const again = await follow(`${url}?table=${TableName}`, { 'Last-Event-ID': seen.id })
  expect((await again.read(1)).keys).toEqual(['c'])
  const all = await follow(`${url}?table=${TableName}&after=start`)
  expect([...(await all.read(4)).keys].toSorted()).toEqual(['a', 'b', 'before', 'c'])
  await run('DeleteTable', { TableName })
  expect(await all.rest()).toContain('event: end')

  // A client that stays does not keep the server from closing.
  await server.close()
  await again.rest()
  await close()
})

test('a client that does not read is not sent more than it takes', async () => {
  const { engine, run, close } = await openTestEngine()
  const source = { logs: engine.logs, scopesOf: (name: string) => engine.catalog.scopesOf(name) }
  const route = changesRoute(source)
  await run('CreateTable', createTableInput(TableName, { hash: 'id:S' }))
  await run('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } })
  for (let count = 0; count < 12; count++) {
    await run('PutItem', { TableName, Item: { id: { S: `id${count}` }, text: { S: 'x'.repeat(300_000) } } })
  }
  const target = `/_hashrange/changes?table=${TableName}&after=start`
  const response = await route({ method: 'GET', target, body: Buffer.alloc(0) })
  let written = 0
  let drain = (): void => undefined
  let gone = (): void => undefined
  response?.stream?.({
    write: (bytes) => {
      written += bytes.length
      return false
    },
    onDrain: (listener) => (drain = listener),
    onClose: (listener) => (gone = listener),
    end: () => undefined,
  })
  const first = written
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(written).toBe(first)
  drain()
  await expect.poll(() => written).toBeGreaterThan(first)
  const second = written
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(written).toBe(second)
  gone()
  await close()
})

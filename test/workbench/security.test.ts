import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'
import { testToken } from './support/workbench-server.ts'

/** A page of somebody else, on this machine even: another port is another origin. */
const foreign: Server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' })
  response.end('<title>foreign</title>')
})
let foreignOrigin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  foreignOrigin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => foreign.close(resolve)))

describe('in a real browser, a foreign page', () => {
  const bench = useWorkbench({ examples: ['music'] })

  test('cannot delete a table, whichever way it asks', async () => {
    // The browser says what it has refused.
    bench.expectConsole(/./)
    const page = await bench.open('/tables')
    await page.getByRole('row', { name: /music/ }).waitFor()
    await page.goto(foreignOrigin)
    const address = `${bench.server.origin}/_workbench/api/dynamodb/DeleteTable?account=123456789012&region=us-east-1`
    // Not even if it knows the secret.
    const outcomes = await page.evaluate(
      async ([url = '', token = '']) => {
        const body = '{"TableName":"music"}'
        const ask = (init: RequestInit): Promise<string> =>
          fetch(url, { method: 'POST', body, ...init }).then(
            (response) => `answered ${response.type} ${response.status}`,
            () => 'refused',
          )
        const form = new Promise<string>((resolve) => {
          const frame = document.createElement('iframe')
          frame.name = 'target'
          frame.addEventListener('load', () => resolve('loaded'))
          document.body.append(frame)
          const made = Object.assign(document.createElement('form'), {
            method: 'POST',
            action: url,
            target: 'target',
            enctype: 'text/plain',
          })
          const field = Object.assign(document.createElement('input'), {
            name: '{"TableName":"music","a":"',
            value: '"}',
          })
          made.append(field)
          document.body.append(made)
          made.submit()
        })
        return [
          await ask({ headers: { 'content-type': 'application/json', 'x-hashrange-workbench': token } }),
          await ask({ headers: { 'content-type': 'application/json' } }),
          await ask({ mode: 'no-cors' }),
          await ask({ headers: { 'content-type': 'text/plain' } }),
          await form,
          navigator.sendBeacon(url, body) ? 'sent' : 'not sent',
        ]
      },
      [address, testToken],
    )
    // What could be sent without permission came to nothing, and its answer could not be read.
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused', 'loaded', 'sent'])
    const { TableNames } = await bench.server.execute('ListTables', {})
    expect(TableNames).toEqual(['music'])
  })

  test('cannot show the workbench in a frame', async () => {
    bench.expectConsole(/frame|ERR_BLOCKED_BY_RESPONSE/i)
    const page = await bench.open('/tables')
    await page.goto(foreignOrigin)
    await page.evaluate((address) => {
      const frame = document.createElement('iframe')
      frame.src = address
      document.body.append(frame)
      return new Promise((resolve) => frame.addEventListener('load', resolve))
    }, `${bench.server.origin}/_workbench/`)
    const frame = page.frames().find((candidate) => candidate !== page.mainFrame())
    expect(await frame?.locator('nav').count()).toBe(0)
  })
})

describe('what people have written', () => {
  const bench = useWorkbench({ examples: ['music'] })

  test('is shown as text, wherever it stands', async () => {
    bench.expectConsole(/400/)
    const page = await bench.open(
      `/tables?filter=${encodeURIComponent('<img src=x onerror=document.title=1>')}&sort=${encodeURIComponent('"><script>')}`,
    )
    await page.getByText(/No table has “<img src=x/).waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
    await page.goto(`${bench.server.origin}/_workbench/tables/${encodeURIComponent('<script>alert(1)</script>')}`)
    await page.getByRole('heading', { name: '<script>alert(1)</script>' }).waitFor()
    await page.getByText('ValidationException').waitFor()
    expect(await page.locator('main script').count()).toBe(0)
  })

  test('cannot be made markup even by a mistake in the page', async () => {
    bench.expectConsole(/TrustedHTML|Trusted Types/)
    const page = await bench.open('/tables')
    await page.getByRole('row', { name: /music/ }).waitFor()
    const outcome = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<img src=x onerror="document.title = 1">'
        return 'made markup'
      } catch (error) {
        return error instanceof TypeError ? 'refused' : 'failed'
      }
    })
    expect(outcome).toBe('refused')
  })
})

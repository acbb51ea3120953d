import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'
import { startWorkbench, testToken } from './support/workbench-server.ts'

const bench = useWorkbench({ examples: ['music'] })

const tables = (page: Page) => page.getByRole('row', { name: /music/ })
const locked = (page: Page) => page.getByRole('dialog', { name: 'Open the workbench with its full address' })

describe('without the secret', () => {
  test('the root shows where to find the address, and nothing else', async () => {
    const page = await bench.open('/', { token: '' })
    await page.goto(bench.server.origin)
    await locked(page).waitFor()
    await expect.poll(() => page.getByText('music').count()).toBe(0)
    await bench.shoot(page, 'locked')
    await page.getByLabel('Address or token').fill('not-the-right-one')
    bench.expectConsole(/401/)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('The running hashrange uses another token.').waitFor()
    await page.getByLabel('Address or token').fill(`  ${bench.server.origin}/_workbench/#token=${testToken} `)
    await page.keyboard.press('Enter')
    await tables(page).waitFor()
    await expect.poll(() => locked(page).count()).toBe(0)
  })
})

describe('with the address that hashrange prints', () => {
  for (const path of ['/', '/tables?token=', '/?token=']) {
    test(`at ${path} the page opens, does not show the secret, and opens again without it`, async () => {
      const page = await bench.open(path.replace('token=', `token=${testToken}`), {
        token: path.includes('token=') ? '' : testToken,
      })
      await tables(page).waitFor()
      expect(page.url()).not.toContain(testToken)
      await page.reload()
      await tables(page).waitFor()
      const other = await page.context().newPage()
      await other.goto(`${bench.server.origin}/_workbench/tables`)
      await tables(other).waitFor()
      await page.goBack()
      expect(page.url()).not.toContain(testToken)
    })
  }

  test('the root passes the secret on', async () => {
    const page = await bench.open('/', { token: '' })
    await page.goto(`${bench.server.origin}/#token=${testToken}`)
    await page.reload()
    await tables(page).waitFor()
  })

  test('another server on this machine is not told the secret, though its pages are of the same site', async () => {
    const heard: string[] = []
    const other = createServer((request, response) => {
      heard.push(JSON.stringify(request.headers) + (request.url ?? ''))
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>other</title>')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const page = await bench.open('/tables')
    await tables(page).waitFor()
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/_workbench/tables`)
    expect(await page.evaluate(() => `${localStorage.length} ${document.cookie}`)).toBe('0 ')
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.join()).not.toContain(testToken)
    await page.close()
    await new Promise((resolve) => other.close(resolve))
  })
})

describe('when hashrange is started again', () => {
  test('the page says so, keeps what is being edited, and goes on with the new address in this tab or another', async () => {
    bench.expectConsole(/401|ERR_CONNECTION|Failed to fetch|request failed/)
    const first = await startWorkbench({ token: 'the-secret-of-the-first-start' })
    const page = await bench.open('/tables', { origin: first.origin, token: 'the-secret-of-the-first-start' })
    await page.getByText('No tables here yet').waitFor()
    await page.getByRole('button', { name: 'Create table' }).first().click()
    await page.getByLabel('Table name').fill('half-done')
    const { port } = first
    await first.close()
    const second = await startWorkbench({ port, token: 'the-secret-of-the-second-start' })
    // It asks again when somebody looks.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    const again = page.getByRole('dialog', { name: 'hashrange was restarted' })
    await again.waitFor()
    await bench.shoot(page, 'locked-again')
    const other = await page.context().newPage()
    await other.goto(`${second.origin}/_workbench/#token=the-secret-of-the-second-start`)
    await other.getByText('No tables here yet').waitFor()
    await again.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByLabel('Table name').inputValue()).toBe('half-done')
    await page.context().close()
    await second.close()
  })
})

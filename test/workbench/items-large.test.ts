import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench()

/** With HASHRANGE_LARGE_ITEMS=1000000 the test is done on a million, which takes a minute more. */
const itemCount = Number(process.env['HASHRANGE_LARGE_ITEMS'] ?? 60_000)
const mostMegabytes = 300

test(
  'a large table is scrolled anywhere; what is not shown is not loaded, and memory stays small',
  { timeout: 400_000 },
  async () => {
    await bench.server.execute('CreateTable', {
      TableName: 'large',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    await fill()
    const page = await bench.open('/items/large')
    let scanned = 0
    page.on('response', async (response) => {
      if (!response.url().includes('/Scan')) return
      scanned += ((await response.json()) as { Items: unknown[] }).Items.length
    })
    const rows = page.getByRole('grid', { name: 'Items' })
    await rows
      .getByRole('button', { name: /^item-/ })
      .first()
      .waitFor()
    await page.getByText(new RegExp(`^rows 1–\\d+ of about ${itemCount.toLocaleString('en-US')}$`)).waitFor()

    // To the middle and near the end: places far away are gone to at once.
    for (const part of [0.5, 0.9, 0.2]) {
      await rows.evaluate((grid, share) => (grid.scrollTop = grid.scrollHeight * share), part)
      await expect.poll(async () => Math.abs((await firstRow(page)) / itemCount - part)).toBeLessThan(0.05)
      await expect.poll(() => shownRows(page)).toBeGreaterThan(15)
    }
    await bench.shoot(page, 'items-large')
    expect(scanned).toBeLessThan(3000)

    // Backwards and forwards by pages, without a gap and without a jump.
    await rows.getByRole('gridcell', { name: 'text' }).nth(12).click()
    const seen: string[] = []
    for (let step = 0; step < 10; step++) {
      const before = await idsInSight(page)
      await page.keyboard.press('PageUp')
      await expect.poll(() => idsInSight(page)).not.toBe(before)
      await expect.poll(() => shownRows(page)).toBeGreaterThan(15)
      seen.push(await idsInSight(page))
    }
    expect(new Set(seen).size).toBe(seen.length)
    await page.keyboard.press('Control+End')
    await page.getByText(/–([\d,]+) of \1$/).waitFor()
    await page.keyboard.press('Control+Home')
    await page.getByText(/^rows 1–/).waitFor()

    // A long way by the wheel.
    for (let step = 0; step < 60; step++) {
      await rows.evaluate((grid) => (grid.scrollTop += 2500))
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    await expect.poll(() => shownRows(page)).toBeGreaterThan(15)
    const { heap, resident } = await memoryMegabytes(page)
    if (itemCount > 60_000)
      console.log(`${itemCount} items: heap ${heap} MB, page's process ${resident} MB, ${scanned} items loaded`)
    expect(heap).toBeLessThan(100)
    expect(resident).toBeLessThan(mostMegabytes)
  },
)

async function fill(): Promise<void> {
  for (let start = 0; start < itemCount; start += 2500) {
    const batches = Array.from({ length: 100 }, (_, batch) =>
      bench.server.execute('BatchWriteItem', {
        RequestItems: {
          large: Array.from({ length: 25 }, (__, step) => {
            const at = start + batch * 25 + step
            return {
              PutRequest: { Item: { id: { S: `item-${String(at)}` }, n: { N: String(at) }, s: { S: 'text' } } },
            }
          }),
        },
      }),
    )
    await Promise.all(batches)
  }
}

/** Rows that have their content. */
function shownRows(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('.grid-row .items-open').length)
}

async function firstRow(page: Page): Promise<number> {
  const text = await page.locator('.items-status').textContent()
  return Number(/rows (?:about )?([\d,]+)/.exec(text ?? '')?.[1]?.replaceAll(',', ''))
}

function idsInSight(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.grid-row .items-open')].map((row) => row.textContent).join(),
  )
}

async function memoryMegabytes(page: Page): Promise<{ heap: number; resident: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const heap = (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1_048_576
  const browser = await page.context().browser()?.newBrowserCDPSession()
  const info = await browser?.send('SystemInfo.getProcessInfo')
  let resident = 0
  for (const { type, id } of info?.processInfo ?? []) {
    if (type !== 'renderer') continue
    const status = await readFile(`/proc/${String(id)}/status`, 'utf8')
    resident = Math.max(resident, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }
  return { heap: Math.round(heap), resident: Math.round(resident) }
}

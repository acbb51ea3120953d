import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from './support/browser.ts'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench()

/** At length the test is done on a million, and traced: that takes some minutes more. */
const itemCount = Number(process.env['HASHRANGE_LARGE_ITEMS'] ?? 60_000)
const isLong = itemCount > 60_000
/** What a task of the page's main thread may take of a processor. A frame is no longer than its longest task, and what else the
 *  machine has to do does not count. */
const mostTaskMs = 200
const mostMegabytes = 300

test(
  'a large table is scrolled anywhere; what is not shown is not loaded, and memory stays small',
  { timeout: isLong ? 1_800_000 : 400_000 },
  async () => {
    await bench.server.execute('CreateTable', {
      TableName: 'large',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    await fill()
    const before = await megabytesByProcess()
    const page = await bench.open('/items/large', { isFirstVisit: true })
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
      const idsBefore = await idsInSight(page)
      await page.keyboard.press('PageUp')
      await expect.poll(() => idsInSight(page)).not.toBe(idsBefore)
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
    const { heap, resident } = await memoryMegabytes(page, before)
    if (isLong) {
      console.log(`${itemCount} items: heap ${heap} MB, page's process ${resident} MB, ${scanned} items loaded`)
    }
    expect(heap).toBeLessThan(100)
    expect(resident).toBeGreaterThan(10)
    expect(resident).toBeLessThan(mostMegabytes)
    if (isLong) await traceAll(page, before)
  },
)

/** Each kind of work by itself, so that the figures say which is too long. */
async function traceAll(page: Page, before: ReadonlyMap<number, number>): Promise<void> {
  const rows = page.getByRole('grid', { name: 'Items' })
  const wanted = `item-${String(itemCount - 7)}`
  const works: Readonly<Record<string, () => Promise<void>>> = {
    scroll: async () => {
      for (let step = 0; step < 40; step++) {
        await rows.evaluate((grid) => (grid.scrollTop += grid.scrollHeight / 50))
        await page.evaluate(() => new Promise(requestAnimationFrame))
      }
      await expect.poll(() => shownRows(page)).toBeGreaterThan(15)
    },
    find: async () => {
      await page.getByLabel('Partition key id').fill(wanted)
      await rows.getByRole('button', { name: wanted }).waitFor()
      await page.getByRole('button', { name: 'Clear key' }).click()
      await expect.poll(() => shownRows(page)).toBeGreaterThan(15)
    },
    'export as JSON': () => exportAll(page, 'JSON'),
    'export as Parquet': () => exportAll(page, 'Parquet'),
    'bulk edit': async () => {
      await page.keyboard.press('Control+Home')
      await rows.getByRole('checkbox').nth(1).check()
      await page.getByRole('button', { name: 'Select all items' }).click()
      const bar = page.getByRole('region', { name: 'Selection' })
      await expect.poll(() => bar.textContent(), { timeout: 600_000 }).toMatch(/^[\d,]{6,} items selected/)
      await bar.getByRole('button', { name: 'Set attribute' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Attribute').fill('checked')
      await dialog.getByLabel('Value').fill('yes')
      await dialog.getByRole('button', { name: /^Set/ }).click()
      await page.waitForTimeout(20_000)
      await dialog
        .getByRole('button', { name: /Cancel|Stop/ })
        .first()
        .click()
    },
  }
  const longest: Record<string, number> = {}
  for (const [name, work] of Object.entries(works)) longest[name] = await longestTaskMs(page, work)
  const { heap, resident } = await memoryMegabytes(page, before)
  console.log(`longest tasks, ms of processor: ${JSON.stringify(longest)}; heap ${heap} MB, process ${resident} MB`)
  expect(Object.entries(longest).filter(([, ms]) => ms > mostTaskMs)).toEqual([])
}

async function exportAll(page: Page, format: string): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(format, { exact: true }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 900_000 }),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ])
  await download.delete()
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The longest task of the main threads of pages while `work` is done, by Chrome's trace. */
async function longestTaskMs(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel'] })
  await work()
  const trace = JSON.parse(String(await browser?.stopTracing())) as { readonly traceEvents: readonly TraceEvent[] }
  const mains = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${String(pid)} ${String(tid)}`),
  )
  const tasks = trace.traceEvents.filter(({ pid, tid }) => mains.has(`${String(pid)} ${String(tid)}`))
  expect(tasks.length).toBeGreaterThan(0)
  // More than a call can have arguments.
  return Math.round(tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000)
}

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

/** The heap of the page, and what its process has grown by: the pages of earlier tests may have larger ones. */
async function memoryMegabytes(
  page: Page,
  before: ReadonlyMap<number, number>,
): Promise<{ heap: number; resident: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const heap = (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1_048_576
  const grown = [...(await megabytesByProcess())].map(([id, megabytes]) => megabytes - (before.get(id) ?? 0))
  return { heap: Math.round(heap), resident: Math.round(Math.max(...grown)) }
}

/** Of the processes that show pages. */
async function megabytesByProcess(): Promise<ReadonlyMap<number, number>> {
  const session = await (await openBrowser()).newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const found = new Map<number, number>()
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue
    // One may have ended meanwhile.
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    found.set(id, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }
  return found
}

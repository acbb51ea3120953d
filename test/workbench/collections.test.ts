import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { modelFile } from './support/example-data.ts'
import { savedParquet } from './support/saved-parquet.ts'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'], models: [modelFile('shop')] })

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rows = (page: Page, name: string) => panel(page, name).locator('[data-row]')

test('the table and its indexes stand side by side, in partitions', async () => {
  const page = await bench.open('/collections/shop')
  await rows(page, 'Table').first().waitFor()
  await rows(page, 'gsi1').first().waitFor()
  await expect.poll(() => page.locator('[data-source]').count()).toBe(6)
  await bench.shoot(page, 'collections')
  await savedParquet(page, panel(page, 'gsi1'))
  await page.getByRole('group', { name: 'Shown side by side' }).getByRole('button', { name: 'active' }).click()
  await panel(page, 'active').waitFor({ state: 'hidden' })
  await page.reload()
  await rows(page, 'Table').first().waitFor()
  await expect.poll(() => page.locator('[data-source]').count()).toBe(5)
})

test('entities are facets', async () => {
  const page = await bench.open('/collections/shop')
  await rows(page, 'Table').first().waitFor()
  // The server filters, so that items are found however far away they are.
  const filtered = page.waitForRequest(
    (request) => request.url().includes('dynamodb/Scan') && (request.postData() ?? '').includes('FilterExpression'),
  )
  await page
    .getByRole('group', { name: 'Entities' })
    .getByRole('button', { name: /^Order\d+|^Order \d+/ })
    .click()
  await filtered
  await expect.poll(() => rows(page, 'Table').filter({ hasNotText: 'ORDER#' }).count()).toBe(0)
  await expect.poll(() => rows(page, 'Table').count()).toBeGreaterThan(0)
  await bench.shoot(page, 'collections-facet')
  // The same attribute stands below itself.
  const orders = panel(page, 'Table').locator('[data-row]')
  const places = await orders.evaluateAll((found) =>
    found.map((row) =>
      [...row.querySelectorAll('.collection-cell')].map((cell) => [
        cell.querySelector('.collection-name')?.textContent ?? '',
        Math.round(cell.getBoundingClientRect().left),
      ]),
    ),
  )
  const lefts = new Map<string, number>()
  for (const [name, left] of places.flat() as [string, number][]) {
    if (name !== '') expect(lefts.get(name) ?? left, name).toBe(left)
    lefts.set(name, left)
  }
})

test('an item is followed to where it appears in each index, among its neighbours', async () => {
  const page = await bench.open('/collections/shop')
  const order = rows(page, 'Table').filter({ hasText: 'ORDER#2' }).first()
  await order.locator('.collection-sort').click()
  await page.getByText('Where this item appears, with the items around it').waitFor()
  await panel(page, 'gsi1').locator('[aria-selected="true"]').waitFor()
  await panel(page, 'byTotal').locator('[aria-selected="true"]').waitFor()
  await panel(page, 'gsi2').getByText('The item is not in this index: it has no GSI2PK and no GSI2SK.').waitFor()
  await bench.shoot(page, 'collections-followed')
  // A link reproduces it.
  await page.reload()
  await panel(page, 'gsi1').locator('[aria-selected="true"]').waitFor()
  await page.getByRole('button', { name: 'All partitions' }).click()
  await panel(page, 'gsi2').locator('[data-row]').first().waitFor()
})

test('rows are walked with the keys; Enter opens the item', async () => {
  const page = await bench.open('/collections/music')
  await rows(page, 'Table').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() =>
      rows(page, 'Table')
        .nth(2)
        .evaluate((row) => row === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('Enter')
  await page.locator('.dialog[role="dialog"]').getByRole('tab', { name: 'Places' }).click()
  await page.getByRole('link', { name: 'Neighbours' }).first().click()
  await page.getByText('Where this item appears, with the items around it').waitFor()
})

test('partitions are paged, and a large one is not read through', async () => {
  // One of 300 items in the table, and in an index one of 285 beside fifteen small ones.
  for (let at = 0; at < 300; at += 25) {
    const requests = Array.from({ length: 25 }, (_, step) => {
      const text = String(at + step).padStart(4, '0')
      const gsiPartition = { S: at + step < 15 ? `SMALL#${text}` : 'LARGE' }
      const Item = {
        partitionId: { S: 'LARGE#1' },
        rangeId: { S: `R#${text}` },
        gsiPartition,
        gsiSort: { S: text },
      }
      return { PutRequest: { Item } }
    })
    await bench.server.execute('BatchWriteItem', { RequestItems: { leaderboard: requests } })
  }
  const page = await bench.open('/collections/leaderboard')
  await rows(page, 'Table').first().waitFor()
  await bench.shoot(page, 'collections-leaderboard')
  for (const [name, attribute, from] of [
    ['Table', 'partitionId', {}],
    ['gsi1', 'gsiPartition', { IndexName: 'gsi1' }],
  ] as const) {
    const keys = panel(page, name).locator('.partition-key')
    const found = new Set<string>()
    for (let step = 0; step < 20; step++) {
      for (const key of await keys.allTextContents()) found.add(key)
      const next = panel(page, name).getByRole('button', { name: 'Next partitions' })
      if (await next.isDisabled()) break
      const first = await keys.first().textContent()
      await next.click()
      await expect.poll(() => keys.first().textContent()).not.toBe(first)
    }
    const { Items } = await bench.server.execute('Scan', { TableName: 'leaderboard', ...from })
    const all = new Set((Items as Record<string, { S: string }>[]).map((item) => item[attribute]?.S))
    expect([...found].toSorted()).toEqual([...all].filter((key) => key !== undefined).toSorted())
  }
  // Back, page by page, to where it began.
  const previous = panel(page, 'gsi1').getByRole('button', { name: 'Previous' })
  while (await previous.isVisible()) {
    const first = await panel(page, 'gsi1').locator('.partition-key').first().textContent()
    await previous.click()
    await expect.poll(() => panel(page, 'gsi1').locator('.partition-key').first().textContent()).not.toBe(first)
  }
  await expect.poll(() => panel(page, 'gsi1').getByRole('button', { name: 'First' }).count()).toBe(0)
  // One that is far away is found by its key, and so it is when the address is opened again.
  const find = page.getByRole('searchbox', { name: 'Find a partition of gsi1' })
  await find.fill('SMALL#0003')
  const keys = panel(page, 'gsi1').locator('.partition-key')
  await expect.poll(() => keys.allTextContents()).toEqual(['SMALL#0003'])
  await page.reload()
  await expect.poll(() => keys.allTextContents()).toEqual(['SMALL#0003'])
  await find.fill('small#0003')
  await panel(page, 'gsi1').getByText('No item collection has this partition key').waitFor()
  await find.fill('')
  await panel(page, 'gsi1').getByRole('button', { name: 'Next partitions' }).waitFor()
  await expect.poll(() => keys.count()).toBeGreaterThan(0)
})

test('an empty table says what will stand here', async () => {
  await bench.server.execute('CreateTable', {
    TableName: 'nothing',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const page = await bench.open('/collections/nothing')
  await page.getByText('Items that share a partition key will be shown together here').waitFor()
  await page.goto(`${bench.server.origin}/_workbench/collections`)
  await page.getByRole('list', { name: 'Tables' }).getByRole('link', { name: 'music' }).click()
  await rows(page, 'Table').first().waitFor()
})

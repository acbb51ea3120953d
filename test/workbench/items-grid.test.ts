import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop'] })

type Item = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>

beforeAll(async () => {
  const { execute } = bench.server
  await execute('CreateTable', {
    TableName: 'stock',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let start = 0; start < 500; start += 25) {
    const puts = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: stock(start + at) } }))
    await execute('BatchWriteItem', { RequestItems: { stock: puts } })
  }
})

function stock(number: number): Item {
  const id = { S: `ITEM#${String(number).padStart(3, '0')}` }
  return { id, count: { N: String((number * 7) % 500) }, colour: { S: number % 2 === 0 ? 'red' : 'blue' } }
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Items' })
const rowOf = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text })
const heads = async (page: Page) =>
  (await grid(page).getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n')[0])

async function itemOf(id: string): Promise<Item | undefined> {
  const { Item } = await bench.server.execute('GetItem', { TableName: 'stock', Key: { id: { S: id } } })
  return Item as Item | undefined
}

async function all(): Promise<readonly Item[]> {
  const { Items } = await bench.server.execute('Scan', { TableName: 'stock' })
  return Items as readonly Item[]
}

/** Puts a value into a cell of the grid. */
async function edit(page: Page, id: string, attribute: string, value: string): Promise<void> {
  const column = (await heads(page)).indexOf(attribute)
  await rowOf(page, id).getByRole('gridcell').nth(column).click()
  await page.keyboard.press('F2')
  const editor = page.getByRole('group', { name: `Edit ${attribute}` })
  await editor.getByRole('textbox', { name: 'Value' }).fill(value)
  await page.keyboard.press('Enter')
  await editor.waitFor({ state: 'detached' })
}

test('keys stay in sight, columns follow the rows in sight, and what is loaded is sorted', async () => {
  const page = await bench.open('/items/shop')
  await rowOf(page, 'PROFILE').first().waitFor()
  const cell = () =>
    rowOf(page, 'PROFILE')
      .first()
      .getByText(/^CUSTOMER#/)
      .first()
  const before = await cell().boundingBox()
  await grid(page).evaluate((element) => element.scrollTo({ left: 600 }))
  await expect.poll(() => grid(page).evaluate((element) => element.scrollLeft)).toBeGreaterThan(400)
  expect((await cell().boundingBox())?.x).toBe(before?.x)
  // Wide enough for all columns: those beside the window do not exist.
  await page.setViewportSize({ width: 3600, height: 720 })
  // Of one collection only the attributes that its items have.
  const customer = (await cell().innerText()).trim()
  await expect.poll(() => heads(page)).toContain('sessionId')
  await page.getByRole('textbox', { name: 'Partition key PK' }).fill(customer)
  await expect.poll(() => heads(page)).not.toContain('sessionId')
  await page.getByRole('button', { name: /^Columns/ }).click()
  await page.getByRole('checkbox', { name: 'Only columns that rows in sight have' }).uncheck()
  await expect.poll(() => heads(page)).toContain('sessionId')
  await page.getByRole('checkbox', { name: 'Only columns that rows in sight have' }).check()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 720 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)
  await bench.shoot(page, 'items-grid')

  await page.goto(`${bench.server.origin}/_workbench/items/stock`)
  await rowOf(page, 'ITEM#').first().waitFor()
  await grid(page).getByRole('button', { name: 'count' }).click()
  await page.getByText(/^Sorted by count: only the \d+ rows that are loaded/).waitFor()
  await grid(page).getByRole('button', { name: 'count' }).click()
  await expect
    .poll(() => grid(page).getByRole('columnheader', { name: /count/ }).getAttribute('aria-sort'))
    .toBe('descending')
  await page.getByRole('button', { name: 'Table order' }).click()
  await expect.poll(() => page.getByText(/^Sorted by/).count()).toBe(0)
})

test('cells are edited in their place, written together, and taken back', async () => {
  const page = await bench.open('/items/stock')
  await page.setViewportSize({ width: 1280, height: 900 })
  await rowOf(page, 'ITEM#').first().waitFor()
  const ids = (
    await grid(page)
      .getByText(/^ITEM#\d{3}$/)
      .allInnerTexts()
  ).slice(0, 3)
  const [first = '', second = '', third = ''] = ids
  const [one, two] = [await itemOf(first), await itemOf(second)]
  await edit(page, first, 'colour', 'green')
  await edit(page, second, 'count', '1001')
  await edit(page, second, 'colour', 'yellow')
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByText('3 changes in 2 items, not saved yet').waitFor()
  // What is no number is said, and not kept.
  await rowOf(page, third)
    .getByRole('gridcell')
    .nth((await heads(page)).indexOf('count'))
    .click()
  await page.getByRole('button', { name: 'Edit count' }).click()
  await page.getByRole('textbox', { name: 'Value' }).fill('many')
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/numeric/)
    .waitFor()
  await page.keyboard.press('Escape')
  // At the edge of a small window the whole editor is in sight, and the grid stays where it is.
  await page.setViewportSize({ width: 390, height: 800 })
  const scrolled = () => grid(page).evaluate(({ scrollLeft }) => scrollLeft)
  await grid(page).focus()
  await page.keyboard.press('End')
  await expect.poll(scrolled).toBeGreaterThan(0)
  const before = await scrolled()
  await page.keyboard.press('F2')
  const { x = 0, width = 0 } = (await page.getByRole('group', { name: /^Edit / }).boundingBox()) ?? {}
  expect([width > 300, x >= 0, x + width <= 390, await scrolled()]).toEqual([true, true, true, before])
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 900 })
  // The last change is taken back with a key, the next one in the list.
  await page.keyboard.press('Control+z')
  await bar.getByText('2 changes in 2 items').waitFor()
  expect(await itemOf(first)).toEqual(one)
  await bar.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('table', { name: 'Unsaved changes' })
  await expect.poll(() => review.getByRole('row').nth(1).innerText()).toContain('green')
  await bench.shoot(page, 'items-staged')
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Save 2 items' }).click()
  await bar.waitFor({ state: 'detached' })
  expect([await itemOf(first), await itemOf(second)]).toEqual([
    { ...one, colour: { S: 'green' } },
    { ...two, count: { N: '1001' } },
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => itemOf(second)).toEqual(two)
  expect(await itemOf(first)).toEqual(one)

  // Somebody else is faster: nothing is overwritten, and nothing of it is written.
  bench.expectConsole(/400/)
  await edit(page, first, 'colour', 'green')
  await edit(page, second, 'colour', 'black')
  await bench.server.execute('PutItem', { TableName: 'stock', Item: { ...two, colour: { S: 'white' } } })
  await bar.getByRole('button', { name: 'Save 2 items' }).click()
  await bar.getByText('Not saved: 1 item was changed by somebody else').waitFor()
  expect((await itemOf(first))?.['colour']).toEqual(one?.['colour'])
  await bar.getByRole('button', { name: 'Give up my changes to them' }).click()
  await bar.getByRole('button', { name: 'Save 1 item' }).click()
  await expect.poll(async () => (await itemOf(first))?.['colour']).toEqual({ S: 'green' })
  expect((await itemOf(second))?.['colour']).toEqual({ S: 'white' })
})

test(
  'ranges and all that match are selected; 500 items are changed at once, and changed back',
  { timeout: 200_000 },
  async () => {
    const page = await bench.open('/items/stock')
    await page.setViewportSize({ width: 1280, height: 900 })
    await rowOf(page, 'ITEM#').first().waitFor()
    const before = await all()
    const box = (row: number) =>
      grid(page).getByRole('checkbox', { name: `Select row ${String(row)}`, exact: true })
    await box(2).click()
    await box(6).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('5 items selected').waitFor()
    await bar.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('menuitem', { name: 'For a spreadsheet' }).click()
    await page.getByText('5 items copied').first().waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\r\n')).toHaveLength(7)
    expect(copied).toMatch(/^id\t/)

    await bar.getByRole('button', { name: 'Select all items' }).click()
    await bar.getByText('500 items selected').waitFor()
    await bar.getByRole('button', { name: 'Set attribute' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change 500 items' })
    await dialog.getByLabel('Attribute').fill('count')
    // It is a number in the items that were seen.
    await expect.poll(() => dialog.getByLabel('Type').inputValue()).toBe('N')
    await dialog.getByLabel('Value').fill('7')
    await dialog.getByRole('button', { name: 'Set in 500 items' }).click()
    // 500 requests take their time where much else goes on.
    await dialog.waitFor({ state: 'hidden', timeout: 80_000 })
    expect((await all()).filter(({ count }) => count?.N === '7')).toHaveLength(500)
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await page.getByText('500 items restored').first().waitFor({ timeout: 80_000 })
    expect(await all()).toEqual(before)
  },
)

test('rows of a spreadsheet are pasted, with or without their heads', async () => {
  const page = await bench.open('/items/stock')
  await rowOf(page, 'ITEM#').first().waitFor()
  await page.evaluate(() =>
    navigator.clipboard.writeText('id\tcount\tnote\r\nNEW#1\t5\t"two\nlines"\r\nNEW#2\t6\t\r\n'),
  )
  await grid(page).focus()
  await page.keyboard.press('Control+v')
  const dialog = page.getByRole('dialog', { name: 'Import items' })
  await dialog.getByText('pasted rows.csv').waitFor()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByText('2 items written').waitFor()
  expect([await itemOf('NEW#1'), await itemOf('NEW#2')]).toEqual([
    { id: { S: 'NEW#1' }, count: { N: '5' }, note: { S: 'two\nlines' } },
    { id: { S: 'NEW#2' }, count: { N: '6' } },
  ])
})

test('a result of Query and what Collections shows become files', async () => {
  const page = await bench.open('/query/stock?mode=key&pk=ITEM%23007&run=1')
  const save = async (format: string) => {
    await page.getByRole('button', { name: 'Export' }).first().click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format, exact: true }).click(),
    ])
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
  }
  await page.getByRole('grid', { name: 'Results' }).getByText('ITEM#007').waitFor()
  const { count } = stock(7)
  expect(await save('CSV file')).toEqual({
    name: 'stock.csv',
    text: expect.stringContaining(`ITEM#007,${String(count?.N)},blue`) as string,
  })
  expect((await save('DynamoDB JSON file')).text).toBe(`${JSON.stringify({ Item: stock(7) })}\n`)
  await page.goto(`${bench.server.origin}/_workbench/collections/stock`)
  await page.getByRole('row').nth(2).waitFor()
  expect(JSON.parse((await save('JSON file')).text).length).toBeGreaterThan(5)
})

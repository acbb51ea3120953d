import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench()

/** Keys that become something else, or end an address, where they are decoded once too often or not encoded. */
const hostile = [
  'A',
  '%41',
  '%2541',
  '%',
  '%zz',
  '+',
  ' ',
  '%2B',
  '%20',
  '#',
  '#token=x',
  '&',
  'a&item=b',
  '=',
  '/',
  '../x',
  '?',
  '\\',
  '"',
  "'",
  '<b>',
  '{"S":"A"}',
  'é',
  'e\u0301',
  '日本',
  '🙂',
  '\u0000',
  '\u2028',
  '\ud800',
  '__proto__',
  'null',
]

/** Of each kind one; the long form takes all of them. */
const clicked = hostile.filter((_, place) => place % rounds(3, 1) === 0)

/** Opening a page takes a second: of each kind one is opened by its address too. */
const reopened: ReadonlySet<string> = new Set(
  ['%41', '%zz', '+', '#token=x', 'a&item=b', '../x', '\ud800', '__proto__'].filter(
    (_, place) => place % rounds(2, 1) === 0,
  ),
)

const marks = new Map(hostile.map((key, position) => [key, `mark ${String(position)}.`]))

async function createTable(TableName: string, type: 'S' | 'N' | 'B'): Promise<void> {
  await bench.server.execute('CreateTable', {
    TableName,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: type },
      { AttributeName: 'sk', AttributeType: type },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
}

async function put(TableName: string, value: object, mark: string): Promise<void> {
  await bench.server.execute('PutItem', { TableName, Item: { pk: value, sk: value, mark: { S: mark } } })
}

async function marksOf(TableName: string): Promise<string[]> {
  const { Items } = (await bench.server.execute('Scan', { TableName })) as { Items: { mark: { S: string } }[] }
  return Items.map(({ mark }) => mark.S)
}

const drawer = (page: Page) => page.locator('.dialog[role="dialog"]')

async function openRow(page: Page, mark: string): Promise<void> {
  await page
    .getByRole('grid', { name: 'Items' })
    .getByRole('row')
    .filter({ hasText: mark })
    .getByRole('button')
    .first()
    .click()
}

/** The item that is open has this mark. */
async function expectOpen(page: Page, mark: string): Promise<void> {
  await expect.poll(() => drawer(page).getByRole('textbox', { name: 'mark', exact: true }).inputValue()).toBe(mark)
}

describe('whatever its key is', () => {
  test('the item that is clicked is the item that opens, and so it is when the address is opened again', async () => {
    await createTable('strings', 'S')
    for (const [key, mark] of marks) await put('strings', { S: key }, mark)
    const page = await bench.open('/items/strings')
    // All of them in sight.
    await page.setViewportSize({ width: 1280, height: 1400 })
    for (const key of new Set([...clicked, ...reopened])) {
      const mark = marks.get(key) ?? ''
      await openRow(page, mark)
      await expectOpen(page, mark)
      if (reopened.has(key)) {
        await page.reload()
        await expectOpen(page, mark)
      }
      await page.keyboard.press('Escape')
      await drawer(page).waitFor({ state: 'hidden' })
    }
  })

  test('the item that is deleted is the item that was clicked', async () => {
    await createTable('deleted', 'S')
    for (const key of ['A', '%41', '%2541']) await put('deleted', { S: key }, `${key}.`)
    const page = await bench.open('/items/deleted')
    const row = page.getByRole('row').filter({ has: page.getByText('%41.', { exact: true }) })
    await row.getByRole('button').first().click()
    await expectOpen(page, '%41.')
    await drawer(page).getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => marksOf('deleted').then((found) => found.toSorted())).toEqual(['%2541.', 'A.'])
  })

  test('it is found by its key, in Items and in Query, and by the link of its collection', async () => {
    const page = await bench.open('/items/strings')
    const grid = page.getByRole('grid', { name: 'Items' })
    for (const key of ['A', '%41', '%2541', '+', ' ', '#', 'a&item=b', '/', '🙂', '__proto__']) {
      const mark = marks.get(key) ?? ''
      await page.getByRole('textbox', { name: 'Partition key pk' }).fill(key)
      await expect.poll(() => grid.getByText(/^mark \d+\.$/).allInnerTexts()).toEqual([mark])
      if (reopened.has(key)) await page.reload()
      await expect.poll(() => grid.getByText(/^mark \d+\.$/).allInnerTexts()).toEqual([mark])
    }
    const few = ['%41', '+', 'a&item=b', '\ud800']
    await createTable('few', 'S')
    for (const key of few) await put('few', { S: key }, marks.get(key) ?? '')
    for (const key of few) {
      const mark = marks.get(key) ?? ''
      // As a link does.
      await page.evaluate(() => history.pushState(null, '', '/_workbench/collections/few'))
      const partition = page.getByRole('rowgroup').filter({ hasText: mark })
      await partition.hover()
      await partition.getByRole('link', { name: 'Query' }).click()
      await page.getByRole('button', { name: /^Run/ }).first().click()
      const results = page.getByRole('grid', { name: 'Results' })
      await expect.poll(() => results.getByText(/^mark \d+\.$/).allInnerTexts()).toEqual([mark])
    }
  })
})

test('numbers and binary are kept as they are', async () => {
  const numbers = ['0', '-1', '1e100', '12345678901234567890123456789012345678', '0.00000000000000000001']
  await createTable('number', 'N')
  for (const [position, N] of numbers.entries()) await put('number', { N }, `number ${String(position)}.`)
  // It looks like the name of a file.
  await createTable('bytes.v2', 'B')
  const bytes = ['AA==', '//8=', '+/+/', 'AAECAwT//v38']
  for (const [position, B] of bytes.entries()) await put('bytes.v2', { B }, `bytes.v2 ${String(position)}.`)
  for (const [table, count] of [
    ['number', numbers.length],
    ['bytes.v2', bytes.length],
  ] as const) {
    const page = await bench.open(`/items/${table}`)
    for (let position = 0; position < count; position++) {
      const mark = `${table} ${String(position)}.`
      await openRow(page, mark)
      await expectOpen(page, mark)
      if (position >= count - 2) {
        await page.reload()
        await expectOpen(page, mark)
      }
      await page.keyboard.press('Escape')
      await drawer(page).waitFor({ state: 'hidden' })
    }
  }
})

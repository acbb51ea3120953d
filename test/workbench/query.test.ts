import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../support/programs.ts'
import { exampleNames, modelFile } from './support/example-data.ts'
import { example, firstOf, pick, putStandings, results, rowCount, runButton } from './support/query-page.ts'
import { savedParquet } from './support/saved-parquet.ts'
import { useWorkbench } from './support/use-workbench.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-query-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** A model that nobody has written yet. */
const draftFile = join(folder, 'drafts.model.ts')
const bench = useWorkbench({ examples: exampleNames, models: [...exampleNames.map(modelFile), draftFile] })

const itemOf = (entity: string) => firstOf(bench.server.execute, entity)

describe('by an access pattern', () => {
  test('its parameters are filled in and it is run; the address reproduces it', async () => {
    const page = await bench.open('/query/shop')
    await pick(page, 'ordersOfCustomer')
    await page.getByText('Newest first, of any period').waitFor()
    await bench.shoot(page, 'query-pattern-open')
    await example(page)
    await page.keyboard.press('Control+Enter')
    await results(page).waitFor()
    const count = await rowCount(page)
    expect(count).toBeGreaterThan(0)
    await bench.shoot(page, 'query-pattern')
    const again = await bench.open(page.url().replace(/^.*_workbench/, ''))
    await results(again).waitFor()
    await expect.poll(() => rowCount(again)).toBe(count)
  })

  test('a lookup finds the owner by way of its guard, in two requests', async () => {
    const customer = await itemOf('Customer')
    const page = await bench.open('/query/shop')
    await pick(page, 'customerByEmail')
    await page.getByLabel('email', { exact: true }).fill(customer['email']?.S ?? '')
    await page.getByText('One item, by its full primary key.').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 item', { exact: true }).waitFor()
    await page.getByRole('gridcell', { name: customer['PK']?.S ?? '' }).waitFor()
    await expect.poll(() => page.locator('.run-fact', { hasText: 'Pages' }).innerText()).toContain('2')
  })

  test('the shards of a ranking are read together and merged in order', async () => {
    await putStandings(bench.server.execute)
    const page = await bench.open('/query/leaderboard')
    await pick(page, 'top')
    await page.getByLabel('season').fill('2026-Q2')
    await page.getByText('8 × Query').waitFor()
    await page.keyboard.press('Control+Enter')
    await results(page).waitFor()
    const ranks = page.getByRole('gridcell', { name: /^RATING#/ })
    await expect.poll(() => ranks.count()).toBe(12)
    const keys = await ranks.allInnerTexts()
    expect(keys).toEqual(keys.toSorted().toReversed())
    await bench.shoot(page, 'query-shards')
  })

  test('what a parameter cannot be is said by the model', async () => {
    bench.expectConsole(/400/)
    const page = await bench.open('/query/music')
    await pick(page, 'songsOfAlbum')
    await page.getByLabel('artist', { exact: true }).fill('A#B')
    await page.getByLabel('album', { exact: true }).fill('x')
    await page.getByText(/must be a text without '#'/).waitFor()
  })

  test('becomes a query by key to be changed', async () => {
    const page = await bench.open('/query/music')
    await pick(page, 'albumsOfArtist')
    await example(page)
    await page.getByRole('button', { name: 'Edit as a query by key' }).click()
    await expect.poll(() => page.getByLabel('Condition on sk').inputValue()).toBe('begins_with')
    await expect.poll(() => page.getByLabel('sk value').inputValue()).toBe('album#')
    await runButton(page).click()
    await results(page).waitFor()
    await expect.poll(() => rowCount(page)).toBeGreaterThan(0)
  })
})

describe('by key', () => {
  test('a filter shows what it wasted, and the request explains its placeholders', async () => {
    for (let n = 0; n < 40; n++) {
      const status = { S: n === 0 ? 'open' : 'closed' }
      const Item = { PK: { S: 'CUSTOMER#big' }, SK: { S: `ORDER#${n}` }, status, note: { S: 'x'.repeat(2000) } }
      await bench.server.execute('PutItem', { TableName: 'shop', Item })
    }
    const page = await bench.open('/query/shop?mode=key')
    await page.getByLabel(/^PK/).fill('CUSTOMER#big')
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    await page.getByLabel('Attribute', { exact: true }).fill('status')
    await page.getByLabel('Value', { exact: true }).fill('open')
    await page.getByText('One item collection in the table').waitFor()
    await runButton(page).click()
    await page.getByText('The filter dropped 39 of 40 items: 9.5 of 10 units').waitFor()
    await page.getByLabel('Calls per second').fill('1000')
    await page.keyboard.press('Enter')
    await page.getByText(/for nothing, \$/).waitFor()
    await bench.shoot(page, 'query-waste')
    await page.getByRole('tab', { name: 'Request' }).click()
    await page.getByRole('cell', { name: '#status', exact: true }).waitFor()
    await bench.shoot(page, 'query-request')
    const json = JSON.parse(await page.locator('pre[aria-label="Request"]').innerText()) as Record<string, unknown>
    expect(json).toMatchObject({
      TableName: 'shop',
      KeyConditionExpression: '#PK = :PK',
      FilterExpression: '#status = :status',
    })
    const answer = await bench.server.execute('Query', json)
    expect(answer['Count']).toBe(1)
  })

  test('the whole key is a GetItem, and no key a Scan that is asked about first', async () => {
    const customer = await itemOf('Customer')
    const page = await bench.open('/query/shop?mode=key')
    await page.getByLabel(/^PK/).fill(customer['PK']?.S ?? '')
    await page.getByLabel('Condition on SK').selectOption('=')
    await page.getByLabel('SK value').fill(customer['SK']?.S ?? '')
    await page.getByText('One item, by its full primary key.').waitFor()
    await runButton(page).click()
    await page.getByText('1 item', { exact: true }).waitFor()
    await page.getByLabel('Condition on SK').selectOption('any')
    await page.getByLabel(/^PK/).fill('')
    await page.getByText(/reads all \d+ items of the table/).waitFor()
    await runButton(page).click()
    const question = page.getByRole('dialog', { name: 'Scan all of shop?' })
    await question.getByText(/read units/).waitFor()
    await bench.shoot(page, 'query-scan')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('.results-stale').count()).toBe(1)
    await runButton(page).click()
    await question.getByRole('button', { name: 'Scan', exact: true }).click()
    await page
      .getByText(/\d\d+ items/)
      .first()
      .waitFor()
  })

  test('pages are asked for one by one, or all together', async () => {
    const page = await bench.open('/query/shop?mode=key')
    await page.getByLabel(/^Limit/).fill('20')
    await runButton(page).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Scan', exact: true }).click()
    await page.getByText('20 items, and there is more to read').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('40 items, and there is more to read').waitFor()
    await page.getByRole('button', { name: 'Read all' }).click()
    const { Count } = await bench.server.execute('Scan', { TableName: 'shop', Select: 'COUNT' })
    await page.getByText(`${String(Count)} items`, { exact: true }).waitFor()
    await expect.poll(() => rowCount(page)).toBe(Count)
    await savedParquet(page)
  })

  test('the attributes of a multi-attribute index each have a field', async () => {
    await putStandings(bench.server.execute)
    const page = await bench.open('/query/leaderboard?mode=key')
    await page.getByLabel('Read from').selectOption('byCountry')
    await page.getByLabel(/^season/).fill('2026-Q2')
    await page.getByText('A Query needs every attribute of the partition key').waitFor()
    await page.getByLabel(/^country/).fill('IT')
    await page.getByLabel('Condition on rating').selectOption('>=')
    await page.getByLabel('rating value').fill('1005')
    await runButton(page).click()
    await results(page).waitFor()
    await expect.poll(() => rowCount(page)).toBe(3)
  })

  test('groups of conditions nest', async () => {
    const page = await bench.open('/query/shop?mode=key')
    await page.getByLabel(/^PK/).fill('x')
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    await page.getByLabel('Attribute', { exact: true }).fill('total')
    await page.getByLabel('Operator').selectOption('>')
    await page.getByLabel('Type').selectOption('N')
    await page.getByLabel('Value', { exact: true }).fill('10')
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    const group = page.getByRole('group', { name: 'Group' })
    await group.getByLabel('Attribute', { exact: true }).fill('status')
    await group.getByLabel('Operator').selectOption('in')
    await group.getByLabel('Value', { exact: true }).fill('pending, shipped')
    await group.getByRole('button', { name: 'Condition', exact: true }).click()
    await group.getByLabel('Attribute', { exact: true }).nth(1).fill('address.city')
    await group.getByLabel('Operator').nth(1).selectOption('exists')
    await group.getByRole('button', { name: 'NOT' }).click()
    await page.getByRole('tab', { name: 'Request' }).click()
    await bench.shoot(page, 'query-filter')
    await expect
      .poll(() => page.locator('pre[aria-label="Request"]').innerText())
      .toContain(
        '"FilterExpression": "#total > :total AND NOT (#status IN (:status, :status2) OR attribute_exists(#address.#city))"',
      )
  })

  test('a link of another view fills in the key, and an item leads to where it is edited', async () => {
    const customer = await itemOf('Customer')
    const page = await bench.open(`/query/shop?pk=${encodeURIComponent(customer['PK']?.S ?? '')}&sk=PROFILE&run=1`)
    await page.getByText('1 item', { exact: true }).waitFor()
    await expect.poll(() => page.getByLabel('SK value').inputValue()).toBe('PROFILE')
    await results(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Customer' }).getByRole('link', { name: 'Open in Items' }).click()
    await page.waitForURL(/items\/shop.*item=/)
  })

  test('a request that takes its time can be cancelled', async () => {
    const page = await bench.open('/query/shop?mode=key&pk=x')
    let answer: () => void = () => undefined
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/dynamodb/Query*', () => answer())
    await runButton(page).click()
    await asked
    await page.getByRole('form', { name: 'Query' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('0 items, cancelled').waitFor()
  })

  test('what the service refuses is told in its words', async () => {
    bench.expectConsole(/400/)
    const page = await bench.open('/query/shop?mode=key')
    await page.getByLabel(/^PK/).fill('x')
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    await page.getByLabel('Attribute', { exact: true }).fill('PK')
    await page.getByLabel('Value', { exact: true }).fill('y')
    await runButton(page).click()
    await page.getByText(/Filter Expression can only contain non-primary key attributes/).waitFor()
  })
})

test('the code that is shown is run as it is, and returns the same', async () => {
  const page = await bench.open('/query/shop')
  await pick(page, 'ordersOfCustomer')
  await example(page)
  await page.keyboard.press('Control+Enter')
  await results(page).waitFor()
  const count = await rowCount(page)
  await page.getByRole('tab', { name: 'Code' }).click()
  const code = await page.locator('pre[aria-label="Code"]').innerText()
  expect(code).toContain(bench.server.origin)
  const { stdout, stderr } = await run(
    process.execPath,
    ['--input-type=module', '-'],
    code.replace('console.log(items)', 'console.log(items.length)'),
  )
  expect({ stdout, stderr: stderr.replace(/.*Warning[^]*/, '') }).toEqual({ stdout: `${count}\n`, stderr: '' })
  await bench.shoot(page, 'query-code')
  for (const [language, word] of [
    ['python', 'boto3'],
    ['cli', 'aws dynamodb query'],
    ['java', 'QueryRequest.builder()'],
    ['ruby', 'client.query('],
    ['model', 'db.ordersOfCustomer('],
  ] as const) {
    await page.getByLabel('Language').selectOption(language)
    await page.locator('pre[aria-label="Code"]').getByText(word).first().waitFor()
  }
  const client = (await page.locator('pre[aria-label="Code"]').innerText())
    .replace("'./shop.model.ts'", `'${new URL('../../examples/dist/shop/shop.model.js', import.meta.url).href}'`)
    .replace('console.log(entity, item)', 'console.log(entity)')
    .replace(/console\.log\(cost.*/, '')
  expect((await run(process.execPath, ['--input-type=module', '-'], client)).stdout).toBe('Order\n'.repeat(count))
  await page.getByText('AWS', { exact: true }).click()
  await expect.poll(() => page.locator('pre[aria-label="Code"]').innerText()).not.toContain('endpoint')
  await page.getByRole('button', { name: 'Copy code' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain("import { shop } from './shop.model.ts'")
})

describe('what was run', () => {
  const keyOf = (page: Page) => page.getByRole('textbox', { name: /^PK/ })

  test('is a step of the history: Back and Forward go through the queries, and run them again', async () => {
    const customer = await itemOf('Customer')
    const product = await itemOf('Product')
    const keys = [customer['PK']?.S ?? '', product['PK']?.S ?? '', 'NOBODY#1']
    const page = await bench.open('/query/shop?mode=key')
    for (const key of keys) {
      await keyOf(page).fill(key)
      await page.keyboard.press('Enter')
      if (key === 'NOBODY#1') await page.getByText('No item has this key').waitFor()
      else await page.getByRole('gridcell', { name: key }).first().waitFor()
    }
    for (const key of keys.slice(0, 2).toReversed()) {
      await page.goBack()
      await expect.poll(() => keyOf(page).inputValue()).toBe(key)
      await page.getByRole('gridcell', { name: key }).first().waitFor()
      await expect.poll(() => page.getByText('The query was changed since').count()).toBe(0)
    }
    await page.goBack()
    await expect.poll(() => new URL(page.url()).searchParams.get('q') ?? '').not.toContain('CUSTOMER#')
    await page.goForward()
    await page
      .getByRole('gridcell', { name: keys[0] ?? '' })
      .first()
      .waitFor()
  })

  test('is read whole, however many items that are; and says so where the page can hold no more', async () => {
    for (const [TableName, count, bytes] of [
      ['many', 24_000, 60],
      ['heavy', 260, 300_000],
    ] as const) {
      await bench.server.execute('CreateTable', {
        TableName,
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'N' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      })
      const text = { S: 'x'.repeat(bytes) }
      for (let start = 0; start < count; start += 25) {
        const requests = Array.from({ length: Math.min(25, count - start) }, (_, position) => ({
          PutRequest: { Item: { pk: { S: 'all' }, sk: { N: String(start + position) }, text } },
        }))
        await bench.server.execute('BatchWriteItem', { RequestItems: { [TableName]: requests } })
      }
    }
    const page = await bench.open('/query/many?pk=all&run=1')
    await page.getByRole('button', { name: 'Read all' }).click()
    await page.getByText('24,000 items', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Read all' }).count()).toBe(0)
    await page.goto(`${bench.server.origin}/_workbench/query/heavy?pk=all&run=1`)
    await page.getByRole('button', { name: 'Read all' }).click()
    await page.getByText(/^Stopped after 2\d\d items$/).waitFor()
    await page.getByText(/A page holds up to 200,000 items or 64 MB/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Read all|Next page/ }).count()).toBe(0)
    await bench.shoot(page, 'query-full')
    await page.getByRole('link', { name: 'Open in Items' }).click()
    await page.waitForURL(/\/items\/heavy/)
  })
})

test('a query is saved under a name, opened again, exported and imported', async () => {
  const page = await bench.open('/query/shop')
  await pick(page, 'getCustomer')
  await example(page)
  await page.keyboard.press('Control+Enter')
  await results(page).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByLabel('Name').fill('My customer')
  await page.keyboard.press('Enter')
  await page.goto(`${bench.server.origin}/_workbench/query/shop`)
  await page.getByText('By access pattern').waitFor()
  await page.keyboard.press('h')
  const drawer = page.getByRole('dialog', { name: 'Queries' })
  await drawer.getByText(/getCustomer\(customerId:/).waitFor()
  await bench.shoot(page, 'query-history')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('button', { name: 'Export' }).click(),
  ])
  const file = join(tmpdir(), `hashrange-queries-${process.pid}.json`)
  await download.saveAs(file)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ saved: [{ title: 'My customer' }] })
  await drawer.getByRole('tab', { name: /Saved/ }).click()
  await drawer.getByText('My customer').click()
  await page.getByText('One item, by its full primary key.').waitFor()
  const other = await bench.open('/query/shop')
  await other.getByRole('button', { name: 'Saved and history' }).click()
  await other.getByLabel('File with queries').setInputFiles(file)
  await other.getByText('1 saved queries added').first().waitFor()
  await writeFile(file, '{"a": 1}')
  await other.getByLabel('File with queries').setInputFiles(file)
  await other
    .getByText(/This file contains no queries/)
    .first()
    .waitFor()
})

test('a model is loaded when it is there, followed while it is edited, and its mistakes are shown', async () => {
  await bench.server.execute('CreateTable', {
    TableName: 'drafts',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const page = await bench.open('/query/drafts?mode=pattern')
  await page.getByText('No loaded model describes the table').waitFor()
  await page.getByText(/There is no file/).waitFor()
  await bench.shoot(page, 'query-no-model')
  const source = (await readFile(modelFile('shop'), 'utf8')).replace("name: 'shop'", "name: 'drafts'")
  await writeFile(draftFile, source)
  await page.getByText('drafts has 17 read patterns').waitFor()
  await writeFile(draftFile, source.replace('getCustomer: p.get', 'oneCustomer: p.get'))
  await page.getByRole('button', { name: 'Access pattern' }).click()
  await page.getByRole('option', { name: 'oneCustomer' }).waitFor()
  await page.keyboard.press('Escape')
  await writeFile(draftFile, source.replace('getCustomer: p.get(', 'getCustomer: p.fetch('))
  await page.getByText('The model has an error; this is the last version that loaded').waitFor()
  await page.getByText(/fetch is not a function/).waitFor()
})

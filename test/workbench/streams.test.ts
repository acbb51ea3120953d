import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'] })

const customer = (id: string) => ({ PK: { S: `CUSTOMER#${id}` }, SK: { S: 'PROFILE' } })

async function put(id: string, attributes: object = {}, table = 'shop'): Promise<void> {
  const Item = { ...customer(id), EntityType: { S: 'Customer' }, name: { S: `Customer ${id}` }, ...attributes }
  await bench.server.execute('PutItem', { TableName: table, Item })
}

async function openStream(query = ''): Promise<Page> {
  const page = await bench.open(`/streams/shop${query}`)
  await page.getByRole('heading', { name: 'Stream of shop' }).waitFor()
  await page.getByText(/\d open shards?/).waitFor()
  return page
}

const records = (page: Page) => page.getByRole('listbox', { name: 'Records' }).getByRole('option')
const record = (page: Page, name: RegExp) => page.getByRole('option', { name })

test('a table with a stream is chosen, and its changes show as they are made', async () => {
  const page = await bench.open('/streams')
  await bench.shoot(page, 'streams-list')
  await page.getByRole('list', { name: 'Tables with a stream' }).getByRole('link', { name: /^shop/ }).click()
  await page.getByText('Waiting for changes').waitFor()
  await page.getByText(/\d open shards?/).waitFor()
  await bench.shoot(page, 'streams-empty')

  await put('live', {
    address: { M: { city: { S: 'Wien' }, zip: { S: '1010' } } },
    tags: { SS: ['new', 'eu'] },
    old: { N: '1' },
  })
  await put('live', {
    address: { M: { city: { S: 'Graz' }, zip: { S: '1010' } } },
    tags: { SS: ['eu', 'vip'] },
    limit: { N: '38' },
  })
  await put('gone')
  await bench.server.execute('DeleteItem', { TableName: 'shop', Key: customer('gone') })
  await record(page, /remove Customer CUSTOMER#gone/).waitFor()
  await expect.poll(() => records(page).count()).toBe(4)
  await bench.shoot(page, 'streams')

  await record(page, /modify Customer CUSTOMER#live/).click()
  const detail = page.getByRole('complementary', { name: 'Record' })
  const differences = detail.getByRole('list', { name: 'Differences' })
  const lines = (await differences.innerText()).split('\n').filter((line) => line.trim() !== '')
  // Signs, names, types, then what was and what is; of the address only the part that has changed.
  expect(lines.join(' ')).toContain('city S was Wien is Graz')
  expect(lines.join(' ')).not.toContain('zip')
  expect(lines.join(' ')).toContain('was new')
  expect(lines.join(' ')).toContain('is vip')
  expect(lines.join(' ')).toMatch(/added limit N is 38/)
  expect(lines.join(' ')).toMatch(/removed old N was 1/)
  await bench.shoot(page, 'streams-difference')
  await detail.getByRole('checkbox', { name: /unchanged/ }).check()
  await expect.poll(() => differences.innerText()).toContain('Customer live')

  await detail.getByRole('link', { name: 'Open the item' }).click()
  await page.waitForURL(/\/items\/shop/)
  await expect
    .poll(() => JSON.parse(new URL(page.url()).searchParams.get('item') ?? '{}') as unknown)
    .toEqual(customer('live'))
})

test('filters by event, key, attribute and entity stand in the address, which reproduces them', async () => {
  for (const id of ['f1', 'f2', 'f3']) await put(id, { city: { S: id === 'f2' ? 'Linz' : 'Steyr' } })
  await bench.server.execute('DeleteItem', { TableName: 'shop', Key: customer('f3') })
  const page = await openStream('?from=oldest')
  await page.getByRole('searchbox', { name: 'Filter by key' }).fill('customer#f')
  await page.getByText(/^4 of /).waitFor()
  await page.getByRole('searchbox', { name: 'Filter by attributes' }).fill('city linz')
  await page.getByText(/^1 of /).waitFor()
  await record(page, /insert Customer CUSTOMER#f2/).waitFor()
  await page.getByRole('searchbox', { name: 'Filter by attributes' }).fill('')
  await page.getByRole('group', { name: 'Events' }).getByRole('button', { name: 'remove' }).click()
  await record(page, /remove Customer CUSTOMER#f3/).waitFor()
  await expect.poll(() => records(page).count()).toBe(1)
  await page.getByRole('combobox', { name: 'Filter by entity' }).selectOption('Order')
  await page.getByText('No record matches').waitFor()
  await page.reload()
  await page.getByText('No record matches').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await record(page, /CUSTOMER#f1/).waitFor()
})

test('paused it stands still, and goes on without a loss', async () => {
  const page = await openStream()
  await put('p1')
  await record(page, /CUSTOMER#p1/).waitFor()
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  for (let count = 0; count < 30; count++) await put(`while-paused-${String(count)}`)
  await page.waitForTimeout(1_000)
  expect(await record(page, /while-paused/).count()).toBe(0)
  await page.keyboard.press('p')
  await page.getByText(/^31 records$/).waitFor()
  await page.getByText(/records\/s/).waitFor()
  await page.keyboard.press('x')
  await page.getByText('Waiting for changes').waitFor()
})

test('another beginning is read at once, though it was paused', async () => {
  await put('early')
  const page = await openStream()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await page.getByRole('radio', { name: 'All 24 hours' }).check({ force: true })
  await record(page, /CUSTOMER#early/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  // And once more, on the way back.
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('radio', { name: 'From now' }).check({ force: true })
  await page.getByText('Waiting for changes').waitFor()
  await put('late')
  await record(page, /CUSTOMER#late/)
    .first()
    .waitFor()
})

test('the records are walked with the keyboard, and the one looked at is in the address', async () => {
  const page = await openStream()
  for (const id of ['k1', 'k2', 'k3']) await put(id)
  await record(page, /CUSTOMER#k3/).waitFor()
  await page.getByRole('listbox', { name: 'Records' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: /CUSTOMER#k2/ }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('record')).toMatch(/^[0-9a-f]{32}$/)
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Record' }).waitFor({ state: 'detached' })
})

test('what is shown is saved as the service gave it, a line for each record', async () => {
  const page = await openStream()
  await put('saved-1')
  await put('saved-2')
  await record(page, /saved-2/).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: /Save the 2 records/ }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('shop-stream.jsonl')
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  const keys = lines.map(
    (line) => (JSON.parse(line) as { dynamodb: { Keys: { PK: { S: string } } } }).dynamodb.Keys.PK.S,
  )
  expect(keys).toEqual(['CUSTOMER#saved-1', 'CUSTOMER#saved-2'])
})

test('a stream whose shards divide under load is followed into the new ones', async () => {
  const page = await openStream()
  const heavy = { S: 'x'.repeat(300_000) }
  // More than a megabyte a second, over many keys: enough for the database to divide the shards.
  for (let count = 0; count < 120; count++) await put(`heavy-${String(count)}`, { heavy })
  await page.getByText(/open shards of/).waitFor()
  for (let count = 0; count < 20; count++) await put(`after-${String(count)}`)
  await page.getByRole('searchbox', { name: 'Filter by key' }).fill('after-')
  await page.getByText(/^20 of /).waitFor()
  // Memory is bounded: of 36 MB, the oldest had to go.
  await page.getByText(/were dropped to save memory/).waitFor()
}, 60_000)

test('a deletion by time to live is marked as one', async () => {
  const expired = { expiresAt: { N: String(Math.floor(Date.now() / 1000) - 60) } }
  const ttl = (await bench.server.execute('DescribeTimeToLive', { TableName: 'shop' })) as {
    TimeToLiveDescription: { AttributeName?: string }
  }
  const name = ttl.TimeToLiveDescription.AttributeName ?? ''
  expect(name).not.toBe('')
  const page = await openStream()
  await put('expiring', { [name]: expired.expiresAt })
  await record(page, /TTL Customer CUSTOMER#expiring/).waitFor({ timeout: 25_000 })
  await record(page, /TTL Customer CUSTOMER#expiring/).click()
  await page.getByText(/its time to live had passed/).waitFor()
  await bench.shoot(page, 'streams-expiry')
}, 40_000)

test('a table without a stream explains what one is, and gets it', async () => {
  const page = await bench.open('/streams/music')
  await page.getByText('music has no stream').waitFor()
  await bench.shoot(page, 'streams-enable')
  await page.getByRole('radio', { name: /Keys only/ }).check()
  await page.getByRole('button', { name: 'Turn on the stream' }).click()
  await page.getByText('Waiting for changes').waitFor()
  const { Table } = (await bench.server.execute('DescribeTable', { TableName: 'music' })) as {
    Table: { StreamSpecification: object; KeySchema: { AttributeName: string }[] }
  }
  expect(Table.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'KEYS_ONLY' })
  const Item = Object.fromEntries(Table.KeySchema.map(({ AttributeName }) => [AttributeName, { S: 'new' }]))
  await bench.server.execute('PutItem', { TableName: 'music', Item })
  await record(page, /insert/).click()
  await page.getByText(/contain only keys/).waitFor()
})

test('hostile items are text and nothing else', async () => {
  const page = await openStream()
  let deep: object = { S: 'bottom' }
  for (let depth = 0; depth < 30; depth++) deep = { M: { ['__proto__']: { S: 'x' }, level: deep } }
  await put('<img src=x onerror=alert(1)>', {
    '<script>alert(1)</script>': { S: '<b>bold</b>' },
    rtl: { S: 'שלום \u202Eevil' },
    digits: { N: '12345678901234567890123456789012345678' },
    deep,
    long: { S: 'y'.repeat(200_000) },
  })
  await record(page, /onerror/).click()
  const detail = page.getByRole('complementary', { name: 'Record' })
  await detail.getByText('<b>bold</b>').waitFor()
  await detail.getByText('12345678901234567890123456789012345678').waitFor()
  expect(await page.locator('.stream-split img, .stream-split script, .stream-split b').count()).toBe(0)
})

test('an unknown table is refused in the words of the service', async () => {
  bench.expectConsole(/400/)
  const page = await bench.open('/streams/nowhere')
  await page.getByRole('alert').getByText('ResourceNotFoundException').waitFor()
})

describe('read-only', () => {
  const guarded = useWorkbench({ examples: ['music'], readOnly: true })

  test('a stream is not offered to be switched on', async () => {
    const page = await guarded.open('/streams/music')
    await page.getByText(/This workbench is read-only/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Turn on the stream' }).count()).toBe(0)
  })
})

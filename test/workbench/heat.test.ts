import { Engine, openLmdbStore } from '@hashrange/engine'
import { serve, type Server } from '@hashrange/server'
import { createWorkbench } from 'hashrange/workbench'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectFitsPhone } from './support/overflow.ts'
import { useWorkbench } from './support/use-workbench.ts'
import { testScope, testToken } from './support/workbench-server.ts'

/** Rates and ranges of time are the same on every machine: each request takes a millisecond, and nothing else takes time. */
let serverMs = Date.now()
const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'], clock: { now: () => serverMs } })

/** Writes and reads as an application would: many customers a little, one celebrity a lot. */
async function load(requests: number): Promise<void> {
  const writeAndRead = async (count: number): Promise<void> => {
    const id = count % 4 === 0 ? `CUSTOMER#${String(count % 97)}` : 'CUSTOMER#celebrity'
    const key = { PK: { S: id }, SK: { S: 'PROFILE' } }
    const keys = { ...key, GSI1PK: { S: `COUNTRY#${String(count % 3)}` }, GSI1SK: { S: id } }
    await bench.server.execute('PutItem', {
      TableName: 'shop',
      Item: { ...keys, EntityType: { S: 'Customer' }, padding: { S: 'x'.repeat(12_000) } },
    })
    if (count % 2 === 0) {
      await bench.server.execute('GetItem', { TableName: 'shop', Key: key, ConsistentRead: true })
    }
  }
  for (let start = 0; start < requests; start += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, at) => writeAndRead(start + at)))
    serverMs += 20
  }
}

const keys = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('listitem')

describe('under load', () => {
  beforeAll(() => load(2_200))

  test('the tables stand by their heat, and lead to the hottest', async () => {
    const page = await bench.open('/heat')
    const tables = page.getByRole('table', { name: 'Tables by heat' })
    await expect.poll(() => tables.getByRole('rowheader').first().innerText()).toContain('shop')
    await tables.getByRole('rowheader').filter({ hasText: 'gsi1' }).first().waitFor()
    await expect.poll(() => tables.getByRole('row', { name: /^shop/ }).innerText()).toContain('CUSTOMER#celebrity')
    await bench.shoot(page, 'heat-overview')
    await tables.getByRole('link', { name: 'shop', exact: true }).click()
    await page.getByRole('heading', { name: 'Heat of shop' }).waitFor()
  })

  test('the hottest key is the celebrity, with its share; it leads to its items and to a query', async () => {
    const page = await bench.open('/heat/shop')
    const written = keys(page, 'Most written keys').first()
    await written.waitFor()
    await expect.poll(() => written.innerText()).toMatch(/CUSTOMER#celebrity/)
    await expect.poll(() => keys(page, 'Most read keys').first().innerText()).toMatch(/CUSTOMER#celebrity/)
    const share = Number(/(\d+) %/.exec(await written.innerText())?.[1])
    expect(share).toBeGreaterThan(60)
    expect(share).toBeLessThan(100)
    await bench.shoot(page, 'heat')
    const query = written.getByRole('link', { name: 'Query CUSTOMER#celebrity' })
    expect(new URL((await query.getAttribute('href')) ?? '', page.url()).searchParams.get('pk')).toBe(
      'CUSTOMER#celebrity',
    )
    await written.getByRole('link', { name: 'Items of CUSTOMER#celebrity' }).click()
    await page.waitForURL(/\/items\/shop/)
    await page.getByRole('gridcell', { name: 'CUSTOMER#celebrity' }).first().waitFor()
  })

  test('shares are of all that was used: even traffic looks even, and the sentence says so', async () => {
    await bench.server.execute('CreateTable', {
      TableName: 'even',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    for (let count = 0; count < 300; count++) {
      await bench.server.execute('PutItem', {
        TableName: 'even',
        Item: { id: { S: `USER#${String(count % 100)}` } },
      })
    }
    const page = await bench.open('/heat/even')
    const first = keys(page, 'Most written keys').first()
    await first.waitFor()
    await expect.poll(() => first.innerText()).toMatch(/\b(?:0\.\d|[1-4](?:\.\d)?) %/)
    await page.getByText(/^No key stands out: the busiest gets (?:0\.\d|[1-4](?:\.\d)?) % of writes\.$/).waitFor()
    await page.goto(`${bench.server.origin}/_workbench/heat/shop`)
    await page.getByText(/^CUSTOMER#celebrity gets \d\d % of writes: .* A partition supports 1,000\.$/).waitFor()
    await page.goto(`${bench.server.origin}/_workbench/heat`)
    const row = page.getByRole('table', { name: 'Tables by heat' }).getByRole('row', { name: /^even/ })
    await expect.poll(() => row.innerText()).toMatch(/\b(?:0\.\d|[1-4](?:\.\d)?) %/)
  })

  test('an index has its own page, and what AWS would have throttled is said with its reason and remedy', async () => {
    // Three countries take all the writes of the index: more than a key range takes.
    const page = await bench.open('/heat/shop?index=gsi1')
    const notice = page.getByRole('note').filter({ hasText: 'AWS would have throttled' })
    await notice.waitFor()
    await expect.poll(() => notice.innerText()).toContain('IndexWriteKeyRangeThroughputExceeded')
    await expect.poll(() => notice.innerText()).toMatch(/1,000 write units per second/)
    await expect.poll(() => notice.innerText()).toMatch(/partition keys|several keys/)
    await expect.poll(() => keys(page, 'Most written keys').first().innerText()).toMatch(/COUNTRY#\d/)
    await page.getByRole('heading', { name: 'Throttled requests' }).waitFor()
    await bench.shoot(page, 'heat-throttled')
    await page.getByRole('combobox', { name: 'Table or index' }).selectOption('')
    await page.getByRole('heading', { name: 'Latency' }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('index')).toBeNull()
  })

  test('operations have their latencies and errors', async () => {
    for (let count = 0; count < 5; count++) {
      const refused = bench.server.execute('PutItem', {
        TableName: 'shop',
        Item: { PK: { S: 'CUSTOMER#celebrity' }, SK: { S: 'PROFILE' } },
        ConditionExpression: 'attribute_not_exists(PK)',
      })
      await expect(refused).rejects.toThrow('conditional request failed')
    }
    const page = await bench.open('/heat/shop')
    const row = page.getByRole('table', { name: 'Operations' }).getByRole('row', { name: /^PutItem/ })
    await row.waitFor()
    await expect.poll(() => row.innerText()).toMatch(/\d,\d{3}/)
    await expect.poll(() => row.innerText()).toMatch(/µs|ms/)
    await page.getByRole('img', { name: /Latency of/ }).waitFor()
    await page.getByRole('img', { name: 'Failed conditions and conflicts' }).waitFor()
    await page.getByRole('heading', { name: 'Errors' }).scrollIntoViewIfNeeded()
    await bench.shoot(page, 'heat-latency')
  })

  test('every range is there, by key as well, and stands in the address', async () => {
    const page = await bench.open('/heat/shop')
    await page.getByRole('heading', { name: /the last 5 minutes/ }).waitFor()
    for (const [key, range] of [
      ['2', '1h'],
      ['3', '24h'],
      ['4', '7d'],
      ['5', '30d'],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForURL(new RegExp(`range=${range}`))
      await page.getByText(/Partition keys by WCU/).waitFor()
      await keys(page, 'Most written keys').first().filter({ hasText: 'CUSTOMER#celebrity' }).waitFor()
    }
    await page.reload()
    await page.getByText('Partition keys by WCU over the last 30 days.').waitFor()
  })

  test('the map is walked with the keyboard, says what its cells are, and is there as a table', async () => {
    const page = await bench.open('/heat/shop?range=1h')
    const map = page.getByRole('application', { name: /^Writes by key range/ })
    await map.waitFor()
    await map.focus()
    await page
      .locator('.heat-map-tip')
      .getByText(/WCU\/s/)
      .waitFor()
    const first = await page.locator('.heat-map-tip').innerText()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => page.locator('.heat-map-tip').innerText()).not.toBe(first)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.heat-map-tip').count()).toBe(0)
    await map.hover()
    await page.locator('.heat-map-tip').waitFor()
    await page.getByRole('button', { name: 'As a table' }).click()
    const rows = page.getByRole('table', { name: 'Partitions' }).getByRole('rowheader')
    await expect.poll(() => rows.allInnerTexts()).toEqual(['00–40', '40–80', '80–c0', 'c0–ff'])
    await page.reload()
    await page.getByRole('table', { name: 'Partitions' }).waitFor()
  })

  test('it is live until it is paused', async () => {
    const page = await bench.open('/heat/music')
    await page.getByRole('heading', { name: 'Heat of music' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    const { Table } = (await bench.server.execute('DescribeTable', { TableName: 'music' })) as {
      Table: { KeySchema: { AttributeName: string }[] }
    }
    const Key = Object.fromEntries(Table.KeySchema.map(({ AttributeName }) => [AttributeName, { S: 'hit' }]))
    for (let count = 0; count < 300; count++) await bench.server.execute('GetItem', { TableName: 'music', Key })
    await page.waitForTimeout(2_500)
    expect(await keys(page, 'Most read keys').filter({ hasText: 'hit' }).count()).toBe(0)
    await page.keyboard.press('p')
    await keys(page, 'Most read keys').first().filter({ hasText: 'hit' }).waitFor()
  })
})

test('where nothing goes on it says so, and how to change that', async () => {
  const elsewhere = new URLSearchParams({ scope: '000000000001/eu-west-1' })
  const page = await bench.open(`/heat?${elsewhere.toString()}`)
  await page.getByText('No traffic yet').waitFor()
  await page.getByText(/AWS_ENDPOINT_URL/).waitFor()
  await bench.shoot(page, 'heat-empty')
  await expectFitsPhone(page)
})

test('a table that is not there is refused in the words of the service', async () => {
  bench.expectConsole(/400/)
  const page = await bench.open('/heat/nowhere')
  await page.getByRole('alert').getByText('ResourceNotFoundException').waitFor()
})

describe('with a clock of its own', () => {
  let engine: Engine
  let server: Server
  // At the start of an hour, so that all of it lies in one.
  let nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000

  beforeAll(async () => {
    engine = await Engine.open({ store: await openLmdbStore({ memory: true }), clock: { now: () => nowMs } })
    const workbench = createWorkbench(engine, { token: testToken, host: '127.0.0.1', shared: true })
    server = await serve(engine, { host: '127.0.0.1', port: 0, shared: true, routes: [workbench] })
  })
  afterAll(async () => {
    await server.close()
    await engine.close()
  })
  const execute = (operation: string, input: object) =>
    engine.execute(testScope, 'DynamoDB_20120810', operation, input)

  test('a partition that stays hot is divided, and the map shows when', async () => {
    await execute('CreateTable', {
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 100 },
    })
    const large = { S: 'x'.repeat(390_000) }
    const ids = Array.from({ length: 16 }, (_, position) => `order-${String(position)}`)
    for (const id of ids) await execute('PutItem', { TableName: 'orders', Item: { id: { S: id }, large } })
    // A condition that fails costs what was found: 381 units. 140 in a minute are nine tenths of what a partition takes.
    const writeForAMinute = async () => {
      for (let count = 0; count < 140; count++) {
        nowMs += 420
        const refused = execute('DeleteItem', {
          TableName: 'orders',
          Key: { id: { S: ids[(count * 7) % ids.length] } },
          ConditionExpression: 'attribute_not_exists(id)',
        })
        await expect(refused).rejects.toThrow('conditional request failed')
      }
      nowMs = (Math.floor(nowMs / 60_000) + 1) * 60_000
    }
    for (let minute = 0; minute < 8; minute++) await writeForAMinute()
    nowMs += 30_000
    // Nobody has looked before it was divided.
    const page = await bench.open('/tables')
    await page.goto(`http://127.0.0.1:${String(server.port)}/_workbench/heat/orders#token=${testToken}`)
    await page.getByRole('heading', { name: /^[2-9] partitions,/ }).waitFor()
    const notice = page.getByRole('note').filter({ hasText: 'AWS would have throttled' })
    await expect.poll(() => notice.innerText()).toContain('TableWriteProvisionedThroughputExceeded')
    await expect.poll(() => notice.innerText()).toContain('100 write units per second are provisioned')
    await page.keyboard.press('2')
    await page.getByRole('heading', { name: /the last hour/ }).waitFor()
    // What the partition did before it was divided is there: one cell high on the left, two on the right.
    const map = page.getByRole('application', { name: /^Writes by key range/ })
    await map.focus()
    await page.keyboard.press('End')
    const tip = page.locator('.heat-map-tip')
    await expect.poll(() => tip.locator('.mono').innerText()).not.toBe('00–ff')
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft')
    await expect.poll(() => tip.locator('.mono').innerText()).toBe('00–ff')
    await tip.getByText(/requests throttled, or would be/).waitFor()
    await map.blur()
    await bench.shoot(page, 'heat-split')
    // Days later, the map goes as far back as is asked for.
    nowMs += 3 * 24 * 3_600_000
    await page.keyboard.press('4')
    await page.getByRole('heading', { name: /the last 7 days/ }).waitFor()
    await map.focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.locator('.heat-map-tip').innerText()).toMatch(/^0 %/)
    for (let hour = 0; hour < 3 * 24; hour++) await page.keyboard.press('ArrowLeft')
    await expect
      .poll(() => page.locator('.heat-map-tip').innerText())
      .toMatch(/^[\d.]+ %[^]* throttled, or would be, in this time/)
    await map.blur()
    await bench.shoot(page, 'heat-week')
  })
})

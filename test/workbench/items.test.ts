import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'] })

const grid = (page: Page) => page.getByRole('grid', { name: 'Items' })
// Messages are dialogs, too.
const drawer = (page: Page) => page.locator('.dialog[role="dialog"]')

async function keyOf(table: string, attribute: string, prefix: string): Promise<{ S: string }> {
  const { Items } = await bench.server.execute('Scan', { TableName: table })
  const keys = (Items as Record<string, { S: string }>[]).flatMap((item) => item[attribute] ?? [])
  const found = keys.find(({ S }) => S.startsWith(prefix))
  if (found === undefined) throw new Error(`No item begins with ${prefix}.`)
  return found
}

describe('the grid', () => {
  test('shows the items of a table with their entities and types', async () => {
    const page = await bench.open('/items/shop')
    await grid(page)
      .getByRole('gridcell', { name: /^CUSTOMER#/ })
      .first()
      .waitFor()
    await expect.poll(() => grid(page).getByRole('columnheader', { name: 'PK' }).count()).toBe(1)
    await page.getByText(/^rows 1–\d+ of 56$/).waitFor()
    await bench.shoot(page, 'items')
  })

  test('shows an index, and a link reproduces it', async () => {
    const page = await bench.open('/items/shop')
    await page.getByRole('combobox', { name: 'Table or index' }).selectOption('gsi2')
    await grid(page).getByRole('columnheader', { name: 'GSI2PK' }).waitFor()
    const again = await bench.open(
      new URL(page.url()).pathname.replace('/_workbench', '') + new URL(page.url()).search,
    )
    await grid(again)
      .getByRole('gridcell', { name: /CATEGORY#/ })
      .first()
      .waitFor()
  })

  test('has the columns of one entity, which can be hidden, moved and are remembered', async () => {
    const page = await bench.open('/items/music?entity=Song')
    await grid(page).getByRole('columnheader', { name: 'seconds' }).waitFor()
    await expect.poll(() => grid(page).getByRole('columnheader', { name: 'country' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('textbox', { name: 'Find a column' }).fill('sec')
    await bench.shoot(page, 'items-columns')
    await page.getByRole('checkbox', { name: 'seconds' }).uncheck()
    await grid(page).getByRole('columnheader', { name: 'seconds' }).waitFor({ state: 'hidden' })
    await page.reload()
    await grid(page).getByRole('gridcell').first().waitFor()
    await expect.poll(() => grid(page).getByRole('columnheader', { name: 'seconds' }).count()).toBe(0)
  })

  test('finds items by their key as it is typed', async () => {
    const PK = await keyOf('leaderboard', 'partitionId', 'PLAYER#')
    const page = await bench.open('/items/leaderboard')
    await grid(page)
      .getByRole('gridcell', { name: /^PLAYER#/ })
      .first()
      .waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(PK.S)
    await page.getByText(/^rows 1–(\d+) of \1$/).waitFor()
    await page.getByRole('textbox', { name: 'Sort key rangeId' }).fill('PROFILE')
    await page.getByText('rows 1–1 of 1').waitFor()
    await bench.shoot(page, 'items-found')
    await page.getByRole('textbox', { name: /Partition key/ }).fill('PLAYER#')
    await page.getByText('Nothing found').waitFor()
    await bench.shoot(page, 'items-nothing-found')
    await page.getByRole('button', { name: 'Scan for partition keys that begin with this' }).click()
    await grid(page)
      .getByRole('gridcell', { name: /^PLAYER#/ })
      .first()
      .waitFor()
    await page.getByText(/items read/).waitFor()
  })

  test('is walked with the keys, and Enter opens an item', async () => {
    const page = await bench.open('/items/shop')
    await grid(page)
      .getByRole('gridcell', { name: /^CUSTOMER#/ })
      .first()
      .waitFor()
    await grid(page).focus()
    await page.keyboard.press('Control+End')
    await page.getByText(/–56 of 56$/).waitFor()
    await page.keyboard.press('Enter')
    await drawer(page).getByRole('tab', { name: 'Form' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'hidden' })
  })
})

describe('an item', () => {
  test('is edited as a form, DynamoDB JSON and JSON, which stay one', async () => {
    const PK = await keyOf('shop', 'PK', 'PRODUCT#')
    const page = await bench.open('/items/shop?entity=Product')
    await grid(page).getByRole('button', { name: PK.S }).click()
    await drawer(page).getByRole('textbox', { name: 'stock', exact: true }).fill('12a')
    await drawer(page).getByText('cannot be converted to a numeric value: 12a').waitFor()
    await expect.poll(() => drawer(page).getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await drawer(page).getByRole('textbox', { name: 'stock', exact: true }).fill('77')
    await bench.shoot(page, 'items-editor')
    await drawer(page).getByRole('tab', { name: 'DynamoDB JSON' }).click()
    await drawer(page).getByText('"77"').waitFor()
    await bench.shoot(page, 'items-editor-json')
    await drawer(page).getByRole('tab', { name: 'JSON', exact: true }).click()
    await drawer(page).getByText('77', { exact: true }).waitFor()
    await drawer(page).getByRole('tab', { name: 'Places' }).click()
    // The panel that is left is still there for a moment, and shows the same text.
    await drawer(page).getByRole('tabpanel', { name: 'Places' }).getByText('CATEGORY#').waitFor()
    await bench.shoot(page, 'items-places')
    await page.keyboard.press('Control+s')
    await page.getByText('Item saved').waitFor()
    const { Item } = await bench.server.execute('GetItem', {
      TableName: 'shop',
      Key: { PK, SK: { S: 'PRODUCT' } },
    })
    expect(Item).toMatchObject({ stock: { N: '77' }, EntityType: { S: 'Product' } })
  })

  test('shows what a change of an index key costs', async () => {
    const PK = await keyOf('shop', 'PK', 'PRODUCT#')
    const key = JSON.stringify({ PK, SK: { S: 'PRODUCT' } })
    const page = await bench.open(`/items/shop?item=${encodeURIComponent(key)}`)
    await drawer(page).getByRole('textbox', { name: 'GSI2PK', exact: true }).fill('CATEGORY#other')
    await drawer(page).getByText('gsi2 2').waitFor()
  })

  test('that is new is checked, created and duplicated', async () => {
    const page = await bench.open('/items/shop')
    await grid(page).getByRole('gridcell').first().waitFor()
    await page.keyboard.press('n')
    await drawer(page).getByRole('textbox', { name: 'PK', exact: true }).fill('NEW#1')
    const emptyKey = drawer(page).getByText(/cannot contain an empty string value/)
    await expect.poll(() => emptyKey.count()).toBe(0)
    await drawer(page).getByRole('textbox', { name: 'SK', exact: true }).click()
    await drawer(page).getByRole('textbox', { name: 'PK', exact: true }).click()
    await drawer(page)
      .getByText(/cannot contain an empty string value. Key: SK/)
      .waitFor()
    await drawer(page).getByRole('textbox', { name: 'SK', exact: true }).fill('NEW')
    await drawer(page).getByRole('button', { name: 'Add attribute' }).click()
    await drawer(page).getByRole('textbox', { name: 'Name of new attribute' }).fill('tags')
    await drawer(page).getByRole('combobox', { name: 'Type of tags' }).selectOption('SS')
    await drawer(page).getByRole('textbox', { name: 'tags.[0]' }).fill('red')
    await bench.shoot(page, 'items-new')
    await drawer(page).getByRole('button', { name: 'Create item' }).click()
    await page.getByText('Item created').waitFor()
    await page.getByRole('textbox', { name: 'Partition key PK' }).fill('NEW#1')
    await grid(page).getByRole('button', { name: 'NEW#1' }).click()
    await drawer(page).getByRole('button', { name: 'Duplicate' }).click()
    await drawer(page).getByRole('textbox', { name: 'SK', exact: true }).fill('COPY')
    await drawer(page).getByRole('button', { name: 'Create item' }).click()
    await page.getByText('rows 1–2 of 2').waitFor()
    const { Items } = await bench.server.execute('Query', {
      TableName: 'shop',
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'NEW#1' } },
    })
    expect(Items).toEqual([
      { PK: { S: 'NEW#1' }, SK: { S: 'COPY' }, tags: { SS: ['red'] } },
      { PK: { S: 'NEW#1' }, SK: { S: 'NEW' }, tags: { SS: ['red'] } },
    ])
  })

  test('that somebody else has changed is not overwritten: the user chooses', async () => {
    const Key = { PK: { S: 'CONFLICT#1' }, SK: { S: 'A' } }
    const Item = { ...Key, name: { S: 'first' }, city: { S: 'Rome' }, age: { N: '1' } }
    await bench.server.execute('PutItem', { TableName: 'shop', Item })
    const page = await bench.open(`/items/shop?item=${encodeURIComponent(JSON.stringify(Key))}`)
    await drawer(page).getByRole('textbox', { name: 'name', exact: true }).fill('mine')
    await drawer(page).getByRole('textbox', { name: 'city', exact: true }).fill('Bern')
    await bench.server.execute('PutItem', {
      TableName: 'shop',
      Item: { ...Item, city: { S: 'Oslo' }, age: { N: '2' }, extra: { BOOL: true } },
    })
    bench.expectConsole(/400/)
    await drawer(page).getByRole('button', { name: 'Save changes' }).click()
    await drawer(page).getByText('Someone else has changed this item in the meantime').waitFor()
    await bench.shoot(page, 'items-conflict')
    await expect.poll(() => drawer(page).getByRole('button', { name: 'Use these' }).isDisabled()).toBe(true)
    await drawer(page).getByRole('radio', { name: 'city: yours' }).check()
    await drawer(page).getByRole('button', { name: 'Use these' }).click()
    await drawer(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Item saved').waitFor()
    expect((await bench.server.execute('GetItem', { TableName: 'shop', Key }))['Item']).toEqual({
      ...Key,
      name: { S: 'mine' },
      city: { S: 'Bern' },
      age: { N: '2' },
      extra: { BOOL: true },
    })
  })

  test('that is deleted comes back with undo, unless another has taken its place', async () => {
    const Key = { PK: { S: 'GONE#1' }, SK: { S: 'A' } }
    await bench.server.execute('PutItem', { TableName: 'shop', Item: { ...Key, name: { S: 'old' } } })
    const page = await bench.open(`/items/shop?item=${encodeURIComponent(JSON.stringify(Key))}`)
    await drawer(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Item deleted').waitFor()
    expect((await bench.server.execute('GetItem', { TableName: 'shop', Key }))['Item']).toBeUndefined()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 item restored').waitFor()
    expect((await bench.server.execute('GetItem', { TableName: 'shop', Key }))['Item']).toMatchObject({
      name: { S: 'old' },
    })
    await page.goto(`${bench.server.origin}/_workbench/items/shop?item=${encodeURIComponent(JSON.stringify(Key))}`)
    await drawer(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Item deleted').waitFor()
    await bench.server.execute('PutItem', { TableName: 'shop', Item: { ...Key, name: { S: 'new' } } })
    bench.expectConsole(/400/)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 key has a new item by now, which was not changed.').waitFor()
    expect((await bench.server.execute('GetItem', { TableName: 'shop', Key }))['Item']).toMatchObject({
      name: { S: 'new' },
    })
  })
})

describe('many items', () => {
  test('are selected, deleted with progress, and put back', async () => {
    for (let at = 0; at < 40; at++) {
      await bench.server.execute('PutItem', {
        TableName: 'shop',
        Item: { PK: { S: 'BULK#1' }, SK: { S: String(at).padStart(3, '0') } },
      })
    }
    const page = await bench.open('/items/shop?pk=%5B%22BULK%231%22%5D')
    await page.getByText(/of 40$/).waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await page.getByText('40 items selected').waitFor()
    await bench.shoot(page, 'items-selected')
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 40 items' }).click()
    await page.getByText('40 items deleted').waitFor()
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('40 items restored').waitFor()
    await page.getByText(/of 40$/).waitFor()
  })

  test('are exported and imported again, in each format, with the lines that are wrong', async () => {
    await bench.server.execute('CreateTable', {
      TableName: 'copies',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
    })
    const all = async (TableName: string): Promise<unknown> =>
      (await bench.server.execute('Scan', { TableName }))['Items']
    const page = await bench.open('/items/music')
    const goTo = (path: string): Promise<unknown> => page.goto(`${bench.server.origin}/_workbench${path}`)
    for (const [format, wholeTypes] of [
      ['CSV', true],
      ['DynamoDB JSON', true],
      ['JSON', false],
    ] as const) {
      if (format !== 'CSV') await goTo('/items/music')
      await grid(page).getByRole('gridcell').first().waitFor()
      await page.getByRole('button', { name: 'Export' }).click()
      await page
        .getByRole('radio', { name: format, exact: false })
        .and(page.locator(`[value="${values[format]}"]`))
        .check()
      if (format === 'CSV') await bench.shoot(page, 'items-export')
      const download = page.waitForEvent('download')
      await drawer(page).getByRole('button', { name: 'Export' }).click()
      const path = await (await download).path()
      await goTo('/items/copies')
      await page
        .getByText(format === 'CSV' ? 'The table is empty' : /^rows/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      const name = `music.${format === 'CSV' ? 'csv' : 'json'}`
      const buffer = await readFile(path)
      await page.getByLabel('File to import').setInputFiles({ name, mimeType: 'text/plain', buffer })
      await page.getByRole('radio', { name: /Replace it/ }).check()
      await drawer(page).getByRole('button', { name: 'Import' }).click()
      await page.getByText('written').waitFor()
      if (wholeTypes) expect(await all('copies')).toEqual(await all('music'))
      else expect(await all('copies')).toHaveLength(((await all('music')) as unknown[]).length)
    }
    await goTo('/items/copies')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const buffer = Buffer.from('pk,sk,n\na,b,1\n,c,2\nd,e\n')
    await page.getByLabel('File to import').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer })
    await drawer(page).getByRole('button', { name: 'Import' }).click()
    await page.getByText('2 items written, 1 line left out').waitFor()
    await page.getByText('line 3').waitFor()
    await bench.shoot(page, 'items-import')
  })
})

describe('read-only', () => {
  const guarded = useWorkbench({ examples: ['shop'], readOnly: true })

  test('items are shown, and nothing that writes is offered', async () => {
    const page = await guarded.open('/items/shop?entity=Session')
    await grid(page)
      .getByRole('button', { name: /^SESSION#/ })
      .first()
      .click()
    await drawer(page).getByText('expiresAt').waitFor()
    await expect.poll(() => drawer(page).getByRole('textbox', { name: 'customerId' }).isDisabled()).toBe(true)
    await expect
      .poll(() => page.getByRole('button', { name: /Save|Delete|Duplicate|New item|Import/ }).count())
      .toBe(0)
    await guarded.shoot(page, 'items-read-only')
  })
})

const values = { CSV: 'csv', JSON: 'json', 'DynamoDB JSON': 'dynamodb' } as const

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectFitsPhone } from './support/overflow.ts'
import { useWorkbench } from './support/use-workbench.ts'

describe('the tables of the examples', () => {
  const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'] })

  test('are listed with their items, size, key, indexes and features', async () => {
    const page = await bench.open('/tables')
    const row = page.getByRole('row', { name: /shop/ })
    await row.waitFor()
    for (const words of ['active', 'PK, SK', 'on-demand', 'TTL expiresAt']) {
      await expect.poll(() => row.innerText()).toContain(words)
    }
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
    await bench.shoot(page, 'tables')
  })

  test('are sorted by a click on a header and filtered by name, and the URL says how', async () => {
    const page = await bench.open('/tables')
    await page.getByRole('row', { name: /shop/ }).waitFor()
    await page.getByRole('columnheader', { name: 'Items' }).getByRole('button').click()
    await page.getByRole('columnheader', { name: 'Items' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('items')
    await page.getByRole('searchbox', { name: 'Filter tables by name' }).fill('mus')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.reload()
    await page.getByRole('row', { name: /music/ }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
  })

  test('open with the keyboard, and every tab has a link of its own', async () => {
    const page = await bench.open('/tables')
    await page.getByRole('row', { name: /shop/ }).waitFor()
    await page.getByRole('grid', { name: 'Tables' }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Control+ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
    await bench.shoot(page, 'table-overview')
    await page.getByRole('tab', { name: 'Indexes' }).click()
    await page.getByRole('cell', { name: 'byStatus global' }).waitFor()
    await bench.shoot(page, 'table-indexes')
    await page.reload()
    await page.getByRole('cell', { name: 'byStatus global' }).waitFor()
    for (const name of ['Capacity', 'Settings', 'Backups', 'Tags']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel', { name }).waitFor()
      await bench.shoot(page, `table-${name.toLowerCase()}`)
    }
  })

  test('an index is added, filled, and deleted', async () => {
    const page = await bench.open('/tables/music?tab=indexes')
    await page.getByRole('button', { name: 'Add global index' }).click()
    const form = page.getByRole('dialog', { name: 'Add a global index' })
    await form.getByRole('button', { name: 'Add index' }).click()
    await form.getByText('Enter a name.').waitFor()
    await form.getByLabel('Index name').fill('byType')
    await form.getByLabel('Index partition key', { exact: true }).fill('entity')
    await form.getByRole('radio', { name: /Keys only/ }).check()
    await bench.shoot(page, 'table-add-index')
    await form.getByRole('button', { name: 'Add index' }).click()
    const row = page.getByRole('row', { name: /byType/ })
    await row.getByText('active').waitFor()
    await expect.poll(() => row.innerText()).toContain('keys only')
    const { Count } = await bench.server.execute('Query', {
      TableName: 'music',
      IndexName: 'byType',
      KeyConditionExpression: 'entity = :t',
      ExpressionAttributeValues: { ':t': { S: 'Artist' } },
    })
    expect(Count).toBeGreaterThan(0)
    await row.getByRole('button', { name: 'Delete index byType' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete index' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.getByText('active').waitFor()
  })

  test('an index with keys of several attributes is added, and shown with all of them', async () => {
    const page = await bench.open('/tables/music?tab=indexes')
    await page.getByRole('button', { name: 'Add global index' }).click()
    const form = page.getByRole('dialog', { name: 'Add a global index' })
    await form.getByLabel('Index name').fill('byPlace')
    await form.getByLabel('Index partition key', { exact: true }).fill('country')
    await form.getByRole('button', { name: 'Add an attribute to the index partition key' }).click()
    await form.getByLabel('Index partition key, attribute 2', { exact: true }).fill('city')
    await form.getByLabel('Index sort key', { exact: true }).fill('year')
    await form.getByLabel('Type of the index sort key', { exact: true }).selectOption('N')
    const add = form.getByRole('button', { name: 'Add an attribute to the index sort key' })
    for (const [position, name] of ['month', 'day', 'hour'].entries()) {
      await add.click()
      await form.getByLabel(`Index sort key, attribute ${String(position + 2)}`, { exact: true }).fill(name)
    }
    await expect.poll(() => add.count()).toBe(0)
    await form.getByRole('button', { name: 'Remove attribute 4 of the index sort key' }).click()
    await bench.shoot(page, 'table-add-index-attributes')
    await form.getByRole('button', { name: 'Add index' }).click()
    const row = page.getByRole('row', { name: /byPlace/ })
    await row.getByText('active').waitFor()
    await expect
      .poll(() => row.locator('.key-part').allInnerTexts())
      .toEqual(
        ['partition\ncountry S', 'partition\ncity S', 'sort\nyear N', 'sort\nmonth S', 'sort\nday S'].map(
          (text) => expect.stringMatching(new RegExp(text.replaceAll(/\s/g, '\\s*'))) as string,
        ),
      )
    await bench.shoot(page, 'table-indexes')
    const { Table } = (await bench.server.execute('DescribeTable', { TableName: 'music' })) as {
      Table: { GlobalSecondaryIndexes: { IndexName: string; KeySchema: object[] }[] }
    }
    expect(Table.GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === 'byPlace')?.KeySchema).toEqual([
      { AttributeName: 'country', KeyType: 'HASH' },
      { AttributeName: 'city', KeyType: 'HASH' },
      { AttributeName: 'year', KeyType: 'RANGE' },
      { AttributeName: 'month', KeyType: 'RANGE' },
      { AttributeName: 'day', KeyType: 'RANGE' },
    ])
    await row.getByRole('button', { name: 'Delete index byPlace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete index' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('capacity, stream, expiry, protection and class are changed', async () => {
    const page = await bench.open('/tables/leaderboard?tab=capacity')
    await page.getByRole('radio', { name: /Provisioned/ }).check()
    await page.getByLabel('Read units of the table').fill('12')
    await page.getByText(/On AWS about/).waitFor()
    await page.getByRole('button', { name: 'Save capacity' }).click()
    await page.getByText('Capacity changed').waitFor()

    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('View type').selectOption('KEYS_ONLY')
    await page.getByRole('button', { name: 'Save stream' }).click()
    await page.getByText('The stream is on').waitFor()
    await page.getByRole('switch', { name: 'Protect this table' }).click()
    await page.getByText('The table is protected').waitFor()
    await page.getByRole('radio', { name: /Infrequent access/ }).check()
    await page.getByRole('button', { name: 'Save class' }).click()
    await page.getByText('Table class changed').waitFor()

    const { Table } = await bench.server.execute('DescribeTable', { TableName: 'leaderboard' })
    expect(Table).toMatchObject({
      ProvisionedThroughput: { ReadCapacityUnits: 12 },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      DeletionProtectionEnabled: true,
      TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    })
  })

  test('an on-demand table is given a limit', async () => {
    const page = await bench.open('/tables/music?tab=capacity')
    await page.getByLabel('Maximum write units per second').fill('250')
    await page.getByRole('button', { name: 'Save capacity' }).click()
    await page.getByText('Capacity changed').waitFor()
    const { Table } = await bench.server.execute('DescribeTable', { TableName: 'music' })
    expect(Table).toMatchObject({ OnDemandThroughput: { MaxWriteRequestUnits: 250 } })
  })

  test('a protected table is not deleted, and the service says why', async () => {
    bench.expectConsole(/400/)
    await bench.server.execute('CreateTable', { ...small('guarded'), DeletionProtectionEnabled: true })
    const page = await bench.open('/tables/guarded')
    await askToDelete(page, 'guarded')
    await page
      .getByText(/Turn off deletion protection first/i)
      .first()
      .waitFor()
    await bench.shoot(page, 'table-delete-refused')
    const { TableNames } = await bench.server.execute('ListTables', {})
    expect(TableNames).toContain('guarded')
  })

  test('a table with recovery is deleted after its name was typed, and brought back by undo', async () => {
    await bench.server.execute('CreateTable', small('undone'))
    await bench.server.execute('PutItem', { TableName: 'undone', Item: { id: { S: 'kept' } } })
    await bench.server.execute('UpdateContinuousBackups', {
      TableName: 'undone',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    const page = await bench.open('/tables/undone')
    await askToDelete(page, 'undone')
    await page.getByText('Deleted table undone').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByRole('row', { name: /undone/ })
      .getByText('active')
      .waitFor()
    const { Item } = await bench.server.execute('GetItem', { TableName: 'undone', Key: { id: { S: 'kept' } } })
    expect(Item).toEqual({ id: { S: 'kept' } })
  })

  test('a backup is made, restored to another table, and deleted', async () => {
    // While it is being restored, the service does not know it yet for some of what the page asks.
    bench.expectConsole(/400/)
    const page = await bench.open('/tables/shop?tab=backups')
    await page.getByRole('button', { name: 'Back up now' }).click()
    const form = page.getByRole('dialog', { name: 'Back up shop' })
    await form.getByLabel('Backup name').fill('before-the-sale')
    await form.getByRole('button', { name: 'Back up' }).click()
    const row = page.getByRole('row', { name: /before-the-sale/ })
    await row.getByText('available').waitFor()
    await bench.shoot(page, 'table-backup-made')
    await row.getByRole('button', { name: 'Restore before-the-sale' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore before-the-sale' })
    await restore.getByLabel('Name of new table').fill('shop-again')
    await bench.shoot(page, 'table-restore')
    await restore.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('heading', { name: 'shop-again' }).waitFor()
    await page.locator('.page-head').getByText('active', { exact: true }).waitFor()
    const [before, after] = await Promise.all(['shop', 'shop-again'].map(countOf))
    expect(after).toBe(before)

    await page.goto(`${bench.server.origin}/_workbench/tables?tab=backups`)
    await page.getByRole('row', { name: /before-the-sale/ }).waitFor()
    await bench.shoot(page, 'backups')
    await page.getByRole('button', { name: 'Delete before-the-sale' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete backup' }).click()
    await page.getByText('Deleted backup before-the-sale').waitFor()
    await page.getByRole('row', { name: /before-the-sale/ }).waitFor({ state: 'detached' })
  })

  test('a table is restored to a moment of its past', async () => {
    // While it is being restored, the service does not know it yet for some of what the page asks.
    bench.expectConsole(/400/)
    await bench.server.execute('CreateTable', small('past'))
    await bench.server.execute('UpdateContinuousBackups', {
      TableName: 'past',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    await bench.server.execute('PutItem', { TableName: 'past', Item: { id: { S: 'a' } } })
    const moment = Math.ceil(Date.now() / 1000) * 1000
    await expect.poll(() => Date.now()).toBeGreaterThan(moment + 50)
    await bench.server.execute('PutItem', { TableName: 'past', Item: { id: { S: 'later' } } })
    const page = await bench.open('/tables/past?tab=backups')
    await page.getByLabel('Days to keep').fill('7')
    await page.getByRole('button', { name: 'Save days' }).click()
    await page.getByText('Changes are kept for 7 days').waitFor()
    await page.getByRole('button', { name: 'Restore to a point in time' }).click()
    const restore = page.getByRole('dialog')
    await restore.getByLabel('Date and time').fill('')
    await restore.getByText('Enter a date and a time.').waitFor()
    // As the field has it: in the time zone of the browser, which is that of this machine.
    const local = new Date(moment - new Date(moment).getTimezoneOffset() * 60_000)
    await restore.getByLabel('Date and time').fill(local.toISOString().slice(0, 19))
    await restore.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('heading', { name: 'past-restored' }).waitFor()
    await page.locator('.page-head').getByText('active', { exact: true }).waitFor()
    expect(await countOf('past-restored')).toBe(1)
  })

  test('tags are added, changed and removed', async () => {
    const page = await bench.open('/tables/shop?tab=tags')
    await page.getByRole('button', { name: 'Add tag' }).click()
    await page.getByLabel('Key of tag 1').fill('team')
    await page.getByLabel('Value of tag 1').fill('orders')
    await page.getByRole('button', { name: 'Save tags' }).click()
    await page.getByText('Tags saved').waitFor()
    expect(await tagsOf('shop')).toEqual([{ Key: 'team', Value: 'orders' }])
    await page.getByRole('button', { name: 'Remove tag 1' }).click()
    await page.getByRole('button', { name: 'Save tags' }).click()
    await expect.poll(() => tagsOf('shop')).toEqual([])
  })

  async function countOf(TableName: string): Promise<unknown> {
    return (await bench.server.execute('Scan', { TableName, Select: 'COUNT' }))['Count']
  }

  async function tagsOf(TableName: string): Promise<unknown> {
    const ResourceArn = `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`
    return (await bench.server.execute('ListTagsOfResource', { ResourceArn }))['Tags']
  }
})

describe('where there are no tables', () => {
  const bench = useWorkbench()

  test('the page is read on a phone as well', async () => {
    const page = await bench.open('/tables')
    await page.getByRole('heading', { name: 'No tables here yet' }).waitFor()
    await expectFitsPhone(page)
  })

  test('the page says how to make one, and the form makes it with all that it can have', async () => {
    const page = await bench.open('/tables')
    await page.getByRole('heading', { name: 'No tables here yet' }).waitFor()
    await bench.shoot(page, 'tables-empty')
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'Create a table' })
    await form.getByRole('button', { name: 'Create table' }).click()
    await form.getByText('A table needs a partition key.').waitFor()
    await form.getByLabel('Table name').fill('sessions')
    await form.getByLabel('Partition key', { exact: true }).fill('PK')
    await form.getByLabel('Sort key', { exact: true }).fill('SK')
    await form.getByLabel('Type of the sort key').selectOption('N')
    await bench.shoot(page, 'table-create')
    await form.getByRole('radio', { name: /Provisioned/ }).check()
    await form.getByLabel('Read units', { exact: true }).fill('7')
    await form.getByRole('button', { name: 'Add global index' }).click()
    await form.getByLabel('Index name').fill('byUser')
    await form.getByLabel('Index partition key', { exact: true }).fill('userId')
    await form.getByRole('button', { name: 'Add an attribute to the index partition key' }).click()
    await form.getByLabel('Index partition key, attribute 2', { exact: true }).fill('device')
    await form.getByRole('radio', { name: /^Some/ }).check()
    await form.getByLabel('Attributes to include').fill('agent, ip')
    await form.getByLabel('Stream').selectOption('NEW_AND_OLD_IMAGES')
    await form.getByLabel('Time-to-live attribute').fill('expiresAt')
    await form.getByRole('switch', { name: 'Point-in-time recovery' }).click()
    await form.getByRole('button', { name: 'Add tag' }).click()
    await form.getByLabel('Key of tag 1').fill('team')
    await form.getByLabel('Value of tag 1').fill('accounts')
    await form.getByRole('button', { name: 'Show the request' }).click()
    await form.getByText('"TableName"').waitFor()
    await bench.shoot(page, 'table-create-request')
    await form.getByRole('button', { name: 'Create table' }).click()
    await page.getByRole('heading', { name: 'sessions' }).waitFor()

    const { Table } = await bench.server.execute('DescribeTable', { TableName: 'sessions' })
    expect(Table).toMatchObject({
      ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 5 },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byUser',
          KeySchema: [{ AttributeName: 'userId' }, { AttributeName: 'device', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['agent', 'ip'] },
        },
      ],
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    const ttl = await bench.server.execute('DescribeTimeToLive', { TableName: 'sessions' })
    expect(ttl).toMatchObject({ TimeToLiveDescription: { AttributeName: 'expiresAt' } })
  })

  test('a name that is taken is refused in the service’s words, with a hint', async () => {
    bench.expectConsole(/400/)
    await bench.server.execute('CreateTable', small('taken'))
    const page = await bench.open('/tables?create=1')
    const form = page.getByRole('dialog', { name: 'Create a table' })
    await form.getByLabel('Table name').fill('taken')
    await form.getByLabel('Partition key', { exact: true }).fill('PK')
    await form.getByRole('button', { name: 'Create table' }).click()
    await form.getByText('Table already exists: taken').waitFor()
    await form.getByText('Choose another name, or delete the existing one.').waitFor()
  })

  test('tables of another access key are found by the key', async () => {
    await bench.server.execute('CreateTable', small('elsewhere'), {
      accountId: '123456789012',
      region: 'eu-central-1',
    })
    const page = await bench.open('/tables')
    await page.getByRole('button', { name: 'Scope: account and region' }).click()
    await page.getByRole('option', { name: /eu-central-1/ }).click()
    await page.getByRole('row', { name: /elsewhere/ }).waitFor()
    await expect.poll(() => page.url()).toContain('eu-central-1')
  })
})

describe('a read-only workbench', () => {
  const bench = useWorkbench({ readOnly: true, examples: ['music'] })

  test('offers nothing that writes', async () => {
    const page = await bench.open('/tables')
    await page.getByRole('row', { name: /music/ }).waitFor()
    await page.getByText('read-only').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Create table' }).count()).toBe(0)
    await page.goto(`${bench.server.origin}/_workbench/tables/music?tab=settings`)
    await page.getByRole('heading', { name: 'Stream' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Save|Turn|Delete|More actions/ }).count()).toBe(0)
    await bench.shoot(page, 'tables-read-only')
  })
})

function small(TableName: string) {
  return {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  }
}

async function askToDelete(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete table …' }).click()
  const question = page.getByRole('dialog', { name: `Delete ${name}?` })
  const button = question.getByRole('button', { name: 'Delete table' })
  await expect.poll(() => button.isDisabled()).toBe(true)
  await question.getByLabel(`Type ${name} to confirm`).fill(name)
  await button.click()
}

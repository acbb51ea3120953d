import { expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench()

test('a table gets auto scaling, alarms and ranked keys; it is exported, and imported under another name', async () => {
  const { execute } = bench.server
  const keys = {
    AttributeDefinitions: [{ AttributeName: 'sensor', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'sensor', KeyType: 'HASH' }],
  }
  const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
  await execute('CreateTable', { TableName: 'readings', ...keys, ProvisionedThroughput })
  await execute('UpdateContinuousBackups', {
    TableName: 'readings',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  const page = await bench.open('/tables/readings?tab=capacity')
  await page.getByText('This table has no auto scaling.').waitFor()
  await page.getByRole('button', { name: 'Add auto scaling' }).click()
  const adding = page.getByRole('dialog', { name: 'Add auto scaling' })
  await adding.getByLabel('Largest capacity').fill('50')
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await page
    .getByRole('table', { name: 'Auto scaling' })
    .getByRole('row', { name: /Writes of the table 5 50/ })
    .waitFor()
  await page.getByRole('button', { name: 'Add a schedule' }).click()
  const scheduling = page.getByRole('dialog', { name: 'Add a schedule' })
  await scheduling.getByLabel('Name of the schedule').fill('before-the-sale')
  await scheduling.getByLabel('Smallest capacity then').fill('20')
  await scheduling.getByLabel('Largest capacity then').fill('200')
  await scheduling.getByRole('button', { name: 'Add', exact: true }).click()
  await page
    .getByRole('table', { name: 'Schedules' })
    .getByRole('row', { name: /before-the-sale.*20 to 200/ })
    .waitFor()
  await page.getByRole('button', { name: 'Create an alarm' }).click()
  const alarming = page.getByRole('dialog', { name: 'Create an alarm' })
  await alarming.getByLabel('Name of the alarm').fill('hot-writes')
  await alarming.getByRole('button', { name: 'Create', exact: true }).click()
  const alarm = page.getByRole('list', { name: 'Alarms' }).getByRole('listitem').filter({ hasText: 'hot-writes' })
  await alarm.getByText('Sum of WriteThrottleEvents > 0, 1 × 60 s').waitFor()
  await alarm.getByText('History').click()
  await page
    .getByRole('list', { name: 'History of hot-writes' })
    .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d .*created/)
    .waitFor()

  await page.getByText('Rank keys').click()
  await page.getByText('Most used partition keys').waitFor()
  for (const id of ['s1', 's1', 's2'])
    await execute('PutItem', { TableName: 'readings', Item: { sensor: { S: id } } })
  await page.getByRole('list', { name: 'Most used partition keys' }).getByText('s1').waitFor()
  await bench.shoot(page, 'table-capacity')

  await page.getByRole('tab', { name: 'Exports' }).click()
  await page.getByRole('button', { name: 'Export to a bucket' }).click()
  const exporting = page.getByRole('dialog', { name: 'Export readings' })
  await exporting.getByLabel('Bucket').fill('exports')
  await exporting.getByRole('button', { name: 'Export', exact: true }).click()
  const exported = page
    .getByRole('table', { name: 'Exports' })
    .getByRole('row', { name: /completed.* full DynamoDB JSON 2/ })
  await exported.waitFor()
  const [, folder = ''] = /(AWSDynamoDB\/[^/]+\/)/.exec(await exported.innerText()) ?? []
  await bench.shoot(page, 'table-exports')

  await page.evaluate(() => history.pushState(null, '', '/_workbench/tables?tab=imports'))
  await page.getByRole('button', { name: 'Import a table' }).click()
  const importing = page.getByRole('dialog', { name: 'Import a table' })
  await importing.getByLabel('Bucket').fill('exports')
  await importing.getByLabel('Prefix').fill(`${folder}data/`)
  await importing.getByLabel('Table', { exact: true }).fill('{')
  await importing.getByText('This is not a JSON object.').waitFor()
  await importing
    .getByLabel('Table', { exact: true })
    .fill(JSON.stringify({ TableName: 'copies', ...keys, BillingMode: 'PAY_PER_REQUEST' }))
  await importing.getByRole('button', { name: 'Import', exact: true }).click()
  await page
    .getByRole('table', { name: 'Imports' })
    .getByRole('row', { name: /copies .*completed.* 2 0/ })
    .waitFor()
  const { Count } = await execute('Scan', { TableName: 'copies' })
  expect(Count).toBe(2)
})

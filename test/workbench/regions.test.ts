import { expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'
import { testScope } from './support/workbench-server.ts'

const bench = useWorkbench()

test('a region is isolated from the page; what was written at both sides is exchanged and the lost write is told', async () => {
  const { execute } = bench.server
  const elsewhere = { ...testScope, region: 'eu-west-1' }
  await execute('CreateTable', {
    TableName: 'Music',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'Artist', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'Artist', KeyType: 'HASH' }],
  })
  const page = await bench.open('/regions')
  await page.getByText('No table has replicas').waitFor()
  await execute('UpdateTable', { TableName: 'Music', ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }] })
  const replicas = page.getByRole('list', { name: 'Replicas of Music' })
  await replicas
    .getByRole('listitem')
    .filter({ hasText: /eu-west-1 active/ })
    .waitFor()
  await page.getByText('No write was lost.').waitFor()

  await page.getByRole('button', { name: 'Isolate eu-west-1' }).click()
  await page.getByText('isolated', { exact: true }).waitFor()
  const put = (plays: string, scope = testScope) =>
    execute('PutItem', { TableName: 'Music', Item: { Artist: { S: '%41' }, plays: { N: plays } } }, scope)
  await put('1')
  await new Promise((resolve) => setTimeout(resolve, 5))
  await put('7', elsewhere)
  const replication = page.getByRole('table', { name: 'Replication of Music' })
  await replication.getByRole('row', { name: /us-east-1 to eu-west-1 cut 1/ }).waitFor()

  await page.getByRole('button', { name: 'Heal eu-west-1' }).click()
  await page.getByRole('list', { name: 'Conflicts' }).getByRole('heading', { name: 'Music %41' }).waitFor()
  await page.getByRole('region', { name: 'Won in eu-west-1' }).waitFor()
  const lost = page.getByRole('region', { name: 'Lost in us-east-1' })
  await lost.getByText('What it had written').click()
  expect((await lost.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/plays (N )?1/)
  await replication.getByRole('row', { name: /us-east-1 to eu-west-1 connected 0/ }).waitFor()
  await bench.shoot(page, 'regions')
  await page.getByRole('link', { name: 'The item as it is now' }).click()
  const values = page.getByRole('dialog').locator('input')
  await expect
    .poll(() => values.evaluateAll((found) => found.map((input) => (input as HTMLInputElement).value)))
    .toContain('7')

  await page.goBack()
  await page.getByRole('combobox', { name: 'Lag of eu-west-1' }).selectOption('3000')
  await page.getByText('3 s late').waitFor()
  await page.getByRole('button', { name: 'Take down eu-west-1' }).click()
  await page.getByText('down', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Heal all' }).click()
  await expect.poll(() => page.getByText('healthy').count()).toBe(2)
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations } from './support/axe.ts'
import { overflowing } from './support/overflow.ts'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['music'] })

const itemOf = async (pk: string, sk: string) => {
  const Key = { pk: { S: pk }, sk: { S: sk } }
  return (await bench.server.execute('GetItem', { TableName: 'music', Key }))['Item']
}

async function typeItem(page: Page, number: number, text: string): Promise<void> {
  await page.getByLabel(`Item of change ${number}`).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

test('an item is put, updated under a condition, and several changes are one transaction, with their code', async () => {
  bench.expectConsole(/400/)
  const page = await bench.open('/query/music?mode=write')
  await typeItem(page, 1, '{"pk": "W", "sk": "1", "plays": 1, "tags": ["a"]}')
  await page.getByRole('button', { name: 'Write' }).click()
  await page.getByText(/1 change written by PutItem, for 1 write unit/).waitFor()
  expect(await itemOf('W', '1')).toMatchObject({ plays: { N: '1' } })

  await page.getByLabel('Kind of change 1').selectOption('update')
  await page.getByLabel('pk', { exact: true }).fill('W')
  await page.getByLabel('sk', { exact: true }).fill('1')
  await page.getByLabel('Attribute 1', { exact: true }).fill('plays')
  await page.getByLabel('What to do with attribute 1').selectOption('add')
  await page.getByLabel('Value of attribute 1').fill('4')
  await page.getByLabel('Type of attribute 1').selectOption('N')
  await page.getByLabel('Return', { exact: true }).selectOption('ALL_NEW')
  await page.getByRole('button', { name: 'Write' }).click()
  await page.getByRole('heading', { name: 'Returned' }).waitFor()
  expect(await itemOf('W', '1')).toMatchObject({ plays: { N: '5' } })

  await page.getByRole('button', { name: 'Add a change' }).click()
  await page.getByLabel('Kind of change 2').selectOption('check')
  await page.getByLabel('pk', { exact: true }).fill('nobody')
  await page.getByLabel('sk', { exact: true }).fill('1')
  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  await page.getByLabel('Attribute', { exact: true }).fill('pk')
  await page.getByLabel('Operator').selectOption('exists')
  await page.getByText('2 changes, all or nothing.').waitFor()
  await bench.shoot(page, 'write')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Write' }).click()
  await page.getByText(/Change 2 \(check\): ConditionalCheckFailed/).waitFor()
  await page.getByText(/Change 1 \(update\): fine/).waitFor()
  expect(await itemOf('W', '1')).toMatchObject({ plays: { N: '5' } })

  await page.getByRole('tab', { name: 'Code' }).click()
  const code = page.locator('pre[aria-label="Code"]')
  await code.getByText('TransactWriteCommand').first().waitFor()
  await page.getByLabel('Language').selectOption('rust')
  await code.getByText('.transact_write_items()').waitFor()
  await bench.shoot(page, 'write-code')
  // The address has all of it.
  await page.reload()
  await page.getByText('2 changes, all or nothing.').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await overflowing(page)).toEqual([])
  await page.getByText('By key', { exact: true }).click()
  await page.getByText('Read from').waitFor()
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { exampleNames, modelFile } from './support/example-data.ts'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: exampleNames, models: exampleNames.map(modelFile) })

const results = (page: Page) => page.getByRole('grid', { name: 'Results' })
const rowCount = async (page: Page): Promise<number> =>
  Number(await results(page).getAttribute('aria-rowcount')) - 1

async function pick(page: Page, pattern: string): Promise<void> {
  await page.getByRole('button', { name: 'Access pattern' }).click()
  await page.getByRole('combobox', { name: 'Access pattern' }).fill(pattern)
  await page.getByRole('option', { name: pattern }).first().click()
}

test('an access pattern of the model is picked, filled with example values and run', async () => {
  const page = await bench.open('/query/shop')
  await pick(page, 'ordersOfCustomer')
  await page.getByText('Newest first, of any period').waitFor()
  await bench.shoot(page, 'query-pattern-open')
  await page.getByRole('button', { name: 'Example values' }).click()
  await page.getByText('One partition of the table').waitFor()
  await page.keyboard.press('Control+Enter')
  await results(page).waitFor()
  expect(await rowCount(page)).toBeGreaterThan(0)
  await bench.shoot(page, 'query-pattern')
})

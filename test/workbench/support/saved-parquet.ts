import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Exports what is shown in a place as Parquet, and sees that it is a whole file of it. */
export async function savedParquet(page: Page, place: Page | Locator = page): Promise<void> {
  await place.getByRole('button', { name: 'Export', exact: true }).first().click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Parquet file' }).click(),
  ])
  const bytes = await readFile(await download.path())
  expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
}

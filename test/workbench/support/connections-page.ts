import type { Page } from 'playwright-core'

const place = (page: Page) => page.getByRole('button', { name: /^Scope: / })
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

export async function chooseInPicker(page: Page, entry: string | RegExp): Promise<void> {
  await place(page).click()
  await page.getByRole('option', { name: entry }).click()
}

export async function addServer(page: Page, name: string, origin: string): Promise<void> {
  await chooseInPicker(page, 'Add a connection …')
  const form = dialog(page, 'Add a connection')
  await form.getByText('A server', { exact: true }).click()
  await form.getByLabel('Address').fill(origin)
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Connect' }).click()
}

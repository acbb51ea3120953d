import { describe, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'] })

test('the root leads a browser to the tables, and the URL says whose they are', async () => {
  const page = await bench.open('/')
  await page.getByRole('heading', { name: 'Tables' }).waitFor()
  await page.waitForURL(/\/_workbench\/tables\?scope=123456789012(\/|%2F)us-east-1$/)
  await bench.shoot(page, 'shell')
})

test('the palette opens with a key, finds a table by its name and goes to it', async () => {
  const page = await bench.open('/tables')
  await page.getByRole('heading', { name: 'Tables' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('leader')
  await page.getByRole('option', { name: 'leaderboard' }).waitFor()
  await bench.shoot(page, 'palette')
  await page.keyboard.press('Enter')
  await page.waitForURL(/tables\/leaderboard/)
})

test('a question mark shows the shortcuts, and Escape closes them', async () => {
  const page = await bench.open('/tables')
  await page.getByRole('heading', { name: 'Tables' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await bench.shoot(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('the theme is toggled and remembered', async () => {
  const page = await bench.open('/tables')
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await page.reload()
  await page.getByRole('button', { name: 'Light theme' }).waitFor()
})

test('an address that is no view leads back to one', async () => {
  const page = await bench.open('/nonsense')
  await page.getByRole('heading', { name: 'View not found' }).waitFor()
  await page.getByRole('link', { name: 'Go to the tables' }).click()
  await page.getByRole('heading', { name: 'Tables' }).waitFor()
})

test('the navigation goes to every view and back, with the mouse and with keys', async () => {
  const page = await bench.open('/tables/shop')
  await page.getByRole('heading', { name: 'shop' }).waitFor()
  const links = page.getByRole('navigation', { name: 'Views' }).getByRole('listitem').getByRole('link')
  for (const name of await links.allInnerTexts()) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click()
    await page.locator('nav [aria-current=page]', { hasText: name }).waitFor()
    await page.locator('main h1').waitFor()
  }
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.locator('nav [aria-current=page]', { hasText: 'Tables' }).waitFor()
})

describe('where every access key has its own tables', () => {
  const own = useWorkbench({ shared: false })

  test('the tables of a key are shown under its name, and another key is found by it', async () => {
    const page = await own.open('/tables')
    const picker = page.getByRole('button', { name: 'Scope: account and region' })
    await expect.poll(() => picker.innerText()).toBe('key local · us-east-1')
    await picker.click()
    await page.getByRole('option', { name: /Another access key/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Another access key or region' })
    await dialog.getByLabel('Access key').fill('my-own-key')
    await dialog.getByLabel('Region').fill('ap-south-1')
    await own.shoot(page, 'scope')
    await dialog.getByRole('button', { name: 'Show tables' }).click()
    await page.waitForURL(/ap-south-1/)
    await expect.poll(() => picker.innerText()).toMatch(/^\d{12} · ap-south-1$/)
  })
})

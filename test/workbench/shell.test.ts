import { expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'] })

test('the root leads a browser to the tables, and the URL says whose they are', async () => {
  const page = await bench.open('/')
  await page.getByRole('heading', { name: 'Tables' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/_workbench/tables')
  expect(new URL(page.url()).searchParams.get('scope')).toBe('123456789012/us-east-1')
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
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await page.reload()
  await page.getByRole('button', { name: 'Light theme' }).waitFor()
})

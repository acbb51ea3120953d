import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench()

beforeAll(async () => {
  await bench.server.execute('CreateTable', {
    TableName: 'wide',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const attributes = Array.from({ length: 90 }, (_, position) => [`field${String(position)}`, { S: 'x' }])
  const list = { L: Array.from({ length: 90 }, () => ({ S: 'y' })) }
  for (const id of ['one', 'two']) {
    const Item = { id: { S: id }, alist: list, ...(Object.fromEntries(attributes) as object) }
    await bench.server.execute('PutItem', { TableName: 'wide', Item })
  }
})

const drawer = (page: Page) => page.locator('.dialog[role="dialog"]')

async function openItem(id: string): Promise<Page> {
  const page = await bench.open(`/items/wide?item=${encodeURIComponent(JSON.stringify({ id: { S: id } }))}`)
  await drawer(page).getByRole('tab', { name: 'Form' }).waitFor()
  return page
}

test('an attribute that is added is in sight and has the focus, however many there are', async () => {
  const page = await openItem('one')
  await drawer(page)
    .getByRole('button', { name: /^Show more of/ })
    .waitFor()
  await drawer(page).getByRole('button', { name: 'Add attribute' }).click()
  const name = drawer(page).getByRole('textbox', { name: 'Name of new attribute' })
  await name.waitFor()
  await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await isInSight(name.page(), 'Name of new attribute')).toBe(true)
  // Nothing is wrong with it yet: nobody has left anything out.
  await expect.poll(() => drawer(page).getByRole('alert').count()).toBe(0)
  await page.keyboard.type('nickname')
  await drawer(page).getByRole('textbox', { name: 'nickname', exact: true }).fill('Ace')
  await bench.shoot(page, 'items-editor-added')

  await drawer(page).getByRole('button', { name: 'Open alist' }).click()
  await drawer(page).getByRole('button', { name: 'Add to alist' }).click()
  const element = drawer(page).getByRole('textbox', { name: 'alist.[90]' })
  await element.waitFor()
  await expect.poll(() => element.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('last')
  await drawer(page).getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Item saved').waitFor()
  const { Item } = (await bench.server.execute('GetItem', { TableName: 'wide', Key: { id: { S: 'one' } } })) as {
    Item: { nickname: object; alist: { L: object[] } }
  }
  expect(Item.nickname).toEqual({ S: 'Ace' })
  expect(Item.alist.L).toHaveLength(91)
  expect(Item.alist.L[90]).toEqual({ S: 'last' })
})

test('a tab that cannot be shown yet says why, and offers the way back', async () => {
  const page = await openItem('one')
  await drawer(page).getByRole('tab', { name: 'JSON', exact: true }).click()
  const editor = drawer(page).getByRole('textbox', { name: 'Item as JSON' })
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' }')
  await drawer(page).getByRole('tab', { name: 'Form' }).click()
  const notice = drawer(page).getByRole('note').filter({ hasText: 'Fix this first to view it as a form' })
  await notice.waitFor()
  await bench.shoot(page, 'items-editor-unreadable')
  // Where it stands does not depend on what can be read.
  await drawer(page).getByRole('tab', { name: 'Places' }).click()
  await drawer(page).getByRole('table').first().waitFor()
  await drawer(page).getByRole('tab', { name: 'DynamoDB JSON' }).click()
  await drawer(page).getByText('Fix this first to view it as DynamoDB JSON').waitFor()
  await drawer(page).getByRole('button', { name: 'Discard invalid edits' }).click()
  await drawer(page).getByRole('textbox', { name: 'Item as DynamoDB JSON' }).waitFor()

  await drawer(page).getByRole('tab', { name: 'Form' }).click()
  await drawer(page).getByRole('button', { name: 'Add attribute' }).click()
  await drawer(page).getByRole('combobox', { name: 'Type of new attribute' }).selectOption('N')
  await drawer(page).getByRole('tab', { name: 'JSON', exact: true }).click()
  await drawer(page).getByText('Fix this first to view it as JSON').waitFor()
})

test('a message covers no button of a drawer', async () => {
  const page = await openItem('two')
  const field = drawer(page).getByRole('textbox', { name: 'field0', exact: true })
  let saves = 0
  const saveAndLookAgain = async () => {
    await field.fill(`changed ${String(++saves)}`)
    await drawer(page).getByRole('button', { name: 'Save changes' }).click()
    await drawer(page).waitFor({ state: 'hidden' })
    await page.getByRole('grid', { name: 'Items' }).getByRole('button', { name: 'two' }).click()
    await field.fill('again')
    return page.evaluate(() => {
      const shown = [...document.querySelectorAll('.toast-title')].map((title) => title.textContent)
      const buttons = [...document.querySelectorAll('.dialog[role="dialog"] .dialog-foot button')]
      // What a pointer would hit.
      const covered = buttons.filter((button) => {
        const { left, top, width, height } = button.getBoundingClientRect()
        return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      })
      return { shown: shown[0], buttons: buttons.length, covered: covered.map((button) => button.textContent) }
    })
  }
  // It goes after some seconds: where everything takes its time, it may be gone too early.
  await expect.poll(saveAndLookAgain).toEqual({ shown: 'Item saved', buttons: 4, covered: [] })
  await bench.shoot(page, 'items-editor-message')
})

function isInSight(page: Page, label: string): Promise<boolean> {
  return page.getByRole('textbox', { name: label }).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    const body = element.closest('.dialog-body, .tab-panel')?.getBoundingClientRect()
    return body !== undefined && top >= body.top - 1 && bottom <= body.bottom + 1
  })
}

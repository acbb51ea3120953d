import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { consume } from './support/consumed-table.ts'
import { useWorkbench } from './support/use-workbench.ts'
import { testScope } from './support/workbench-server.ts'

const bench = useWorkbench({ examples: ['shop'] })

async function put(id: string): Promise<void> {
  const Item = { PK: { S: `CUSTOMER#${id}` }, SK: { S: 'PROFILE' }, EntityType: { S: 'Customer' } }
  await bench.server.execute('PutItem', { TableName: 'shop', Item })
}

const trigger = (page: Page, state: RegExp) => page.getByRole('button', { name: state })

test('a trigger shows its lag, its errors and its log; a record is sent again; it is disabled and enabled', async () => {
  let isBroken = true
  const { uuid } = await consume(bench.server, 'shop', 'on-order', ({ Records }) => {
    if (isBroken) throw new TypeError('The mail server is down')
    return { seen: Records.length }
  })
  const page = await bench.open('/triggers')
  const consumers = page.getByRole('table', { name: 'Consumers' })
  await consumers.getByRole('row', { name: /shop Trigger on-order/ }).waitFor()
  await expect.poll(() => consumers.getByRole('row').count()).toBe(4)
  await consumers.getByRole('link', { name: 'shop' }).first().click()
  await trigger(page, /^Trigger on-order up to date enabled/).waitFor()
  await page.getByRole('group', { name: 'From shop to its consumers' }).getByText('shop-changes').first().waitFor()

  await put('first')
  await trigger(page, /^Trigger on-order 1 waiting.* failing/).waitFor()
  await page.getByText(/^Last error/).waitFor()
  const [failed] = await page
    .getByRole('table', { name: 'Batches' })
    .getByRole('row', { name: /failed/ })
    .all()
  expect(await failed?.innerText()).toContain('The mail server is down')
  await page.getByRole('tab', { name: 'Log' }).click()
  await page
    .getByRole('region', { name: 'Log of on-order' })
    .getByText(/The mail server is down/)
    .first()
    .waitFor()

  isBroken = false
  await page.getByRole('tab', { name: 'Replay' }).click()
  await page
    .getByRole('row', { name: /insert CUSTOMER#first/ })
    .getByRole('button', { name: 'Send again' })
    .click()
  const answer = page.getByRole('status', { name: 'Answer of the function' })
  await answer.getByText('"seen": 1').waitFor()
  await page.locator('.page-content').evaluate((content) => content.scrollTo(0, 0))
  await bench.shoot(page, 'triggers')

  await trigger(page, /^Trigger on-order up to date enabled/).waitFor()
  await page.getByRole('button', { name: 'Disable the trigger' }).click()
  await page.getByRole('button', { name: 'Enable the trigger' }).waitFor()
  await put('second')
  await trigger(page, /^Trigger on-order 1 waiting.* disabled/).waitFor()
  const state = async (): Promise<unknown> =>
    (
      (await bench.server.engine.execute(testScope, 'AWSGirApiService', 'GetEventSourceMapping', {
        UUID: uuid,
      })) as {
        readonly State: string
      }
    ).State
  expect(await state()).toBe('Disabled')
  await page.getByRole('button', { name: 'Enable the trigger' }).click()
  await trigger(page, /^Trigger on-order up to date enabled/).waitFor()

  await trigger(page, /^Pipe shop-audit/).click()
  await page.getByRole('button', { name: 'Disable the pipe' }).click()
  await trigger(page, /^Pipe shop-audit stopped disabled/).waitFor()
})

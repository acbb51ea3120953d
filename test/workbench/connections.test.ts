import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations } from './support/axe.ts'
import { addServer, chooseInPicker, dialog } from './support/connections-page.ts'
import { overflowing } from './support/overflow.ts'
import { useWorkbench } from './support/use-workbench.ts'
import { startWorkbench, testScope, type WorkbenchServer } from './support/workbench-server.ts'

const secret = 'a-secret-that-no-page-sees'
const accessKeyId = 'AKIADEPLOY0000000000'
const { accountId } = testScope
const allow = (statement: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', ...statement }],
})

/** A stand-in for AWS: it verifies signatures and lets roles be assumed. Only the role may touch tables. */
const identities = {
  users: {
    deploy: {
      accessKeys: [{ id: accessKeyId, secret }],
      policies: { assume: allow({ Action: 'sts:AssumeRole', Resource: '*' }) },
    },
  },
  roles: {
    reader: {
      trust: allow({ Principal: { AWS: `arn:aws:iam::${accountId}:user/deploy` }, Action: 'sts:AssumeRole' }),
      policies: { tables: allow({ Action: 'dynamodb:*', Resource: '*' }) },
    },
  },
}

// What is wrong with credentials is told in the output too.
const bench = useWorkbench({ logger: { error: () => undefined } })
let staging: WorkbenchServer
let aws: WorkbenchServer
let folder = ''
const variables = ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_ENDPOINT_URL_STS'] as const
const before = variables.map((name) => [name, process.env[name]] as const)

beforeAll(async () => {
  staging = await startWorkbench()
  aws = await startWorkbench({ identities })
  for (const { execute } of [staging, aws]) {
    await execute('CreateTable', {
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    for (const id of ['one', 'two', 'three']) {
      await execute('PutItem', { TableName: 'orders', Item: { id: { S: id }, total: { N: '12.50' } } })
    }
  }
  folder = await mkdtemp(join(tmpdir(), 'hashrange-aws-'))
  await writeFile(
    join(folder, 'config'),
    `[profile prod]
region = us-east-1
role_arn = arn:aws:iam::${accountId}:role/reader
source_profile = deploy
services = stand-in

[services stand-in]
dynamodb =
  endpoint_url = ${aws.origin}
`,
  )
  await saveKeys('one-that-was-replaced')
  process.env['AWS_CONFIG_FILE'] = join(folder, 'config')
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = join(folder, 'credentials')
  // The SDK looks for the address of STS in the environment, and in the default profile.
  process.env['AWS_ENDPOINT_URL_STS'] = aws.origin
})

/** As `aws configure` does. */
function saveKeys(secretAccessKey: string): Promise<void> {
  return writeFile(
    join(folder, 'credentials'),
    `[deploy]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
  )
}

afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await staging.close()
  await aws.close()
  await rm(folder, { recursive: true })
})

/** Fits a phone, and axe finds nothing in it; with HASHRANGE_SCREENSHOTS=all at three widths and in both themes, with
 *  pictures. */
async function look(page: Page, name: string): Promise<void> {
  const isLong = process.env['HASHRANGE_SCREENSHOTS'] === 'all'
  const found: string[] = []
  for (const width of isLong ? [390, 1024, 1440] : [390]) {
    for (const colorScheme of isLong ? (['light', 'dark'] as const) : (['dark'] as const)) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(50)
      const defects = [...(await overflowing(page)), ...(await axeViolations(page))]
      found.push(...defects.map((defect) => `${name}, ${String(width)} px, ${colorScheme}: ${defect}`))
      if (!isLong) continue
      const file = `connections-${name}-${String(width)}-${colorScheme}.png`
      await page.screenshot({ path: fileURLToPath(new URL(`screenshots/${file}`, import.meta.url)) })
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: 'light' })
  expect(found).toEqual([])
}

test('another server is connected to, shown as such, and items are moved from it', async () => {
  bench.expectConsole(/502|status of 400/)
  const page = await bench.open('/tables')
  await addServer(page, 'staging', 'http://127.0.0.1:1')
  await page.getByText(/staging does not answer at http:\/\/127.0.0.1:1/).waitFor()
  const form = dialog(page, 'Add a connection')
  await form.getByLabel('Address').fill(staging.origin)
  await look(page, 'add')
  await form.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Scope: connection and region: staging · us-east-1' }).waitFor()
  await page.getByRole('row', { name: /orders/ }).waitFor()
  await expect.poll(() => page.title()).toBe('Tables · staging · hashrange')
  await expect.poll(() => page.locator('.connection-stripe').count()).toBe(1)
  await look(page, 'tables')
  // What only hashrange itself can show says so.
  await page.getByRole('link', { name: 'Heat' }).click()
  await page.getByText('Only for this server').waitFor()

  await page.getByRole('link', { name: 'Items' }).click()
  await page.getByRole('link', { name: 'orders' }).click()
  const grid = page.getByRole('grid', { name: 'Items' })
  await grid.getByText('three').waitFor()
  await grid.getByRole('checkbox', { name: /all/i }).first().click()
  await page.getByRole('button', { name: 'Copy to …' }).click()
  const copying = dialog(page, 'Copy 3 items')
  await look(page, 'copy')
  await copying.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Copied 3 items to this server').waitFor()
  expect(await bench.server.execute('Scan', { TableName: 'orders' })).toMatchObject({ Count: 3 })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete 3 items' }).click()
  await page.getByText('3 items deleted').waitFor()
  expect(await staging.execute('Scan', { TableName: 'orders' })).toMatchObject({ Count: 0 })

  // Back home, they are there.
  await chooseInPicker(page, /^us-east-1/)
  await page.getByRole('row', { name: /orders/ }).waitFor()
  await expect.poll(() => page.locator('.connection-stripe').count()).toBe(0)
})

test('AWS by a profile with a role: it says what reading costs, and writes only when it is allowed to', async () => {
  bench.expectConsole(/403|status of 400/)
  const page = await bench.open('/tables')
  const answers: string[] = []
  page.on('response', (response) => {
    void response.text().then(
      (text) => answers.push(text + JSON.stringify(response.headers())),
      () => undefined,
    )
  })
  await chooseInPicker(page, 'Add a connection …')
  const form = dialog(page, 'Add a connection')
  await form.getByLabel('AWS profile').selectOption({ label: 'prod · us-east-1 · assumes a role' })
  await form.getByRole('button', { name: 'Connect' }).click()
  await form.getByText('prod: the credentials of the AWS profile prod were refused').waitFor()
  await saveKeys(secret)
  await form.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Scope: connection and region: prod · us-east-1' }).waitFor()
  await page.getByText('AWS', { exact: true }).waitFor()
  await page.getByRole('row', { name: /orders/ }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Create table' }).count()).toBe(0)
  await bench.shoot(page, 'connection')
  await look(page, 'aws')

  await page.evaluate(() => history.pushState(null, '', '/_workbench/items/orders?scope=@prod/us-east-1'))
  await page.getByRole('heading', { name: 'Read items of orders?' }).waitFor()
  await look(page, 'cost')
  await page.getByRole('button', { name: 'Read items' }).click()
  const grid = page.getByRole('grid', { name: 'Items' })
  await grid.getByText('three').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New item' }).count()).toBe(0)
  // The server refuses it as well.
  const put = (query: string) =>
    page.evaluate(
      async ([path, token]) => {
        const headers = { 'content-type': 'application/json', 'x-hashrange-workbench': String(token) }
        const body = JSON.stringify({ TableName: 'orders', Item: { id: { S: 'four' } } })
        return (await fetch(String(path), { method: 'POST', headers, body })).status
      },
      [`/_workbench/api/dynamodb/PutItem?connection=prod&region=us-east-1${query}`, 'a-secret-for-the-tests'],
    )
  expect(await put('')).toBe(403)

  await page.getByRole('switch', { name: 'Writing to prod' }).click()
  await page.getByRole('button', { name: 'Allow writing' }).click()
  await page.getByRole('switch', { name: 'Writing to prod', checked: true }).waitFor()
  await look(page, 'writing')
  await grid.getByRole('checkbox', { name: /all/i }).first().click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete 3 items' }).click()
  await page.getByText('3 items deleted').waitFor()
  expect(await aws.execute('Scan', { TableName: 'orders' })).toMatchObject({ Count: 0 })
  // It is of this tab alone: another one, and this one after a reload, may not.
  await page.reload()
  await page.getByRole('switch', { name: 'Writing to prod', checked: false }).waitFor()
  expect(await put('')).toBe(403)
  expect(answers.length).toBeGreaterThan(5)
  for (const text of answers) expect([text.includes(secret), text.includes('ASIA')]).toEqual([false, false])
})

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { axeViolations } from './support/axe.ts'
import { consume } from './support/consumed-table.ts'
import { modelFile } from './support/example-data.ts'
import { overflowing } from './support/overflow.ts'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop'], models: [modelFile('shop')], editModels: true })
const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url))
/** `WALK_STOPS=triggers,regions` looks at these alone. */
const only = process.env['WALK_STOPS']?.split(',')
/** `WALK_SIZES=390,1024,1440` keeps a picture of every view in each of these widths, for whoever wants to look at them. */
const pictured = (process.env['WALK_SIZES'] ?? '')
  .split(',')
  .filter((size) => size !== '')
  .map(Number)

beforeAll(async () => {
  const { execute, lambda } = bench.server
  let calls = 0
  await consume(bench.server, 'shop', 'on-order', () => {
    if (++calls === 1) throw new TypeError("Cannot read properties of undefined (reading 'city')")
  })
  for (let count = 0; count < 40; count++) {
    const key = { PK: { S: `CUSTOMER#${String(count % 3)}` }, SK: { S: 'PROFILE' } }
    await execute('PutItem', {
      TableName: 'shop',
      Item: { ...key, EntityType: { S: 'Customer' }, visits: { N: String(count) }, note: { S: 'x'.repeat(900) } },
    })
    await execute('GetItem', { TableName: 'shop', Key: key })
  }
  await lambda.settled().catch(() => undefined)
  await execute('CreateTable', {
    TableName: 'everywhere',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await execute('UpdateTable', {
    TableName: 'everywhere',
    ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }],
  })
  await execute('CreateBackup', { TableName: 'shop', BackupName: 'before-the-sale' })
})

interface Stop {
  readonly name: string
  readonly path: string
  /** Until then it is not there. */
  readonly ready: (page: Page) => Promise<unknown>
  /** What is opened in it. */
  readonly also?: (page: Page) => Promise<unknown>
}

const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()
const rows = (name: string) => (page: Page) => page.getByRole('grid', { name }).getByRole('row').nth(2).waitFor()
const inTable = (name: string) => (page: Page) =>
  page.getByRole('table', { name }).getByRole('row').nth(1).waitFor({ timeout: 80_000 })
const dialog = (page: Page) => page.locator('.dialog[role="dialog"]').waitFor()

/** A write as it stands in an address. */
const deletion = JSON.stringify({
  rows: [{ kind: 'delete', key: ['CUSTOMER#01J8Z3K9ABCDEFGHJKMNPQRSTV', 'PROFILE'] }],
})

const stops: readonly Stop[] = [
  { name: 'tables', path: '/tables', ready: (page) => page.getByRole('row', { name: /shop/ }).waitFor() },
  { name: 'tables-backups', path: '/tables?tab=backups', ready: text('before-the-sale') },
  { name: 'table', path: '/tables/shop', ready: text('Without indexes') },
  { name: 'table-indexes', path: '/tables/shop?tab=indexes', ready: text('GSI1') },
  { name: 'table-capacity', path: '/tables/shop?tab=capacity', ready: text('How units are counted') },
  { name: 'table-exports', path: '/tables/shop?tab=exports', ready: text('No exports') },
  { name: 'tables-imports', path: '/tables?tab=imports', ready: text('No imports') },
  { name: 'table-settings', path: '/tables/shop?tab=settings', ready: text(/Time to live/i) },
  { name: 'table-tags', path: '/tables/shop?tab=tags', ready: text(/group tables in bills/) },
  {
    name: 'table-new',
    path: '/tables',
    ready: (page) =>
      page
        .getByRole('button', { name: /Create table/ })
        .first()
        .click(),
    also: async (page) => {
      await dialog(page)
      // Nothing was typed yet: nothing is wrong yet.
      await expect.poll(() => page.locator('.field-error').count()).toBe(0)
    },
  },
  {
    name: 'query-filter',
    path: '/query/shop?mode=key',
    ready: (page) => page.getByRole('button', { name: 'Condition', exact: true }).click(),
    also: async (page) => {
      await page.getByRole('group', { name: 'New condition' }).waitFor()
      await expect.poll(() => page.locator('.field-error').count()).toBe(0)
    },
  },
  { name: 'items', path: '/items/shop', ready: rows('Items') },
  { name: 'item', path: '/items/shop?isNew=1', ready: dialog },
  { name: 'collections', path: '/collections/shop', ready: (page) => page.getByRole('row').nth(3).waitFor() },
  {
    name: 'query',
    path: '/query/shop?mode=key',
    ready: (page) => page.getByRole('button', { name: /^Run/ }).first().waitFor(),
  },
  {
    // Whoever asks on a phone sees the answer.
    name: 'query-answer',
    path: '/query/shop?mode=key&pk=CUSTOMER%232',
    ready: (page) => page.getByRole('button', { name: /^Run/ }).first().waitFor(),
    also: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: /^Run/ }).first().click()
      const answer = page.getByRole('grid', { name: 'Results' }).getByText('CUSTOMER#2')
      await answer.waitFor()
      await expect.poll(async () => (await answer.boundingBox())?.y ?? 9999).toBeLessThan(800)
    },
  },
  {
    name: 'query-results',
    path: '/query/shop?mode=key&pk=CUSTOMER%231&run=1',
    ready: (page) => page.getByRole('grid', { name: 'Results' }).getByRole('row').nth(1).waitFor(),
  },
  {
    name: 'write',
    path: '/query/shop?mode=write',
    ready: (page) => page.getByLabel('Kind of change 1').waitFor(),
    also: async (page) => expect.poll(() => page.locator('.field-error').count()).toBe(0),
  },
  {
    name: 'write-model',
    path: `/query/shop?mode=write&tab=code&lang=model&w=${encodeURIComponent(deletion)}`,
    ready: (page) => page.getByLabel('Code').getByText('db.Customer.delete(').waitFor(),
  },
  {
    name: 'partiql',
    path: '/partiql/shop',
    ready: (page) => page.getByRole('button', { name: /^Run/ }).first().waitFor(),
  },
  { name: 'model-patterns', path: '/model', ready: inTable('Access patterns') },
  { name: 'model-entities', path: '/model?tab=entities', ready: text('Customer') },
  { name: 'model-collections', path: '/model?tab=collections', ready: text('CUSTOMER#') },
  {
    name: 'model-findings',
    path: '/model?tab=findings',
    ready: (page) => page.getByText('No findings').waitFor({ timeout: 80_000 }),
  },
  {
    name: 'model-edit',
    path: '/model?tab=file',
    ready: (page) => page.getByRole('table', { name: 'Attributes of Customer' }).waitFor(),
    also: async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole('button', { name: 'checkout', exact: true }).click()
      await page.getByRole('table', { name: 'Steps of the transaction' }).waitFor()
    },
  },
  {
    name: 'model-edit-text',
    path: '/model?tab=file',
    ready: (page) => page.getByText('Text', { exact: true }).click(),
    also: (page) =>
      page.getByRole('textbox', { name: 'Model file' }).getByText('@hashrange/model').first().waitFor(),
  },
  {
    name: 'model-picture',
    path: '/model?tab=collections',
    ready: (page) => page.getByRole('button', { name: 'Picture', exact: true }).click(),
    also: async (page) => {
      await page.getByRole('img', { name: 'shop: item collections' }).waitFor()
      await page.getByText('Entities (ER)').click()
      await page.getByRole('img', { name: 'shop: entities' }).waitFor()
    },
  },
  {
    name: 'model-new',
    path: '/model',
    ready: async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New model' }).click()
    },
    also: dialog,
  },
  {
    name: 'model-cost',
    path: '/model?tab=cost',
    ready: async (page) => {
      await page.keyboard.press('Escape')
      await inTable('Cost by pattern')(page)
    },
  },
  { name: 'heat', path: '/heat', ready: inTable('Tables by heat') },
  {
    name: 'heat-table',
    path: '/heat/shop',
    ready: (page) =>
      page
        .getByRole('heading', { name: /^Most (read|written) keys/ })
        .first()
        .waitFor(),
  },
  { name: 'heat-rows', path: '/heat/shop?rows=1', ready: inTable('Partitions') },
  { name: 'streams', path: '/streams', ready: text('shop') },
  { name: 'stream', path: '/streams/shop?from=oldest', ready: text(/CUSTOMER#\d/) },
  { name: 'triggers', path: '/triggers', ready: inTable('Consumers') },
  { name: 'trigger', path: '/triggers/shop', ready: inTable('Batches') },
  { name: 'trigger-replay', path: '/triggers/shop?tab=replay', ready: inTable('Records') },
  { name: 'trigger-log', path: '/triggers/shop?tab=log', ready: text(/TypeError: Cannot read/) },
  { name: 'regions', path: '/regions', ready: inTable('Replication of everywhere') },
  {
    name: 'shortcuts',
    path: '/tables',
    ready: (page) => page.getByRole('row', { name: /shop/ }).waitFor(),
    also: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('In collections').waitFor()
    },
  },
]

/** One page goes through all views: opening a browser's page for each would take longer than looking at it. */
test(
  'every view fits a phone, and axe finds nothing in it, in light and (in turns) in dark',
  { timeout: 600_000 },
  async () => {
    const page = await bench.open('/tables')
    const found: Found = {}
    const visited = stops.filter((stop) => only?.includes(stop.name) ?? true)
    for (const [place, { name, path, ready, also }] of visited.entries()) {
      // As a link does: to load the program and axe anew for each view would take most of the time.
      await page.evaluate((to) => history.pushState(null, '', to), `/_workbench${path}`)
      await ready(page)
      await also?.(page)
      await look(page, name, found, light)
      if (place % oneInDark === 0) await look(page, name, found, dark)
      for (const size of pictured) await shoot(page, name, size)
    }
    expect(found).toEqual({})
  },
)

type Found = Record<string, readonly string[]>

interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  readonly check: (page: Page) => Promise<string[]>
}

/** On a phone. */
const light: Look = {
  width: 390,
  colorScheme: 'light',
  check: async (page) => [...(await overflowing(page)), ...(await axeViolations(page))],
}

/** On a large screen. What does not depend on the size or the theme was looked at already. */
const dark: Look = {
  width: 1280,
  colorScheme: 'dark',
  check: (page) => axeViolations(page, ['color-contrast', 'scrollable-region-focusable']),
}

/** All views have the same colours, so that a mistake in them shows in several. */
const oneInDark = rounds(4, 1)

async function look(page: Page, name: string, found: Found, { width, colorScheme, check }: Look): Promise<void> {
  await page.setViewportSize({ width, height: width < 500 ? 844 : 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await atRest(page)
  const defects = await check(page)
  if (defects.length > 0) found[`${name}, ${String(width)} px, ${colorScheme}`] = defects
}

describe('of a closed server', () => {
  const closed = useWorkbench({ identities: { users: {} } })

  test('the page to sign in fits a phone, and axe finds nothing in it, in light and in dark', async () => {
    closed.expectConsole(/401/)
    const page = await closed.open('/tables', { token: '' })
    await page.getByRole('dialog', { name: 'Sign in to hashrange' }).waitFor()
    const found: Found = {}
    for (const each of [light, dark]) await look(page, 'sign-in', found, each)
    for (const size of pictured) await shoot(page, 'sign-in', size)
    expect(found).toEqual({})
  })
})

/** Colours that are still on their way from one theme to the other would be measured as they are. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const running = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(running.map(({ finished }) => finished))
  })
}

async function shoot(page: Page, name: string, width: number): Promise<void> {
  await mkdir(screenshots, { recursive: true })
  await page.setViewportSize({ width, height: width < 500 ? 844 : 800 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await atRest(page)
    await page.screenshot({ path: join(screenshots, `walk-${name}-${String(width)}-${colorScheme}.png`) })
  }
}

test('something is shown while the program is still on its way', async () => {
  const page = await bench.open('/tables', { isFirstVisit: true })
  const held: (() => void)[] = []
  let isHeld = true
  await page.route(/\/assets\//, async (route) => {
    if (isHeld) await new Promise<void>((release) => void held.push(release))
    await route.continue()
  })
  // Files that were kept from the first visit would come at once.
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.goto(`${bench.server.origin}/_workbench/tables`, { waitUntil: 'commit' })
  await page.getByText('Loading the workbench…').waitFor()
  // Painted, and not only there.
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
    .toBe(1)
  isHeld = false
  for (const release of held) release()
  await page.getByRole('row', { name: /shop/ }).waitFor()
  await expect.poll(() => page.getByText('Loading the workbench…').count()).toBe(0)
})

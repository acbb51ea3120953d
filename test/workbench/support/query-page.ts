import type { Page } from 'playwright-core'
import type { WorkbenchServer } from './workbench-server.ts'

export const results = (page: Page) => page.getByRole('grid', { name: 'Results' })
export const rowCount = async (page: Page): Promise<number> =>
  Number(await results(page).getAttribute('aria-rowcount')) - 1
export const runButton = (page: Page) =>
  page.getByRole('form', { name: 'Query' }).getByRole('button', { name: /^Run/ })

/** Picks an access pattern by its name. */
export async function pick(page: Page, pattern: string): Promise<void> {
  await page.getByRole('button', { name: 'Access pattern' }).click()
  await page.getByRole('combobox', { name: 'Access pattern' }).fill(pattern)
  await page.getByRole('option', { name: pattern }).first().click()
}

/** Fills in values that items have. */
export async function example(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Example values' }).click()
  await page.locator('.query-summary').waitFor()
}

/** One item of an entity of the shop, to ask for. */
export async function firstOf(
  execute: WorkbenchServer['execute'],
  entity: string,
): Promise<Record<string, { S: string; N: string }>> {
  const { Items } = await execute('Scan', {
    TableName: 'shop',
    FilterExpression: '#e = :e',
    ExpressionAttributeNames: { '#e': 'EntityType' },
    ExpressionAttributeValues: { ':e': { S: entity } },
  })
  const [first] = Items as Record<string, { S: string; N: string }>[]
  if (first === undefined) throw new Error(`The shop has no ${entity}.`)
  return first
}

/** Twelve players of a season, of two countries and in all shards. */
export async function putStandings(execute: WorkbenchServer['execute']): Promise<void> {
  for (let n = 0; n < 12; n++) {
    const playerId = `player-${String(n).padStart(2, '0')}`
    await execute('PutItem', {
      TableName: 'leaderboard',
      Item: {
        partitionId: { S: `PLAYER#${playerId}` },
        rangeId: { S: 'STANDING#2026-Q2' },
        entity: { S: 'Standing' },
        playerId: { S: playerId },
        handle: { S: `handle ${n}` },
        season: { S: '2026-Q2' },
        country: { S: n % 2 === 0 ? 'IT' : 'FR' },
        rating: { N: String(1000 + n) },
        rankingpk: { S: `SEASON#2026-Q2#${n % 8}` },
        rankingsk: { S: `RATING#${String(1000 + n).padStart(5, '0')}#${playerId}` },
      },
    })
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadExample } from './support/example-data.ts'
import { useWorkbench } from './support/use-workbench.ts'
import { startWorkbench, type WorkbenchServer } from './support/workbench-server.ts'

const bench = useWorkbench()
let dataFolder = ''
let server: WorkbenchServer

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'hashrange-restart-'))
  server = await startWorkbench({ dataFolder })
  await loadExample(server.execute, 'shop')
  await loadExample(server.execute, 'music')
})
afterAll(async () => {
  await server.close()
  await rm(dataFolder, { recursive: true })
})

test('a page goes on by itself when hashrange was stopped and started again', async () => {
  bench.expectConsole(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|request failed|preload CSS|dynamically imported/)
  const items = await bench.open('/items/shop', { origin: server.origin })
  await items.getByText(/^rows 1–\d+ of 56$/).waitFor()
  const other = await bench.open('/items/shop', { origin: server.origin })
  await other.getByText(/^rows 1–\d+ of 56$/).waitFor()
  const heat = await bench.open('/heat/music?range=1h', { origin: server.origin })
  await heat.getByRole('heading', { name: /^\d partitions?, the last hour/ }).waitFor()
  const { port } = server
  await server.close()
  await items.getByRole('button', { name: 'Reload' }).click()
  await items.getByText('Unreachable').first().waitFor()
  await items.getByRole('status').filter({ hasText: 'hashrange is not responding. Trying again' }).waitFor()
  await bench.shoot(items, 'unreachable')
  // A view that is first opened while nobody answers has not even its program.
  await other.getByRole('link', { name: 'Collections' }).click()
  await other.getByText('Unreachable').first().waitFor()

  server = await startWorkbench({ dataFolder, port })
  await items.getByText(/^rows 1–\d+ of 56$/).waitFor()
  await items.getByText('Unreachable').first().waitFor({ state: 'detached' })
  await items.getByText('hashrange is not responding').waitFor({ state: 'detached' })
  await other.getByRole('row').nth(1).waitFor()
  await expect.poll(() => other.getByText('Unreachable').count()).toBe(0)
  await heat.getByRole('heading', { name: /^Partitions, the last hour/ }).waitFor()
  await heat.getByText(/Not used since hashrange was started/).waitFor()
  await expect.poll(() => heat.getByText('0 partitions').count()).toBe(0)
  await bench.shoot(heat, 'heat-restarted')
  await server.execute('Scan', { TableName: 'music' })
  await heat.getByRole('heading', { name: /^\d partitions?, the last hour/ }).waitFor()
  for (const page of [items, other, heat]) await page.close()
})

import { expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench({ examples: ['shop', 'music', 'leaderboard'] })

test('the first load is under 220 KB compressed, in a few files, and everything of it is ours', async () => {
  const page = await bench.open('/tables', { isFirstVisit: true })
  await page.getByRole('row', { name: /shop/ }).waitFor()
  const files = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .concat(performance.getEntriesByType('navigation'))
      .filter((entry): entry is PerformanceResourceTiming => 'encodedBodySize' in entry)
      .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
  )
  expect(files.filter(({ name }) => !name.startsWith(bench.server.origin))).toEqual([])
  const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  console.log(`first load: ${Math.round(bytes / 1024)} KB in ${files.length} files`)
  expect(bytes).toBeLessThan(220 * 1024)
  expect(files.length).toBeLessThan(20)
  const scripts = files.filter(({ name }) => name.includes('/assets/') && name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(0)
  for (const { encodedBodySize, decodedBodySize } of scripts.filter(({ decodedBodySize: size }) => size > 2000)) {
    expect(encodedBodySize).toBeLessThan(decodedBodySize * 0.6)
  }
})

test('a second visit fetches no file again', async () => {
  const page = await bench.open('/tables')
  await page.getByRole('row', { name: /shop/ }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: /shop/ }).waitFor()
  const fetched = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry): entry is PerformanceResourceTiming => 'transferSize' in entry)
      .filter(({ name, transferSize }) => name.includes('/assets/') && transferSize > 0)
      .map(({ name }) => name),
  )
  expect(fetched).toEqual([])
})

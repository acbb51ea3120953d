import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Engine } from '../../engine.ts'
import { verifyStore } from '../../verify/verify-store.ts'
import { openLmdbFolder } from '../lmdb-folder.ts'
import { openLmdbStore } from '../lmdb-store.ts'
import { unpackFolder } from './testing/earlier-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-format-2-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scope = { accountId: '000000000000', region: 'us-east-1' }

async function problemsIn(path: string): Promise<readonly string[]> {
  const store = openLmdbFolder(path)
  const problems: string[] = []
  await verifyStore({ store, onFinding: ({ problem }) => problems.push(problem) })
  await store.close()
  return problems
}

test('a folder of format 2 is used as it is, and refused by older versions from then on', async () => {
  const path = join(folder, 'killed')
  unpackFolder(2, path)
  expect(await problemsIn(path)).toEqual([])
  for (let round = 0; round < 2; round++) {
    const engine = await Engine.open({ store: await openLmdbStore({ path }) })
    const call = (operation: string, body: object): unknown =>
      engine.execute(scope, 'DynamoDB_20120810', operation, { TableName: 'orders', ...body })
    const answer = await call('Query', {
      IndexName: 'byState',
      KeyConditionExpression: '#state = :open',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':open': { S: 'open' } },
    })
    expect(answer).toMatchObject({ Count: 13 })
    await call('PutItem', { Item: { id: { S: `written in round ${round}` }, state: { S: 'done' } } })
    await engine.close()
    expect(readFileSync(join(path, 'checkpoint')).includes('HRCHECK3')).toBe(true)
    expect(await problemsIn(path)).toEqual([])
  }
})

import type { MissingTable } from '@hashrange/engine'
import type { Sharing } from '@hashrange/server'
import { expect, test } from 'vitest'
import { logMissingTables } from './missing-tables.ts'

const scope = { accountId: '111111111111', region: 'us-east-1' }
const shared = { accountId: '123456789012', region: 'us-east-1' }

function toldOf(missing: Pick<MissingTable, 'scope' | 'elsewhere'>, sharing?: Sharing): string[] {
  const lines: string[] = []
  const tell = logMissingTables({ error: (message) => lines.push(message) }, sharing)
  tell({ ...missing, tableName: 'Orders' })
  tell({ ...missing, tableName: 'Orders' })
  return lines
}

test('the operator is told once that another access key has a missing table', () => {
  const lines = toldOf({ scope, elsewhere: [{ accountId: '222222222222', region: 'eu-west-1' }] })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(
    'created with another access key, in eu-west-1 (you can use 222222222222 as that access key).',
  )
})

test('a table in another region of the same key is told as such', () => {
  const elsewhere = [
    { accountId: '222222222222', region: 'us-east-1' },
    { accountId: scope.accountId, region: 'eu-west-1' },
  ]
  expect(toldOf({ scope, elsewhere })[0]).toContain(
    'A table of that name was created in eu-west-1: each region has its own tables.',
  )
})

test('a table that every key shares is served with --shared', () => {
  expect(toldOf({ scope, elsewhere: [shared] })[0]).toContain(
    'Start with --shared, or use the access key 123456789012.',
  )
})

test('a table that was made without --shared is served without it', () => {
  expect(toldOf({ scope: shared, elsewhere: [scope] })[0]).toContain(
    'created without --shared, in us-east-1 (you can use 111111111111 as that access key). To use that',
  )
})

test('with --shared, a table of another region is served with --shared-keys', () => {
  const elsewhere = [{ ...shared, region: 'eu-west-1' }]
  expect(toldOf({ scope: shared, elsewhere }, true)[0]).toContain('Start with --shared-keys to use it.')
})

test('a client that lists no tables, though there are some elsewhere, is told of once', () => {
  const lines: string[] = []
  const tell = logMissingTables({ error: (message) => lines.push(message) })
  const elsewhere = Array.from({ length: 500 }, () => ({ accountId: scope.accountId, region: 'eu-west-1' }))
  tell({ scope, elsewhere })
  tell({ scope, elsewhere })
  expect(lines).toEqual([
    'hashrange: a client listed the tables in us-east-1, and there are none. There are tables that were created in eu-west-1: each region has its own tables. Set the region in the client.',
  ])
})

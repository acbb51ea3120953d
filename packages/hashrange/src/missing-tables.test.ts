import { expect, test } from 'vitest'
import { tellOfMissingTables } from './missing-tables.ts'

test('the operator is told once where a missing table is', () => {
  const lines: string[] = []
  const tell = tellOfMissingTables({ error: (message) => lines.push(message) })
  const missing = {
    scope: { accountId: '111111111111', region: 'us-east-1' },
    tableName: 'Orders',
    elsewhere: [{ accountId: '222222222222', region: 'eu-west-1' }],
  }
  tell(missing)
  tell(missing)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('account 222222222222 in eu-west-1 has')
  expect(lines[0]).toContain('--shared')
})

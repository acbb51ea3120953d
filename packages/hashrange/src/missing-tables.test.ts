import { expect, test } from 'vitest'
import { tellOfMissingTables } from './missing-tables.ts'

const scope = { accountId: '111111111111', region: 'us-east-1' }

function toldOf(...elsewhere: { accountId: string; region: string }[]): string[] {
  const lines: string[] = []
  const tell = tellOfMissingTables({ error: (message) => lines.push(message) })
  tell({ scope, tableName: 'Orders', elsewhere })
  tell({ scope, tableName: 'Orders', elsewhere })
  return lines
}

test('the operator is told once that another access key has a missing table', () => {
  const lines = toldOf({ accountId: '222222222222', region: 'eu-west-1' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('in eu-west-1 (account 222222222222)')
  expect(lines[0]).toContain('--shared')
})

test('the operator is told that a missing table is in another region of the same key, which sharing would not change', () => {
  const [line] = toldOf(
    { accountId: '222222222222', region: 'us-east-1' },
    { accountId: scope.accountId, region: 'eu-west-1' },
  )
  expect(line).toContain('has that table in eu-west-1:')
  expect(line).not.toContain('--shared')
})

import { expect } from 'vitest'
import { indexesOf, sorted, type OwnedEngine, type Plain } from './owned-engine.ts'

export const item = (at: number, note = 'first'): Plain => ({
  pk: { S: `p${at % 50}` },
  sk: { N: String(at) },
  note: { S: note },
  ...(at % 3 !== 0 && { rank: { N: String(at) } }),
  ...(at % 2 === 0 && { team: { S: `t${at % 4}` } }),
})

export const fill = async (owned: OwnedEngine, count: number, note?: string): Promise<void> => {
  await Promise.all(
    Array.from({ length: count }, (_, at) => owned.run('PutItem', { TableName: 'music', Item: item(at, note) })),
  )
}

export const backUp = async (owned: OwnedEngine, BackupName = 'first'): Promise<string> =>
  (await owned.ask('CreateBackup', { TableName: 'music', BackupName }))['BackupArn'] as string

export const restore = (owned: OwnedEngine, BackupArn: string, more: object = {}): Promise<Plain> =>
  owned.ask('RestoreTableFromBackup', { TargetTableName: 'again', BackupArn, ...more })

/** The restored table holds these items, in its indexes and counts too. */
export async function expectExactly(owned: OwnedEngine, TableName: string, items: readonly Plain[]): Promise<void> {
  expect(sorted(await owned.scanAll(TableName))).toEqual(sorted(items))
  const described = await owned.ask('DescribeTable', { TableName })
  expect(described).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: items.length })
  const indexes = [
    ...((described['LocalSecondaryIndexes'] ?? []) as Plain[]),
    ...((described['GlobalSecondaryIndexes'] ?? []) as Plain[]),
  ]
  for (const { IndexName, ItemCount } of indexes) {
    const entries = indexesOf(items)[IndexName as string] ?? []
    expect(sorted(await owned.scanAll(TableName, IndexName as string))).toEqual(entries)
    expect(ItemCount).toBe(entries.length)
  }
}

import type { TestRegions } from './regions.ts'

export const virginia = 'us-east-1'
export const ohio = 'us-east-2'
export const oregon = 'us-west-2'

type Plain = Readonly<Record<string, unknown>>

export const create = (RegionName: string): object => ({ Create: { RegionName } })
export const remove = (RegionName: string): object => ({ Delete: { RegionName } })
export const item = (pk: string, more: object = {}): object => ({ pk: { S: pk }, ...more })

/** Makes the table `music` in Virginia a strongly consistent global table: with Ohio and Oregon, unless the updates say
 *  otherwise. */
export async function makeStrong(regions: TestRegions, ...updates: readonly object[]): Promise<Plain> {
  await regions.createGlobalTable('music', [virginia])
  const { TableDescription } = await regions.run(virginia, 'UpdateTable', {
    TableName: 'music',
    MultiRegionConsistency: 'STRONG',
    ...(updates.length === 0 ? { ReplicaUpdates: [create(ohio), create(oregon)] } : Object.assign({}, ...updates)),
  })
  await regions.owned.engine.background.idle()
  return TableDescription as Plain
}

export function refusalOfConversion(regions: TestRegions, input: object): Promise<string> {
  return regions.refusal(virginia, 'UpdateTable', { TableName: 'music', ...input })
}

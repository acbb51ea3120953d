import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import type { ReplicationDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { isCutOff, type RegionConditions } from './region-conditions.ts'
import { noTransactions, regionUnreachable } from './strong-errors.ts'

/** The part of a definition that makes a table strongly consistent across regions. */
export function strongly({ replication }: TableDefinition): ReplicationDefinition | undefined {
  return replication?.consistency === 'STRONG' ? replication : undefined
}

/** The other replicas that a write must reach. */
export function strongReplicas(catalog: Catalog, { definition }: Table): readonly Table[] {
  const { accountId, tableName, region: own } = definition
  const { replicas = [], globalTableId } = strongly(definition) ?? {}
  return replicas.flatMap(({ region, status }) => {
    if (region === own || status === 'DELETING') return []
    const table = catalog.find({ accountId, region }, tableName)
    return table !== undefined && strongly(table.definition)?.globalTableId === globalTableId ? table : []
  })
}

/** All of its regions, that of the witness included. */
export function strongRegions({ replicas, witness }: ReplicationDefinition): readonly string[] {
  return [...replicas.map(({ region }) => region), ...(witness === undefined ? [] : [witness])]
}

/** A region serves as long as it is one of a majority that reach each other. */
export function reachesMajority(
  replication: ReplicationDefinition,
  region: string,
  conditions: RegionConditions,
): boolean {
  if (isCutOff(conditions[region])) return false
  const regions = strongRegions(replication)
  return regions.filter((one) => !isCutOff(conditions[one])).length > regions.length / 2
}

/** A replica that is leaving takes nothing any more, although its table is still there. */
export function assertServes(definition: TableDefinition, conditions: RegionConditions, isBehind: boolean): void {
  const { region } = definition
  const replication = strongly(definition)
  if (replication === undefined) return
  const isLeaving = replication.replicas.some((one) => one.region === region && one.status === 'DELETING')
  if (isBehind || isLeaving || !reachesMajority(replication, region, conditions)) throw regionUnreachable(region)
}

export function assertTransactable({ definition }: Table): void {
  if (strongly(definition) !== undefined) throw noTransactions()
}

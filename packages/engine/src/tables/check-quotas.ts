import { limits } from '@hashrange/core'
import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import type {
  OnDemandLimits,
  TableDefinition,
  Throughput,
  WarmThroughput,
} from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import { limitExceeded } from './invalid-parameter.ts'

/** The part of a definition, or of a draft without identifiers, that quotas apply to. */
export interface Provided {
  readonly billing: Pick<TableDefinition['billing'], 'mode'> & Given
  readonly globalIndexes: readonly (Given & { readonly indexName: string })[]
}

interface Given {
  readonly throughput?: Throughput
  readonly onDemandLimits?: OnDemandLimits
  readonly warmThroughput?: WarmThroughput
}

const sides = [
  { Side: 'Read', units: 'readUnits', most: 'maxReadUnits', warm: 'readUnitsPerSecond' },
  { Side: 'Write', units: 'writeUnits', most: 'maxWriteUnits', warm: 'writeUnitsPerSecond' },
] as const

/** Rejects what no table or index of this account may have. The service checks quotas when nothing else is wrong. */
export function checkQuotas({ billing, globalIndexes }: Provided, region: string): void {
  checkQuotasOf(billing, region, undefined)
  for (const index of globalIndexes) checkQuotasOf(index, region, index.indexName)
}

function checkQuotasOf(given: Given, region: string, indexName: string | undefined): void {
  const { throughput, onDemandLimits, warmThroughput } = given
  for (const { Side, units } of sides) {
    const value = throughput?.[units] ?? 0
    if (value > limits.throughputPerTable) throw aboveMaximum(`${Side}CapacityUnits`, value, region, indexName)
  }
  for (const { Side, most } of sides) {
    if ((onDemandLimits?.[most] ?? 0) <= limits.throughputPerTable) continue
    const subject = indexName === undefined ? 'table' : `index : ${indexName}`
    throw aboveTableMaximum(`Max${Side}RequestUnits for OnDemandThroughput for ${subject}`, Side, region)
  }
  for (const { Side, warm } of sides) {
    if ((warmThroughput?.[warm] ?? 0) <= limits.throughputPerTable) continue
    const subject = indexName === undefined ? 'table' : `index ${indexName}`
    throw aboveTableMaximum(`${Side}UnitsPerSecond for WarmThroughput for ${subject}`, Side, region)
  }
}

function aboveMaximum(unit: string, value: number, region: string, indexName: string | undefined): Error {
  const kind = indexName === undefined ? 'table' : 'index'
  return limitExceeded(
    `The requested ${unit}${indexName === undefined ? '' : ` for index ${indexName}`}, ${value}, is above the per ${kind} maximum for the account in ${region}. Per ${kind} maximum: ${limits.throughputPerTable}. ${referToGuide}`,
  )
}

function aboveTableMaximum(requested: string, side: 'Read' | 'Write', region: string): Error {
  return limitExceeded(
    `Subscriber limit exceeded: Requested ${requested} exceeds TableMax${side}CapacityUnits of the account in region ${region}`,
  )
}

/** Units that are provisioned, for tables and their global indexes together. */
export interface ProvisionedUnits {
  readonly readUnits: number
  readonly writeUnits: number
}

const noUnits: ProvisionedUnits = { readUnits: 0, writeUnits: 0 }

/** What the tables of one account and region have provisioned, without one of them. */
export function unitsOfOthers(
  catalog: Pick<Catalog, 'all'>,
  { accountId, region }: Scope,
  except?: Table,
): ProvisionedUnits {
  const others = [...catalog.all()].filter(
    (table) => table !== except && table.definition.accountId === accountId && table.definition.region === region,
  )
  return provisionedUnits(others.map(({ definition }) => definition))
}

function provisionedUnits(definitions: Iterable<Provided>): ProvisionedUnits {
  let { readUnits, writeUnits } = noUnits
  for (const { billing, globalIndexes } of definitions) {
    if (billing.mode !== 'PROVISIONED') continue
    for (const { throughput } of [billing, ...globalIndexes]) {
      readUnits += throughput?.readUnits ?? 0
      writeUnits += throughput?.writeUnits ?? 0
    }
  }
  return { readUnits, writeUnits }
}

/** Rejects a new table, or a change, that would exceed what all tables of an account may have together. */
export function checkAccountQuota(
  before: Provided | undefined,
  after: Provided,
  others: ProvisionedUnits,
  region: string,
): void {
  const had = before === undefined ? noUnits : provisionedUnits([before])
  const wants = provisionedUnits([after])
  for (const { Side, units } of sides) {
    const added = wants[units] - had[units]
    const reserved = others[units] + had[units]
    if (added <= 0 || reserved + added <= limits.throughputPerAccount) continue
    throw limitExceeded(
      `This request would have caused the ${Side}CapacityUnits limit to be exceeded for the account in ${region}. Current ${Side}CapacityUnits reserved by the account: ${reserved}. Limit: ${limits.throughputPerAccount}. Requested: ${added}. ${referToGuide}`,
    )
  }
}

const referToGuide =
  'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.'

import { isOnDemand } from '../../../api/table-facts.ts'
import type { TableDescription, Throughput } from '../../../api-types.ts'
import type { TableDraft } from '../create/table-draft.ts'

/** As typed. */
export interface Units {
  readonly read: string
  readonly write: string
}

/** The units of the table, under the empty name, and of each global index; 5 of each where none are provisioned. */
export function unitsOf(table: TableDescription): Readonly<Record<string, Units>> {
  const entries = [
    ['', unitsIn(table.ProvisionedThroughput)] as const,
    ...(table.GlobalSecondaryIndexes ?? []).map(
      (index) => [index.IndexName, unitsIn(index.ProvisionedThroughput)] as const,
    ),
  ]
  return Object.fromEntries(entries)
}

/** The most that an on-demand table may use per second, as typed; undefined if there is no limit. */
export function limitsOf({ OnDemandThroughput: limits }: TableDescription): Units {
  const text = (units: number | undefined): string => (units === undefined || units < 0 ? '' : String(units))
  return { read: text(limits?.MaxReadRequestUnits), write: text(limits?.MaxWriteRequestUnits) }
}

export function limitsProblem({ read, write }: Units): string | undefined {
  const isLimit = (text: string): boolean => text === '' || /^[1-9]\d{0,6}$/.test(text)
  return isLimit(read) && isLimit(write) ? undefined : 'Enter a whole number of at least 1, or leave it empty.'
}

export function unitsProblem(
  billing: TableDraft['billing'],
  units: Readonly<Record<string, Units>>,
): string | undefined {
  if (billing === 'PAY_PER_REQUEST') return undefined
  const isWhole = (text: string): boolean => /^[1-9]\d{0,6}$/.test(text)
  return Object.values(units).every(({ read, write }) => isWhole(read) && isWhole(write))
    ? undefined
    : 'Enter whole numbers of at least 1.'
}

/** The UpdateTable that makes this change; undefined if nothing changes. The service rejects a change to the same. */
export function throughputInput(
  table: TableDescription,
  billing: TableDraft['billing'],
  units: Readonly<Record<string, Units>>,
  limits: Units,
): Record<string, unknown> | undefined {
  const TableName = table.TableName
  const wasOnDemand = isOnDemand(table)
  if (billing === 'PAY_PER_REQUEST') {
    const known = limitsOf(table)
    const changesLimits = known.read !== limits.read || known.write !== limits.write
    if (wasOnDemand && !changesLimits) return undefined
    return {
      TableName,
      ...(!wasOnDemand && { BillingMode: billing }),
      ...(changesLimits && { OnDemandThroughput: onDemandThroughput(limits) }),
    }
  }
  const updates = (table.GlobalSecondaryIndexes ?? [])
    .filter(
      ({ IndexName, ProvisionedThroughput }) => wasOnDemand || differs(units[IndexName], ProvisionedThroughput),
    )
    .map(({ IndexName }) => ({ Update: { IndexName, ProvisionedThroughput: throughput(units[IndexName]) } }))
  const changesTable = wasOnDemand || differs(units[''], table.ProvisionedThroughput)
  if (!changesTable && updates.length === 0) return undefined
  return {
    TableName,
    ...(wasOnDemand && { BillingMode: billing }),
    ...(changesTable && { ProvisionedThroughput: throughput(units['']) }),
    ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
  }
}

/** The service says "no limit" with -1. */
function onDemandThroughput({ read, write }: Units) {
  return {
    MaxReadRequestUnits: read === '' ? -1 : Number(read),
    MaxWriteRequestUnits: write === '' ? -1 : Number(write),
  }
}

function unitsIn(throughput: Throughput | undefined): Units {
  const { ReadCapacityUnits: read = 0, WriteCapacityUnits: write = 0 } = throughput ?? {}
  return { read: String(read || 5), write: String(write || 5) }
}

function differs(units: Units | undefined, throughput: Throughput | undefined): boolean {
  return (
    units !== undefined &&
    (Number(units.read) !== throughput?.ReadCapacityUnits || Number(units.write) !== throughput.WriteCapacityUnits)
  )
}

function throughput(units: Units | undefined) {
  return { ReadCapacityUnits: Number(units?.read ?? 5), WriteCapacityUnits: Number(units?.write ?? 5) }
}

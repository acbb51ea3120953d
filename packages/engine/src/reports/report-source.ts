import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import type { Clock } from '../clock.ts'
import type { Metrics } from '../metering/metrics.ts'
import type { Scope } from '../scope.ts'
import type { Store } from '../store/store.ts'

/** The parts of an engine that reports use. */
export interface ReportSource {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly metrics: Metrics
  readonly store: Store
}

/** A report covers no more tables than this: the first by name. */
export const reportedTables = 500

/** The tables of one account and region, or of all, by name, without those that are being deleted. */
export function tablesToReport({ catalog }: ReportSource, scope: Scope | undefined): readonly Table[] {
  const tables: Table[] = []
  for (const table of catalog.all()) {
    const { accountId, region, status } = table.definition
    if (status === 'DELETING') continue
    if (scope !== undefined && (scope.accountId !== accountId || scope.region !== region)) continue
    tables.push(table)
  }
  return tables.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
}

export function scopeOfTable({ definition: { accountId, region } }: Table): Scope {
  return { accountId, region }
}

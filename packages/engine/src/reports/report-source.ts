import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import type { Clock } from '../clock.ts'
import type { Metrics } from '../metering/metrics.ts'
import type { Scope } from '../scope.ts'
import type { Store } from '../store/store.ts'

/** The part of an engine that reports are made of. */
export interface ReportSource {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly metrics: Metrics
  readonly store: Store
}

/** More tables than this are not looked into for a report: those of the first names are. */
export const reportedTables = 500

/** The tables of one account and region, or of all, by name; those that are being removed are left out. */
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

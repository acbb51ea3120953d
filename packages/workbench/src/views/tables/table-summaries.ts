import { useQuery } from '@tanstack/react-query'
import { ask, isDenied, scopeQuery } from '../../api/api.ts'
import { isChanging, scopeKey } from '../../api/queries.ts'
import type { TableDescription, TimeToLive } from '../../api-types.ts'
import { useScope } from '../../state/scope.tsx'

export interface Recovery {
  readonly PointInTimeRecoveryDescription?: {
    readonly PointInTimeRecoveryStatus: 'ENABLED' | 'DISABLED'
    readonly EarliestRestorableDateTime?: number
    readonly LatestRestorableDateTime?: number
    readonly RecoveryPeriodInDays?: number
  }
}

export interface TableSummary {
  readonly table: TableDescription
  readonly timeToLive: TimeToLive
  readonly recovery: Recovery
}

/** A table that whoever asks may not have described. */
export interface DeniedTable {
  readonly tableName: string
  readonly message: string
}

interface Summaries {
  readonly tables: readonly TableSummary[]
  readonly denied: readonly DeniedTable[]
}

/** All tables of the scope, with what a list shows of them. */
export function useTableSummaries() {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'table-summaries'],
    queryFn: ({ signal }) => ask<Summaries>(`tables?${scopeQuery(scope)}`, {}, signal),
    refetchInterval: ({ state }) =>
      isDenied(state.error)
        ? false
        : state.data?.tables.some(({ table }) => isChanging(table)) === true
          ? 1000
          : scope.connection === undefined && 10_000,
  })
}

export function hasRecovery({ recovery }: TableSummary): boolean {
  return recovery.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED'
}

import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/api.ts'
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

/** All tables of the scope, with what a list shows of them. */
export function useTableSummaries() {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'table-summaries'],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ account: scope.accountId, region: scope.region })
      const { tables } = await ask<{ tables: TableSummary[] }>(`tables?${query.toString()}`, {}, signal)
      return tables
    },
    refetchInterval: ({ state }) => (state.data?.some(({ table }) => isChanging(table)) === true ? 1000 : 10_000),
  })
}

export function hasRecovery({ recovery }: TableSummary): boolean {
  return recovery.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED'
}

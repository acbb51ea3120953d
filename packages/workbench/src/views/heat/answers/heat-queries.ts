import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ask, isDenied, scopeQuery } from '../../../api/api.ts'
import { scopeKey } from '../../../api/queries.ts'
import type { Scope } from '../../../api-types.ts'
import { useScope } from '../../../state/scope.tsx'
import { heatMemoryOf, type HeatMemory } from './heat-memory.ts'
import type { HeatOverview, RangeName, TableHeat } from '../../../answers/heat.ts'

/** How often the page looks again. What spans days changes slowly and costs more to read. */
const lookAgainMs: Readonly<Record<RangeName, number>> = {
  '5m': 2_000,
  '1h': 5_000,
  '24h': 60_000,
  '7d': 60_000,
  '30d': 60_000,
}

export function useHeatOverview(isPaused: boolean) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'heat'],
    queryFn: ({ signal }) => ask<HeatOverview>(`heat?${scopeQuery(scope)}`, {}, signal),
    refetchInterval: ({ state }) => (isPaused || isDenied(state.error) ? false : 2_000),
    refetchOnWindowFocus: !isPaused,
  })
}

export function useTableHeat(table: string, range: RangeName, isPaused: boolean) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'heat', table, range],
    queryFn: async ({ signal }) => {
      const heat = await ask<TableHeat>(`heat/table?${scopeQuery(scope)}`, { table, range }, signal)
      for (const { report } of heat.places)
        memoryOf(scope, table, report.indexName).look(heat.atMs, report.partitions)
      return heat
    },
    refetchInterval: ({ state }) => (isPaused || isDenied(state.error) ? false : lookAgainMs[range]),
    refetchOnWindowFocus: !isPaused,
    placeholderData: keepPreviousData,
  })
}

export function useHeatMemory(table: string, indexName: string | undefined): HeatMemory {
  return memoryOf(useScope(), table, indexName)
}

function memoryOf(scope: Scope, table: string, indexName: string | undefined): HeatMemory {
  return heatMemoryOf(JSON.stringify([scopeKey(scope), table, indexName ?? '']))
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, isDenied, scopeQuery } from '../../api/api.ts'
import { scopeKey } from '../../api/queries.ts'
import type { EventsOverview, FunctionLog } from '../../answers/events.ts'
import { useScope } from '../../state/scope.tsx'

const lookAgainMs = 2_000
const mostLines = 1_000

/** The consumers of a table, or of all tables, as they are now and now again. */
export function useEvents(table?: string) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'events', table ?? ''],
    queryFn: ({ signal }) => ask<EventsOverview>(`events?${scopeQuery(scope)}`, { table }, signal),
    refetchInterval: ({ state }) => (isDenied(state.error) ? false : lookAgainMs),
  })
}

/** What a function prints. Only what is new is asked for. */
export function useFunctionLog(functionName: string) {
  const scope = useScope()
  const client = useQueryClient()
  const queryKey = [scopeKey(scope), 'function-log', functionName]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<FunctionLog> => {
      const known = client.getQueryData<FunctionLog>(queryKey)?.lines ?? []
      const after = known.at(-1)?.number ?? 0
      const { lines } = await ask<FunctionLog>(`events/log?${scopeQuery(scope)}`, { functionName, after }, signal)
      return { lines: [...known, ...lines].slice(-mostLines) }
    },
    refetchInterval: ({ state }) => (isDenied(state.error) ? false : 1_500),
  })
}

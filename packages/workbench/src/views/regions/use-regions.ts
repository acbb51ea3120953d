import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConflictsAnswer, RegionsAnswer } from '../../answers/regions.ts'
import { ask, isDenied, scopeQuery } from '../../api/api.ts'
import { useScope } from '../../state/scope.tsx'

const lookAgainMs = 1_500
const conflictsMs = 4_000

/** The regions of the account, as they are now and now again. */
export function useRegions() {
  const scope = useScope()
  return useQuery({
    queryKey: ['regions', scope.accountId],
    queryFn: ({ signal }) => ask<RegionsAnswer>(`regions?${scopeQuery(scope)}`, {}, signal),
    refetchInterval: ({ state }) => (isDenied(state.error) ? false : lookAgainMs),
  })
}

export function useConflicts() {
  const scope = useScope()
  return useQuery({
    queryKey: ['regions', scope.accountId, 'conflicts'],
    queryFn: ({ signal }) => ask<ConflictsAnswer>(`regions/conflicts?${scopeQuery(scope)}`, {}, signal),
    refetchInterval: ({ state }) => (isDenied(state.error) ? false : conflictsMs),
  })
}

export type RegionAction = 'isolate' | 'heal' | 'lag' | 'down'

/** Does something to a region, and shows at once what has become of it. */
export function useRegionAction() {
  const scope = useScope()
  const client = useQueryClient()
  const [busyRegion, setBusyRegion] = useState<string>()
  const [error, setError] = useState<unknown>()
  const act = async (action: RegionAction, region: string, ms = 0): Promise<void> => {
    setBusyRegion(region)
    setError(undefined)
    try {
      const answer = await ask<RegionsAnswer>(`regions/act?${scopeQuery(scope)}`, { action, region, ms })
      client.setQueryData(['regions', scope.accountId], answer)
    } catch (problem) {
      setError(problem)
    } finally {
      setBusyRegion(undefined)
    }
  }
  return { act, busyRegion, error }
}

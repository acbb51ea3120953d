import { useQuery } from '@tanstack/react-query'
import { ask } from '../../../api/api.ts'
import { useInfo } from '../../../api/queries.ts'
import type { ModelledEntities } from '../../../answers/models.ts'

type EntitiesAnswer = Readonly<Record<string, ModelledEntities>>

/** What the loaded models say about a table; undefined if none does. */
export function useModelledEntities(table: string | undefined): ModelledEntities | undefined {
  const info = useInfo()
  const { data } = useQuery({
    queryKey: ['entities'],
    enabled: info?.hasModels === true,
    staleTime: 10_000,
    queryFn: ({ signal }) => ask<EntitiesAnswer>('entities', {}, signal),
  })
  return table !== undefined && data !== undefined && Object.hasOwn(data, table) ? data[table] : undefined
}

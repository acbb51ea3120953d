import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { BusiestKey, Finding, PatternMeasurement } from '@hashrange/model/check'
import type { ModelCost } from '@hashrange/model/cost'
import { ask } from '../../api/api.ts'
import type { LoadedModel } from '../../api/models.ts'

/** The checker's report for programs, as far as it is shown. */
export interface CheckAnswer {
  readonly items: number
  readonly patterns: readonly PatternMeasurement[]
  readonly findings: readonly Finding[]
  readonly busiestKeys?: readonly BusiestKey[]
}

/** Asked again when the file's content changes; what was known of the content before is shown meanwhile. */
export function useCheck(model: LoadedModel): UseQueryResult<CheckAnswer> {
  return useAboutModel('check', model)
}

export function useCost(model: LoadedModel): UseQueryResult<ModelCost> {
  return useAboutModel('cost', model)
}

function useAboutModel<Answer>(action: string, { file, digest, description }: LoadedModel): UseQueryResult<Answer> {
  return useQuery({
    queryKey: ['models', action, file, description.name, digest],
    queryFn: ({ signal }) => ask<Answer>(`models/${action}`, { file, model: description.name }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** The findings at one place. */
export function findingsAt(
  check: CheckAnswer | undefined,
  kind: Finding['where']['kind'],
  name: string,
): readonly Finding[] {
  return check?.findings.filter(({ where }) => where.kind === kind && where.name === name) ?? []
}

import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ask } from '../../api/api.ts'
import type { LoadedModel } from '../../api/models.ts'

/** What the checker found, by the place it belongs to. */
export interface Finding {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly where: {
    readonly kind: 'model' | 'table' | 'index' | 'entity' | 'pattern'
    readonly name: string
    readonly location?: { readonly file: string; readonly line: number; readonly column: number }
  }
  readonly reason: string
  readonly remedy: string
}

export interface MeasuredPattern {
  readonly pattern: string
  readonly requests: number
  readonly operations: readonly string[]
  readonly isOneKeyedRequest: boolean
  readonly itemsRead: number
  readonly itemsReturned: number
  readonly bytesRead: number
  readonly bytesReturned: number
  readonly readUnits: number
  readonly writeUnits: number
  readonly failure?: string
}

export interface CheckAnswer {
  readonly items: number
  readonly patterns: readonly MeasuredPattern[]
  readonly findings: readonly Finding[]
}

export interface Charges {
  readonly reads: number
  readonly writes: number
  readonly storage: number
  readonly total: number
}

export interface CostAnswer {
  readonly region: string
  readonly pricesFrom: string
  readonly patterns: readonly {
    readonly pattern: string
    readonly rate?: number
    readonly peakRate?: number
    readonly readUnits: number
    readonly writeUnits: number
    readonly indexWriteUnits: number
    readonly onDemand: number
    readonly provisioned: number
  }[]
  readonly storage: readonly {
    readonly place: string
    readonly kind: string
    readonly bytes: number
    readonly dollars: number
  }[]
  readonly onDemand: Charges
  readonly provisioned: Charges & { readonly readUnits: number; readonly writeUnits: number }
  readonly breakEven: { readonly peakToAverage: number; readonly cheaper: 'on-demand' | 'provisioned' }
  readonly unknown: {
    readonly patternsWithoutRate: readonly string[]
    readonly patternsNotRun: readonly string[]
    readonly entitiesWithoutVolume: readonly string[]
  }
}

/** Asked again when the file's content changes; what was known of the content before is shown meanwhile. */
export function useCheck(model: LoadedModel): UseQueryResult<CheckAnswer> {
  return useAboutModel('check', model)
}

export function useCost(model: LoadedModel): UseQueryResult<CostAnswer> {
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

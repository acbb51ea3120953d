import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ModelCost } from '@hashrange/model/cost'
import { useEffect, useState } from 'react'
import type { DraftAnswer, ModelSource, TypeAnswer } from '../../../answers/models.ts'
import { ask } from '../../../api/api.ts'
import type { LoadedModel } from '../../../api/models.ts'
import type { CheckAnswer } from '../model-queries.ts'
import type { ModelFacts } from './compare-models.ts'

/** How long nothing must be typed before a draft is run. */
const restMs = 500

/** The text of a model's file, as it is on disk. */
export function useModelSource({ file, digest }: LoadedModel) {
  return useQuery({
    queryKey: ['models', 'source', file, digest],
    queryFn: ({ signal }) => ask<ModelSource>('models/source', { file }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** What a text comes to: asked a moment after it was last changed. */
export function useDraftFacts({ file, description }: LoadedModel, text: string, isDraft: boolean) {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  const query = useQuery({
    queryKey: ['models', 'draft', file, description.name, rested],
    enabled: isDraft && rested === text,
    queryFn: ({ signal }) =>
      ask<DraftAnswer>('models/draft', { file, model: description.name, content: rested }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    retry: false,
  })
  return { ...query, isBehind: rested !== text || query.isFetching }
}

/** What the type checker says of a text, once it has rested. */
export function useTypeProblems({ file }: LoadedModel, text: string, isWanted: boolean) {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    queryKey: ['models', 'types', file, rested],
    enabled: isWanted && rested === text,
    queryFn: ({ signal }) => ask<TypeAnswer>('models/types', { file, content: rested }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  })
  return rested === text ? data : undefined
}

export function factsOf({ check, cost }: DraftAnswer): ModelFacts | undefined {
  return check === undefined ? undefined : { check: check as CheckAnswer, cost: cost as ModelCost }
}

export function writeModel(file: string, content: string, digest: string): Promise<ModelSource> {
  return ask('models/write', { file, content, digest })
}

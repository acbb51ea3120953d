import { useQuery } from '@tanstack/react-query'
import type { ModelDescription } from '@hashrange/model'
import type { ModelFile } from '../answers/models.ts'
import { ask } from './api.ts'
import { useInfo } from './queries.ts'

interface ModelsAnswer {
  readonly version: string
  readonly unchanged?: boolean
  readonly files: readonly ModelFile[]
}

/** One model, and where it comes from. */
export interface LoadedModel {
  readonly file: string
  readonly digest: string
  readonly exportName: string
  readonly description: ModelDescription
}

let latest: ModelsAnswer | undefined

/** The model files, as they are: requested every second, and reported only when one has changed. */
export function useModelFiles() {
  // Those who may not see them need not ask every second.
  const isDenied = useInfo()?.modelsDenied !== undefined
  return useQuery({
    queryKey: ['models'],
    enabled: !isDenied,
    queryFn: async ({ signal }) => {
      const answer = await ask<ModelsAnswer>(
        'models',
        latest === undefined ? {} : { known: latest.version },
        signal,
      )
      if (answer.unchanged !== true || latest === undefined) latest = answer
      return latest
    },
    refetchInterval: 1000,
    structuralSharing: false,
  })
}

/** By which addresses name a model. */
export function modelId({ file, description }: Pick<LoadedModel, 'file' | 'description'>): string {
  return `${file}|${description.name}`
}

/** All models of all files. */
export function modelsOf(files: readonly ModelFile[]): LoadedModel[] {
  return files.flatMap(({ file, digest, models }) =>
    models.map(({ exportName, description }) => ({ file, digest, exportName, description })),
  )
}

/** Has a file loaded, of one of the folders that `--model` names. */
export function openModel(file: string): Promise<ModelFile> {
  return ask('models/open', { file })
}

export function closeModel(file: string): Promise<void> {
  return ask('models/close', { file })
}

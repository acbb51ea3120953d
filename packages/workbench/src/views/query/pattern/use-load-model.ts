import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../../api/api.ts'
import type { ModelFile } from '../../../answers/models.ts'
import { openModel } from '../../../api/models.ts'
import { tell, tellError } from '../../../components/messages/toast.tsx'

interface Candidates {
  /** Where the page may load model files from and save them to. */
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

/** The model files that are not loaded yet, where they may be, and a way to load one. */
export function useLoadModel(loadedFiles: readonly ModelFile[], onLoaded?: () => void) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['model-candidates'],
    queryFn: ({ signal }) => ask<Candidates>('models/candidates', {}, signal),
  })
  const loaded = new Set(loadedFiles.map(({ file }) => file))
  const [loading, setLoading] = useState<string>()
  const load = (file: string): void => {
    setLoading(file)
    openModel(file)
      .then(async ({ error }) => {
        await Promise.all(
          [['models'], ['info'], ['entities']].map((queryKey) => client.invalidateQueries({ queryKey })),
        )
        tell(error === null ? `Loaded ${file}` : `${file} has an error`)
        onLoaded?.()
      })
      .catch(tellError)
      .finally(() => setLoading(undefined))
  }
  return {
    folders: data?.folders ?? [],
    candidates: (data?.files ?? []).filter((file) => !loaded.has(file)),
    load,
    /** The one that is being loaded. */
    loading,
  }
}

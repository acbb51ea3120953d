import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '../../api/api.ts'
import { openModel, type ModelFile } from '../../api/models.ts'
import { tell, tellError } from '../../components/toast.tsx'

interface Candidates {
  readonly folder: string
  readonly files: readonly string[]
}

/** The model files below the server's folder that are not loaded yet, and a way to load one. */
export function useLoadModel(loadedFiles: readonly ModelFile[], onLoaded?: () => void) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['model-candidates'],
    queryFn: ({ signal }) => ask<Candidates>('models/candidates', {}, signal),
  })
  const loaded = new Set(loadedFiles.map(({ file }) => file))
  const load = (file: string): void => {
    openModel(file)
      .then(async ({ error }) => {
        await client.invalidateQueries({ queryKey: ['models'] })
        tell(error === null ? `Loaded ${file}` : `${file} has an error`)
        onLoaded?.()
      })
      .catch(tellError)
  }
  return { folder: data?.folder, candidates: (data?.files ?? []).filter((file) => !loaded.has(file)), load }
}

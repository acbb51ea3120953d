import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileCode2 } from 'lucide-react'
import { ask } from '../../api/api.ts'
import { openModel, type ModelFile } from '../../api/models.ts'
import { useInfo } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notices.tsx'
import { tell, tellError } from '../../components/toast.tsx'

/** Where no model describes the table: what one would give, and those that could be loaded. */
export function LoadModel({ table, files }: { readonly table: string; readonly files: readonly ModelFile[] }) {
  const info = useInfo()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['model-candidates'],
    staleTime: 10_000,
    queryFn: ({ signal }) => ask<{ readonly files: readonly string[] }>('models/candidates', {}, signal),
  })
  const loaded = new Set(files.map(({ file }) => file))
  // One that is called like the table is most likely the one.
  const isNamesake = (file: string): number => (fileName(file).startsWith(`${table}.`) ? 0 : 1)
  const candidates = (data?.files ?? [])
    .filter((file) => !loaded.has(file))
    .toSorted((a, b) => isNamesake(a) - isNamesake(b))
    .slice(0, 8)
  const open = (file: string): void => {
    openModel(file)
      .then(async (opened) => {
        await client.invalidateQueries({ queryKey: ['models'] })
        tell(opened.error === null ? `Loaded ${file}` : `${file} has an error`)
      })
      .catch(tellError)
  }
  return (
    <div className="stack">
      <ModelErrors files={files} />
      <p className="query-hint">
        No loaded model describes the table <strong>{table}</strong>. A model names the access patterns: pick one
        here, fill in its parameters, and its keys are made for you.
      </p>
      {info?.readOnly === true || candidates.length === 0 ? (
        <p className="query-hint">
          Start hashrange with one:
          <code className="query-command">hashrange start --model {table}.model.ts</code>
        </p>
      ) : (
        <ul className="query-models" aria-label="Model files">
          {candidates.map((file) => (
            <li key={file}>
              <Button icon={<FileCode2 />} title={file} onClick={() => open(file)}>
                <span className="truncate">{file}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function fileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** What is wrong with a model file that is being edited. */
export function ModelErrors({ files }: { readonly files: readonly ModelFile[] }) {
  return files
    .filter(({ error }) => error !== null)
    .map(({ file, error, models }) => (
      <Notice
        key={file}
        tone="warning"
        title={models.length > 0 ? 'The model has an error; this is how it was before' : 'The model has an error'}
      >
        {error?.message}
      </Notice>
    ))
}

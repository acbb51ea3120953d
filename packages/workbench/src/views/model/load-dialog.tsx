import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { ask } from '../../api/api.ts'
import { openModel, type ModelFile } from '../../api/models.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { tell, tellError } from '../../components/toast.tsx'

/** Loads a model file that lies below the folder in which hashrange runs. */
export function LoadDialog({
  files,
  onClose,
}: {
  readonly files: readonly ModelFile[]
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const { data } = useQuery({
    queryKey: ['model-candidates'],
    queryFn: ({ signal }) =>
      ask<{ readonly folder: string; readonly files: readonly string[] }>('models/candidates', {}, signal),
  })
  const loaded = new Set(files.map(({ file }) => file))
  const candidates = (data?.files ?? []).filter((file) => !loaded.has(file))
  const open = (file: string): void => {
    openModel(file)
      .then(async ({ error }) => {
        await client.invalidateQueries({ queryKey: ['models'] })
        tell(error === null ? `Loaded ${file}` : `${file} has an error`)
        onClose()
      })
      .catch(tellError)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Load a model"
      description="It is followed while you edit it: save the file, and the page shows the new one."
      actions={
        <Button tone="primary" disabled={typed.trim() === ''} onClick={() => open(typed.trim())}>
          Load
        </Button>
      }
    >
      <div className="stack">
        <Field label="File" hint={data === undefined ? undefined : `Below ${data.folder}`}>
          <TextInput
            isMono
            placeholder="src/shop.model.ts"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && typed.trim() !== '') open(typed.trim())
            }}
          />
        </Field>
        {candidates.length > 0 && (
          <ul className="model-candidates" aria-label="Model files">
            {candidates.slice(0, 30).map((file) => (
              <li key={file}>
                <Button tone="quiet" icon={<FileCode2 />} onClick={() => open(file)}>
                  {file}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

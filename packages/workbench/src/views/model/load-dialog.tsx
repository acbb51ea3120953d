import { FileCode2 } from '../../icons/icons.generated.ts'
import { useState } from 'react'
import type { ModelFile } from '../../answers/models.ts'
import { Button } from '../../components/controls/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Field, TextInput } from '../../components/controls/field.tsx'
import { useLoadModel } from '../query/pattern/use-load-model.ts'

/** Loads a model file of a folder that the command line names. */
export function LoadDialog({
  files,
  onClose,
}: {
  readonly files: readonly ModelFile[]
  readonly onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const { folders, candidates, load, loading } = useLoadModel(files, onClose)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Load a model"
      description="When you save the file in your editor, this page updates."
      actions={
        <Button
          tone="primary"
          isBusy={loading !== undefined}
          disabled={typed.trim() === ''}
          onClick={() => load(typed.trim())}
        >
          Load
        </Button>
      }
    >
      <div className="stack">
        <Field label="File" hint={folders.length === 0 ? undefined : `In ${folders.join(', ')}`}>
          <TextInput
            isMono
            placeholder="src/shop.model.ts"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && typed.trim() !== '') load(typed.trim())
            }}
          />
        </Field>
        {candidates.length > 0 && (
          <ul className="model-candidates" aria-label="Model files">
            {candidates.slice(0, 30).map((file) => (
              <li key={file}>
                <Button tone="quiet" icon={<FileCode2 />} isBusy={loading === file} onClick={() => load(file)}>
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

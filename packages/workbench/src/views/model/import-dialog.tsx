import { useQueryClient } from '@tanstack/react-query'
import { Download, Save } from 'lucide-react'
import { useState } from 'react'
import { ask } from '../../api/api.ts'
import type { ModelFile } from '../../answers/models.ts'
import { useInfo } from '../../api/queries.ts'
import { Button } from '../../components/controls/button.tsx'
import { CodeEditor } from '../../components/code/code-editor.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Field, TextInput } from '../../components/controls/field.tsx'
import { ErrorBox, Notice } from '../../components/messages/notices.tsx'
import { saveFile } from '../../components/save-file.ts'
import { tell } from '../../components/messages/toast.tsx'
import { useAttempt } from '../../components/messages/use-attempt.ts'
import { useLoadModel } from '../query/pattern/use-load-model.ts'

interface Imported {
  readonly source: string
  readonly notes: readonly string[]
  readonly name: string
}

/** Makes a model file of one of NoSQL Workbench's, or of AWS's modelling tool. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const maySave = useInfo()?.mayLoadModels === true
  const { folders } = useLoadModel([])
  const [imported, setImported] = useState<Imported>()
  const [chosen, setChosen] = useState<{ readonly name: string; readonly content: string }>()
  const [edited, setEdited] = useState<string>()
  // The folders may become known only after the file was read.
  const file = edited ?? pathIn(folders[0], fileNameOf(imported?.name ?? ''))
  const { attempt, error } = useAttempt()
  const read = (picked: File | undefined): void => {
    if (picked === undefined) return
    void attempt(async () => {
      const asked = { name: picked.name, content: await picked.text() }
      const answer = await ask<Imported>('models/import', asked)
      setChosen(asked)
      setImported(answer)
      setEdited(undefined)
    })
  }
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await ask<ModelFile>('models/save', { file, ...chosen })
      await client.invalidateQueries({ queryKey: ['models'] })
      tell(`Saved and loaded ${file}`)
      onClose()
    })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title="Import a model"
      description="Turn a NoSQL Workbench JSON file, or the dynamodb_data_model.json of AWS’s modelling tool, into a model file."
      actions={
        imported !== undefined && (
          <>
            <Button
              icon={<Download />}
              onClick={() => saveFile(new Blob([imported.source]), file.slice(file.lastIndexOf('/') + 1))}
            >
              Download
            </Button>
            {maySave && (
              <Button tone="primary" icon={<Save />} disabled={folders.length === 0} onClick={() => void save()}>
                Save and load
              </Button>
            )}
          </>
        )
      }
    >
      <div className="stack">
        <Field label="File">
          <input
            type="file"
            className="input"
            accept=".json,application/json"
            onChange={(event) => read(event.target.files?.[0])}
          />
        </Field>
        {error !== undefined && <ErrorBox error={error} />}
        {imported !== undefined && (
          <>
            {imported.notes.length > 0 && (
              <Notice title="What was guessed, or could not be imported">
                <ul className="model-notes">
                  {imported.notes.map((note) => (
                    <li key={note}>{note}</li>
                  ))}
                </ul>
              </Notice>
            )}
            {maySave && (
              <Field label="Save as" hint={`In ${folders.join(', ')}`}>
                <TextInput isMono value={file} onChange={(event) => setEdited(event.target.value)} />
              </Field>
            )}
            <div className="model-source">
              <CodeEditor label="The model file" value={imported.source} isReadOnly />
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

function fileNameOf(model: string): string {
  return `${model.replaceAll(/[^A-Za-z0-9_-]+/g, '-').toLowerCase()}.model.ts`
}

function pathIn(folder: string | undefined, file: string): string {
  return folder === undefined || folder === '.' ? file : `${folder}/${file}`
}

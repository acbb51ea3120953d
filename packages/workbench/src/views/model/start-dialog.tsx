import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Save } from '../../icons/icons.generated.ts'
import { useState } from 'react'
import { ask } from '../../api/api.ts'
import type { ModelFile } from '../../answers/models.ts'
import { useCall, useInfo, useTableNames } from '../../api/queries.ts'
import { Button } from '../../components/controls/button.tsx'
import { CodeEditor } from '../../components/code/code-editor.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Choice, Field, Select, TextInput } from '../../components/controls/field.tsx'
import { ErrorBox, Notice } from '../../components/messages/notices.tsx'
import { saveFile } from '../../components/save-file.ts'
import { tell } from '../../components/messages/toast.tsx'
import { useAttempt } from '../../components/messages/use-attempt.ts'
import { useLoadModel } from '../query/pattern/use-load-model.ts'
import { sampleTable } from './sample-table.ts'

interface Imported {
  readonly source: string
  readonly notes: readonly string[]
  readonly name: string
}

interface Templates {
  readonly templates: readonly { readonly name: string; readonly about: string }[]
}

/** What a model is made of: that of a template, or a document. */
type Origin = { readonly template: string } | { readonly name: string; readonly content: string }

/** Makes a model file: of a template, of a table that exists, or of a file of NoSQL Workbench or of AWS's modelling tool. */
export function StartDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const maySave = useInfo()?.mayLoadModels === true
  const { folders } = useLoadModel([])
  const [imported, setImported] = useState<Imported>()
  const [from, setFrom] = useState<'template' | 'table' | 'file'>('template')
  const [chosen, setChosen] = useState<Origin>()
  const call = useCall()
  const { data: tables } = useTableNames()
  const { data: known } = useQuery({
    queryKey: ['models', 'templates'],
    queryFn: ({ signal }) => ask<Templates>('models/templates', {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [edited, setEdited] = useState<string>()
  // The folders may become known only after the file was read.
  const file = edited ?? pathIn(folders[0], fileNameOf(imported?.name ?? ''))
  const { attempt, isBusy, error } = useAttempt()
  const make = (origin: () => Promise<Origin>): void =>
    void attempt(async () => {
      setImported(undefined)
      const asked = await origin()
      setImported(await ask<Imported>('models/import', asked))
      setChosen(asked)
      setEdited(undefined)
    })
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
      title="New model"
      description="Start from a template, from a table that exists, or from a model of another tool."
      actions={
        imported === undefined ? undefined : (
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
        <Choice
          label="Start from"
          shape="segments"
          value={from}
          options={[
            { value: 'template', label: 'Template' },
            { value: 'table', label: 'Table' },
            { value: 'file', label: 'File' },
          ]}
          onChange={(next) => {
            setFrom(next)
            setImported(undefined)
          }}
        />
        {from === 'template' && (
          <Field label="Template">
            <Select
              value={chosen !== undefined && 'template' in chosen ? chosen.template : ''}
              options={[
                { value: '', label: 'Choose a template' },
                ...(known?.templates ?? []).map(({ name, about }) => ({ value: name, label: `${name}: ${about}` })),
              ]}
              onChange={(template) => make(async () => ({ template }))}
            />
          </Field>
        )}
        {from === 'table' && (
          <Field
            label="Table"
            hint="Reads up to 1,000 items from several parts of the table, and infers entities, keys and patterns from them."
          >
            <Select
              value={imported !== undefined && chosen !== undefined && 'name' in chosen ? chosen.name : ''}
              disabled={isBusy}
              options={[{ value: '', label: 'Choose a table' }, ...(tables ?? [])]}
              onChange={(name) => make(async () => ({ name, content: await sampleTable(call, name) }))}
            />
          </Field>
        )}
        {from === 'file' && (
          <Field
            label="File"
            hint="A NoSQL Workbench JSON file, or the dynamodb_data_model.json of AWS’s modelling tool"
          >
            <input
              type="file"
              className="input"
              accept=".json,application/json"
              onChange={(event) => {
                const picked = event.target.files?.[0]
                if (picked !== undefined) make(async () => ({ name: picked.name, content: await picked.text() }))
              }}
            />
          </Field>
        )}
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

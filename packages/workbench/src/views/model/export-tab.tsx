import { useQuery } from '@tanstack/react-query'
import { Download } from '../../icons/icons.generated.ts'
import { ask } from '../../api/api.ts'
import type { LoadedModel } from '../../api/models.ts'
import { Button } from '../../components/controls/button.tsx'
import { CodeEditor } from '../../components/code/code-editor.tsx'
import { CopyButton } from '../../components/messages/copy-button.tsx'
import { Choice } from '../../components/controls/field.tsx'
import { ErrorBox, Notice, Skeleton } from '../../components/messages/notices.tsx'
import { saveFile } from '../../components/save-file.ts'
import './export-tab.css'

interface ExportFormat {
  readonly name: string
  readonly title: string
}

interface Exported {
  readonly text: string
  readonly notes: readonly string[]
  readonly fileName: string
}

/** The model in every form that it can be had in. */
export function ExportTab({
  model,
  format,
  onFormat,
}: {
  readonly model: LoadedModel
  /** The name of one; the first unless it is known. */
  readonly format: string
  readonly onFormat: (format: string) => void
}) {
  const { file, digest, description } = model
  const { data: formats = [], error: formatsError } = useExportFormats()
  const chosen = formats.find(({ name }) => name === format) ?? formats[0]
  const { data, error: exportError } = useQuery({
    queryKey: ['models', 'export', file, description.name, digest, chosen?.name],
    enabled: chosen !== undefined,
    queryFn: ({ signal }) =>
      ask<Exported>('models/export', { file, model: description.name, format: chosen?.name }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const error = formatsError ?? exportError
  return (
    <div className="model-export">
      <div className="row model-export-bar">
        {chosen !== undefined && (
          <Choice
            label="Format"
            shape="segments"
            value={chosen.name}
            onChange={onFormat}
            options={formats.map(({ name, title }) => ({ value: name, label: title }))}
          />
        )}
        <div className="grow" />
        {data !== undefined && (
          <>
            <CopyButton text={data.text} label="Copy" />
            <Button icon={<Download />} onClick={() => saveFile(new Blob([data.text]), data.fileName)}>
              Download
            </Button>
          </>
        )}
      </div>
      {error !== null && <ErrorBox error={error} />}
      {data !== undefined && data.notes.length > 0 && (
        <Notice title="What this format cannot express">{data.notes.join(' ')}</Notice>
      )}
      {data === undefined && error === null ? (
        <Skeleton lines={8} />
      ) : (
        <CodeEditor
          label={`The model as ${chosen?.title ?? format}`}
          value={data?.text ?? ''}
          isReadOnly
          language={data?.text.trimStart().startsWith('{') === true ? 'json' : 'text'}
        />
      )}
    </div>
  )
}

/** The forms that the server knows. */
function useExportFormats() {
  return useQuery({
    queryKey: ['model-formats'],
    queryFn: async ({ signal }) => {
      const { formats } = await ask<{ readonly formats: readonly ExportFormat[] }>('models/formats', {}, signal)
      return formats
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

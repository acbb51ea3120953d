import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { ask } from '../../api/api.ts'
import type { LoadedModel } from '../../api/models.ts'
import { Button } from '../../components/button.tsx'
import { CodeEditor } from '../../components/code-editor.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Choice } from '../../components/field.tsx'
import { ErrorBox, Notice, Skeleton } from '../../components/notices.tsx'
import { saveFile } from '../../components/save-file.ts'

export const exportFormats = [
  'cloudformation',
  'cdk',
  'terraform',
  'create-table',
  'nosql-workbench',
  'data-model',
  'markdown',
  'sample-data',
] as const

export type ExportFormat = (typeof exportFormats)[number]

const titles: Readonly<Record<ExportFormat, string>> = {
  cloudformation: 'CloudFormation',
  cdk: 'CDK',
  terraform: 'Terraform',
  'create-table': 'CreateTable',
  'nosql-workbench': 'NoSQL Workbench',
  'data-model': 'AWS data model',
  markdown: 'Markdown',
  'sample-data': 'Sample data',
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
  readonly format: ExportFormat
  readonly onFormat: (format: ExportFormat) => void
}) {
  const { file, digest, description } = model
  const { data, error } = useQuery({
    queryKey: ['models', 'export', file, description.name, digest, format],
    queryFn: ({ signal }) => ask<Exported>('models/export', { file, model: description.name, format }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <div className="model-export">
      <div className="row model-export-bar">
        <Choice
          label="Format"
          shape="segments"
          value={format}
          onChange={onFormat}
          options={exportFormats.map((value) => ({ value, label: titles[value] }))}
        />
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
        <Notice title="What the format cannot say">{data.notes.join(' ')}</Notice>
      )}
      {data === undefined && error === null ? (
        <Skeleton lines={8} />
      ) : (
        <CodeEditor
          label={`The model as ${titles[format]}`}
          value={data?.text ?? ''}
          isReadOnly
          language={data?.text.trimStart().startsWith('{') === true ? 'json' : 'text'}
        />
      )}
    </div>
  )
}

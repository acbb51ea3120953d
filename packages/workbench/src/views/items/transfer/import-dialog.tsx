import { FileUp, Upload } from '../../../icons/icons.generated.ts'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { keyNames, schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Checkbox, Choice, Field, Select } from '../../../components/controls/field.tsx'
import { JobProgress, useJob } from '../../../components/messages/job.tsx'
import { formatBytes, formatCount, plural } from '../../../values/format.ts'
import { importItems, type ImportReport } from './import-items.ts'
import { formatOf, type FileFormat } from './read-items.ts'
import './import-dialog.css'

const formats = [
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
  { value: 'dynamodb', label: 'DynamoDB JSON' },
]

/** Reads items from a file into the table. */
export function ImportDialog({
  table,
  file: given,
  onClose,
  onChanged,
}: {
  readonly table: TableDescription
  /** What was chosen before: what was pasted. */
  readonly file?: File | undefined
  readonly onClose: () => void
  readonly onChanged: () => void
}) {
  const call = useCall()
  const job = useJob()
  const picker = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | undefined>()
  const [format, setFormat] = useState<FileFormat>('json')
  const [existing, setExisting] = useState<'replace' | 'keep'>('keep')
  const [areAllText, setAllText] = useState(false)
  const [result, setResult] = useState<ImportReport | undefined>()
  const choose = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return
    job.reset()
    setResult(undefined)
    setFormat(formatOf(chosen.name, await chosen.slice(0, 4096).text()))
    setFile(chosen)
  }
  useEffect(() => void choose(given), [given])
  const run = async (): Promise<void> => {
    if (file === undefined) return
    await job.run(async (signal, report) => {
      await importItems(call, table, file, { format, existing, areAllText }, signal, (state) => {
        setResult(state)
        const percent = file.size === 0 ? 100 : Math.round((state.bytesRead / file.size) * 100)
        report({ done: state.written + state.kept, note: `${String(percent)} % of the file` })
      })
    })
    onChanged()
  }
  const names = keyNames(schemaKeys(table.KeySchema))
  return (
    <Dialog
      isOpen
      onClose={() => !job.isRunning && onClose()}
      title="Import items"
      description={`Into ${table.TableName}. Every item needs ${names.join(' and ')}.`}
      actions={
        <>
          <Button disabled={job.isRunning} onClick={onClose}>
            Close
          </Button>
          <Button
            tone="primary"
            icon={<Upload />}
            disabled={file === undefined || job.state.kind === 'done'}
            isBusy={job.isRunning}
            onClick={() => void run()}
          >
            Import
          </Button>
        </>
      }
    >
      <div className="stack">
        <button
          type="button"
          className="import-drop"
          onClick={() => picker.current?.click()}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            void choose(event.dataTransfer.files[0])
          }}
        >
          <FileUp aria-hidden />
          {file === undefined ? (
            <span>Choose a file, or drop it here</span>
          ) : (
            <span className="truncate">
              <b>{file.name}</b> <span className="muted">{formatBytes(file.size)}</span>
            </span>
          )}
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="File to import"
          accept=".csv,.json,.jsonl,.ndjson,application/json,text/csv"
          onChange={(event) => {
            void choose(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        {file !== undefined && (
          <>
            <Field label="Format" hint={hints[format]}>
              <Select value={format} options={formats} onChange={(value) => setFormat(value as FileFormat)} />
            </Field>
            {format === 'csv' && (
              <Checkbox
                label="Treat all cells as text, except keys"
                checked={areAllText}
                onChange={(event) => setAllText(event.target.checked)}
              />
            )}
            <Choice
              label="If an item with the same key exists"
              value={existing}
              options={[
                { value: 'keep', label: 'Keep it', hint: 'Existing items are not changed.' },
                { value: 'replace', label: 'Replace it', hint: 'Writes whole items in batches, which is faster.' },
              ]}
              onChange={setExisting}
            />
          </>
        )}
        <JobProgress state={job.state} unit="items" verb="Importing" onCancel={job.cancel} />
        {result !== undefined && !job.isRunning && <Outcome result={result} />}
      </div>
    </Dialog>
  )
}

const hints: Readonly<Record<FileFormat, string>> = {
  csv: 'The first line names the attributes. Empty cells are skipped. Numbers, true, false and DynamoDB JSON are recognized.',
  json: 'An array of objects, or one object per line.',
  dynamodb:
    'Items with their types, as DynamoDB exports them: {"Item": {"id": {"S": "1"}}} on each line, or an array.',
}

function Outcome({ result }: { readonly result: ImportReport }) {
  return (
    <div className="stack" role="status" aria-label="Result of the import">
      <p>
        <b>{plural(result.written, 'item')}</b> written
        {result.kept > 0 && <>, {formatCount(result.kept)} already existed and were not changed</>}
        {result.mistakes > 0 && <>, {plural(result.mistakes, 'line')} left out</>}.
      </p>
      {result.firstMistakes.length > 0 && (
        <ul className="import-mistakes" aria-label="Skipped lines">
          {result.firstMistakes.map(({ line, message }) => (
            <li key={`${String(line)} ${message}`}>
              <span className="number muted">line {formatCount(line)}</span> {message.slice(0, 500)}
            </li>
          ))}
          {result.mistakes > result.firstMistakes.length && <li className="muted">and more</li>}
        </ul>
      )}
    </div>
  )
}

import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Choice, Field, Select, TextInput } from '../../../components/controls/field.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { exportFormats } from './use-transfers.ts'

const kinds = [
  { value: 'full', label: 'The whole table', hint: 'As it is now' },
  { value: 'changes', label: 'Changes', hint: 'What has changed in the last hours' },
] as const

/** Asks where to, and starts an export. */
export function ExportDialog({
  table,
  onClose,
  onStarted,
}: {
  readonly table: TableDescription
  readonly onClose: () => void
  readonly onStarted: () => void
}) {
  const call = useCall()
  const [bucket, setBucket] = useState('')
  const [prefix, setPrefix] = useState('')
  const [format, setFormat] = useState('DYNAMODB_JSON')
  const [kind, setKind] = useState<'full' | 'changes'>('full')
  const [hours, setHours] = useState('1')
  const isReady = bucket.trim() !== '' && (kind === 'full' || (Number(hours) > 0 && Number(hours) <= 24))
  const start = async (): Promise<void> => {
    const now = Math.floor(Date.now() / 1000)
    await call('ExportTableToPointInTime', {
      TableArn: table.TableArn,
      S3Bucket: bucket.trim(),
      ExportFormat: format,
      ...(prefix.trim() !== '' && { S3Prefix: prefix.trim() }),
      ...(kind === 'changes' && {
        ExportType: 'INCREMENTAL_EXPORT',
        IncrementalExportSpecification: {
          ExportFromTime: now - Math.round(Number(hours) * 3600),
          ExportToTime: now,
        },
      }),
    })
    onStarted()
  }
  return (
    <FormDialog
      title={`Export ${table.TableName}`}
      description="Clients can keep reading and writing."
      action="Export"
      isReady={isReady}
      onSubmit={start}
      onClose={onClose}
    >
      <Field label="Bucket">
        <TextInput isMono spellCheck={false} value={bucket} onChange={(event) => setBucket(event.target.value)} />
      </Field>
      <Field label="Prefix" isOptional>
        <TextInput isMono spellCheck={false} value={prefix} onChange={(event) => setPrefix(event.target.value)} />
      </Field>
      <Choice label="What" value={kind} onChange={setKind} options={kinds} />
      {kind === 'changes' && (
        <Field label="Hours to go back, up to 24">
          <TextInput inputMode="decimal" value={hours} onChange={(event) => setHours(event.target.value)} />
        </Field>
      )}
      <Field label="Format">
        <Select value={format} options={exportFormats} onChange={setFormat} />
      </Field>
    </FormDialog>
  )
}

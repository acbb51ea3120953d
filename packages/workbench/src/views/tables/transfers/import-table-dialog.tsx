import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Field, Select, TextArea, TextInput } from '../../../components/controls/field.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { ErrorBox } from '../../../components/messages/notices.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'

const exampleTable = JSON.stringify(
  {
    TableName: 'Imported',
    AttributeDefinitions: [
      { AttributeName: 'PK', AttributeType: 'S' },
      { AttributeName: 'SK', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  },
  undefined,
  2,
)

/** Asks where from and into which table, and starts an import. */
export function ImportTableDialog({
  onClose,
  onStarted,
}: {
  readonly onClose: () => void
  readonly onStarted: () => void
}) {
  const call = useCall()
  const { attempt, isBusy, error } = useAttempt()
  const [bucket, setBucket] = useState('')
  const [prefix, setPrefix] = useState('')
  const [format, setFormat] = useState('DYNAMODB_JSON')
  const [compression, setCompression] = useState('GZIP')
  const [table, setTable] = useState(exampleTable)
  const parameters = parse(table)
  const start = async (): Promise<void> => {
    const isDone = await attempt(async () => {
      await call('ImportTable', {
        S3BucketSource: { S3Bucket: bucket.trim(), ...(prefix.trim() !== '' && { S3KeyPrefix: prefix.trim() }) },
        InputFormat: format,
        InputCompressionType: compression,
        TableCreationParameters: parameters,
      })
    })
    if (!isDone) return
    onStarted()
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Import a table"
      description="A new table is made, and filled from the files."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            isBusy={isBusy}
            disabled={bucket.trim() === '' || parameters === undefined}
            onClick={() => void start()}
          >
            Import
          </Button>
        </>
      }
    >
      <div className="stack">
        {error !== undefined && <ErrorBox error={error} />}
        <Field label="Bucket">
          <TextInput isMono spellCheck={false} value={bucket} onChange={(event) => setBucket(event.target.value)} />
        </Field>
        <Field label="Prefix" isOptional hint="Of the files, such as AWSDynamoDB/01700000000000-abcd/data/">
          <TextInput isMono spellCheck={false} value={prefix} onChange={(event) => setPrefix(event.target.value)} />
        </Field>
        <Field label="Format">
          <Select value={format} options={['DYNAMODB_JSON', 'ION', 'CSV']} onChange={setFormat} />
        </Field>
        <Field label="Compression">
          <Select value={compression} options={['GZIP', 'ZSTD', 'NONE']} onChange={setCompression} />
        </Field>
        <Field label="Table" error={parameters === undefined ? 'This is not a JSON object.' : undefined}>
          <TextArea
            className="mono"
            rows={12}
            spellCheck={false}
            value={table}
            onChange={(event) => setTable(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  )
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

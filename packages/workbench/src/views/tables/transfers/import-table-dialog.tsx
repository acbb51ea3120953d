import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { Field, Select, TextArea, TextInput } from '../../../components/controls/field.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { exportFormats } from './use-transfers.ts'

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
  const [bucket, setBucket] = useState('')
  const [prefix, setPrefix] = useState('')
  const [format, setFormat] = useState('DYNAMODB_JSON')
  const [compression, setCompression] = useState('GZIP')
  const [table, setTable] = useState(exampleTable)
  const parameters = parse(table)
  const start = async (): Promise<void> => {
    await call('ImportTable', {
      S3BucketSource: { S3Bucket: bucket.trim(), ...(prefix.trim() !== '' && { S3KeyPrefix: prefix.trim() }) },
      InputFormat: format,
      InputCompressionType: compression,
      TableCreationParameters: parameters,
    })
    onStarted()
  }
  return (
    <FormDialog
      title="Import a table"
      description="Creates a table and fills it from the files."
      action="Import"
      isReady={bucket.trim() !== '' && parameters !== undefined}
      onSubmit={start}
      onClose={onClose}
    >
      <Field label="Bucket">
        <TextInput isMono spellCheck={false} value={bucket} onChange={(event) => setBucket(event.target.value)} />
      </Field>
      <Field label="Prefix" isOptional hint="Of the files, such as AWSDynamoDB/01700000000000-abcd/data/">
        <TextInput isMono spellCheck={false} value={prefix} onChange={(event) => setPrefix(event.target.value)} />
      </Field>
      <Field label="Format">
        <Select value={format} options={[...exportFormats, 'CSV']} onChange={setFormat} />
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
    </FormDialog>
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

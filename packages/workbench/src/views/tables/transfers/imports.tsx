import { Download } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import { useInfo, useRefresh } from '../../../api/queries.ts'
import { Button } from '../../../components/controls/button.tsx'
import { EmptyState, ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { PlainTable, type PlainColumn } from '../../../components/page/plain-table.tsx'
import { useLink } from '../../../state/links.ts'
import { formatBytes, formatCount, formatTime } from '../../../values/format.ts'
import { ImportTableDialog } from './import-table-dialog.tsx'
import { TransferProgress } from './transfer-progress.tsx'
import { formatName, useImports, type TableImport } from './use-transfers.ts'

/** The tables that were made from files of buckets, and the one that is being made. */
export function Imports() {
  const { data, error, refetch } = useImports()
  const isReadOnly = useInfo()?.readOnly === true
  const refresh = useRefresh()
  const [isStarting, setStarting] = useState(false)
  const start = isReadOnly ? undefined : (
    <Button icon={<Download />} onClick={() => setStarting(true)}>
      Import a table
    </Button>
  )
  return (
    <div className="stack">
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data?.length === 0 && (
        <EmptyState icon={<Download />} title="No imports" actions={start}>
          An import makes a new table from the files of an export, or from CSV, in a bucket. The server needs a
          place for buckets (<code>--buckets</code>).
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <div className="row">
            <span className="grow" />
            {start}
          </div>
          <PlainTable label="Imports" columns={columns} rows={data} keyOf={({ ImportArn }) => ImportArn} />
        </>
      )}
      {isStarting && <ImportTableDialog onClose={() => setStarting(false)} onStarted={() => void refresh()} />}
    </div>
  )
}

const columns: readonly PlainColumn<TableImport>[] = [
  { title: 'Table', cell: (one) => <ImportedTable name={tableNameOf(one)} /> },
  { title: 'Started', kind: 'number', cell: ({ StartTime }) => formatTime(StartTime) },
  {
    title: 'Progress',
    cell: (one) => (
      <TransferProgress
        label={`Progress of the import of ${tableNameOf(one)}`}
        status={one.ImportStatus}
        startTime={one.StartTime}
        endTime={one.EndTime}
        failure={one.FailureMessage}
      />
    ),
  },
  { title: 'Items', kind: 'figure', cell: ({ ImportedItemCount = 0 }) => formatCount(ImportedItemCount) },
  { title: 'Errors', kind: 'figure', cell: ({ ErrorCount = 0 }) => formatCount(ErrorCount) },
  { title: 'Read', kind: 'figure', cell: ({ ProcessedSizeBytes = 0 }) => formatBytes(ProcessedSizeBytes) },
  {
    title: 'From',
    cell: ({ S3BucketSource: { S3Bucket, S3KeyPrefix }, InputFormat }) => (
      <>
        <span className="mono">{[S3Bucket, S3KeyPrefix].filter(Boolean).join('/')}</span>{' '}
        <span className="muted">{formatName(InputFormat)}</span>
      </>
    ),
  },
]

function tableNameOf({ TableArn }: TableImport): string {
  return /:table\/([^/]+)/.exec(TableArn)?.[1] ?? TableArn
}

function ImportedTable({ name }: { readonly name: string }) {
  const link = useLink()
  return (
    <Link className="plain-name" href={link('tables', name)}>
      {name}
    </Link>
  )
}

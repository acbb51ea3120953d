import { Upload } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { EmptyState, ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { PlainTable, type PlainColumn } from '../../../components/page/plain-table.tsx'
import { formatBytes, formatCount, formatTime } from '../../../values/format.ts'
import { ExportDialog } from './export-dialog.tsx'
import { TransferProgress } from './transfer-progress.tsx'
import { formatName, useExports, type TableExport } from './use-transfers.ts'

/** The exports of a table: those that were made, and the one that is being made. */
export function Exports({ table, isReadOnly }: { readonly table: TableDescription; readonly isReadOnly: boolean }) {
  const { data, error, refetch } = useExports(table.TableArn)
  const [isStarting, setStarting] = useState(false)
  const start = isReadOnly ? undefined : (
    <Button icon={<Upload />} onClick={() => setStarting(true)}>
      Export to a bucket
    </Button>
  )
  return (
    <div className="detail">
      <Panel
        title="Exports"
        hint="The table at a point in time, or what has changed since, in files of a bucket"
        actions={data !== undefined && data.length > 0 && start}
      >
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton />}
        {data?.length === 0 && (
          <EmptyState icon={<Upload />} title="No exports" actions={start}>
            An export writes the table to files in a bucket, without reading capacity. The table needs point-in-time
            recovery, and the server a place for buckets (<code>--buckets</code>).
          </EmptyState>
        )}
        {data !== undefined && data.length > 0 && (
          <PlainTable label="Exports" columns={columns} rows={data} keyOf={({ ExportArn }) => ExportArn} />
        )}
      </Panel>
      {isStarting && (
        <ExportDialog table={table} onClose={() => setStarting(false)} onStarted={() => void refetch()} />
      )}
    </div>
  )
}

const columns: readonly PlainColumn<TableExport>[] = [
  { title: 'Started', kind: 'number', cell: ({ StartTime }) => formatTime(StartTime) },
  {
    title: 'Progress',
    cell: ({ ExportStatus, StartTime, EndTime, FailureMessage }) => (
      <TransferProgress
        label="Progress of the export"
        status={ExportStatus}
        startTime={StartTime}
        endTime={EndTime}
        failure={FailureMessage}
      />
    ),
  },
  {
    title: 'Kind',
    cell: ({ ExportType, ExportFormat }) => (
      <>
        {ExportType === 'FULL_EXPORT' ? 'full' : 'incremental'}{' '}
        <span className="muted">{formatName(ExportFormat)}</span>
      </>
    ),
  },
  {
    title: 'Items',
    kind: 'figure',
    cell: ({ ItemCount }) => (ItemCount === undefined ? '–' : formatCount(ItemCount)),
  },
  {
    title: 'Size',
    kind: 'figure',
    cell: ({ BilledSizeBytes }) => (BilledSizeBytes === undefined ? '–' : formatBytes(BilledSizeBytes)),
  },
  {
    title: 'Where',
    kind: 'mono',
    cell: ({ ExportManifest, S3Bucket, S3Prefix }) =>
      ExportManifest ?? [S3Bucket, S3Prefix].filter(Boolean).join('/'),
  },
]

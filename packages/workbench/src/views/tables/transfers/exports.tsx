import { Upload } from 'lucide-react'
import { useState } from 'react'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { EmptyState, ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import '../../../components/page/plain-table.css'
import { formatBytes, formatCount, formatTime } from '../../../values/format.ts'
import { ExportDialog } from './export-dialog.tsx'
import { TransferProgress } from './transfer-progress.tsx'
import { useExports, type TableExport } from './use-transfers.ts'

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
        {data !== undefined && data.length > 0 && <ExportTable exports={data} />}
      </Panel>
      {isStarting && (
        <ExportDialog table={table} onClose={() => setStarting(false)} onStarted={() => void refetch()} />
      )}
    </div>
  )
}

function ExportTable({ exports }: { readonly exports: readonly TableExport[] }) {
  return (
    <ScrollRegion label="Exports, scrolled">
      <table className="plain-table" aria-label="Exports">
        <thead>
          <tr>
            <th scope="col">Started</th>
            <th scope="col">Progress</th>
            <th scope="col">Kind</th>
            <th scope="col" className="is-end">
              Items
            </th>
            <th scope="col" className="is-end">
              Size
            </th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {exports.map((one) => (
            <tr key={one.ExportArn}>
              <td className="number">{formatTime(one.StartTime)}</td>
              <td>
                <TransferProgress
                  label="Progress of the export"
                  status={one.ExportStatus}
                  startTime={one.StartTime}
                  endTime={one.EndTime}
                  failure={one.FailureMessage}
                />
              </td>
              <td>
                {one.ExportType === 'FULL_EXPORT' ? 'full' : 'incremental'}{' '}
                <span className="muted">{one.ExportFormat}</span>
              </td>
              <td className="is-end number">{one.ItemCount === undefined ? '–' : formatCount(one.ItemCount)}</td>
              <td className="is-end number">
                {one.BilledSizeBytes === undefined ? '–' : formatBytes(one.BilledSizeBytes)}
              </td>
              <td className="mono">
                {one.ExportManifest ?? [one.S3Bucket, one.S3Prefix].filter(Boolean).join('/')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

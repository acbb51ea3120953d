import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useInfo, useRefresh } from '../../../api/queries.ts'
import { Button } from '../../../components/controls/button.tsx'
import { EmptyState, ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import '../../../components/page/plain-table.css'
import { useLink } from '../../../state/links.ts'
import { formatBytes, formatCount, formatTime } from '../../../values/format.ts'
import { ImportTableDialog } from './import-table-dialog.tsx'
import { TransferProgress } from './transfer-progress.tsx'
import { useImports, type TableImport } from './use-transfers.ts'

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
          <ImportTable imports={data} />
        </>
      )}
      {isStarting && <ImportTableDialog onClose={() => setStarting(false)} onStarted={() => void refresh()} />}
    </div>
  )
}

function ImportTable({ imports }: { readonly imports: readonly TableImport[] }) {
  const link = useLink()
  return (
    <ScrollRegion label="Imports, scrolled">
      <table className="plain-table" aria-label="Imports">
        <thead>
          <tr>
            <th scope="col">Table</th>
            <th scope="col">Started</th>
            <th scope="col">Progress</th>
            <th scope="col" className="is-end">
              Items
            </th>
            <th scope="col" className="is-end">
              Errors
            </th>
            <th scope="col" className="is-end">
              Read
            </th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {imports.map((one) => {
            const [, tableName = one.TableArn] = /:table\/([^/]+)/.exec(one.TableArn) ?? []
            const { S3Bucket, S3KeyPrefix } = one.S3BucketSource
            return (
              <tr key={one.ImportArn}>
                <td>
                  <Link className="plain-name" href={link('tables', tableName)}>
                    {tableName}
                  </Link>
                </td>
                <td className="number">{formatTime(one.StartTime)}</td>
                <td>
                  <TransferProgress
                    label={`Progress of the import of ${tableName}`}
                    status={one.ImportStatus}
                    startTime={one.StartTime}
                    endTime={one.EndTime}
                    failure={one.FailureMessage}
                  />
                </td>
                <td className="is-end number">{formatCount(one.ImportedItemCount ?? 0)}</td>
                <td className="is-end number">{formatCount(one.ErrorCount ?? 0)}</td>
                <td className="is-end number">{formatBytes(one.ProcessedSizeBytes ?? 0)}</td>
                <td>
                  <span className="mono">{[S3Bucket, S3KeyPrefix].filter(Boolean).join('/')}</span>{' '}
                  <span className="muted">{one.InputFormat}</span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

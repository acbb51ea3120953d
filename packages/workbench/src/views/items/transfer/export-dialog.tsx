import { Download } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { sourcesOf } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Choice } from '../../../components/controls/field.tsx'
import { JobProgress, useJob } from '../../../components/messages/job.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { formatBytes, formatUnits, plural } from '../../../values/format.ts'
import { scanUnits } from '../../../values/units.ts'
import type { KeyFind } from '../find/find-request.ts'
import type { KeyList } from '../keys/keys.ts'
import { exportItems, fileName, type ExportFormat, type ExportWish } from './export-items.ts'

export interface ExportDialogProps {
  readonly table: TableDescription
  readonly indexName: string | undefined
  readonly selectedKeys: KeyList | undefined
  readonly find: KeyFind | undefined
  readonly onClose: () => void
}

/** Writes items into a file: the selected ones, those found, or all of a table or index. */
export function ExportDialog({ table, indexName, selectedKeys, find, onClose }: ExportDialogProps) {
  const call = useCall()
  const job = useJob()
  const [format, setFormat] = useState<ExportFormat>('json')
  const source = sourcesOf(table).find((entry) => entry.indexName === indexName)
  const where = indexName === undefined ? table.TableName : `index ${indexName}`
  const scope =
    selectedKeys !== undefined
      ? `${plural(selectedKeys.size, 'selected item')}, with all attributes`
      : find !== undefined
        ? `The search results in ${where}`
        : `All of ${where}: about ${plural(source?.itemCount ?? 0, 'item')}, ${formatBytes(source?.sizeBytes ?? 0)}`
  const run = async (): Promise<void> => {
    const wish: ExportWish = {
      format,
      indexName: selectedKeys === undefined ? indexName : undefined,
      keys: selectedKeys,
      find,
    }
    const total = selectedKeys?.size ?? (find === undefined ? source?.itemCount : undefined)
    const isDone = await job.run(async (signal, report) => {
      const file = await exportItems(call, table, wish, signal, (done, note) => report({ done, total, note }))
      signal.throwIfAborted()
      saveFile(file, fileName(table, wish))
    })
    if (isDone) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Export items"
      description={scope}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button tone="primary" icon={<Download />} isBusy={job.isRunning} onClick={() => void run()}>
            Export
          </Button>
        </>
      }
    >
      <div className="stack">
        <Choice
          label="Format"
          value={format}
          options={[
            { value: 'json', label: 'JSON', hint: 'An array of plain objects. Sets look like lists.' },
            {
              value: 'dynamodb',
              label: 'DynamoDB JSON',
              hint: 'One line per item, with types. ImportTable can read it.',
            },
            {
              value: 'csv',
              label: 'CSV',
              hint: 'For spreadsheets. Lists, maps and sets are written as DynamoDB JSON.',
            },
            {
              value: 'parquet',
              label: 'Parquet',
              hint: 'For Athena, DuckDB and Spark. Lists, maps and sets are written as DynamoDB JSON.',
            },
          ]}
          onChange={setFormat}
        />
        {selectedKeys === undefined && find === undefined && (
          <p className="muted">
            A Scan of all of it: {formatUnits(scanUnits(source?.sizeBytes ?? 0))} read units on AWS
            {(format === 'csv' || format === 'parquet') && ', twice, because the columns come first'}.
          </p>
        )}
        <JobProgress state={job.state} unit="items" verb="Exporting" onCancel={job.cancel} />
      </div>
    </Dialog>
  )
}

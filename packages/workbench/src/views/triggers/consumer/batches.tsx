import { RotateCcw } from '../../../icons/icons.generated.ts'
import type { DeliveredBatch } from '../../../answers/events.ts'
import { IconButton } from '../../../components/controls/button.tsx'
import { PlainTable } from '../../../components/page/plain-table.tsx'
import { Badge } from '../../../components/values/badge.tsx'
import { formatCount, formatMs, formatTime } from '../../../values/format.ts'
import { ReplayResult } from './replay-result.tsx'
import { useReplay } from './use-replay.ts'

/** The latest calls of the function, and how each went. */
export function Batches({
  batches,
  functionName,
  streamArn,
}: {
  readonly batches: readonly DeliveredBatch[]
  readonly functionName: string
  readonly streamArn: string
}) {
  const replay = useReplay(functionName, streamArn)
  if (batches.length === 0)
    return (
      <p className="muted">This server has delivered no batch since it started. Batches appear as they are made.</p>
    )
  return (
    <div className="stack">
      <ReplayResult replay={replay} />
      <PlainTable
        label="Batches"
        className="trigger-batches"
        rows={batches}
        keyOf={({ shardId, sequenceNumber, atMs, attempt }) =>
          `${shardId} ${sequenceNumber} ${String(atMs)} ${String(attempt)}`
        }
        columns={[
          { title: 'Time', kind: 'number', cell: ({ atMs }) => formatTime(atMs / 1000) },
          { title: 'Records', kind: 'figure', cell: ({ records }) => formatCount(records) },
          { title: 'Attempt', kind: 'figure', cell: ({ attempt }) => formatCount(attempt) },
          { title: 'Took', kind: 'figure', cell: ({ durationMs }) => formatMs(durationMs) },
          { title: 'Result', cell: (batch) => <Outcome batch={batch} /> },
          {
            title: 'Replay',
            kind: 'actions',
            cell: (batch) => (
              <IconButton
                label="Send its first record again"
                icon={<RotateCcw />}
                disabled={replay.isBusy || replay.isReadOnly}
                onClick={() => replay.send(batch)}
              />
            ),
          },
        ]}
      />
    </div>
  )
}

function Outcome({ batch: { failure, done, records } }: { readonly batch: DeliveredBatch }) {
  if (failure === null) return <Badge tone="success">done</Badge>
  return (
    <span className="trigger-outcome">
      <Badge tone="danger">{done > 0 ? `${formatCount(done)} of ${formatCount(records)} done` : 'failed'}</Badge>
      <span className="trigger-error mono">{failure}</span>
    </span>
  )
}

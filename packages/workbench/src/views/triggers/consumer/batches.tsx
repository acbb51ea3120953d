import { RotateCcw } from 'lucide-react'
import type { DeliveredBatch } from '../../../answers/events.ts'
import { IconButton } from '../../../components/controls/button.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { Badge } from '../../../components/values/badge.tsx'
import '../../../components/page/plain-table.css'
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
      <ScrollRegion label="Batches, scrolled" className="trigger-batches">
        <table className="plain-table" aria-label="Batches">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col" className="is-end">
                Records
              </th>
              <th scope="col" className="is-end">
                Attempt
              </th>
              <th scope="col" className="is-end">
                Took
              </th>
              <th scope="col">Result</th>
              <th scope="col">
                <span className="visually-hidden">Replay</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {batches.map((batch) => (
              <tr key={`${batch.shardId} ${batch.sequenceNumber} ${String(batch.atMs)} ${String(batch.attempt)}`}>
                <td className="number">{formatTime(batch.atMs / 1000)}</td>
                <td className="is-end number">{formatCount(batch.records)}</td>
                <td className="is-end number">{formatCount(batch.attempt)}</td>
                <td className="is-end number">{formatMs(batch.durationMs)}</td>
                <td>
                  <Outcome batch={batch} />
                </td>
                <td className="is-end">
                  <IconButton
                    label="Send its first record again"
                    icon={<RotateCcw />}
                    disabled={replay.isBusy || replay.isReadOnly}
                    onClick={() => replay.send(batch)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
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

import { Badge, type BadgeTone } from '../../../components/values/badge.tsx'
import { formatMs } from '../../../values/format.ts'
import type { TransferStatus } from './use-transfers.ts'
import './transfers.css'

/** How far an export or an import is: its status, a bar while it runs, and how long it has taken. */
export function TransferProgress({
  label,
  status,
  startTime,
  endTime,
  failure,
}: {
  readonly label: string
  readonly status: TransferStatus
  readonly startTime: number
  readonly endTime: number | undefined
  readonly failure: string | undefined
}) {
  const isRunning = status === 'IN_PROGRESS'
  const tookMs = Math.max(0, ((endTime ?? Date.now() / 1000) - startTime) * 1000)
  return (
    <div className="transfer-progress">
      <p className="row">
        <Badge tone={tones[status]}>{status.toLowerCase().replaceAll('_', ' ')}</Badge>
        <span className="muted number">{formatMs(tookMs)}</span>
      </p>
      {/* How much there is to be done is not known. */}
      {isRunning && <progress className="transfer-bar" aria-label={label} />}
      {failure !== undefined && <p className="transfer-failure">{failure}</p>}
    </div>
  )
}

const tones: Readonly<Record<TransferStatus, BadgeTone>> = {
  IN_PROGRESS: 'info',
  COMPLETED: 'success',
  FAILED: 'danger',
  CANCELLING: 'warning',
  CANCELLED: 'neutral',
}

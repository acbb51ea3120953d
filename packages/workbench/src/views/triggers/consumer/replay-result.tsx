import { ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { Badge } from '../../../components/values/badge.tsx'
import { formatMs } from '../../../values/format.ts'
import type { Replay } from './use-replay.ts'

/** What the function answered to the record that it got again. */
export function ReplayResult({ replay: { answer, error, isBusy, record } }: { readonly replay: Replay }) {
  if (error !== undefined) return <ErrorBox error={error} />
  if (isBusy) return <Skeleton lines={2} />
  if (answer === undefined) return null
  return (
    <section className="trigger-replayed" aria-label="Answer of the function" role="status">
      <p className="row">
        <Badge tone={answer.isFailed ? 'danger' : 'success'}>{answer.isFailed ? 'failed' : 'done'}</Badge>
        <span className="grow muted truncate" title={record?.sequenceNumber}>
          Record {record?.sequenceNumber}, {formatMs(answer.durationMs)}
        </span>
      </p>
      <Printed label="Returned" text={pretty(answer.payload)} />
      {answer.log !== '' && <Printed label="Printed" text={answer.log} />}
    </section>
  )
}

function Printed({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <h3 className="trigger-label">{label}</h3>
      <ScrollRegion label={label} className="trigger-printed">
        <pre className="mono">{text}</pre>
      </ScrollRegion>
    </div>
  )
}

function pretty(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), undefined, 2)
  } catch {
    return payload
  }
}

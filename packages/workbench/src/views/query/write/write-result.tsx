import { CircleCheck, Send } from '../../../icons/icons.generated.ts'
import { ApiError } from '../../../api/api.ts'
import type { Item } from '../../../api-types.ts'
import { EmptyState, ErrorBox, Notice, Skeleton } from '../../../components/messages/notices.tsx'
import { ItemView } from '../../../components/values/value-view.tsx'
import { plural } from '../../../values/format.ts'
import type { WriteRow } from './write-draft.ts'

/** What the service answered. */
export interface Written {
  readonly operation: string
  readonly rows: number
  readonly answer: {
    readonly Attributes?: Item
    readonly UnprocessedItems?: object
    readonly ConsumedCapacity?: unknown
  }
}

/** What came of a write. */
export function WriteResult({
  written,
  error,
  rows,
  isBusy,
}: {
  readonly written: Written | undefined
  readonly error: unknown
  readonly rows: readonly WriteRow[]
  readonly isBusy: boolean
}) {
  if (isBusy) {
    return (
      <div className="loading">
        <Skeleton lines={3} />
      </div>
    )
  }
  if (error !== undefined) {
    return (
      <div className="write-result stack">
        <ErrorBox error={error} />
        <Reasons error={error} rows={rows} />
      </div>
    )
  }
  if (written === undefined) {
    return (
      <EmptyState icon={<Send />} title="Nothing written yet">
        Fill in a change: put a whole item, update attributes of one, or delete one, under conditions if you like.
        Several changes are a transaction or a batch. The request and the code for it follow from what you fill in.
      </EmptyState>
    )
  }
  const { answer, operation } = written
  const units = unitsOf(answer.ConsumedCapacity)
  const left = Object.keys(answer.UnprocessedItems ?? {}).length
  return (
    <div className="write-result stack" role="status">
      <p className="row">
        <CircleCheck aria-hidden className="write-done" />
        {plural(written.rows, 'change')} written by {operation}
        {units > 0 && `, for ${plural(units, 'write unit')}`}.
      </p>
      {left > 0 && <Notice tone="warning">Some entries of the batch were not processed. Write again.</Notice>}
      {answer.Attributes !== undefined && (
        <section>
          <h2 className="query-heading">Returned</h2>
          <ItemView item={answer.Attributes} />
        </section>
      )}
    </div>
  )
}

interface Reason {
  readonly Code?: string
  readonly Message?: string
}

/** Which change of a transaction it was. */
function Reasons({ error, rows }: { readonly error: unknown; readonly rows: readonly WriteRow[] }) {
  const reasons = error instanceof ApiError ? error.members['CancellationReasons'] : undefined
  if (!Array.isArray(reasons)) return null
  return (
    <ol className="write-reasons">
      {(reasons as readonly Reason[]).map(({ Code: code = 'None', Message: message }, position) => (
        // They stand in the order of the changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={position}>
          Change {position + 1} ({rows[position]?.kind ?? 'change'}): {code === 'None' ? 'fine' : code}
          {message !== undefined && `. ${message}`}
        </li>
      ))}
    </ol>
  )
}

function unitsOf(consumed: unknown): number {
  const all = (Array.isArray(consumed) ? consumed : [consumed]) as readonly (
    { CapacityUnits?: number } | undefined
  )[]
  return all.reduce((sum, each) => sum + (each?.CapacityUnits ?? 0), 0)
}

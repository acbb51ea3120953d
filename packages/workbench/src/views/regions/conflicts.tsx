import { ShieldCheck } from '../../icons/icons.generated.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ConflictingWrite, ReplicationConflict } from '../../answers/regions.ts'
import { TextInput } from '../../components/controls/field.tsx'
import { ErrorBox, Skeleton } from '../../components/messages/notices.tsx'
import { Panel } from '../../components/page/page.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { ItemView } from '../../components/values/value-view.tsx'
import { useScope, scopeText } from '../../state/scope.tsx'
import { formatTime, plural } from '../../values/format.ts'
import { keyValueText } from '../../values/key-value-text.ts'
import { useConflicts } from './use-regions.ts'

/** Writes that were lost to later writes of other regions, which AWS does not tell of. */
export function Conflicts() {
  const { data, error, refetch } = useConflicts()
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const found = (data?.conflicts ?? []).filter(
    (conflict) => wanted === '' || `${conflict.tableName} ${keyText(conflict)}`.toLowerCase().includes(wanted),
  )
  return (
    <Panel
      title={data === undefined || data.total === 0 ? 'Conflicts' : plural(data.total, 'conflict')}
      hint="Items that two regions wrote without having seen each other’s write. The later one won in all of them."
      actions={
        data !== undefined &&
        data.total > 0 && (
          <TextInput
            type="search"
            className="conflict-filter"
            aria-label="Filter conflicts by table or key"
            placeholder="Filter by table or key"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        )
      }
    >
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={3} />}
      {data?.total === 0 && (
        <p className="conflict-none">
          <ShieldCheck aria-hidden /> No write was lost.
        </p>
      )}
      {data !== undefined && data.total > 0 && found.length === 0 && <p className="muted">No conflict matches.</p>}
      <ul className="conflicts" aria-label="Conflicts">
        {found.map((conflict) => (
          <ConflictCard key={idOf(conflict)} conflict={conflict} />
        ))}
      </ul>
      {data !== undefined && data.total > data.conflicts.length && (
        <p className="muted">The newest {data.conflicts.length} are shown.</p>
      )}
    </Panel>
  )
}

function ConflictCard({ conflict }: { readonly conflict: ReplicationConflict }) {
  const { tableName, winner, loser } = conflict
  return (
    <li className="conflict">
      <h3 className="conflict-head">
        <span className="muted">{tableName}</span>{' '}
        <span className="mono" dir="auto">
          {keyText(conflict)}
        </span>
      </h3>
      <div className="conflict-sides">
        <section aria-label={`Won in ${winner.region}`}>
          <p className="conflict-side">
            <Badge tone="success">won</Badge> {winner.region} <Moment write={winner} />
          </p>
          {winner.isDeletion ? (
            <p className="muted">It deleted the item.</p>
          ) : (
            <p>
              <NowLink conflict={conflict} />
            </p>
          )}
        </section>
        <section aria-label={`Lost in ${loser.region}`}>
          <p className="conflict-side">
            <Badge tone="danger">lost</Badge> {loser.region} <Moment write={loser} />
          </p>
          <Lost write={loser} />
        </section>
      </div>
    </li>
  )
}

function Lost({ write: { item, isDeletion } }: { readonly write: ConflictingWrite }) {
  if (isDeletion) return <p className="muted">It had deleted the item.</p>
  if (item === null) return <p className="muted">The item is larger than 64 KB, and was not kept.</p>
  return (
    <details className="conflict-item">
      <summary>What it had written</summary>
      <ItemView item={item} />
    </details>
  )
}

/** To the item as it is now, in the region that won. */
function NowLink({ conflict: { tableName, key, winner } }: { readonly conflict: ReplicationConflict }) {
  const { accountId } = useScope()
  const query = new URLSearchParams({
    scope: scopeText({ accountId, region: winner.region }),
    item: JSON.stringify(key),
  })
  return <Link href={`/items/${encodeURIComponent(tableName)}?${query.toString()}`}>The item as it is now</Link>
}

/** Writes of one millisecond are ordered by their microseconds. */
function Moment({ write: { atMs, microsecond } }: { readonly write: ConflictingWrite }) {
  const fraction = `${String(atMs % 1000).padStart(3, '0')}${String(microsecond).padStart(3, '0')}`
  return (
    <time className="muted number" dateTime={new Date(atMs).toISOString()}>
      {formatTime(atMs / 1000)}.{fraction}
    </time>
  )
}

function keyText({ key }: ReplicationConflict): string {
  return Object.values(key).map(keyValueText).join(' · ')
}

function idOf(conflict: ReplicationConflict): string {
  const { tableName, winner, loser } = conflict
  return `${tableName} ${keyText(conflict)} ${winner.region} ${loser.region} ${String(loser.atMs)} ${String(loser.microsecond)}`
}

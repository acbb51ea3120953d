import { Rows3, X } from '../../icons/icons.generated.ts'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { EntityChip } from '../../components/values/badge.tsx'
import { IconButton } from '../../components/controls/button.tsx'
import { CopyButton } from '../../components/messages/copy-button.tsx'
import { Checkbox } from '../../components/controls/field.tsx'
import { Notice } from '../../components/messages/notices.tsx'
import { useLink } from '../../state/links.ts'
import { formatBytes, formatTime } from '../../values/format.ts'
import { diffItems } from './diff-items.ts'
import { DifferenceView } from './difference-view.tsx'
import { EventBadge } from './event-badge.tsx'
import { entityOfRecord, keyTextOf } from './filter-records.ts'
import type { TailedRecord } from './stream-tail.ts'
import { kindOf, type StreamRecord } from './stream-types.ts'

/** One record: before, after, and the difference. */
export function RecordDetail({
  table,
  entry: { record, shardId },
  onClose,
}: {
  readonly table: string
  readonly entry: TailedRecord
  readonly onClose: () => void
}) {
  const link = useLink()
  const [showsSame, setShowsSame] = useState(false)
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime, SequenceNumber, SizeBytes } = record.dynamodb
  const differences = useMemo(() => diffItems(OldImage, NewImage, Object.keys(Keys)), [Keys, NewImage, OldImage])
  const sameCount = differences.filter(({ kind }) => kind === 'same').length
  const entity = entityOfRecord(record)
  const kind = kindOf(record)
  return (
    <aside className="stream-detail" aria-label="Record">
      <header className="stream-detail-head">
        <EventBadge kind={kind} />
        {entity !== undefined && <EntityChip name={entity} />}
        <span className="muted number">{formatTime(ApproximateCreationDateTime)}</span>
        <span className="grow" />
        <CopyButton label="Copy the record as JSON" text={() => JSON.stringify(record, undefined, 2)} />
        <IconButton label="Close" icon={<X />} onClick={onClose} />
      </header>
      <div className="stream-detail-body">
        <h2 className="stream-detail-key mono" dir="auto">
          {keyTextOf(record).slice(0, 500)}
        </h2>
        {record.eventName !== 'REMOVE' && (
          <p>
            <Link className="stream-jump" href={link('items', table, { item: JSON.stringify(Keys) })}>
              <Rows3 aria-hidden /> Open the item
            </Link>
          </p>
        )}
        {kind === 'EXPIRE' && (
          <Notice>
            DynamoDB deleted the item because its time to live had passed. The record’s <code>userIdentity</code>{' '}
            says so, which lets consumers tell it apart from your own deletes.
          </Notice>
        )}
        <MissingImage record={record} />
        {(NewImage !== undefined || OldImage !== undefined) && (
          <>
            <DifferenceView differences={differences} showsSame={showsSame} />
            {sameCount > 0 && (
              <Checkbox
                label={`Show ${String(sameCount)} unchanged`}
                checked={showsSame}
                onChange={(event) => setShowsSame(event.target.checked)}
              />
            )}
          </>
        )}
        <dl className="stream-facts">
          <div>
            <dt>Sequence number</dt>
            <dd className="mono">{SequenceNumber}</dd>
          </div>
          <div>
            <dt>Shard</dt>
            <dd className="mono">{shardId}</dd>
          </div>
          <div>
            <dt>Size</dt>
            <dd>{formatBytes(SizeBytes)}</dd>
          </div>
        </dl>
      </div>
    </aside>
  )
}

/** What a stream does not contain cannot be compared: this is said explicitly, so that nothing is taken for
 *  unchanged. */
function MissingImage({ record }: { readonly record: StreamRecord }) {
  const { StreamViewType } = record.dynamodb
  if (StreamViewType === 'NEW_AND_OLD_IMAGES') return null
  if (StreamViewType === 'KEYS_ONLY') {
    return <Notice>The records of this stream contain only keys (KEYS_ONLY), not what has changed.</Notice>
  }
  if (record.eventName === 'INSERT' && StreamViewType === 'NEW_IMAGE') return null
  if (record.eventName === 'REMOVE' && StreamViewType === 'OLD_IMAGE') return null
  return StreamViewType === 'NEW_IMAGE' ? (
    <Notice>The records of this stream contain only the new image, so all attributes are shown as added.</Notice>
  ) : (
    <Notice>The records of this stream contain only the old image, so all attributes are shown as removed.</Notice>
  )
}

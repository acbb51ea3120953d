import { memo } from 'react'
import type { AttributeValue } from '../../api-types.ts'
import { previewOf } from '../../values/preview.ts'
import { diffItems, leafChanges } from './diff-items.ts'
import type { StreamRecord } from './stream-types.ts'

const shownChanges = 4

/** What has changed, in a line: `status pending → paid`. */
export const ChangeSummary = memo(function ChangeSummary({ record }: { readonly record: StreamRecord }) {
  const { NewImage, OldImage, Keys } = record.dynamodb
  if (NewImage === undefined && OldImage === undefined) return <span className="muted">keys only</span>
  const keys = Object.keys(Keys)
  if (record.eventName !== 'MODIFY' || NewImage === undefined || OldImage === undefined) {
    const image = NewImage ?? OldImage ?? {}
    const names = Object.keys(image).filter((name) => !keys.includes(name))
    return <span className="muted">{names.slice(0, 12).join(', ').slice(0, 200)}</span>
  }
  const changes = leafChanges(diffItems(OldImage, NewImage, keys), shownChanges + 1)
  if (changes.length === 0) return <span className="muted">no change</span>
  return (
    <>
      {changes.slice(0, shownChanges).map(({ name, kind, before, after }, position) => (
        <span key={`${name}/${String(position)}`} className="stream-change" dir="auto">
          <span className="muted">{kind === 'added' ? `+ ${name}` : kind === 'removed' ? `− ${name}` : name}</span>{' '}
          {kind === 'changed' && (
            <>
              <s>{short(before)}</s> → {short(after)}
            </>
          )}
          {kind === 'added' ? short(after) : kind === 'removed' && <s>{short(before)}</s>}
        </span>
      ))}
      {changes.length > shownChanges && <span className="muted">and more</span>}
    </>
  )
})

function short(value: AttributeValue | undefined): string {
  return value === undefined ? '' : previewOf(value, 28)
}

import { Save, Undo2 } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import { Button } from '../../../components/controls/button.tsx'
import { JobProgress } from '../../../components/messages/job.tsx'
import { Notice } from '../../../components/messages/notices.tsx'
import { plural } from '../../../values/format.ts'
import { keyTitle, pick } from '../keys/keys.ts'
import { fitsTransaction } from './commit-edits.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { stagedChanges } from './staged-edits.ts'
import type { Staging } from './use-staged-edits.ts'

/** What was changed in the grid and is not written yet. */
export function StagedBar({
  staging,
  keyNames,
}: {
  readonly staging: Staging
  readonly keyNames: readonly string[]
}) {
  const { edits, job, conflicts } = staging
  const [isReviewed, setReviewed] = useState(false)
  const changes = stagedChanges(edits)
  const isTransaction = fitsTransaction([...edits.values()])
  return (
    <div className="items-staged" role="region" aria-label="Unsaved changes">
      {conflicts.length > 0 && (
        <Notice
          tone="warning"
          title={`Not saved: ${plural(conflicts.length, 'item was', 'items were')} changed by somebody else`}
          actions={<Button onClick={() => staging.drop(conflicts)}>Give up my changes to them</Button>}
        >
          {conflicts
            .slice(0, 3)
            .map(({ loaded }) => keyTitle(pick(loaded, keyNames) ?? {}))
            .join(', ')}
        </Notice>
      )}
      <div className="items-staged-row">
        <span>
          {plural(changes.length, 'change')} in {plural(edits.size, 'item')}, not saved yet
        </span>
        <span className="grow">
          {(job.isRunning || job.state.kind === 'failed') && (
            <JobProgress state={job.state} unit="items" verb="Saving" onCancel={job.cancel} />
          )}
        </span>
        <Button onClick={() => setReviewed(true)}>Review</Button>
        <Button icon={<Undo2 />} disabled={job.isRunning} onClick={staging.undo}>
          Undo
        </Button>
        <Button tone="quiet" disabled={job.isRunning} onClick={staging.discard}>
          Discard
        </Button>
        <Button
          tone="primary"
          icon={<Save />}
          isBusy={job.isRunning}
          title={
            isTransaction ? 'In one transaction: all or nothing' : 'Item by item: too much for one transaction'
          }
          onClick={() => void staging.commit()}
        >
          Save {plural(edits.size, 'item')}
        </Button>
      </div>
      {isReviewed && (
        <ReviewDialog
          changes={changes}
          keyNames={keyNames}
          isTransaction={isTransaction}
          onRevert={({ item, name, before }) => staging.stage(item.loaded, name, before)}
          onClose={() => setReviewed(false)}
        />
      )}
    </div>
  )
}

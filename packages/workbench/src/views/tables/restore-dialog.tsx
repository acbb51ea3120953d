import { useState } from 'react'
import { useCall, useRefresh } from '../../api/queries.ts'
import { Button } from '../../components/controls/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Choice, Field, TextInput } from '../../components/controls/field.tsx'
import { ErrorBox } from '../../components/messages/notices.tsx'
import { tell } from '../../components/messages/toast.tsx'
import { useAttempt } from '../../components/messages/use-attempt.ts'
import { useGo } from '../../state/links.ts'
import { formatTime } from '../../values/format.ts'
import type { Backup } from './backups.ts'
import { nameProblem } from './create/table-draft.ts'

export type RestoreSource =
  | { readonly kind: 'backup'; readonly backup: Backup }
  | { readonly kind: 'time'; readonly tableName: string; readonly earliest: number; readonly latest: number }

/** Makes a new table of a backup, or of a table's past. */
export function RestoreDialog({
  source,
  onClose,
}: {
  readonly source: RestoreSource
  readonly onClose: () => void
}) {
  const from = source.kind === 'backup' ? source.backup.TableName : source.tableName
  const [target, setTarget] = useState(`${from}-restored`)
  const [when, setWhen] = useState<'latest' | 'moment'>('moment')
  const [moment, setMoment] = useState(() =>
    source.kind === 'time' ? formatTime(Math.max(source.earliest, source.latest - 300)).replace(' ', 'T') : '',
  )
  const { attempt, isBusy, error } = useAttempt()
  const call = useCall()
  const refresh = useRefresh()
  const go = useGo()
  const seconds = Date.parse(moment) / 1000
  const problem = nameProblem(target)
  const isMomentWrong = source.kind === 'time' && when === 'moment' && !Number.isFinite(seconds)

  const restore = (): Promise<boolean> =>
    attempt(async () => {
      if (source.kind === 'backup') {
        await call('RestoreTableFromBackup', { BackupArn: source.backup.BackupArn, TargetTableName: target })
      } else {
        await call('RestoreTableToPointInTime', {
          SourceTableName: source.tableName,
          TargetTableName: target,
          ...(when === 'latest' ? { UseLatestRestorableTime: true } : { RestoreDateTime: seconds }),
        })
      }
      await refresh()
      tell(`Restoring ${target}`, { description: 'You can use it as soon as it is active.' })
      onClose()
      go('tables', target)
    })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        source.kind === 'backup'
          ? `Restore ${source.backup.BackupName}`
          : `Restore ${source.tableName} to a point in time`
      }
      description="A restore creates a new table and does not change the original one. As on AWS, it does not restore the stream, time to live, tags and point-in-time recovery."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            isBusy={isBusy}
            disabled={problem !== undefined || isMomentWrong}
            onClick={() => void restore()}
          >
            Restore
          </Button>
        </>
      }
    >
      <div className="stack">
        {error !== undefined && <ErrorBox error={error} />}
        <Field label="Name of new table" error={problem}>
          <TextInput isMono value={target} onChange={(event) => setTarget(event.target.value)} />
        </Field>
        {source.kind === 'time' && (
          <>
            <Choice
              label="Moment"
              value={when}
              onChange={setWhen}
              options={[
                { value: 'moment', label: 'Point in time', hint: 'Any second of the window.' },
                { value: 'latest', label: 'Now', hint: 'Includes the latest change.' },
              ]}
            />
            {when === 'moment' && (
              <Field
                label="Date and time"
                error={isMomentWrong ? 'Enter a date and a time.' : undefined}
                hint={`In your time zone, from ${formatTime(source.earliest)} to ${formatTime(source.latest)}.`}
              >
                <TextInput
                  type="datetime-local"
                  step={1}
                  value={moment}
                  onChange={(event) => setMoment(event.target.value)}
                />
              </Field>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

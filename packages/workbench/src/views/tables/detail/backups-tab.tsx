import { useQuery } from '@tanstack/react-query'
import { Archive, RotateCcw } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import { call } from '../../../api/api.ts'
import { scopeKey } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Field, Switch, TextInput } from '../../../components/controls/field.tsx'
import { ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { Facts, Panel } from '../../../components/page/page.tsx'
import { useScope } from '../../../state/scope.tsx'
import { formatTime } from '../../../values/format.ts'
import { BackupList } from '../backup-list.tsx'
import { confirm } from '../../../components/dialogs/confirm.tsx'
import { nameProblem } from '../create/table-draft.ts'
import { RestoreDialog } from '../restore-dialog.tsx'
import type { Recovery } from '../table-summaries.ts'
import { useUpdate } from './use-update.ts'

/** Ways back: to any second, and to the moments that were kept. */
export function Backups({ table, isReadOnly }: { readonly table: TableDescription; readonly isReadOnly: boolean }) {
  const [isMaking, setMaking] = useState(false)
  const make = isReadOnly ? undefined : (
    <Button icon={<Archive />} onClick={() => setMaking(true)}>
      Back up now
    </Button>
  )
  return (
    <div className="detail">
      <PointInTime table={table} isReadOnly={isReadOnly} />
      <Panel title="Backups" hint="The table at one point in time, kept until you delete the backup" actions={make}>
        <BackupList tableName={table.TableName} />
      </Panel>
      {isMaking && <MakeBackup tableName={table.TableName} onClose={() => setMaking(false)} />}
    </div>
  )
}

function PointInTime({ table, isReadOnly }: { readonly table: TableDescription; readonly isReadOnly: boolean }) {
  const { TableName } = table
  const { data: recovery } = useRecovery(TableName)
  const [isRestoring, setRestoring] = useState(false)
  const { update, isBusy, error } = useUpdate()
  const window = recovery?.PointInTimeRecoveryDescription
  const isOn = window?.PointInTimeRecoveryStatus === 'ENABLED'
  const set = async (PointInTimeRecoveryEnabled: boolean): Promise<void> => {
    if (!PointInTimeRecoveryEnabled) {
      const isSure = await confirm({
        title: 'Turn off point-in-time recovery?',
        body: 'The recorded history is deleted. If you turn it on again, recording starts from that time.',
        action: 'Turn off',
        tone: 'danger',
      })
      if (!isSure) return
    }
    await update(
      'UpdateContinuousBackups',
      { TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled } },
      PointInTimeRecoveryEnabled ? 'Point-in-time recovery is on' : 'Point-in-time recovery is off',
    )
  }
  return (
    <Panel
      title="Point-in-time recovery"
      hint="Keeps every change, so that you can restore the table to any second of the last 35 days"
      actions={
        isOn &&
        !isReadOnly && (
          <Button icon={<RotateCcw />} onClick={() => setRestoring(true)}>
            Restore to a point in time
          </Button>
        )
      }
    >
      {recovery === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <div className="detail-form">
          {error !== undefined && <ErrorBox error={error} />}
          <Switch
            label="Keep every change"
            isOn={isOn}
            disabled={isReadOnly || isBusy}
            onChange={(next) => void set(next)}
          />
          {isOn && !isReadOnly && (
            <RecoveryPeriod
              key={window.RecoveryPeriodInDays ?? 35}
              days={window.RecoveryPeriodInDays ?? 35}
              isBusy={isBusy}
              onChange={(RecoveryPeriodInDays) =>
                void update(
                  'UpdateContinuousBackups',
                  {
                    TableName,
                    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays },
                  },
                  `Changes are kept for ${String(RecoveryPeriodInDays)} days`,
                )
              }
            />
          )}
          {isOn && (
            <Facts
              facts={[
                ['Earliest time', formatTime(window.EarliestRestorableDateTime ?? 0)],
                ['Latest time', formatTime(window.LatestRestorableDateTime ?? 0)],
                ...(isReadOnly ? [['Kept for', `${String(window.RecoveryPeriodInDays ?? 35)} days`] as const] : []),
              ]}
            />
          )}
        </div>
      )}
      {isRestoring && isOn && (
        <RestoreDialog
          source={{
            kind: 'time',
            tableName: TableName,
            earliest: window.EarliestRestorableDateTime ?? 0,
            latest: window.LatestRestorableDateTime ?? 0,
          }}
          onClose={() => setRestoring(false)}
        />
      )}
    </Panel>
  )
}

function RecoveryPeriod({
  days,
  isBusy,
  onChange,
}: {
  readonly days: number
  readonly isBusy: boolean
  readonly onChange: (days: number) => void
}) {
  const [text, setText] = useState(String(days))
  const isValid = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 35
  return (
    <div className="period-fields">
      <Field label="Days to keep" error={isValid ? undefined : 'Enter 1 to 35 days.'}>
        <TextInput inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button isBusy={isBusy} disabled={!isValid || Number(text) === days} onClick={() => onChange(Number(text))}>
        Save days
      </Button>
    </div>
  )
}

function MakeBackup({ tableName, onClose }: { readonly tableName: string; readonly onClose: () => void }) {
  const [name, setName] = useState(() => `${tableName}-${formatTime(Date.now() / 1000).replaceAll(/[ :]/g, '-')}`)
  const { update, isBusy, error } = useUpdate()
  const problem = nameProblem(name)
  const make = async (): Promise<void> => {
    if (await update('CreateBackup', { TableName: tableName, BackupName: name }, `Created backup ${name}`))
      onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Back up ${tableName}`}
      description="The table as it is now. Clients can keep writing."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} disabled={problem !== undefined} onClick={() => void make()}>
            Back up
          </Button>
        </>
      }
    >
      <div className="stack">
        {error !== undefined && <ErrorBox error={error} />}
        <Field label="Backup name" error={problem}>
          <TextInput isMono value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      </div>
    </Dialog>
  )
}

function useRecovery(tableName: string) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'recovery', tableName],
    queryFn: async ({ signal }) => {
      const { ContinuousBackupsDescription } = await call<{ ContinuousBackupsDescription: Recovery }>(
        scope,
        'DescribeContinuousBackups',
        { TableName: tableName },
        signal,
      )
      return ContinuousBackupsDescription
    },
  })
}

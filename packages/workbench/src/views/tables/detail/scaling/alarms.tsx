import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from '../../../../icons/icons.generated.ts'
import { useState } from 'react'
import { scopeKey, useCall } from '../../../../api/queries.ts'
import { Button, IconButton } from '../../../../components/controls/button.tsx'
import { confirm } from '../../../../components/dialogs/confirm.tsx'
import { ErrorBox, Skeleton, Waiting } from '../../../../components/messages/notices.tsx'
import { Panel } from '../../../../components/page/page.tsx'
import { Badge, type BadgeTone } from '../../../../components/values/badge.tsx'
import { useScope } from '../../../../state/scope.tsx'
import { formatTime } from '../../../../values/format.ts'
import { useUpdate } from '../use-update.ts'
import { AlarmDialog } from './alarm-dialog.tsx'
import { conditionText, type Alarm } from './scaling-facts.ts'
import { useAlarms } from './use-scaling.ts'

/** The alarms that watch the table, those of auto scaling among them. */
export function Alarms({ tableName, isReadOnly }: { readonly tableName: string; readonly isReadOnly: boolean }) {
  const { data, error, refetch } = useAlarms(tableName)
  const [isAdding, setAdding] = useState(false)
  return (
    <Panel
      title="Alarms"
      hint="The alarms that watch the metrics of this table, and what happened to them."
      className="is-half"
      actions={
        !isReadOnly && (
          <Button icon={<Plus />} onClick={() => setAdding(true)}>
            Create an alarm
          </Button>
        )
      }
    >
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data?.length === 0 && <p className="muted">No alarm watches this table.</p>}
      <ul className="alarm-list" aria-label="Alarms">
        {(data ?? []).map((alarm) => (
          <AlarmEntry key={alarm.AlarmName} alarm={alarm} isReadOnly={isReadOnly} />
        ))}
      </ul>
      {isAdding && (
        <AlarmDialog
          table={{ TableName: tableName }}
          taken={(data ?? []).map(({ AlarmName }) => AlarmName)}
          onClose={() => setAdding(false)}
        />
      )}
    </Panel>
  )
}

function AlarmEntry({ alarm, isReadOnly }: { readonly alarm: Alarm; readonly isReadOnly: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { update, isBusy, error } = useUpdate()
  // What auto scaling has made, it would make again.
  const isOwn = !alarm.AlarmName.startsWith('TargetTracking-')
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: `Delete the alarm ${alarm.AlarmName}?`,
      body: 'Its history is deleted too.',
      action: 'Delete',
      tone: 'danger',
    })
    if (isSure) await update('DeleteAlarms', { AlarmNames: [alarm.AlarmName] }, 'Alarm deleted')
  }
  return (
    <li className="alarm">
      <p className="alarm-head">
        <Badge tone={stateTones[alarm.StateValue]}>{stateNames[alarm.StateValue]}</Badge>
        <span className="plain-name">{alarm.AlarmName}</span>
        {!isReadOnly && isOwn && (
          <IconButton
            label={`Delete ${alarm.AlarmName}`}
            icon={<Trash2 />}
            disabled={isBusy}
            onClick={() => void remove()}
          />
        )}
      </p>
      {error !== undefined && <ErrorBox error={error} />}
      <p className="muted">{conditionText(alarm)}</p>
      {alarm.StateReason !== undefined && <p className="alarm-reason">{alarm.StateReason}</p>}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          History<span className="visually-hidden"> of {alarm.AlarmName}</span>
        </summary>
        {isOpen && <History alarmName={alarm.AlarmName} />}
      </details>
    </li>
  )
}

interface HistoryItem {
  readonly Timestamp: number
  readonly HistoryItemType: string
  readonly HistorySummary: string
}

function History({ alarmName }: { readonly alarmName: string }) {
  const scope = useScope()
  const call = useCall()
  const { data, error, refetch } = useQuery({
    queryKey: [scopeKey(scope), 'alarm-history', alarmName],
    queryFn: async ({ signal }) => {
      const { AlarmHistoryItems } = await call<{ readonly AlarmHistoryItems: readonly HistoryItem[] }>(
        'DescribeAlarmHistory',
        { AlarmName: alarmName, MaxRecords: 50 },
        signal,
      )
      return AlarmHistoryItems
    },
    refetchInterval: 10_000,
  })
  if (data === undefined) return <Waiting error={error} onRetry={refetch} lines={2} />
  if (data.length === 0) return <p className="muted">Nothing has happened yet.</p>
  return (
    <ol className="alarm-history" aria-label={`History of ${alarmName}`}>
      {data.map(({ Timestamp, HistoryItemType, HistorySummary }, at) => (
        <li key={`${String(Timestamp)} ${HistoryItemType} ${String(at)}`}>
          <span className="number muted">{formatTime(Timestamp)}</span> {HistorySummary}
        </li>
      ))}
    </ol>
  )
}

const stateTones: Readonly<Record<Alarm['StateValue'], BadgeTone>> = {
  OK: 'success',
  ALARM: 'danger',
  INSUFFICIENT_DATA: 'neutral',
}

const stateNames: Readonly<Record<Alarm['StateValue'], string>> = {
  OK: 'OK',
  ALARM: 'in alarm',
  INSUFFICIENT_DATA: 'no data',
}

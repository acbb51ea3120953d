import { CalendarPlus, Plus, Trash2 } from '../../../../icons/icons.generated.ts'
import { useState } from 'react'
import { isOnDemand } from '../../../../api/table-facts.ts'
import type { TableDescription } from '../../../../api-types.ts'
import { Button, IconButton } from '../../../../components/controls/button.tsx'
import { confirm } from '../../../../components/dialogs/confirm.tsx'
import { ErrorBox, Skeleton } from '../../../../components/messages/notices.tsx'
import { Panel } from '../../../../components/page/page.tsx'
import { PlainTable } from '../../../../components/page/plain-table.tsx'
import { Badge } from '../../../../components/values/badge.tsx'
import { formatTime } from '../../../../values/format.ts'
import { useUpdate } from '../use-update.ts'
import { ScalingDialog } from './scaling-dialog.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { boundsText, placeText, type ScalableTarget, type Scaling } from './scaling-facts.ts'
import { useScaling } from './use-scaling.ts'

/** What scales the table by itself: bounds and policies, schedules, and what they have done. */
export function AutoScaling({
  table,
  isReadOnly,
}: {
  readonly table: TableDescription
  readonly isReadOnly: boolean
}) {
  const { data, error, refetch } = useScaling(table.TableName)
  const [dialog, setDialog] = useState<'scaling' | 'schedule'>()
  const targets = data?.targets ?? []
  const mayAdd = !isReadOnly && !isOnDemand(table)
  return (
    <Panel
      title="Auto scaling"
      hint={
        isOnDemand(table)
          ? 'For provisioned capacity. On-demand capacity follows the load without it.'
          : 'Follows the load between a smallest and a largest capacity.'
      }
      actions={
        mayAdd && (
          <>
            {targets.length > 0 && (
              <Button icon={<CalendarPlus />} onClick={() => setDialog('schedule')}>
                Add a schedule
              </Button>
            )}
            <Button icon={<Plus />} onClick={() => setDialog('scaling')}>
              Add auto scaling
            </Button>
          </>
        )
      }
    >
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data !== undefined && (
        <div className="stack">
          <Targets scaling={data} isReadOnly={isReadOnly} />
          <Schedules scheduled={data.scheduled} isReadOnly={isReadOnly} />
          <Activities activities={data.activities} />
        </div>
      )}
      {dialog === 'scaling' && <ScalingDialog table={table} onClose={() => setDialog(undefined)} />}
      {dialog === 'schedule' && <ScheduleDialog targets={targets} onClose={() => setDialog(undefined)} />}
    </Panel>
  )
}

function Targets({
  scaling: { targets, policies },
  isReadOnly,
}: {
  readonly scaling: Scaling
  readonly isReadOnly: boolean
}) {
  const { update, isBusy, error } = useUpdate()
  if (targets.length === 0) return <p className="muted">This table has no auto scaling.</p>
  const remove = async (target: ScalableTarget): Promise<void> => {
    const { ResourceId, ScalableDimension } = target
    const isSure = await confirm({
      title: 'Remove auto scaling?',
      body: `${placeText(target)} keep the capacity that they have now. The policies and schedules are deleted.`,
      action: 'Remove',
      tone: 'danger',
    })
    const input = { ServiceNamespace: 'dynamodb', ResourceId, ScalableDimension }
    if (isSure) await update('DeregisterScalableTarget', input, 'Auto scaling removed')
  }
  return (
    <>
      {error !== undefined && <ErrorBox error={error} />}
      <PlainTable
        label="Auto scaling"
        rows={targets}
        keyOf={({ ResourceId, ScalableDimension }) => `${ResourceId} ${ScalableDimension}`}
        columns={[
          { title: 'What', cell: (target) => <span className="plain-name">{placeText(target)}</span> },
          { title: 'Smallest', kind: 'figure', cell: ({ MinCapacity }) => MinCapacity },
          { title: 'Largest', kind: 'figure', cell: ({ MaxCapacity }) => MaxCapacity },
          {
            title: 'Policy',
            cell: (target) =>
              policies
                .filter((policy) => isSamePlace(policy, target))
                .map(({ PolicyName, TargetTrackingScalingPolicyConfiguration: tracking }) => (
                  <div key={PolicyName}>
                    {PolicyName}{' '}
                    <span className="muted">
                      {tracking !== undefined && `keeps ${String(tracking.TargetValue)} %`}
                      {tracking?.DisableScaleIn === true && ', never scales in'}
                    </span>
                  </div>
                )),
          },
          {
            title: 'Actions',
            kind: 'actions',
            cell: (target) =>
              !isReadOnly && (
                <IconButton
                  label={`Remove auto scaling of ${placeText(target).toLowerCase()}`}
                  icon={<Trash2 />}
                  disabled={isBusy}
                  onClick={() => void remove(target)}
                />
              ),
          },
        ]}
      />
    </>
  )
}

function isSamePlace(
  one: Pick<ScalableTarget, 'ResourceId' | 'ScalableDimension'>,
  other: ScalableTarget,
): boolean {
  return one.ResourceId === other.ResourceId && one.ScalableDimension === other.ScalableDimension
}

function Schedules({
  scheduled,
  isReadOnly,
}: {
  readonly scheduled: Scaling['scheduled']
  readonly isReadOnly: boolean
}) {
  const { update, isBusy, error } = useUpdate()
  if (scheduled.length === 0) return null
  const remove = ({ ResourceId, ScalableDimension, ScheduledActionName }: Scaling['scheduled'][number]): void =>
    void update(
      'DeleteScheduledAction',
      { ServiceNamespace: 'dynamodb', ResourceId, ScalableDimension, ScheduledActionName },
      'Schedule deleted',
    )
  return (
    <>
      {error !== undefined && <ErrorBox error={error} />}
      <PlainTable
        label="Schedules"
        rows={scheduled}
        keyOf={({ ResourceId, ScalableDimension, ScheduledActionName }) =>
          `${ResourceId} ${ScalableDimension} ${ScheduledActionName}`
        }
        columns={[
          {
            title: 'Schedule',
            cell: ({ ScheduledActionName }) => <span className="plain-name">{ScheduledActionName}</span>,
          },
          {
            title: 'When',
            cell: ({ Schedule, Timezone }) => (
              <>
                <code>{Schedule}</code> <span className="muted">{Timezone}</span>
              </>
            ),
          },
          { title: 'What', cell: placeText },
          {
            title: 'Becomes',
            kind: 'number',
            cell: ({ ScalableTargetAction }) => boundsText(ScalableTargetAction),
          },
          {
            title: 'Actions',
            kind: 'actions',
            cell: (action) =>
              !isReadOnly && (
                <IconButton
                  label={`Delete ${action.ScheduledActionName}`}
                  icon={<Trash2 />}
                  disabled={isBusy}
                  onClick={() => remove(action)}
                />
              ),
          },
        ]}
      />
    </>
  )
}

function Activities({ activities }: { readonly activities: Scaling['activities'] }) {
  if (activities.length === 0) return null
  return (
    <PlainTable
      label="Scaling activities"
      className="capacity-log"
      rows={activities}
      keyOf={({ ActivityId }) => ActivityId}
      columns={[
        { title: 'Activity', kind: 'number', cell: ({ StartTime }) => formatTime(StartTime) },
        {
          title: 'What was done, and why',
          cell: ({ Description, Cause }) => (
            <>
              {Description} <span className="muted">{Cause}</span>
            </>
          ),
        },
        {
          title: 'Status',
          cell: ({ StatusCode, StatusMessage }) => (
            <Badge tone={activityTones[StatusCode] ?? 'warning'} title={StatusMessage ?? StatusCode}>
              {StatusCode.toLowerCase()}
            </Badge>
          ),
        },
      ]}
    />
  )
}

const activityTones: Readonly<Record<string, 'success' | 'danger'>> = { Successful: 'success', Failed: 'danger' }

import { CalendarPlus, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isOnDemand } from '../../../../api/table-facts.ts'
import type { TableDescription } from '../../../../api-types.ts'
import { Button, IconButton } from '../../../../components/controls/button.tsx'
import { confirm } from '../../../../components/dialogs/confirm.tsx'
import { ErrorBox, Skeleton } from '../../../../components/messages/notices.tsx'
import { Panel } from '../../../../components/page/page.tsx'
import { ScrollRegion } from '../../../../components/page/scroll-region.tsx'
import { Badge } from '../../../../components/values/badge.tsx'
import '../../../../components/page/plain-table.css'
import { formatTime } from '../../../../values/format.ts'
import { useUpdate } from '../use-update.ts'
import { ScalingDialog } from './scaling-dialog.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { placeText, type ScalableTarget, type Scaling } from './scaling-facts.ts'
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
          ? 'A table with on-demand capacity needs none.'
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
  if (targets.length === 0) return <p className="muted">Nothing scales this table by itself.</p>
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
      <ScrollRegion label="Auto scaling, scrolled">
        <table className="plain-table" aria-label="Auto scaling">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className="is-end">
                Smallest
              </th>
              <th scope="col" className="is-end">
                Largest
              </th>
              <th scope="col">Policy</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {targets.map((target) => (
              <tr key={`${target.ResourceId} ${target.ScalableDimension}`}>
                <td className="plain-name">{placeText(target)}</td>
                <td className="is-end number">{target.MinCapacity}</td>
                <td className="is-end number">{target.MaxCapacity}</td>
                <td>
                  {policies
                    .filter((policy) => isSamePlace(policy, target))
                    .map(({ PolicyName, TargetTrackingScalingPolicyConfiguration: tracking }) => (
                      <div key={PolicyName}>
                        {PolicyName}{' '}
                        <span className="muted">
                          {tracking !== undefined && `keeps ${String(tracking.TargetValue)} %`}
                          {tracking?.DisableScaleIn === true && ', never scales in'}
                        </span>
                      </div>
                    ))}
                </td>
                <td className="is-end">
                  {!isReadOnly && (
                    <IconButton
                      label={`Remove auto scaling of ${placeText(target).toLowerCase()}`}
                      icon={<Trash2 />}
                      disabled={isBusy}
                      onClick={() => void remove(target)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
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
      <ScrollRegion label="Schedules, scrolled">
        <table className="plain-table" aria-label="Schedules">
          <thead>
            <tr>
              <th scope="col">Schedule</th>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Becomes</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {scheduled.map((action) => {
              const { MinCapacity, MaxCapacity } = action.ScalableTargetAction ?? {}
              return (
                <tr key={`${action.ResourceId} ${action.ScalableDimension} ${action.ScheduledActionName}`}>
                  <td className="plain-name">{action.ScheduledActionName}</td>
                  <td>
                    <code>{action.Schedule}</code> <span className="muted">{action.Timezone}</span>
                  </td>
                  <td>{placeText(action)}</td>
                  <td className="number">
                    {MinCapacity ?? '–'} to {MaxCapacity ?? '–'}
                  </td>
                  <td className="is-end">
                    {!isReadOnly && (
                      <IconButton
                        label={`Delete ${action.ScheduledActionName}`}
                        icon={<Trash2 />}
                        disabled={isBusy}
                        onClick={() => remove(action)}
                      />
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

function Activities({ activities }: { readonly activities: Scaling['activities'] }) {
  if (activities.length === 0) return null
  return (
    <ScrollRegion label="Activities, scrolled" className="capacity-log">
      <table className="plain-table" aria-label="Scaling activities">
        <thead>
          <tr>
            <th scope="col">Activity</th>
            <th scope="col">What was done, and why</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {activities.map(({ ActivityId, StartTime, Description, Cause, StatusCode, StatusMessage }) => (
            <tr key={ActivityId}>
              <td className="number">{formatTime(StartTime)}</td>
              <td>
                {Description} <span className="muted">{Cause}</span>
              </td>
              <td>
                <Badge tone={activityTones[StatusCode] ?? 'warning'} title={StatusMessage ?? StatusCode}>
                  {StatusCode.toLowerCase()}
                </Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const activityTones: Readonly<Record<string, 'success' | 'danger'>> = { Successful: 'success', Failed: 'danger' }

import { useState } from 'react'
import { useCall, useRefresh } from '../../../../api/queries.ts'
import { Field, Select, TextInput } from '../../../../components/controls/field.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { tell } from '../../../../components/messages/toast.tsx'
import { placeText, type ScalableTarget } from './scaling-facts.ts'

/** Asks when the bounds of auto scaling change, and to what. */
export function ScheduleDialog({
  targets,
  onClose,
}: {
  readonly targets: readonly ScalableTarget[]
  readonly onClose: () => void
}) {
  const call = useCall()
  const refresh = useRefresh()
  const [chosen, setChosen] = useState('0')
  const target = targets[Number(chosen)]
  const [name, setName] = useState('')
  const [schedule, setSchedule] = useState('cron(0 8 * * ? *)')
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [smallest, setSmallest] = useState(String(target?.MinCapacity ?? 5))
  const [largest, setLargest] = useState(String(target?.MaxCapacity ?? 500))
  const isWhole = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)
  const isRange = isWhole(smallest) && isWhole(largest) && Number(smallest) <= Number(largest)
  const isWhen = /^(?:cron|rate|at)\(.+\)$/.test(schedule.trim())
  const save = async (): Promise<void> => {
    if (target === undefined) return
    const { ResourceId, ScalableDimension } = target
    await call('PutScheduledAction', {
      ServiceNamespace: 'dynamodb',
      ResourceId,
      ScalableDimension,
      ScheduledActionName: name.trim(),
      Schedule: schedule.trim(),
      ...(zone.trim() !== '' && { Timezone: zone.trim() }),
      ScalableTargetAction: { MinCapacity: Number(smallest), MaxCapacity: Number(largest) },
    })
    await refresh()
    tell('Schedule added')
  }
  return (
    <FormDialog
      title="Add a schedule"
      description="At that time, the smallest and the largest capacity of auto scaling change."
      action="Add"
      isReady={isRange && isWhen && name.trim() !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Of">
        <Select
          value={chosen}
          options={targets.map((each, at) => ({ value: String(at), label: placeText(each).toLowerCase() }))}
          onChange={setChosen}
        />
      </Field>
      <Field label="Name of the schedule">
        <TextInput placeholder="before-the-sale" value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field
        label="When"
        hint="cron(minutes hours day month weekday year), rate(1 hour) or at(2027-01-01T08:00:00)"
        error={isWhen ? undefined : 'Enter cron(…), rate(…) or at(…).'}
      >
        <TextInput isMono value={schedule} onChange={(event) => setSchedule(event.target.value)} />
      </Field>
      <Field label="Time zone" isOptional>
        <TextInput value={zone} onChange={(event) => setZone(event.target.value)} />
      </Field>
      <Field
        label="Smallest capacity then"
        error={isRange ? undefined : 'Both must be whole numbers, and the smallest is not above the largest.'}
      >
        <TextInput inputMode="numeric" value={smallest} onChange={(event) => setSmallest(event.target.value)} />
      </Field>
      <Field label="Largest capacity then">
        <TextInput inputMode="numeric" value={largest} onChange={(event) => setLargest(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

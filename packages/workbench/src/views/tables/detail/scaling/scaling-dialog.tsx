import { useState } from 'react'
import { useCall, useRefresh } from '../../../../api/queries.ts'
import type { TableDescription } from '../../../../api-types.ts'
import { Field, Select, TextInput } from '../../../../components/controls/field.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { tell } from '../../../../components/messages/toast.tsx'

/** Asks for the bounds and the target, and registers both. */
export function ScalingDialog({
  table,
  onClose,
}: {
  readonly table: TableDescription
  readonly onClose: () => void
}) {
  const call = useCall()
  const refresh = useRefresh()
  const [place, setPlace] = useState('')
  const [side, setSide] = useState<'Read' | 'Write'>('Write')
  const [smallest, setSmallest] = useState('5')
  const [largest, setLargest] = useState('500')
  const [target, setTarget] = useState('70')
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName)
  const isWhole = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)
  const isRange = isWhole(smallest) && isWhole(largest) && Number(smallest) <= Number(largest)
  const isPercent = Number(target) >= 20 && Number(target) <= 90
  const save = async (): Promise<void> => {
    const about = {
      ServiceNamespace: 'dynamodb',
      ResourceId: `table/${table.TableName}${place === '' ? '' : `/index/${place}`}`,
      ScalableDimension: `dynamodb:${place === '' ? 'table' : 'index'}:${side}CapacityUnits`,
    }
    await call('RegisterScalableTarget', {
      ...about,
      MinCapacity: Number(smallest),
      MaxCapacity: Number(largest),
    })
    await call('PutScalingPolicy', {
      ...about,
      PolicyName: `${side.toLowerCase()}s-of-${place === '' ? table.TableName : place}`,
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: Number(target),
        PredefinedMetricSpecification: { PredefinedMetricType: `DynamoDB${side}CapacityUtilization` },
      },
    })
    await refresh()
    tell('Auto scaling added')
  }
  return (
    <FormDialog
      title="Add auto scaling"
      description="Capacity follows the load, so that it stays at the target utilization."
      action="Add"
      isReady={isRange && isPercent}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Of">
        <Select value={place} options={[{ value: '', label: 'the table' }, ...indexes]} onChange={setPlace} />
      </Field>
      <Field label="Capacity">
        <Select
          value={side}
          options={[
            { value: 'Write', label: 'writes' },
            { value: 'Read', label: 'reads' },
          ]}
          onChange={(value) => setSide(value === 'Read' ? 'Read' : 'Write')}
        />
      </Field>
      <Field
        label="Smallest capacity"
        error={isRange ? undefined : 'Both must be whole numbers, and the smallest is not above the largest.'}
      >
        <TextInput inputMode="numeric" value={smallest} onChange={(event) => setSmallest(event.target.value)} />
      </Field>
      <Field label="Largest capacity">
        <TextInput inputMode="numeric" value={largest} onChange={(event) => setLargest(event.target.value)} />
      </Field>
      <Field label="Target utilization, percent" error={isPercent ? undefined : 'Enter 20 to 90.'}>
        <TextInput inputMode="numeric" value={target} onChange={(event) => setTarget(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

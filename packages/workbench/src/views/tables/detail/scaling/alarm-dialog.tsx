import { useState } from 'react'
import { useCall, useRefresh } from '../../../../api/queries.ts'
import type { TableDescription } from '../../../../api-types.ts'
import { Field, Select, TextInput } from '../../../../components/controls/field.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { tell } from '../../../../components/messages/toast.tsx'

/** The metrics of a table that alarms usually watch, with the statistic and the comparison that make sense of each. */
const metrics = [
  { value: 'WriteThrottleEvents', label: 'Throttled writes', statistic: 'Sum' },
  { value: 'ReadThrottleEvents', label: 'Throttled reads', statistic: 'Sum' },
  { value: 'ConsumedWriteCapacityUnits', label: 'Consumed write units', statistic: 'Sum' },
  { value: 'ConsumedReadCapacityUnits', label: 'Consumed read units', statistic: 'Sum' },
] as const

/** Asks what an alarm watches, and creates it. */
export function AlarmDialog({
  table: { TableName },
  taken,
  onClose,
}: {
  readonly table: Pick<TableDescription, 'TableName'>
  /** A new alarm does not replace another one by mistake. */
  readonly taken: readonly string[]
  readonly onClose: () => void
}) {
  const call = useCall()
  const refresh = useRefresh()
  const [metric, setMetric] = useState<string>(metrics[0].value)
  const [name, setName] = useState(`${TableName}-throttled-writes`)
  const [threshold, setThreshold] = useState('0')
  const [period, setPeriod] = useState('60')
  const [periods, setPeriods] = useState('1')
  const isNamed = name.trim() !== '' && name.length <= 255 && !taken.includes(name)
  const isNumber = threshold.trim() !== '' && Number.isFinite(Number(threshold))
  const isCount = /^[1-9]\d{0,2}$/.test(periods)
  const save = async (): Promise<void> => {
    await call('PutMetricAlarm', {
      AlarmName: name,
      Namespace: 'AWS/DynamoDB',
      MetricName: metric,
      Dimensions: [{ Name: 'TableName', Value: TableName }],
      Statistic: metrics.find(({ value }) => value === metric)?.statistic ?? 'Sum',
      Period: Number(period),
      EvaluationPeriods: Number(periods),
      Threshold: Number(threshold),
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    })
    await refresh()
    tell('Alarm created')
  }
  return (
    <FormDialog
      title="Create an alarm"
      description="It is in alarm while the sum of the metric is above the threshold."
      action="Create"
      isReady={isNamed && isNumber && isCount}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Metric">
        <Select value={metric} options={metrics} onChange={setMetric} />
      </Field>
      <Field
        label="Name of the alarm"
        error={isNamed ? undefined : taken.includes(name) ? 'There is an alarm of this name.' : 'Enter a name.'}
      >
        <TextInput value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Above" error={isNumber ? undefined : 'Enter a number.'}>
        <TextInput inputMode="decimal" value={threshold} onChange={(event) => setThreshold(event.target.value)} />
      </Field>
      <Field label="Period">
        <Select
          value={period}
          options={[
            { value: '60', label: '1 minute' },
            { value: '300', label: '5 minutes' },
            { value: '3600', label: '1 hour' },
          ]}
          onChange={setPeriod}
        />
      </Field>
      <Field label="Periods in a row" error={isCount ? undefined : 'Enter 1 to 999.'}>
        <TextInput inputMode="numeric" value={periods} onChange={(event) => setPeriods(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

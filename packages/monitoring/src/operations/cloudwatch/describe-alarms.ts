import { ServiceError, validationException } from '@hashrange/core'
import type { Alarm } from '../../records/alarm-records.ts'
import { describeAlarm } from '../../alarms/describe-alarm.ts'
import type { DescribeAlarmsInput } from '../../api/cloudwatch-inputs.ts'
import { pageToken, readPageToken, type Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

/** Only metric alarms exist. */
export async function describeAlarms(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeAlarmsInput,
): Promise<unknown> {
  const { AlarmNames: names, AlarmNamePrefix: prefix, MaxRecords = 100, NextToken } = input
  if (names !== undefined && prefix !== undefined) {
    throw validationException('AlarmNames and AlarmNamePrefix cannot be given together.')
  }
  const after = NextToken === undefined ? undefined : readPageToken(NextToken)
  if (NextToken !== undefined && after === undefined) {
    throw new ServiceError('InvalidNextToken', 'The next token specified is invalid.')
  }
  const isAsked =
    (input.AlarmTypes === undefined || input.AlarmTypes.includes('MetricAlarm')) &&
    input.ChildrenOfAlarmName === undefined &&
    input.ParentsOfAlarmName === undefined
  if (!isAsked) return { CompositeAlarms: [], MetricAlarms: [], NextToken: undefined }
  const { records, next } = await monitoring.alarms.alarms.page(scope, {
    limit: MaxRecords,
    after,
    matches: (alarm) => matches(alarm, input),
  })
  return {
    CompositeAlarms: [],
    MetricAlarms: records.map((alarm) => describeAlarm(monitoring, scope, alarm)),
    NextToken: pageToken(next),
  }
}

function matches(alarm: Alarm, input: DescribeAlarmsInput): boolean {
  const { AlarmNames: names, AlarmNamePrefix: prefix, StateValue: state, ActionPrefix: actionPrefix } = input
  const actions = [...alarm.okActions, ...alarm.alarmActions, ...alarm.insufficientDataActions]
  return (
    (names === undefined || names.length === 0 || names.includes(alarm.name)) &&
    (prefix === undefined || alarm.name.startsWith(prefix)) &&
    (state === undefined || alarm.state.value === state) &&
    (actionPrefix === undefined || actions.some((action) => action.startsWith(actionPrefix)))
  )
}

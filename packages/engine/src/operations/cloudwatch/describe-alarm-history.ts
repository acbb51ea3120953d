import { ServiceError } from '@hashrange/core'
import type { AlarmHistoryItem } from '../../alarms/alarm-records.ts'
import type { DescribeAlarmHistoryInput } from '../../api/cloudwatch-inputs.ts'
import type { Engine } from '../../engine.ts'
import { pageToken, readPageToken } from '../../records/page-token.ts'
import type { Scope } from '../../scope.ts'

/** The latest first unless asked otherwise, of one alarm or of all, those that were deleted among them. */
export async function describeAlarmHistory(
  engine: Engine,
  scope: Scope,
  input: DescribeAlarmHistoryInput,
): Promise<unknown> {
  const { AlarmName, MaxRecords = 100, NextToken, AlarmTypes, ScanBy } = input
  const token = NextToken === undefined ? undefined : readPageToken(NextToken)
  if (NextToken !== undefined && token === undefined) {
    throw new ServiceError('InvalidNextToken', 'The next token specified is invalid.')
  }
  const isAsked = AlarmTypes === undefined || AlarmTypes.includes('MetricAlarm')
  const isKept = isAsked && AlarmName?.includes('\0') !== true
  const kept = isKept ? await engine.alarms.history.list(scope, AlarmName === undefined ? [] : [AlarmName]) : []
  const isAscending = ScanBy === 'TimestampAscending'
  const items = kept
    .filter((item) => matches(item, input))
    .map((item) => ({ item, place: `${String(item.atMs).padStart(16, '0')} ${item.id}` }))
    .toSorted((one, other) => (one.place < other.place === isAscending ? -1 : 1))
    .filter(
      ({ place }) => token === undefined || (isAscending ? place > (token[0] ?? '') : place < (token[0] ?? '')),
    )
  const page = items.slice(0, MaxRecords)
  const last = page.at(-1)
  return {
    AlarmHistoryItems: page.map(({ item }) => describe(item)),
    NextToken: last !== undefined && items.length > page.length ? pageToken([last.place]) : undefined,
  }
}

function matches({ type, atMs }: AlarmHistoryItem, input: DescribeAlarmHistoryInput): boolean {
  const { HistoryItemType, StartDate, EndDate } = input
  return (
    (HistoryItemType === undefined || HistoryItemType === type) &&
    (StartDate === undefined || atMs >= StartDate * 1000) &&
    (EndDate === undefined || atMs <= EndDate * 1000)
  )
}

function describe({ alarmName, atMs, type, summary, data }: AlarmHistoryItem): unknown {
  return {
    AlarmName: alarmName,
    AlarmType: 'MetricAlarm',
    Timestamp: new Date(atMs),
    HistoryItemType: type,
    HistorySummary: summary,
    HistoryData: data,
  }
}

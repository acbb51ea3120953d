import { ServiceError } from '@hashrange/core'
import type { AlarmHistoryItem } from '../../records/alarm-records.ts'
import type { DescribeAlarmHistoryInput } from '../../api/cloudwatch-inputs.ts'
import { pageToken, readPageToken, type Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

/** The latest first by default, of one alarm or of all, including deleted ones. */
export async function describeAlarmHistory(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeAlarmHistoryInput,
): Promise<unknown> {
  const { AlarmName, MaxRecords = 100, NextToken, AlarmTypes, ScanBy } = input
  const token = NextToken === undefined ? undefined : readPageToken(NextToken)
  if (NextToken !== undefined && token === undefined) {
    throw new ServiceError('InvalidNextToken', 'The next token specified is invalid.')
  }
  const isAsked = AlarmTypes === undefined || AlarmTypes.includes('MetricAlarm')
  if (!isAsked || AlarmName?.includes('\0') === true) return { AlarmHistoryItems: [], NextToken: undefined }
  const page = new HistoryPage(MaxRecords, ScanBy === 'TimestampAscending', token?.[0])
  await monitoring.alarms.history.scan(scope, AlarmName === undefined ? [] : [AlarmName], (item) => {
    if (matches(item, input)) page.add(item)
    return true
  })
  return { AlarmHistoryItems: page.items.map(describe), NextToken: page.next }
}

/** The first items in order of time, from however many there are: only as many are kept as needed. */
class HistoryPage {
  readonly #limit: number
  readonly #isAscending: boolean
  readonly #after: string | undefined
  #kept: { readonly place: string; readonly item: AlarmHistoryItem }[] = []

  constructor(limit: number, isAscending: boolean, after: string | undefined) {
    this.#limit = limit
    this.#isAscending = isAscending
    this.#after = after
  }

  add(item: AlarmHistoryItem): void {
    const place = `${String(item.atMs).padStart(16, '0')} ${item.id}`
    if (this.#after !== undefined && !this.#isBefore(this.#after, place)) return
    this.#kept.push({ place, item })
    if (this.#kept.length > 10 * this.#limit) this.#cut()
  }

  get items(): readonly AlarmHistoryItem[] {
    this.#cut()
    return this.#kept.slice(0, this.#limit).map(({ item }) => item)
  }

  get next(): string | undefined {
    this.#cut()
    const last = this.#kept.length > this.#limit ? this.#kept[this.#limit - 1] : undefined
    return last && pageToken([last.place])
  }

  /** One more than the page contains shows that there is another page. */
  #cut(): void {
    this.#kept = this.#kept
      .toSorted((one, other) => (this.#isBefore(one.place, other.place) ? -1 : 1))
      .slice(0, this.#limit + 1)
  }

  #isBefore(one: string, other: string): boolean {
    return this.#isAscending ? one < other : one > other
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

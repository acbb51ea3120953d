import type {
  AlarmStateValue,
  ComparisonOperator,
  DimensionInput,
  MetricDataQueryInput,
  StatisticName,
} from '../api/cloudwatch-inputs.ts'
import type { RecordSpace, Scope, ServiceHost } from '@hashrange/engine'

/** The records of alarms. ON DISK as JSON: members may be added, with a default for records that lack them. */
export class AlarmRecords {
  /** By name. */
  readonly alarms: RecordSpace<Alarm>
  /** By name, time and identifier. */
  readonly history: RecordSpace<AlarmHistoryItem>

  constructor(host: ServiceHost) {
    this.alarms = host.records('alarm')
    this.history = host.records('alarmHistory')
  }
}

export interface Alarm {
  readonly name: string
  readonly description?: string
  readonly actionsEnabled: boolean
  readonly okActions: readonly string[]
  readonly alarmActions: readonly string[]
  readonly insufficientDataActions: readonly string[]
  /** What it watches: one metric, or the one query of these that returns data. */
  readonly metric?: AlarmMetric
  readonly queries?: readonly MetricDataQueryInput[]
  readonly evaluationPeriods: number
  readonly datapointsToAlarm?: number
  readonly threshold: number
  readonly comparison: ComparisonOperator
  readonly treatMissingData?: MissingData
  readonly evaluateLowSampleCountPercentile?: string
  readonly tags: Readonly<Record<string, string>>
  readonly createdAtMs: number
  readonly configuredAtMs: number
  readonly state: AlarmState
  /** Alarms of auto scaling follow what is provisioned: the threshold is a multiple of the capacity. */
  readonly follows?: FollowedCapacity
}

export interface AlarmMetric {
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: readonly DimensionInput[]
  readonly statistic?: StatisticName
  readonly extendedStatistic?: string
  readonly periodSeconds: number
  readonly unit?: string
}

export type MissingData = 'breaching' | 'notBreaching' | 'ignore' | 'missing'

export interface AlarmState {
  readonly value: AlarmStateValue
  readonly reason: string
  readonly reasonData?: string
  readonly updatedAtMs: number
  readonly transitionedAtMs: number
}

export interface FollowedCapacity {
  readonly tableName: string
  readonly indexName?: string
  readonly units: 'read' | 'write'
  readonly factor: number
}

export interface AlarmHistoryItem {
  readonly alarmName: string
  readonly id: string
  readonly atMs: number
  readonly type: 'ConfigurationUpdate' | 'StateUpdate' | 'Action'
  readonly summary: string
  readonly data: string
}

/** Times have a fixed number of digits, so that they sort in order of time. */
export function historyParts({ alarmName, atMs, id }: AlarmHistoryItem): readonly string[] {
  return [alarmName, String(atMs).padStart(16, '0'), id]
}

export function alarmArn({ region, accountId }: Scope, alarmName: string): string {
  return `arn:aws:cloudwatch:${region}:${accountId}:alarm:${alarmName}`
}

export function initialState(nowMs: number): AlarmState {
  return {
    value: 'INSUFFICIENT_DATA',
    reason: 'Unchecked: Initial alarm creation',
    updatedAtMs: nowMs,
    transitionedAtMs: nowMs,
  }
}

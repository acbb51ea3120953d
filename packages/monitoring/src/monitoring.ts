import type { ServiceHost } from '@hashrange/engine'
import type { AlarmNotifier } from './api/alarm-notifier.ts'
import { AlarmRecords } from './records/alarm-records.ts'
import { CustomMetrics } from './records/custom-metrics.ts'
import { InsightsRecords } from './records/insights-records.ts'
import { ScalingRecords } from './records/scaling-records.ts'

/** What everything in this package gets: what the database shows of itself, and the records of monitoring. */
export interface Monitoring extends ServiceHost {
  readonly alarms: AlarmRecords
  readonly scaling: ScalingRecords
  readonly insights: InsightsRecords
  /** Metrics that clients put themselves. */
  readonly customMetrics: CustomMetrics
  /** Delivers the notifications of alarms, if there is one. */
  readonly notifier: AlarmNotifier | undefined
}

export function monitoringOf(host: ServiceHost, notifier: AlarmNotifier | undefined): Monitoring {
  return {
    ...host,
    alarms: new AlarmRecords(host),
    scaling: new ScalingRecords(host),
    insights: new InsightsRecords(host),
    customMetrics: new CustomMetrics(host),
    notifier,
  }
}

import type { ServiceHost } from '@hashrange/engine'
import type { AlarmNotifier } from './api/alarm-notifier.ts'
import { AlarmRecords } from './records/alarm-records.ts'
import { InsightsRecords } from './records/insights-records.ts'
import { ScalingRecords } from './records/scaling-records.ts'

/** What everything in this package is given: what the database shows of itself, and what monitoring remembers. */
export interface Monitoring extends ServiceHost {
  readonly alarms: AlarmRecords
  readonly scaling: ScalingRecords
  readonly insights: InsightsRecords
  /** Whoever delivers the notifications of alarms, if anybody does. */
  readonly notifier: AlarmNotifier | undefined
}

export function monitoringOf(host: ServiceHost, notifier: AlarmNotifier | undefined): Monitoring {
  return {
    ...host,
    alarms: new AlarmRecords(host),
    scaling: new ScalingRecords(host),
    insights: new InsightsRecords(host),
    notifier,
  }
}

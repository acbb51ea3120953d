import type { OpenService } from '@hashrange/engine'
import { openTestEngine, type TestEngine, type TestEngineOptions } from '@hashrange/engine/test-engine'
import type { AlarmNotifier } from '../api/alarm-notifier.ts'
import { evaluateAlarms } from '../evaluation/index.ts'
import { monitoringOf, type Monitoring } from '../monitoring.ts'
import { serviceOf } from '../monitoring-service.ts'
import { runScheduledActions } from '../scaling/run-scheduled-actions.ts'

/** What happens by itself every few seconds, for a test that does not want to wait. */
export interface MonitoringByHand {
  readonly evaluateAlarms: () => Promise<void>
  readonly runScheduledActions: () => Promise<void>
}

export interface MonitoredEngine extends TestEngine, MonitoringByHand {}

/** A test's own engine, with monitoring. */
export async function openMonitoredEngine(
  path?: string,
  { notifier, ...options }: TestEngineOptions & { readonly notifier?: AlarmNotifier } = {},
): Promise<MonitoredEngine> {
  const { service, byHand } = monitoringByHand(notifier)
  return { ...(await openTestEngine(path, { ...options, services: [service] })), ...byHand }
}

/** Monitoring for an engine that a test opens, and a hold on it. */
export function monitoringByHand(notifier?: AlarmNotifier): {
  readonly service: OpenService
  readonly byHand: MonitoringByHand
} {
  let opened: Monitoring | undefined
  const monitoring = (): Monitoring => {
    if (opened === undefined) throw new Error('no engine was opened with this service')
    return opened
  }
  return {
    service: (host) => {
      opened = monitoringOf(host, notifier)
      return serviceOf(opened)
    },
    byHand: {
      evaluateAlarms: () => evaluateAlarms(monitoring(), { aborted: false }),
      runScheduledActions: () => runScheduledActions(monitoring()),
    },
  }
}

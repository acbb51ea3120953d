import { Engine, type EngineOptions } from '@hashrange/engine'
import { monitoringService, monitoringWire, type AlarmNotifier } from '@hashrange/monitoring'
import type { WireService } from '@hashrange/server'

export interface OpenEngineOptions extends Omit<EngineOptions, 'services'> {
  /** Who delivers the notifications of alarms; without one, alarms change their state and tell nobody. */
  readonly notifier?: AlarmNotifier | undefined
}

/** Opens an engine with every service that hashrange has beside DynamoDB. */
export function openEngine({ notifier, ...options }: OpenEngineOptions): Promise<Engine> {
  return Engine.open({ ...options, services: [monitoringService({ notifier })] })
}

/** How clients speak to those services. */
export const wireServices: readonly WireService[] = monitoringWire

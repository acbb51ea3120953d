import { readInput, serviceOperations, type OpenService, type Service, type Stopping } from '@hashrange/engine'
import type { AlarmNotifier } from './api/alarm-notifier.ts'
import { dynamodbOperations, monitoringOperations } from './api/operations.ts'
import { readAutoScalingInput, readCloudWatchInput } from './api/read-inputs.ts'
import { rankInsights } from './insights/insight-rules.ts'
import { monitoringOf, type Monitoring } from './monitoring.ts'
import type { CustomMetrics } from './records/custom-metrics.ts'

export interface MonitoringOptions {
  /** Delivers the notifications of alarms; without it, alarms change their state and notify nobody. */
  readonly notifier?: AlarmNotifier | undefined
  /** Called with what keeps the metrics of other services. */
  readonly onOpen?: ((metrics: MetricFeed) => void) | undefined
}

/** Takes metrics of other services. */
export type MetricFeed = Pick<CustomMetrics, 'add'>

/** CloudWatch, alarms, Application Auto Scaling and Contributor Insights, as a service for an engine. */
export function monitoringService({ notifier, onOpen }: MonitoringOptions = {}): OpenService {
  return (host) => {
    const monitoring = monitoringOf(host, notifier)
    onOpen?.(monitoring.customMetrics)
    return serviceOf(monitoring)
  }
}

export function serviceOf(context: Monitoring): Service {
  const autoScaling = serviceOperations({
    names: monitoringOperations.AnyScaleFrontendService,
    context,
    readInput: readAutoScalingInput,
    load: async () => (await import('./operations/auto-scaling/index.ts')).autoScaling,
  })
  const cloudWatch = serviceOperations({
    names: monitoringOperations.GraniteServiceVersion20100801,
    context,
    readInput: readCloudWatchInput,
    load: async () => (await import('./operations/cloudwatch/index.ts')).cloudWatch,
  })
  const dynamodb = serviceOperations({
    names: dynamodbOperations,
    context,
    readInput,
    load: async () => (await import('./operations/dynamodb/index.ts')).dynamodb,
  })
  return {
    operations: new Map([
      ['AnyScaleFrontendService', autoScaling],
      ['GraniteServiceVersion20100801', cloudWatch],
      ['DynamoDB_20120810', dynamodb],
    ]),
    begin: () => begin(context),
  }
}

async function begin(monitoring: Monitoring): Promise<void> {
  const { background } = monitoring
  let watch: ((stopping: Stopping) => Promise<void>) | undefined
  background.everyLeased('alarms and scaling', 5_000, async (stopping) => {
    watch ??= (await loadEvaluation()).watchMetrics(monitoring)
    await watch(stopping)
  })
  background.everyLeased('old activities', 60 * 60_000, async () => {
    const { forgetOld } = await loadEvaluation()
    await forgetOld(monitoring)
  })
  await rankInsights(monitoring)
  background.every(10_000, () => rankInsights(monitoring))
}

// Not needed in the first few seconds: a start need not wait for it.
const loadEvaluation = () => import('./evaluation/index.ts')

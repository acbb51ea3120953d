import type { Scope } from '@hashrange/engine'
import { capacityOf } from '../resources/scalable-resource.ts'
import type { Alarm } from '../records/alarm-records.ts'
import type { Monitoring } from '../monitoring.ts'

/** The current threshold of the alarm. */
export function thresholdOf(monitoring: Monitoring, scope: Scope, { follows, threshold }: Alarm): number {
  if (follows === undefined) return threshold
  const { tableName, indexName, units, factor } = follows
  const capacity = capacityOf(monitoring, scope, { tableName, indexName, units })
  return capacity === undefined ? threshold : capacity * factor
}

import type { Engine } from '../engine.ts'
import { capacityOf } from '../scaling/scalable-resource.ts'
import type { Scope } from '../scope.ts'
import type { Alarm } from './alarm-records.ts'

/** What the alarm compares with now. */
export function thresholdOf(engine: Engine, scope: Scope, { follows, threshold }: Alarm): number {
  if (follows === undefined) return threshold
  const { tableName, indexName, units, factor } = follows
  const capacity = capacityOf(engine, scope, { tableName, indexName, units })
  return capacity === undefined ? threshold : capacity * factor
}

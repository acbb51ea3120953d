import type { Value } from '../cloudwatch/metric-values.ts'
import type { ScalableTarget, ScalingPolicy } from '../records/scaling-records.ts'

/** The capacity at which a metric would be at its target, rounded up. `consumed` is what was used in each of the last
 *  minutes, or for other metrics their values. */
export function wantedCapacity(
  { tracking }: ScalingPolicy,
  values: readonly Value[],
  capacity: number,
  direction: 'out' | 'in',
): number | undefined {
  // Upwards the latest minute counts; downwards the busiest, so that the new capacity would have been enough for all
  // of them.
  const value = direction === 'out' ? values.at(-1)?.value : maximumOf(values)
  if (value === undefined) return undefined
  if (tracking.PredefinedMetricSpecification !== undefined) {
    const unitsPerSecond = value / 60
    return Math.ceil(roundedOff((unitsPerSecond * 100) / tracking.TargetValue))
  }
  return Math.ceil(roundedOff((capacity * value) / tracking.TargetValue))
}

export function withinBounds({ minCapacity, maxCapacity }: ScalableTarget, capacity: number): number {
  return Math.max(minCapacity, Math.min(maxCapacity, capacity))
}

function maximumOf(values: readonly Value[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values.map(({ value }) => value))
}

/** 4.2 / 0.7 is six, whatever binary fractions make of it. */
function roundedOff(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

import type { Scope } from '@hashrange/engine'
import { capacityOf, readScalableResource } from '../resources/scalable-resource.ts'
import type { ScalableTarget } from '../records/scaling-records.ts'
import { setCapacity } from './set-capacity.ts'
import type { Monitoring } from '../monitoring.ts'

/** Brings capacity outside a target's bounds inside. */
export async function keepWithinBounds(
  monitoring: Monitoring,
  scope: Scope,
  target: ScalableTarget,
): Promise<void> {
  const { resourceId, dimension, minCapacity, maxCapacity, suspended } = target
  const resource = readScalableResource('dynamodb', resourceId, dimension)
  const capacity = capacityOf(monitoring, scope, resource)
  if (capacity === undefined) return
  const name = { resourceId, dimension }
  if (capacity < minCapacity && !suspended.scalingOut) {
    const cause = `minimum capacity was set to ${minCapacity}`
    await setCapacity(monitoring, scope, { target: name, resource, capacity: minCapacity, cause })
  } else if (capacity > maxCapacity && !suspended.scalingIn) {
    const cause = `maximum capacity was set to ${maxCapacity}`
    await setCapacity(monitoring, scope, { target: name, resource, capacity: maxCapacity, cause })
  }
}

import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { capacityOf, readScalableResource } from './scalable-resource.ts'
import type { ScalableTarget } from './scaling-records.ts'
import { setCapacity } from './set-capacity.ts'

/** Brings capacity that lies outside a target's bounds inside. */
export async function keepWithinBounds(engine: Engine, scope: Scope, target: ScalableTarget): Promise<void> {
  const { resourceId, dimension, minCapacity, maxCapacity, suspended } = target
  const resource = readScalableResource('dynamodb', resourceId, dimension)
  const capacity = capacityOf(engine, scope, resource)
  if (capacity === undefined) return
  const name = { resourceId, dimension }
  if (capacity < minCapacity && !suspended.scalingOut) {
    const cause = `minimum capacity was set to ${minCapacity}`
    await setCapacity(engine, scope, { target: name, resource, capacity: minCapacity, cause })
  } else if (capacity > maxCapacity && !suspended.scalingIn) {
    const cause = `maximum capacity was set to ${maxCapacity}`
    await setCapacity(engine, scope, { target: name, resource, capacity: maxCapacity, cause })
  }
}

import { countsOf } from '../catalog/counts.ts'
import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import type { Capacity } from './capacity.ts'

/** Adapts the partitions of what is in use to the size of its data. */
export async function growPartitions(store: Store, capacity: Capacity, clock: Clock): Promise<void> {
  const models = [...capacity.meters.models()]
  for (const [id, model] of models) {
    const { bytes } = await countsOf(store, id)
    model.grow(bytes, clock.now())
  }
}

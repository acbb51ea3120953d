import { countsOf } from '../catalog/counts.ts'
import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import type { Capacity } from './capacity.ts'

/** Lets the partitions of what is in use follow the size of what they hold. */
export async function growPartitions(store: Store, capacity: Capacity, clock: Clock): Promise<void> {
  const models = [...capacity.meters.models()]
  for (const [id, model] of models) {
    const { bytes } = await countsOf(store, id)
    model.grow(bytes, clock.now())
  }
}

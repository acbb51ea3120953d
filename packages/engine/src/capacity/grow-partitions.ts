import type { Engine } from '../engine.ts'

/** Lets the partitions of what is in use follow the size of what they hold. */
export async function growPartitions(engine: Engine): Promise<void> {
  for (const [id, model] of [...engine.capacity.meters.models()]) {
    const { bytes } = await engine.counts(id)
    model.grow(bytes, engine.clock.now())
  }
}

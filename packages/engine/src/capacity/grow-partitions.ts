import type { Engine } from '../engine.ts'

/** Lets the partitions of what is in use follow the size of what they hold. */
export async function growPartitions(engine: Engine): Promise<void> {
  const models = [...engine.capacity.meters.models()]
  for (const [id, model] of models) {
    const { bytes } = await engine.counts(id)
    model.grow(bytes, engine.clock.now())
  }
}

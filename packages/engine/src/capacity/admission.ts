import type { Partition } from '../partitions/partition.ts'
import type { Side } from '../partitions/partition-limits.ts'
import type { PartitionModel } from '../partitions/partition-model.ts'

/** Units that are held of a range of keys and of the table or index as a whole. */
export interface Hold {
  readonly model: PartitionModel
  readonly partition: Partition
  readonly side: Side
  readonly units: number
}

/** That a request was let in where throttling is enforced. What it costs is known when it is done; until then the least it
 *  may cost is held, so that requests which come meanwhile find it taken. To be released then: a request whose admission
 *  is not released has cost what was held. */
export class Admission {
  readonly #holds = new Set<Hold>()

  hold(hold: Hold): void {
    hold.model.hold(hold.side, hold.partition, hold.units)
    this.#holds.add(hold)
  }

  holdAll(holds: readonly Hold[]): void {
    for (const hold of holds) this.hold(hold)
  }

  /** Of some that are held, what is still held. */
  releaseAll(holds: Iterable<Hold>): void {
    for (const hold of holds) if (this.#holds.delete(hold)) giveBack(hold)
  }

  release(): void {
    this.releaseAll([...this.#holds])
  }
}

function giveBack({ model, side, partition, units }: Hold): void {
  model.giveBack(side, partition, units)
}

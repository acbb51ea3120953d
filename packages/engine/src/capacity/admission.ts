import type { Partition } from '../partitions/partition.ts'
import type { Side } from '../partitions/partition-limits.ts'
import type { PartitionModel } from '../partitions/partition-model.ts'

/** Units that are reserved in a range of keys and in the table or index as a whole. */
export interface Hold {
  readonly model: PartitionModel
  readonly partition: Partition
  readonly side: Side
  readonly units: number
}

/** The admission of a request where throttling is enforced. The cost of a request is only known when it is done.
 *  Until then the least it can cost is reserved, so that concurrent requests find it taken. It must be released then:
 *  a request whose admission is not released has cost what was reserved. */
export class Admission {
  readonly #holds = new Set<Hold>()

  hold(hold: Hold): void {
    hold.model.hold(hold.side, hold.partition, hold.units)
    this.#holds.add(hold)
  }

  holdAll(holds: readonly Hold[]): void {
    for (const hold of holds) this.hold(hold)
  }

  /** What is still reserved. */
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

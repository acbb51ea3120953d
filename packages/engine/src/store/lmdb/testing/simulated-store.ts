import { SeededRandom } from '../../../simulation/seeded-random.ts'
import { SimulatedDisk, type DiskImage } from '../../../simulation/simulated-disk.ts'
import { SimulatedTime } from '../../../simulation/simulated-time.ts'
import { openStoreOn } from '../../lmdb-store.ts'
import type { Store } from '../../store.ts'

export interface SimulatedStore {
  readonly disk: SimulatedDisk
  readonly store: Store
  readonly time: SimulatedTime
}

/** A store on a disk that does not fail by itself, and on a clock that runs only while something waits for it. */
export async function openSimulated(
  path: string,
  image: DiskImage = new Map(),
  options: Pick<Parameters<typeof openStoreOn>[0], 'copyPace'> & { readonly leftBytes?: number } = {},
): Promise<SimulatedStore> {
  const random = new SeededRandom(1)
  const time = new SimulatedTime(random, Number.POSITIVE_INFINITY)
  const disk = new SimulatedDisk(image, path, random, time, { failure: 0, fullDisk: 0 })
  if (options.leftBytes !== undefined) disk.leftBytes = options.leftBytes
  const opening = openStoreOn(
    { disk, timers: time, checkpointEveryMs: 200, checkpointAfterBytes: 1_000_000, ...options },
    () => undefined,
  )
  await time.run(opening)
  return { disk, store: await opening, time }
}

/** The error that a promise is rejected with, if it is. */
export async function outcomeOf(time: SimulatedTime, work: Promise<unknown>): Promise<unknown> {
  const outcome = work.then(
    () => undefined,
    (error: unknown) => error,
  )
  await time.run(outcome)
  return outcome
}

import type { Lease } from '@hashrange/engine'
import type { Kinesis } from '../kinesis.ts'
import { Failures } from './failures.ts'
import { isDelivering } from '../destinations/destination-record.ts'

const idleMs = 200

/** Delivers changes for as long as there are destinations, on one of the servers that share the store. A server without
 *  destinations looks once a second whether there are some. */
export function runDestinations(kinesis: Kinesis, onError: (error: unknown) => void): void {
  const failures = new Failures(onError)
  kinesis.background.every(1_000, async (stopping) => {
    if (!(await hasWork(kinesis))) return
    await kinesis.background.hold('kinesis destinations', stopping, (lease) => deliverAll(kinesis, lease, failures))
  })
}

async function deliverAll(kinesis: Kinesis, lease: Lease, failures: Failures): Promise<void> {
  // A start need not wait for what most servers never need.
  const { deliverDestinations } = await import('./deliver.ts')
  while (!lease.aborted && (await hasWork(kinesis))) {
    if (!(await deliverDestinations(kinesis, lease, failures))) await pause(idleMs)
  }
}

async function hasWork({ destinations }: Kinesis): Promise<boolean> {
  return (await destinations.records.all()).some(({ record }) => isDelivering(record))
}

/** The timer keeps no process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

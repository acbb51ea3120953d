import type { Table } from '../catalog/table.ts'
import type { ReplicaDefinition } from '../definitions/table-definition.ts'
import type { Lease } from '../work/leases.ts'
import type { UnfinishedWork } from '../work/unfinished-work.ts'
import { createReplica } from './create-replica.ts'
import { memberIn, replicaIn } from './members.ts'
import { removeReplica } from './remove-replica.ts'
import { replicateAll } from './replicate.ts'
import type { ReplicationHost } from './replication-host.ts'

/** Replicas that are being created or removed. */
export function* replicaWorkLeft(engine: ReplicationHost): Iterable<UnfinishedWork> {
  for (const table of engine.catalog.all()) {
    const { replication, region } = table.definition
    for (const replica of replication?.replicas ?? []) {
      if (replica.region === region || isWorkOfLink(engine, replica)) continue
      if (replica.status === 'CREATING' && replica.filledFrom === region) {
        yield createReplicaWork(engine, table, replica.region)
      }
      if (replica.status === 'DELETING') yield removeReplicaWork(engine, table, replica.region)
      else if (isLeftOver(engine, table, replica)) yield forgetReplicaWork(engine, table, replica.region)
    }
  }
}

/** Whether a replica is listed though it is gone: whoever was asked to remove it has been removed as well. */
function isLeftOver({ catalog }: ReplicationHost, table: Table, replica: ReplicaDefinition): boolean {
  if (replica.elsewhere === true || table.definition.replication?.consistency === 'STRONG') return false
  const isComing = replica.status === 'CREATING' && replica.filledFrom === table.definition.region
  return !isComing && memberIn(catalog, table, replica.region) === undefined
}

function forgetReplicaWork(engine: ReplicationHost, table: Table, region: string): UnfinishedWork {
  return {
    name: nameOf(table, region),
    run: async (lease) => {
      await engine.refresh()
      const listed = table.isDropped ? undefined : replicaIn(table.definition, region)
      if (listed !== undefined && isLeftOver(engine, table, listed))
        await removeReplica(engine, table, region, lease)
    },
  }
}

/** A replica in another store is created and removed by that store. If nothing links to it any more, it is as if it were
 *  gone: only its removal is left to be done here. */
export function isWorkOfLink(
  { regionsElsewhere }: ReplicationHost,
  { region, status, elsewhere }: ReplicaDefinition,
): boolean {
  return elsewhere === true && (status !== 'DELETING' || regionsElsewhere.has(region))
}

export function createReplicaWork(engine: ReplicationHost, source: Table, region: string): UnfinishedWork {
  return { name: nameOf(source, region), run: (lease) => createReplica(engine, source, region, lease) }
}

export function removeReplicaWork(engine: ReplicationHost, member: Table, region: string): UnfinishedWork {
  return { name: nameOf(member, region), run: (lease) => removeReplica(engine, member, region, lease) }
}

function nameOf({ definition }: Table, region: string): string {
  return `replica ${definition.replication?.globalTableId ?? definition.tableUuid} ${region}`
}

const replicationName = 'replication'

/** From so many changes at once on, the next are left to gather for three times as long; and from more on, for five times. */
const manyChanges = 250
const veryManyChanges = 750

/** How many times replication passes by after it has sent so many changes, which took so long. Where sending is slow,
 *  changes gather for less long: what arrives must not be later than a second. */
export function passesToWait(sent: number, tookMs: number): number {
  const wanted = sent >= veryManyChanges ? 4 : sent >= manyChanges ? 2 : 0
  return Math.max(0, Math.min(wanted, wanted - Math.floor((tookMs - shortMs) / passMs)))
}

/** Roughly how far apart passes are, and what sending may take without changing anything. */
const passMs = 100
const shortMs = 200

/** Sends what has been written. Once is enough for what recurs: whatever is written meanwhile waits for the next time, and
 *  is sent with more. The more is sent together, the less each change costs: an item that was changed several times is
 *  sent once, and neighbours share pages of the store. */
export class ReplicationWork implements UnfinishedWork {
  readonly name = replicationName
  readonly #engine: ReplicationHost
  #passesToWait = 0

  constructor(engine: ReplicationHost) {
    this.#engine = engine
  }

  readonly run = async (lease: Lease): Promise<void> => {
    const startedMs = this.#engine.clock.steady()
    const sent = await replicateAll(this.#engine, lease)
    this.#passesToWait = passesToWait(sent, this.#engine.clock.steady() - startedMs)
  }

  /** Whether to pass by, because there will be more to send together. */
  waitsForMore(): boolean {
    if (this.#passesToWait === 0) return false
    this.#passesToWait--
    return true
  }
}

/** Sends until nothing is left. */
export function wholeReplicationWork(engine: ReplicationHost): UnfinishedWork {
  return {
    name: replicationName,
    run: async (lease) => {
      while ((await replicateAll(engine, lease)) > 0 && !lease.aborted) await engine.regions.refresh()
    },
  }
}

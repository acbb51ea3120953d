import { currentEntries, storedPages } from '../backups/stored-pages.ts'
import type { Table } from '../catalog/table.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { keySpace, movedItemKey, spaceRange } from '../layout/key-space.ts'
import { itemStampKey } from '../layout/replication-keys.ts'
import type { Decision, Key } from '../store/store.ts'
import { strongly } from '../strong/strong-replicas.ts'
import type { Lease } from '../work/leases.ts'
import { otherMembers, withActive } from './members.ts'
import { stampIn } from './rejoin-replica.ts'
import type { ReplicationHost } from './replication-host.ts'

/** Completes a new replica of a strongly consistent global table. The table was empty when it was converted, except for
 *  what was written at that very moment: from the conversion on, writes are made in all replicas. */
export async function fillStrongReplica(
  engine: ReplicationHost,
  source: Table,
  target: Table,
  lease: Lease,
): Promise<void> {
  for await (const page of storedPages(currentEntries(engine.store), spaceRange(keySpace.item, source.id))) {
    if (lease.aborted) return
    await copyMissing(
      engine,
      source,
      target,
      page.map(({ key }) => key),
      lease,
    )
  }
  const { region } = target.definition
  const members = [source, ...otherMembers(engine.catalog, source)]
  await engine.catalog.changeTogether(
    members,
    (current) => ({ definition: withActive(current, region), answer: undefined }),
    { through: lease },
  )
}

async function copyMissing(
  engine: ReplicationHost,
  source: Table,
  target: Table,
  items: readonly Key[],
  lease: Lease,
): Promise<void> {
  const { stampsId } = strongly(source.definition) ?? {}
  if (stampsId === undefined) return
  const keys = items.flatMap((key) => [
    key,
    itemStampKey(stampsId, key),
    movedItemKey(keySpace.item, target.id, key),
  ])
  await transactOnTables(
    engine,
    [source, target],
    keys,
    (values, at): Decision<void> => {
      const plan = new ChangePlan({ at, expired: false, isLogged: false })
      items.forEach((key, index) => {
        const [item, stamp, there] = values.slice(3 * index, 3 * index + 3)
        if (item === undefined || there !== undefined) return
        const targetKey = movedItemKey(keySpace.item, target.id, key)
        plan.add(
          {
            table: target,
            key: targetKey,
            previous: undefined,
            next: storedOf(item),
            strong: stampIn(stamp, source),
          },
          undefined,
        )
      })
      return { writes: plan.writes, answer: undefined, effect: plan.effect }
    },
    lease,
  )
}

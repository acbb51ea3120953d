import { validationException } from '@hashrange/core'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { otherReplicas } from './members.ts'
import type { ReplicationHost } from './replication-host.ts'

/** Between servers, each region has a server of its own, which others ask for what was written there. Nobody would ask
 *  for what is written in a second region of this store, or in a region that this server does not stand for: those
 *  writes would never arrive elsewhere. */
export function assertReachedByLinks(
  { regionsElsewhere, linkedRegion }: Pick<ReplicationHost, 'regionsElsewhere' | 'linkedRegion'>,
  definition: TableDefinition,
  newRegion: string,
): void {
  const known = otherReplicas(definition).map(({ region, elsewhere }) => ({ region, isAway: elsewhere === true }))
  const all = [...known, { region: newRegion, isAway: regionsElsewhere.has(newRegion) }]
  const away = all.find(({ isAway }) => isAway)?.region
  if (away === undefined) return
  const here = all.find(({ isAway }) => !isAway)?.region
  if (here !== undefined) {
    throw validationException(
      `The replicas of a global table are all in one store, or each on a server of its own. The replica in ${away} is on another server, and no link leads to ${here}: start a server for it, and link all others to it.`,
    )
  }
  if (linkedRegion !== undefined && definition.region !== linkedRegion) {
    throw validationException(
      `This server stands for ${linkedRegion}: only tables in that Region can have replicas on other servers. This table is in ${definition.region}.`,
    )
  }
}

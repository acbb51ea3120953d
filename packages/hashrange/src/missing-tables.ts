import type { MissingTable } from '@hashrange/engine'
import { sharedAccountId, type Logger } from '@hashrange/server'

/** A client with other credentials, or another region, than the one that made a table is told by the service only that the
 *  table is missing. Here the operator is told why, once for each such table and client. */
export function tellOfMissingTables(logger: Logger): (missing: MissingTable) => void {
  const told = new Set<string>()
  return (missing) => {
    const { scope, tableName } = missing
    const name = `${scope.accountId}/${scope.region}/${tableName}`
    if (told.has(name) || told.size >= mostTold) return
    told.add(name)
    logger.error(`hashrange: a client asked for the table ${tableName} in ${scope.region}. ${whereItIs(missing)}`)
  }
}

/** Clients know their access key. The account is made of it; as an access key, an account's digits stand for itself. */
function whereItIs({ scope, elsewhere }: MissingTable): string {
  const own = elsewhere.filter(({ accountId }) => accountId === scope.accountId)
  if (own.length > 0) {
    return `That table is in ${regionsOf(own)}: each region has its own tables. Choose the region in the client.`
  }
  if (scope.accountId === sharedAccountId) {
    return `That table was made without --shared, ${keysOf(elsewhere)}. Start without --shared to use it with that access key.`
  }
  const shared = elsewhere.filter(({ accountId }) => accountId === sharedAccountId)
  if (shared.length > 0) {
    return `That table is one of those that every key shares, in ${regionsOf(shared)}: start with --shared, or use the access key ${sharedAccountId}.`
  }
  return `That table was made with another access key, ${keysOf(elsewhere)}. Each key has its own tables: use that one, or --shared from the start for the same tables with every key.`
}

function regionsOf(places: MissingTable['elsewhere']): string {
  return places.map(({ region }) => region).join(' and ')
}

function keysOf(places: MissingTable['elsewhere']): string {
  return places.map(({ accountId, region }) => `in ${region} (${accountId} stands for it)`).join(' and ')
}

const mostTold = 1_000

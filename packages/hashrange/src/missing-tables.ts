import type { MissingTable } from '@hashrange/engine'
import { sharedAccountId, type Logger } from '@hashrange/server'

/** If a client has other credentials, or another region, than the one that created a table, the service only says
 *  that the table is missing. Here the operator is told why, once for each such table and client. */
export function tellOfMissingTables(logger: Logger): (missing: MissingTable) => void {
  const told = new Set<string>()
  return (missing) => {
    const { scope, tableName } = missing
    const name = `${scope.accountId}/${scope.region}/${tableName}`
    if (told.has(name) || told.size >= mostTold) return
    told.add(name)
    logger.error(
      `hashrange: a client asked for table ${tableName} in ${scope.region}, which does not exist. ${whereItIs(missing)}`,
    )
  }
}

/** Clients know their access key. The account is derived from it; used as an access key, an account's digits stand
 *  for itself. */
function whereItIs({ scope, elsewhere }: MissingTable): string {
  const own = elsewhere.filter(({ accountId }) => accountId === scope.accountId)
  if (own.length > 0) {
    return `A table of that name is in ${regionsOf(own)}: each region has its own tables. Set the region in the client.`
  }
  if (scope.accountId === sharedAccountId) {
    return `A table of that name was created without --shared, ${keysOf(elsewhere)}. To use it with that access key, start without --shared.`
  }
  const shared = elsewhere.filter(({ accountId }) => accountId === sharedAccountId)
  if (shared.length > 0) {
    return `A table of that name was created with --shared, in ${regionsOf(shared)}. Start with --shared, or use the access key ${sharedAccountId}.`
  }
  return `A table of that name was created with another access key, ${keysOf(elsewhere)}. Each access key has its own tables. Use that key; or start with --shared, before you create tables, to give every key the same ones.`
}

function regionsOf(places: MissingTable['elsewhere']): string {
  return places.map(({ region }) => region).join(' and ')
}

function keysOf(places: MissingTable['elsewhere']): string {
  return places
    .map(({ accountId, region }) => `in ${region} (you can use ${accountId} as that access key)`)
    .join(' and ')
}

const mostTold = 1_000

import type { MissingTable } from '@hashrange/engine'
import { sharedAccountId, type Logger, type Sharing } from '@hashrange/server'

/** If a client has other credentials, or another region, than the one that created a table, the service only says
 *  that the table is missing. Here the operator is told why, once for each such table and client. */
export function logMissingTables(logger: Logger, shared: Sharing = false): (missing: MissingTable) => void {
  const told = new Set<string>()
  return (missing) => {
    const { scope, tableName } = missing
    const name = `${scope.accountId}/${scope.region}/${tableName ?? ''}`
    if (told.has(name) || told.size >= mostTold) return
    told.add(name)
    const question =
      tableName === undefined
        ? `a client listed the tables in ${scope.region}, and there are none`
        : `a client asked for table ${tableName} in ${scope.region}, which does not exist`
    logger.error(`hashrange: ${question}. ${whereItIs(missing, shared)}`)
  }
}

/** Clients know their access key. The account is derived from it; used as an access key, an account's digits stand
 *  for itself. */
function whereItIs({ scope, tableName, elsewhere }: MissingTable, shared: Sharing): string {
  const what = tableName === undefined ? 'There are tables that were' : 'A table of that name was'
  const own = elsewhere.filter(({ accountId }) => accountId === scope.accountId)
  if (own.length > 0 && shared === true) {
    return `${what} created in ${regionsOf(own)}, when each region had its own tables. Start with --shared-keys to use ${tableName === undefined ? 'them' : 'it'}.`
  }
  if (own.length > 0) {
    return `${what} created in ${regionsOf(own)}: each region has its own tables. Set the region in the client.`
  }
  if (scope.accountId === sharedAccountId) {
    return `${what} created without --shared, ${keysOf(elsewhere)}. To use that access key, start without --shared.`
  }
  const together = elsewhere.filter(({ accountId }) => accountId === sharedAccountId)
  if (together.length > 0) {
    return `${what} created with --shared, in ${regionsOf(together)}. Start with --shared, or use the access key ${sharedAccountId}.`
  }
  return `${what} created with another access key, ${keysOf(elsewhere)}. Each access key has its own tables. Use that key; or start with --shared, before you create tables, to give every key the same ones.`
}

function regionsOf(places: MissingTable['elsewhere']): string {
  return [...new Set(places.map(({ region }) => region))].slice(0, placesNamed).join(' and ')
}

function keysOf(places: MissingTable['elsewhere']): string {
  return places
    .slice(0, placesNamed)
    .map(({ accountId, region }) => `in ${region} (you can use ${accountId} as that access key)`)
    .join(' and ')
}

const mostTold = 1_000
/** Of many places, some are enough to understand. */
const placesNamed = 3

import type { MissingTable } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'

/** A client with other credentials, or another region, than the one that made a table is told by the service only that the
 *  table is missing. Here the operator is told why, once for each such table and client. */
export function tellOfMissingTables(logger: Logger): (missing: MissingTable) => void {
  const told = new Set<string>()
  return ({ scope, tableName, elsewhere }) => {
    const name = `${scope.accountId}/${scope.region}/${tableName}`
    if (told.has(name) || told.size >= mostTold) return
    told.add(name)
    const places = elsewhere.map(({ accountId, region }) => `account ${accountId} in ${region}`).join(' and ')
    logger.error(
      `hashrange: a client of account ${scope.accountId} in ${scope.region} asked for the table ${tableName}, which ${places} has. ` +
        'The access key and the region choose the tables: use those that made it, or start with --shared.',
    )
  }
}

const mostTold = 1_000

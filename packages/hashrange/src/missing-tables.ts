import type { MissingTable } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'

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

/** Clients know their access key; the account is ours, made of it. */
function whereItIs({ scope, elsewhere }: MissingTable): string {
  const own = elsewhere.filter(({ accountId }) => accountId === scope.accountId).map(({ region }) => region)
  if (own.length > 0) {
    return `Its access key has that table in ${own.join(' and ')}: each region has its own tables. Choose the region in the client.`
  }
  const others = elsewhere.map(({ accountId, region }) => `in ${region} (account ${accountId})`).join(' and ')
  return (
    `Another access key than its own has that table, ${others}: each key has its own tables in each region. ` +
    'Use the key that made it, or start with --shared for the same tables with every key.'
  )
}

const mostTold = 1_000

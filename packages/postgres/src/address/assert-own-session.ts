import { StorageError } from '@hashrange/engine'
import type { Client } from 'pg'

/** Rejects a connection pooler that gives the server's end of a connection to others after each transaction.
 *  Statements are prepared, and timeouts and the isolation of reads are set, once per connection: with such a pooler,
 *  they would apply to somebody else. On connecting, the server reports the process that serves the connection. If a
 *  different process answers, something is in between; it is harmless if the process stays the same even after
 *  another connection was used. */
export async function assertOwnSession(client: Client, connect: () => Promise<Client>): Promise<void> {
  const told = (client as { readonly processID?: number | null }).processID
  const first = await processOf(client)
  if (typeof told !== 'number' || told === first) return
  const other = await connect()
  try {
    // One that shares them between statements rejects even that.
    await other.query('BEGIN').catch((error: unknown) => {
      throw sharesConnections(error)
    })
    if ((await processOf(other)) === first || (await processOf(client)) !== first) throw sharesConnections()
    await other.query('ROLLBACK')
  } finally {
    await other.end().catch(() => undefined)
  }
}

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ process: number }>('SELECT pg_backend_pid() AS process')
  return rows[0]?.process ?? 0
}

export function sharesConnections(cause?: unknown): StorageError {
  return new StorageError(
    'incompatible',
    'A connection pooler in front of the database gives its connections to others after each transaction (pool_mode = transaction or statement in PgBouncer). This does not work, because servers prepare their statements and set their timeouts once for each connection. Use pool_mode = session, or connect to the database directly: each server opens only a few connections.',
    cause,
  )
}

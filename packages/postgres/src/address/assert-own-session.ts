import { StorageError } from '@hashrange/engine'
import type { Client } from 'pg'

/** Refuses a connection pooler that gives the server's end of a connection to others after each transaction. Statements are prepared, and
 *  timeouts and the isolation of reads are set, once a connection: with such a pooler, they would be somebody else's.
 *
 *  Whoever connects is told the process that serves the connection. If another one answers, something stands in between; it is
 *  a harmless one if the process stays the same, even when another connection has been at work. */
export async function assertOwnSession(client: Client, connect: () => Promise<Client>): Promise<void> {
  const told = (client as { readonly processID?: number | null }).processID
  const first = await processOf(client)
  if (typeof told !== 'number' || told === first) return
  const other = await connect()
  try {
    // One that shares them between statements refuses even that.
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

import { StorageError } from '@hashrange/engine'
import { settingsOf, type PostgresOptions } from './options.ts'
import { unreachable } from './connection/outage.ts'
import { migrate, type About } from './schema/migrate.ts'
import { grantStatements } from './schema/schema-text.ts'

/** Sets the schema up or brings it to the current version, and lets a role use it. Changes nothing if all is as it should be, so that it
 *  can be run again at any time. */
export async function applySchema(options: PostgresOptions, role: string | undefined): Promise<About> {
  const { connect, schema, distribution, shards } = settingsOf(options)
  try {
    const about = await migrate(connect, { schema, distribution, shards, mayChange: true })
    if (role === undefined) return about
    const client = await connect()
    try {
      for (const text of grantStatements(schema, role)) await client.query(text)
    } finally {
      await client.end().catch(() => undefined)
    }
    return about
  } catch (error) {
    throw error instanceof StorageError ? error : unreachable(error)
  }
}

import type { Client } from 'pg'

/** Of sessions that only read. */
export const readOnly = { default_transaction_isolation: 'repeatable read', default_transaction_read_only: 'on' }

/** Of those that write. Whether they may is up to the administrator, who may have set `default_transaction_read_only`. */
export const readWrite = { default_transaction_isolation: 'read committed' }

/** Of those that write through the coordinator of Citus. A statement for several parts of a table locks none of them
 *  against others of its kind, and uses one connection to each node: the entries' own locks are enough. */
export const severalNodes = { 'citus.multi_shard_modify_mode': 'sequential' }

/** Values of more than two kilobytes are compressed. Of 4,000 items of 4.4 KB each, lz4 took a third of the time to write, and half to read. */
export const writerWishes = { default_toast_compression: 'lz4' }

/** A transaction that reads for a long time is ended by its own limits, and not, since PostgreSQL 17, by one of the database
 *  that is meant for other clients. */
export const sessionWishes = { transaction_timeout: '0' }

/** Settings that are made if the server knows them, and supports the value. */
export async function grantWishes(client: Client, wishes: Readonly<Record<string, string>>): Promise<void> {
  await client.query(
    `SELECT set_config(setting.name, wish.value, false)
       FROM pg_settings AS setting, unnest($1::text[], $2::text[]) AS wish (name, value)
      WHERE setting.name = wish.name AND (setting.enumvals IS NULL OR wish.value = ANY (setting.enumvals))`,
    [Object.keys(wishes), Object.values(wishes)],
  )
}

/** For what may take long: setting up the schema, and verifying it. An administrator's limits for a database are meant
 *  for requests, which have limits of their own. */
export async function takeTime(client: Client): Promise<void> {
  await grantWishes(client, sessionWishes)
  await client.query(
    "SELECT set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false), set_config('idle_session_timeout', '0', false), set_config('default_transaction_isolation', 'read committed', false)",
  )
}

/** A connection that the database ends because it was idle would fail whoever uses it next. */
export function sessionSettings(timeoutMs: number): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(timeoutMs),
    lock_timeout: String(Math.ceil(timeoutMs / 2)),
    idle_session_timeout: '0',
    jit: 'off',
  }
}

/** Every statement reads by the primary key. Whatever the statistics say, no other plan is ever better, and one plan
 *  works for all. Citus plans by itself. */
export const oneNodeSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

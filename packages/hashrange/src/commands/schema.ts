import { StorageError } from '@hashrange/engine'
import { withAdvice } from '../storage-advice.ts'
import { isPostgresUrl } from '../store-place.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { Mistake } from '../mistake.ts'
import { readFlags, wholeNumber } from './read-flags.ts'

const help = `hashrange schema: sets up the tables in which hashrange keeps its data in PostgreSQL, or prints their SQL

  hashrange schema --apply --store postgres://admin@host/database --role hashrange
  hashrange schema --print
  hashrange schema --print --schema shop --role hashrange | psql postgres://admin@host/database

  --apply             set up the schema of --store (or HASHRANGE_STORE), or upgrade it, while servers run; if it is up to
                      date, nothing is changed
  --print             print the SQL that sets up an empty database; you run it yourself
  --from VERSION      instead, print the SQL that upgrades a schema of this version to the current one
  --schema NAME       the schema that holds the tables; hashrange by default (in --store: ?schema=NAME)
  --role NAME         also grant this role what servers need, which is only to read and write these tables
  --store-distribution none
                      citus: distribute the tables over the nodes of a Citus cluster
  --shards N          how many shards the keys are divided into, a power of two; it cannot be changed later
  --store URL         the database; with --print, only the schema's name is taken from its URL

If a server's role may create a schema, the server sets up the database by itself. If the schema is already up to date, servers
only check it.`

const flags = {
  apply: { type: 'boolean' },
  print: { type: 'boolean' },
  from: { type: 'string' },
  schema: { type: 'string' },
  role: { type: 'string' },
  'store-distribution': { type: 'string' },
  shards: { type: 'string' },
  store: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function schema(words: readonly string[]): Promise<number> {
  const values = readFlags('schema', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  if (values.print === values.apply)
    throw new Mistake('Add --print to print the SQL, or --apply to run it. See: hashrange schema --help')
  const distribution = values['store-distribution'] ?? 'none'
  if (distribution !== 'none' && distribution !== 'citus') {
    throw new Mistake(`--store-distribution must be none or citus, not "${distribution}".`)
  }
  const shards = wholeNumber('--shards', values.shards)
  if (shards !== undefined && (!Number.isInteger(Math.log2(shards)) || shards > 1_024)) {
    throw new Mistake(`--shards must be a power of two, at most 1024, not ${shards}.`)
  }
  if (values.apply === true) {
    if (values.from !== undefined || values.schema !== undefined)
      throw new Mistake(
        '--from and --schema are for --print. With --apply, name the schema in --store: ?schema=NAME',
      )
    return apply(values.store ?? process.env['HASHRANGE_STORE'], values, shards)
  }
  const { schemaOfUrl, schemaText, schemaVersion } = await import('@hashrange/postgres')
  const fromVersion = wholeNumber('--from', values.from)
  if (fromVersion !== undefined && (fromVersion < 1 || fromVersion >= schemaVersion)) {
    throw new Mistake(`--from must be a version before the current one, which is ${schemaVersion}.`)
  }
  const name = values.schema ?? (values.store === undefined ? undefined : schemaOfUrl(checkedUrl(values.store)))
  const text = schemaText({
    distribution,
    ...(name !== undefined && { schema: name }),
    ...(values.role !== undefined && { role: values.role }),
    ...(shards !== undefined && { shards }),
    ...(fromVersion !== undefined && { fromVersion }),
  })
  process.stdout.write(text)
  return 0
}

interface Applied {
  readonly role?: string | undefined
  readonly 'store-distribution'?: string | undefined
}

async function apply(store: string | undefined, values: Applied, shards: number | undefined): Promise<number> {
  if (store === undefined)
    throw new Mistake('Give the database with --store, such as postgres://admin@host/database.')
  const url = checkedUrl(store)
  const { applySchema, schemaOfUrl } = await import('@hashrange/postgres')
  const distribution = values['store-distribution'] === undefined ? 'auto' : isCitus(values) ? 'citus' : 'none'
  try {
    const { version } = await applySchema(
      { url, distribution, ...(shards !== undefined && { shards }) },
      values.role,
    )
    console.log(`The schema ${schemaOfUrl(url)} has version ${version}.`)
    return 0
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new Mistake(withAdvice(error, 'command'))
  }
}

function isCitus(values: Applied): boolean {
  return values['store-distribution'] === 'citus'
}

function checkedUrl(store: string): string {
  if (isPostgresUrl(store)) return store
  throw new Mistake(`"${withoutSecrets(store)}" is not the URL of a PostgreSQL database.`)
}

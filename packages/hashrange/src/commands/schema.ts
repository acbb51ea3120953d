import { isPostgresUrl } from '../store-place.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { Mistake } from './mistake.ts'
import { readFlags, wholeNumber } from './read-flags.ts'

const help = `hashrange schema: prints the SQL for the tables in which hashrange keeps its data in PostgreSQL

  hashrange schema --print
  hashrange schema --print --schema shop --role hashrange | psql postgres://admin@host/database

  --print             print the SQL that sets up an empty database; you run it yourself
  --from VERSION      instead, print the SQL that upgrades a schema of this version to the current one
  --schema NAME       the schema that holds the tables; hashrange by default (in --store: ?schema=NAME)
  --role NAME         also grant this role what servers need, which is only to read and write these tables
  --store-distribution none
                      citus: distribute the tables over the nodes of a Citus cluster
  --shards N          how many shards the keys are divided into, a power of two; it cannot be changed later
  --store URL         take the schema's name from the URL that you start servers with

If a server's role may create a schema, the server sets up the database by itself. If the schema is already up to date, servers
only check it.`

const flags = {
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
  if (values.print !== true) throw new Mistake('Add --print to print the SQL. See: hashrange schema --help')
  const distribution = values['store-distribution'] ?? 'none'
  if (distribution !== 'none' && distribution !== 'citus') {
    throw new Mistake(`--store-distribution must be none or citus, not "${distribution}".`)
  }
  const shards = wholeNumber('--shards', values.shards)
  if (shards !== undefined && (!Number.isInteger(Math.log2(shards)) || shards > 1_024)) {
    throw new Mistake(`--shards must be a power of two, at most 1024, not ${shards}.`)
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

function checkedUrl(store: string): string {
  if (isPostgresUrl(store)) return store
  throw new Mistake(`"${withoutSecrets(store)}" is not the URL of a PostgreSQL database.`)
}

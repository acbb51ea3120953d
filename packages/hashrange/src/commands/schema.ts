import { isPostgresUrl } from '../store-place.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { Mistake } from './mistake.ts'
import { readFlags, wholeNumber } from './read-flags.ts'

const help = `hashrange schema: the tables that hashrange keeps its data in, in a PostgreSQL

  hashrange schema --print
  hashrange schema --print --schema shop --role hashrange | psql postgres://admin@host/database

  --print             write the SQL that sets an empty database up, for whoever runs it
  --from VERSION      write the SQL that brings a schema of this version to the current one instead
  --schema NAME       the schema that holds the tables; hashrange by default (in --store: ?schema=NAME)
  --role NAME         also grant a role all that servers need, which is no more than to read and write these tables
  --store-distribution none
                      citus: spread the tables over the nodes of Citus
  --shards N          into how many shards the keys are cut, a power of two; it cannot be changed later
  --store URL         take the schema's name from the URL that servers are started with

Servers set a database up by themselves when their role may create a schema. They only look at one that is current.`

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
  if (values.print !== true)
    throw new Mistake('--print is missing: it writes the SQL. See: hashrange schema --help')
  const distribution = values['store-distribution'] ?? 'none'
  if (distribution !== 'none' && distribution !== 'citus') {
    throw new Mistake(`--store-distribution is none or citus, not "${distribution}".`)
  }
  const shards = wholeNumber('--shards', values.shards)
  if (shards !== undefined && (!Number.isInteger(Math.log2(shards)) || shards > 1_024)) {
    throw new Mistake(`--shards is a power of two up to 1024, not ${shards}.`)
  }
  const { schemaText, schemaVersion } = await import('@hashrange/postgres')
  const fromVersion = wholeNumber('--from', values.from)
  if (fromVersion !== undefined && (fromVersion < 1 || fromVersion >= schemaVersion)) {
    throw new Mistake(`--from is a version before the current one, which is ${schemaVersion}.`)
  }
  const name = values.schema ?? schemaOf(values.store)
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

function schemaOf(store: string | undefined): string | undefined {
  if (store === undefined) return undefined
  if (!isPostgresUrl(store) || !URL.canParse(store))
    throw new Mistake(`"${withoutSecrets(store)}" is no URL of a PostgreSQL.`)
  return new URL(store).searchParams.get('schema') ?? undefined
}

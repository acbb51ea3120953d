import { isPostgresUrl } from '../store-place.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { interruptible } from './interruption.ts'
import { Mistake } from '../mistake.ts'
import { readFlags } from './read-flags.ts'
import { readEndpoint } from './read-report.ts'
import type { Verifiable } from './verify/verifiable.ts'
import { VerifyOutput } from './verify/verify-output.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange verify: checks all the data in a database

  hashrange verify --path .hashrange
  hashrange verify --endpoint http://127.0.0.1:8000 --table Music
  hashrange verify --store postgres://user@host/database --repair

  --path FOLDER       a data folder that no server is using; .hashrange by default
  --endpoint URL      a running server, which verifies its own data and keeps serving requests
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --store URL         a PostgreSQL database; servers can keep using it
  --table NAME        only this table, with its indexes, change log and backups
  --repair            rebuild derived data that is wrong: index entries, counts, sizes of item collections, and the
                      indexes for time to live. Items are never changed. Everything is verified again afterwards
  --json              print JSON: one line per finding, then a summary

It reads everything: the pages and checksums of the data file, every item and all data derived from it, the change log, backups,
idempotency tokens and records. Without --repair, nothing is changed. A data folder left by a crash is verified in the state that
the next start would recover.

The exit code is 0 if nothing is wrong, 1 if something is, and 2 if the check could not be completed.`

const flags = {
  path: { type: 'string' },
  endpoint: { type: 'string' },
  store: { type: 'string' },
  table: { type: 'string' },
  repair: { type: 'boolean' },
  json: { type: 'boolean' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

export async function verify(words: readonly string[]): Promise<number> {
  const values = readFlags('verify', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const place = await readPlace(values)
  return interruptible((stopping) => verifyPlace(place, values, stopping))
}

async function verifyPlace(
  place: Verifiable,
  {
    table,
    repair = false,
    json = false,
  }: { readonly table?: string; readonly repair?: boolean; readonly json?: boolean },
  stopping: AbortSignal,
): Promise<number> {
  const output = new VerifyOutput({ place: place.name, flag: place.flag, json })
  if (repair) {
    const repaired = await place.run({ table, repair, stopping, ...output.handlers })
    if (!output.endRepair(repaired)) return output.exitCode(repaired, stopping.aborted)
  }
  const report = await place.run({ table, repair: false, stopping, ...output.handlers })
  if (table !== undefined && report.tables === 0 && report.entries === 0) {
    throw new Mistake(`There is no table ${table} in ${place.name}.`)
  }
  output.end(report)
  return output.exitCode(report, stopping.aborted)
}

interface PlaceFlags {
  readonly path?: string | undefined
  readonly endpoint?: string | undefined
  readonly store?: string | undefined
}

/** What is typed outranks what the environment says. */
async function readPlace({ path, endpoint, store }: PlaceFlags): Promise<Verifiable> {
  const typed = [path, endpoint, store].filter((word) => word !== undefined)
  if (typed.length > 1)
    throw new Mistake('--path, --endpoint and --store each name a database. Use only one of them.')
  if (endpoint !== undefined) {
    const { verifiableServer } = await import('./verify/verifiable-server.ts')
    return verifiableServer(readEndpoint(endpoint))
  }
  const url = store ?? (path === undefined ? setting('HASHRANGE_STORE') : undefined)
  if (url !== undefined) {
    if (!isPostgresUrl(url)) {
      throw new Mistake(
        `--store must be the URL of a PostgreSQL database, such as postgres://user@host/database, not "${withoutSecrets(url)}".`,
      )
    }
    const { verifiablePostgres } = await import('./verify/verifiable-postgres.ts')
    return verifiablePostgres(url)
  }
  const { verifiableFolder } = await import('./verify/verifiable-folder.ts')
  return verifiableFolder(path ?? setting('HASHRANGE_PATH') ?? '.hashrange')
}

function setting(name: string): string | undefined {
  const value = process.env[name]
  return value === '' ? undefined : value
}

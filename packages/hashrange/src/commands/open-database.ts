import type { Engine, Scope } from '@hashrange/engine'
import { sharedAccountId } from '@hashrange/server'
import { openEndpoint, type DatabasePort } from '@hashrange/transfer'
import type { ResourcePort } from '@hashrange/templates'
import { enginePort } from '../apply/engine-port.ts'
import { openEngine } from '../open-engine.ts'
import { describePlace, isPostgresUrl, onlyRead, type StorePlace } from '../store-place.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { withKey } from './key-of-data.ts'
import { Mistake } from '../mistake.ts'
import { requireData } from './require-data.ts'

export interface DatabaseChoice {
  readonly region?: string | undefined
  /** Whose tables, in a data folder. */
  readonly account?: string | undefined
  /** Whether missing data is created. */
  readonly mayBeNew?: boolean | undefined
}

/** Data that no server is using has the other services too. */
type ReachedDatabase = DatabasePort & Partial<ResourcePort> & { readonly accountId?: string }

/** Opens the place in `--from`, `--to`, `--endpoint` or `--path`: `aws`, an address, a PostgreSQL, or `lmdb:` and a
 *  folder. */
export async function openDatabase(place: string, choice: DatabaseChoice): Promise<ReachedDatabase> {
  const { region } = choice
  if (place === 'aws') return openEndpoint({ region })
  if (/^https?:\/\//.test(place)) return openEndpoint({ endpoint: place, region })
  if (isPostgresUrl(place)) return openOwn({ kind: 'postgres', url: place }, choice)
  if (place.startsWith('lmdb:') && place.length > 5) return openOwn({ kind: 'lmdb', path: place.slice(5) }, choice)
  throw new Mistake(
    `"${withoutSecrets(place)}" is not a database. Give an address such as http://127.0.0.1:8000, or aws, or lmdb: followed by a data folder, such as lmdb:.hashrange`,
  )
}

/** Data that is used without a server. Nobody else may use such a folder meanwhile. */
async function openOwn(place: StorePlace, choice: DatabaseChoice): Promise<ReachedDatabase> {
  const mayBeNew = choice.mayBeNew === true
  if (!mayBeNew) requireData(place)
  const { engine } = await openEngine(withKey(mayBeNew ? place : onlyRead(place)))
  try {
    const scope = scopeOf(engine, choice)
    return {
      name: `${place.kind === 'lmdb' ? 'lmdb:' : ''}${describePlace(place)} (account ${scope.accountId}, ${scope.region})`,
      accountId: scope.accountId,
      ...enginePort(engine, scope),
      close: () => engine.close(),
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Each account has its own tables in each region. If only one has any, it is meant; a new folder gets those that
 *  `hashrange start --shared` serves, as `open` does. */
function scopeOf(engine: Engine, { account, region }: DatabaseChoice): Scope {
  const scopes = new Map<string, Scope>()
  // The backups of a table outlive it.
  const owners = [
    ...[...engine.catalog.all()].map(({ definition }) => definition),
    ...[...engine.backups.all()].map(({ table }) => table),
  ]
  for (const { accountId, region: ownRegion } of owners) {
    if (account !== undefined && accountId !== account) continue
    if (region !== undefined && ownRegion !== region) continue
    scopes.set(`${accountId} ${ownRegion}`, { accountId, region: ownRegion })
  }
  if (scopes.size > 1) {
    const known = [...scopes.keys()].join('; ')
    throw new Mistake(
      `The folder has tables or backups of several accounts or regions (${known}). Choose one with --account and --region.`,
    )
  }
  const [only] = scopes.values()
  return (
    only ?? {
      accountId: account ?? sharedAccountId,
      region: region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    }
  )
}

import { Engine, openLmdbStore, toPlain, type Scope } from '@hashrange/engine'
import { sharedAccountId } from '@hashrange/server'
import { openEndpoint, type DatabasePort } from '@hashrange/transfer'
import { Mistake } from './mistake.ts'

export interface DatabaseChoice {
  readonly region?: string | undefined
  /** Whose tables, in a folder of data. */
  readonly account?: string | undefined
}

/** Opens what `--from`, `--to`, `--endpoint` or `--path` names: `aws`, an address or `lmdb:` and a folder. */
export async function openDatabase(place: string, choice: DatabaseChoice): Promise<DatabasePort> {
  const { region } = choice
  if (place === 'aws') return openEndpoint({ region })
  if (/^https?:\/\//.test(place)) return openEndpoint({ endpoint: place, region })
  if (place.startsWith('lmdb:') && place.length > 5) return openFolder(place.slice(5), choice)
  throw new Mistake(
    `"${place}" is no database. Give an address such as http://127.0.0.1:8000, aws, or lmdb: and a folder such as lmdb:.hashrange`,
  )
}

/** A folder of data is used without a server: nobody else may use it meanwhile. */
async function openFolder(path: string, choice: DatabaseChoice): Promise<DatabasePort> {
  const store = await openLmdbStore({ path })
  try {
    const engine = await Engine.open({ store })
    const scope = scopeOf(engine, choice)
    return {
      name: `lmdb:${path} (account ${scope.accountId}, ${scope.region})`,
      request: async (operation, input) => {
        const answer = toPlain(await engine.execute(scope, 'DynamoDB_20120810', operation, input))
        return answer as Record<string, unknown>
      },
      close: () => engine.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Each account has tables of its own in each region. Where only one has any, it is meant; a new folder gets those that
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
      `The folder has tables or backups of several accounts or regions (${known}). Choose with --account and --region.`,
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

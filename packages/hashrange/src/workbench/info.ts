import type { Scope } from '@hashrange/engine'
import { accountIdOf, sharedAccountId } from '@hashrange/server'
import type { ApiHandler, WorkbenchContext } from './api-handler.ts'

export interface WorkbenchInfo {
  readonly version: string
  readonly readOnly: boolean
  /** Whether all access keys have the same tables. */
  readonly shared: boolean
  /** Where the data is; null if it is in memory. */
  readonly path: string | null
  /** The accounts and regions that have tables, those with the most first. */
  readonly scopes: readonly ScopeInfo[]
  /** What to show if nothing else is requested. */
  readonly defaultScope: ScopeInfo
  /** Whether there are models to ask about. */
  readonly hasModels: boolean
  /** Whether this page may load and save model files. */
  readonly mayLoadModels: boolean
}

export interface ScopeInfo extends Scope {
  readonly tables: number
  /** An access key of this account, if it is one that people use in examples. */
  readonly accessKeyId: string | null
}

/** The first request of the page. */
export const info: ApiHandler = async (context, { isFromHere }): Promise<WorkbenchInfo> => {
  const scopes = scopesOf(context)
  return {
    version: context.version,
    readOnly: context.readOnly,
    shared: context.shared,
    path: context.path ?? null,
    scopes,
    defaultScope: scopes[0] ?? emptyScope(context.shared),
    hasModels: context.modelFiles.names.length > 0,
    mayLoadModels:
      !context.readOnly && (isFromHere || context.remoteModels) && context.modelFiles.folders.length > 0,
  }
}

function scopesOf({ engine }: WorkbenchContext): ScopeInfo[] {
  const counts = new Map<string, ScopeInfo>()
  for (const { definition } of engine.catalog.all()) {
    const { accountId, region } = definition
    const id = `${accountId}/${region}`
    const tables = (counts.get(id)?.tables ?? 0) + 1
    counts.set(id, { accountId, region, tables, accessKeyId: keysByAccount.get(accountId) ?? null })
  }
  return [...counts.values()].toSorted((a, b) => b.tables - a.tables || (a.region < b.region ? -1 : 1))
}

/** A table that is created here should be visible to the clients that the greeting shows, whose key is `local`. */
function emptyScope(shared: boolean): ScopeInfo {
  const accountId = shared ? sharedAccountId : accountIdOf('local')
  return { accountId, region: 'us-east-1', tables: 0, accessKeyId: keysByAccount.get(accountId) ?? null }
}

/** An account number says little to somebody who chose a key: these are the keys of many examples and tools. */
const keysByAccount: ReadonlyMap<string, string> = new Map(
  [
    'AKIAIOSFODNN7EXAMPLE',
    'DUMMYIDEXAMPLE',
    'admin',
    'aws',
    'default',
    'dev',
    'dummy',
    'dynamodb',
    'example',
    'fake',
    'fakeMyKeyId',
    'foo',
    'key',
    'localhost',
    'mock',
    'test',
    'x',
    'xxx',
    'local',
  ].map((key) => [accountIdOf(key), key]),
)

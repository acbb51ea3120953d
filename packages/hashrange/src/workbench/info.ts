import { accountIdOf, scopeOfKey, type Sharing } from '@hashrange/server'
import type { ScopeInfo, WorkbenchInfo } from '@hashrange/workbench/answers'
import type { ApiHandler, WorkbenchContext } from './api-handler.ts'

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
function emptyScope(shared: Sharing): ScopeInfo {
  const scope = scopeOfKey('local', 'us-east-1', shared)
  return { ...scope, tables: 0, accessKeyId: keysByAccount.get(scope.accountId) ?? null }
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

import { accountIdOf, scopeOfKey } from '@hashrange/server'
import type { ScopeInfo, WorkbenchInfo } from '@hashrange/workbench/answers'
import type { ApiHandler, WorkbenchContext } from './api-handler.ts'
import { whyNotAdd } from './connections/connections-handler.ts'
import { connectionPath } from './connections/database-at.ts'
import { may, modelsPath, operatorDenial, type Visitor } from './visitors/visitor.ts'

/** The first request of the page. */
export const info: ApiHandler = async (context, { isFromHere, visitor }): Promise<WorkbenchInfo> => {
  const { connections } = context
  const whyNoConnections = whyNotAdd({ isFromHere, visitor })
  const { signedIn } = visitor
  const accountId = signedIn === undefined || signedIn.kind === 'operator' ? undefined : signedIn.accountId
  const scopes = scopesOf(context).filter(
    (scope) => accountId === undefined || isVisible(visitor, accountId, scope),
  )
  const modelsDenied = operatorDenial(visitor, 'hashrange:Read', modelsPath)
  return {
    version: context.version,
    readOnly: context.readOnly,
    shared: context.shared,
    // Where files are is for whoever runs the server.
    path: (accountId === undefined ? context.path : '') ?? null,
    scopes,
    defaultScope: scopes[0] ?? emptyScope(context, accountId),
    hasModels: context.modelFiles.names.length > 0 && modelsDenied === undefined,
    mayLoadModels:
      !context.readOnly &&
      (isFromHere || context.remoteModels) &&
      context.modelFiles.folders.length > 0 &&
      operatorDenial(visitor, 'hashrange:Operate', modelsPath) === undefined,
    hasDatabase: context.hasDatabase,
    connections: connections
      .list()
      .filter(({ name }) => operatorDenial(visitor, 'hashrange:Read', connectionPath(name)) === undefined),
    ...(whyNoConnections !== undefined && { whyNoConnections }),
    mayEditModels:
      context.editModels &&
      !context.readOnly &&
      (isFromHere || context.remoteModels) &&
      operatorDenial(visitor, 'hashrange:Operate', modelsPath) === undefined,
    ...(modelsDenied !== undefined && { modelsDenied }),
    ...(signedIn !== undefined && { signedIn }),
  }
}

/** How many tables an account has where, is for those who may list them. */
function isVisible(visitor: Visitor, accountId: string, scope: ScopeInfo): boolean {
  return scope.accountId === accountId && may(visitor, scope, 'DynamoDB_20120810', 'ListTables', {})
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
function emptyScope({ shared, gate }: WorkbenchContext, own: string | undefined): ScopeInfo {
  const accountId = own ?? gate?.identities.book.homeAccountId
  const scope =
    accountId === undefined ? scopeOfKey('local', 'us-east-1', shared) : { accountId, region: 'us-east-1' }
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

import type { LambdaOperation } from '../api/operations.ts'

/** How an operation is written as a request. */
export interface RestRoute {
  readonly operation: LambdaOperation
  readonly method: string
  /** `{Name}` stands for a member of the input. */
  readonly path: readonly string[]
  /** Of an answer that is not an error. */
  readonly status: number
  /** Members of the input that are in the query string, by their name there. */
  readonly query: ReadonlyMap<string, string>
}

const paging = { Marker: 'Marker', MaxItems: 'MaxItems' }
const qualified = { Qualifier: 'Qualifier' }
const functions = '/2015-03-31/functions'
const mappings = '/2015-03-31/event-source-mappings'
const tags = '/2017-03-31/tags'

/** As the API model of Lambda declares them. */
export const restRoutes: readonly RestRoute[] = [
  route('CreateEventSourceMapping', 'POST', mappings, 202),
  route('ListEventSourceMappings', 'GET', mappings, 200, {
    ...paging,
    EventSourceArn: 'EventSourceArn',
    FunctionName: 'FunctionName',
  }),
  route('GetEventSourceMapping', 'GET', `${mappings}/{UUID}`, 200),
  route('UpdateEventSourceMapping', 'PUT', `${mappings}/{UUID}`, 202),
  route('DeleteEventSourceMapping', 'DELETE', `${mappings}/{UUID}`, 202),
  route('CreateFunction', 'POST', functions, 201),
  route('ListFunctions', 'GET', functions, 200, {
    ...paging,
    MasterRegion: 'MasterRegion',
    FunctionVersion: 'FunctionVersion',
  }),
  route('GetFunction', 'GET', `${functions}/{FunctionName}`, 200, qualified),
  route('DeleteFunction', 'DELETE', `${functions}/{FunctionName}`, 204, qualified),
  route('GetFunctionConfiguration', 'GET', `${functions}/{FunctionName}/configuration`, 200, qualified),
  route('UpdateFunctionConfiguration', 'PUT', `${functions}/{FunctionName}/configuration`, 200),
  route('UpdateFunctionCode', 'PUT', `${functions}/{FunctionName}/code`, 200),
  route('Invoke', 'POST', `${functions}/{FunctionName}/invocations`, 200, qualified),
  route('ListVersionsByFunction', 'GET', `${functions}/{FunctionName}/versions`, 200, paging),
  route('ListAliases', 'GET', `${functions}/{FunctionName}/aliases`, 200, {
    ...paging,
    FunctionVersion: 'FunctionVersion',
  }),
  route('GetPolicy', 'GET', `${functions}/{FunctionName}/policy`, 200, qualified),
  route('GetFunctionCodeSigningConfig', 'GET', '/2020-06-30/functions/{FunctionName}/code-signing-config', 200),
  route('GetFunctionConcurrency', 'GET', '/2019-09-30/functions/{FunctionName}/concurrency', 200),
  route('PutFunctionConcurrency', 'PUT', '/2017-10-31/functions/{FunctionName}/concurrency', 200),
  route('DeleteFunctionConcurrency', 'DELETE', '/2017-10-31/functions/{FunctionName}/concurrency', 204),
  route(
    'GetFunctionEventInvokeConfig',
    'GET',
    '/2019-09-25/functions/{FunctionName}/event-invoke-config',
    200,
    qualified,
  ),
  route('GetFunctionRecursionConfig', 'GET', '/2024-08-31/functions/{FunctionName}/recursion-config', 200),
  route(
    'GetRuntimeManagementConfig',
    'GET',
    '/2021-07-20/functions/{FunctionName}/runtime-management-config',
    200,
    qualified,
  ),
  route('GetAccountSettings', 'GET', '/2016-08-19/account-settings', 200),
  route('ListTags', 'GET', `${tags}/{Resource}`, 200),
  route('TagResource', 'POST', `${tags}/{Resource}`, 204),
  route('UntagResource', 'DELETE', `${tags}/{Resource}`, 204, { tagKeys: 'TagKeys' }),
]

/** The versions with which paths of Lambda start. */
export const restVersions: ReadonlySet<string> = new Set(restRoutes.map(({ path }) => path[0] ?? ''))

function route(
  operation: LambdaOperation,
  method: string,
  path: string,
  status: number,
  query: Readonly<Record<string, string>> = {},
): RestRoute {
  return { operation, method, path: path.slice(1).split('/'), status, query: new Map(Object.entries(query)) }
}

import { randomUUID } from 'node:crypto'
import { operationsByTarget, RawJson } from '@hashrange/engine'
import { ApiRefusal, type ApiCall, type WorkbenchContext } from '../api-handler.ts'
import { executeAudited } from '../execute-audited.ts'
import { isReading } from '../is-reading.ts'
import { isRegion } from '../read-scope.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Connection } from './connection.ts'
import { explainCredentials } from './explain-credentials.ts'
import { forward, RemoteError } from './forward.ts'

/** A database that a request of the page is about, as its visitor may use it. */
export interface Database {
  /** For messages. */
  readonly name: string
  readonly connection?: Connection
  /** In the service's own form. What the visitor may not do is refused. */
  execute(target: string, operation: string, body: object): Promise<unknown>
}

type Asking = Pick<ApiCall, 'visitor' | 'request'>

/** `account=…&region=…` are tables of this server; `connection=…&region=…` is another database. */
export function databaseAt(context: WorkbenchContext, asking: Asking, query: URLSearchParams): Database {
  const name = query.get('connection')
  return name === null ? ownDatabase(context, asking, query) : remoteDatabase(context, asking, name, query)
}

/** What is asked of connections: they are of the server, of no account. */
export function connectionPath(name?: string): string {
  return `/_workbench/connections${name === undefined ? '' : `/${name}`}`
}

/** Whose a switch is. */
export function holderOf({ signedIn }: Visitor): string {
  return signedIn === undefined ? '' : signedIn.kind === 'operator' ? 'operator' : signedIn.arn
}

function ownDatabase(context: WorkbenchContext, { visitor, request }: Asking, query: URLSearchParams): Database {
  if (!context.hasDatabase) {
    throw new ApiRefusal(
      400,
      'NoDatabase',
      'This workbench has no database of its own. Choose a connection at the top left, or add one.',
    )
  }
  return {
    name: 'this server',
    execute: async (target, operation, body) => {
      const scope = visitor.scopeIn(query)
      assertMayChange(context, operation, body)
      return executeAudited(context, { request, visitor }, scope, target, operation, body)
    },
  }
}

function remoteDatabase(
  context: WorkbenchContext,
  { visitor, request }: Asking,
  name: string,
  query: URLSearchParams,
): Database {
  const { connections, audit, logger } = context
  const connection = connections.require(name)
  const region = query.get('region') ?? connection.region
  if (!isRegion(region)) throw new ApiRefusal(400, 'BadScope', 'A region is a name such as us-east-1.')
  const mayWrite =
    connection.writing === 'allowed' ||
    (connection.writing === 'on-request' && connections.grants.holds(query.get('writing'), name, holderOf(visitor)))
  const send = async (target: string, operation: string, body: unknown): Promise<RawJson> => {
    const reads = isReading(operation, body)
    const route = await connections.routeOf(connection, region)
    try {
      return new RawJson(await forward(connection, route, { target, operation, region, isReading: reads, body }))
    } catch (error) {
      const isRemote = error instanceof RemoteError
      if (!isRemote || refusesCredentials.has(error.code)) connections.forgetRoute(connection, region)
      if (isRemote || error instanceof ApiRefusal) throw error
      throw explainCredentials(error, connection, logger)
    }
  }
  return {
    name,
    connection,
    execute: async (target, operation, body) => {
      assertForwarded(target, operation)
      const reads = isReading(operation, body)
      visitor.assertMayOperate(reads ? 'hashrange:Read' : 'hashrange:Operate', connectionPath(name))
      assertMayChange(context, operation, body)
      if (reads) return send(target, operation, body)
      if (!mayWrite) throw readOnlyConnection(connection, operation)
      if (audit?.wants('hashrange', 'ForwardRequest') !== true) return send(target, operation, body)
      const input = { connection: name, region, operation, tableName: tableOf(body) }
      const call = { request, service: 'hashrange', operation: 'ForwardRequest', input, requestId: randomUUID() }
      try {
        const answer = await send(target, operation, body)
        audit.record({ ...call, answer: {} })
        return answer
      } catch (error) {
        audit.record({ ...call, error })
        throw error
      }
    },
  }
}

/** Keys may have been replaced, and sessions renewed, since they were read. */
const refusesCredentials: ReadonlySet<string> = new Set([
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'ExpiredTokenException',
  'InvalidClientTokenId',
])

/** Only DynamoDB and its streams are behind a connection. */
function assertForwarded(target: string, operation: string): void {
  const known = Object.entries(operationsByTarget).find(([prefix]) => prefix === target)?.[1]
  const names: readonly string[] = known ?? []
  if (names.includes(operation)) return
  throw new ApiRefusal(
    400,
    'NotForwarded',
    'Through a connection, the workbench only uses DynamoDB and its streams. Metrics, heat and identities are only available for the server itself.',
  )
}

function assertMayChange({ readOnly }: WorkbenchContext, operation: string, body: unknown): void {
  if (!readOnly || isReading(operation, body)) return
  throw new ApiRefusal(
    403,
    'ReadOnly',
    `This workbench is read-only, and ${operation} changes data. To allow it, start hashrange without --workbench-read-only.`,
  )
}

function readOnlyConnection({ name, writing }: Connection, operation: string): ApiRefusal {
  return new ApiRefusal(
    403,
    'ReadOnly',
    writing === 'never'
      ? `${name} is read-only, and ${operation} changes data. Its declaration does not allow writing.`
      : `${name} is read-only, and ${operation} changes data. Switch on writing at the top to allow it.`,
  )
}

function tableOf(body: unknown): string | undefined {
  const table: unknown =
    typeof body === 'object' && body !== null && 'TableName' in body ? body.TableName : undefined
  return typeof table === 'string' ? table : undefined
}

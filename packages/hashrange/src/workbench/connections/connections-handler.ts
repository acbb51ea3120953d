import { randomUUID } from 'node:crypto'
import type { AwsProfile, ConnectionInfo } from '@hashrange/workbench/answers'
import { ApiRefusal, type ApiCall, type ApiHandler, type WorkbenchContext } from '../api-handler.ts'
import { operatorDenial } from '../visitors/visitor.ts'
import { awsProfiles } from '../../aws-profiles.ts'
import { ConnectionMistake } from './connection.ts'
import { connectionPath, databaseAt, holderOf } from './database-at.ts'

/** `connections/<action>`: adding and removing connections, trying them, and switching writing on and off. */
export const connections: ApiHandler = async (context, call) => {
  const { path, body } = call
  switch (path[0] ?? '') {
    case 'profiles':
      assertMayAdd(call)
      return { profiles: profilesOf() }
    case 'add':
      return add(context, call)
    case 'remove':
      assertMayAdd(call)
      context.connections.remove(textOrEmpty(body['name']))
      return {}
    case 'begin-writing':
      return beginWriting(context, call)
    case 'end-writing':
      context.connections.grants.end(textOrEmpty(body['writing']))
      return {}
    default:
      throw new ApiRefusal(404, 'NotFound', 'The workbench API has no such action of connections.')
  }
}

/** Connections make this server send requests, with its own credentials: whoever adds one sits at this machine, or has the
 *  rights of an operator. */
export function whyNotAdd({ isFromHere, visitor }: Pick<ApiCall, 'isFromHere' | 'visitor'>): string | undefined {
  if (visitor.signedIn !== undefined) return operatorDenial(visitor, 'hashrange:Operate', connectionPath())
  return isFromHere
    ? undefined
    : 'Connections can be added on the machine that runs hashrange, or with its flag --connect.'
}

function assertMayAdd(call: ApiCall): void {
  const why = whyNotAdd(call)
  if (why !== undefined) throw new ApiRefusal(403, 'NotAllowed', why)
}

async function add(context: WorkbenchContext, call: ApiCall): Promise<ConnectionInfo> {
  assertMayAdd(call)
  const { name, ...entered } = call.body
  try {
    const added = context.connections.add(textOrEmpty(name), entered)
    recordOf(context, call, 'AddConnection', { name, ...entered })
    try {
      // Whether something is there shows at once, while the form is still open.
      const query = new URLSearchParams({ connection: added.name, region: added.region })
      await databaseAt(context, call, query).execute('DynamoDB_20120810', 'ListTables', { Limit: 1 })
    } catch (error) {
      context.connections.remove(added.name)
      throw error
    }
    return added
  } catch (error) {
    if (error instanceof ConnectionMistake) throw new ApiRefusal(400, 'BadConnection', error.message)
    throw error
  }
}

function beginWriting(context: WorkbenchContext, call: ApiCall): { writing: string } {
  const { name, writing } = context.connections.require(textOrEmpty(call.body['name']))
  call.visitor.assertMayOperate('hashrange:Operate', connectionPath(name))
  if (context.readOnly || writing === 'never') {
    throw new ApiRefusal(
      403,
      'ReadOnly',
      `${name} stays read-only: ${context.readOnly ? 'hashrange was started with --workbench-read-only' : 'its declaration does not allow writing'}.`,
    )
  }
  recordOf(context, call, 'BeginWriting', { name })
  return { writing: context.connections.grants.begin(name, holderOf(call.visitor)) }
}

function recordOf({ audit }: WorkbenchContext, { request }: ApiCall, operation: string, input: object): void {
  if (audit?.wants('hashrange', operation) !== true) return
  audit.record({ request, service: 'hashrange', operation, input, answer: {}, requestId: randomUUID() })
}

function profilesOf(): readonly AwsProfile[] {
  return awsProfiles().map(({ name, region, how }) => ({ name, region, how }))
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

import type { Scope } from '@hashrange/engine'
import type { LinkStatus } from '../../regions/link-status.ts'
import { mostLagMs, regionActions } from '../../regions/region-actions.ts'
import { ApiRefusal, type ApiHandler, type JsonObject, type WorkbenchContext } from '../api-handler.ts'
import { may, operatorDenial, type Visitor } from '../visitors/visitor.ts'
import { isRegion } from '../read-scope.ts'
import type { IsVisible } from './is-visible.ts'
import { replicationConflicts } from './replication-conflicts.ts'
import { regionsState } from './regions-state.ts'

/** Global tables:
 *
 *      regions?account=…&region=…       replicas, and what they must still send to each other
 *      regions/act?…                    with `{ action, region, ms }`: isolates, slows, takes down or heals a region
 *      regions/conflicts?…              writes that were lost to writes of other regions */
export const regions: ApiHandler = async (context, { path, query, body, visitor }) => {
  const { accountId } = visitor.scopeIn(query)
  const isVisible: IsVisible = (region, operation, tableName) =>
    may(visitor, scopeOf(visitor, accountId, region), dynamoDb, operation, { TableName: tableName })
  switch (path[0]) {
    case undefined:
    case '':
      return regionsState(context.engine, accountId, isVisible, serversFor(context, visitor))
    case 'act':
      await act(context, visitor, body)
      return regionsState(context.engine, accountId, isVisible, serversFor(context, visitor))
    case 'conflicts':
      return replicationConflicts(context.engine, accountId, isVisible)
    default:
      throw new ApiRefusal(
        404,
        'NotFound',
        'The workbench API only has regions, regions/act and regions/conflicts of this.',
      )
  }
}

/** Where other servers are concerns those who operate this one. */
function serversFor({ linkedServers }: WorkbenchContext, visitor: Visitor): readonly LinkStatus[] | undefined {
  if (linkedServers === undefined) return undefined
  return operatorDenial(visitor, 'hashrange:Operate', '/_hashrange/regions') === undefined
    ? linkedServers()
    : undefined
}

const dynamoDb = 'DynamoDB_20120810'

function scopeOf(visitor: Visitor, account: string, region: string): Scope {
  return visitor.scopeIn(new URLSearchParams({ account, region }))
}

/** What is done to a region concerns everybody who uses the server. */
async function act({ engine, readOnly }: WorkbenchContext, visitor: Visitor, body: JsonObject): Promise<void> {
  if (readOnly)
    throw new ApiRefusal(
      403,
      'ReadOnly',
      'This workbench is read-only. To change regions from here, start hashrange without --workbench-read-only.',
    )
  visitor.assertMayOperate('hashrange:Operate', '/_hashrange/regions')
  const { action, region = '', ms = 0 } = body
  const change = typeof action === 'string' ? regionActions.get(action) : undefined
  if (change === undefined)
    throw new ApiRefusal(400, 'BadRequest', `The action must be one of ${[...regionActions.keys()].join(', ')}.`)
  const isHealingAll = action === 'heal' && region === ''
  if (typeof region !== 'string' || (!isHealingAll && !isRegion(region)))
    throw new ApiRefusal(400, 'BadRequest', 'Give the name of a region, such as eu-west-1.')
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= mostLagMs))
    throw new ApiRefusal(400, 'BadRequest', `ms must be a number of milliseconds from 0 to ${mostLagMs}.`)
  await change(engine.regions, region, ms)
}

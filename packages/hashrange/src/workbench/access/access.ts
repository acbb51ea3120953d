import type { AskedRequest, CallingScope, Simulation } from '@hashrange/access/closed'
import { operationNamed } from '../dynamodb.ts'
import {
  ApiRefusal,
  isJsonObject,
  type ApiCall,
  type ApiHandler,
  type JsonObject,
  type WorkbenchContext,
} from '../api-handler.ts'
import { isIdentityVisitor } from '../visitors/identity-visitor.ts'
import type { Visitor } from '../visitors/visitor.ts'

/** What policies decide, on a closed server: `access/explain?account=…&region=…` with `{ operation, input }` says which statements decide about a
 *  request of one's own; `access/simulate?…` about one of somebody else, or under other policies. Nothing is carried out. */
export const access: ApiHandler = async (context, call) => {
  const { gate } = context
  if (gate === undefined) {
    throw new ApiRefusal(404, 'NotFound', 'This server is open: no policies decide here. Start it with --auth.')
  }
  const [action] = call.path
  const scope = call.visitor.scopeIn(call.query)
  const caller = callerOf(call.visitor, scope.region)
  if (action === 'explain') {
    const asked = askedRequest(context, call.body)
    if (caller === undefined) return { decisions: [], maySeeStatements: true }
    return gate.explain(caller, asked)
  }
  if (action === 'simulate') {
    const { accountId, region } = scope
    return { decisions: gate.simulate({ accountId, region }, caller, readSimulation(context, call)) }
  }
  throw new ApiRefusal(404, 'NotFound', 'The workbench API only has access/explain and access/simulate.')
}

/** Nothing for the operator, to whom no policy applies. */
function callerOf(visitor: Visitor, region: string): CallingScope | undefined {
  return isIdentityVisitor(visitor) ? visitor.callingScope(region) : undefined
}

function askedRequest(context: WorkbenchContext, { operation, input }: JsonObject): AskedRequest {
  if (typeof operation !== 'string' || !isJsonObject(input)) {
    throw new ApiRefusal(400, 'BadRequest', 'Name an operation, with its input.')
  }
  const { target, name } = operationNamed(context, operation)
  return { target, operation: name, body: input }
}

function readSimulation(context: WorkbenchContext, { body }: ApiCall): Simulation {
  const { principalArn, policies = [], actions, resources, context: given = {} } = body
  if (principalArn !== undefined && (typeof principalArn !== 'string' || principalArn === '')) {
    throw new ApiRefusal(400, 'BadRequest', 'The principal must be the ARN of a user, a group or a role.')
  }
  if (!isTexts(policies) || (principalArn === undefined && policies.length === 0)) {
    throw new ApiRefusal(400, 'BadRequest', 'Choose a principal, or paste a policy.')
  }
  const isAboutActions = isTexts(actions) && isTexts(resources)
  return {
    principalArn,
    policies,
    asked: isAboutActions ? { actions, resources } : askedRequest(context, body),
    context: readContext(given),
  }
}

function readContext(given: unknown): Simulation['context'] {
  if (!isJsonObject(given)) throw badContext()
  for (const value of Object.values(given)) if (typeof value !== 'string' && !isTexts(value)) throw badContext()
  return given as Simulation['context']
}

function badContext(): ApiRefusal {
  return new ApiRefusal(400, 'BadRequest', 'Each context key has a text, or a list of texts.')
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

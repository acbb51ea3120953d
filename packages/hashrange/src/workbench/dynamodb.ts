import { ServiceError } from '@hashrange/core'
import { operationsByTarget } from '@hashrange/engine'
import { wireServices } from '../open-engine.ts'
import { ApiRefusal, type ApiHandler, type WorkbenchContext } from './api-handler.ts'
import { executeAudited } from './execute-audited.ts'
import { isReading } from './is-reading.ts'

/** `dynamodb/<Operation>?account=…&region=…`: one operation of the service's API, in any account and region. The body
 *  is the operation's input and the response its output, in the service's own form. `<Target>.<Operation>`
 *  distinguishes operations with the same name. */
export const dynamodb: ApiHandler = async (context, { path, query, body, request, visitor }) => {
  const { target, name } = operationNamed(context, path[0] ?? '')
  const scope = visitor.scopeIn(query)
  if (context.readOnly && !isReading(name, body)) {
    throw new ApiRefusal(
      403,
      'ReadOnly',
      `This workbench is read-only, and ${name} changes data. To allow it, start hashrange without --workbench-read-only.`,
    )
  }
  return executeAudited(context, { request, visitor }, scope, target, name, body)
}

export function operationNamed({ engine }: WorkbenchContext, text: string): { target: string; name: string } {
  const [first = '', second] = text.split('.')
  for (const target of targets) {
    if (second === undefined && engine.knows(target, first)) return { target, name: first }
    if (second !== undefined && first === target && engine.knows(target, second)) return { target, name: second }
  }
  throw new ServiceError('UnknownOperationException', `There is no operation "${text.slice(0, 100)}".`)
}

const targets = [...Object.keys(operationsByTarget), ...wireServices.map(({ target }) => target)]

import { ServiceError } from '@hashrange/core'
import { operationsByTarget } from '@hashrange/engine'
import { wireServices } from '../open-engine.ts'
import { toWireInput } from '../to-wire-input.ts'
import type { ApiHandler, WorkbenchContext } from './api-handler.ts'
import { databaseAt } from './connections/database-at.ts'

/** `dynamodb/<Operation>?account=…&region=…`: one operation of the service's API, in any account and region; with
 *  `connection=…`, in another database. The body is the operation's input and the response its output, in the service's
 *  own form. `<Target>.<Operation>` distinguishes operations with the same name. */
export const dynamodb: ApiHandler = async (context, call) => {
  const { target, name } = operationNamed(context, call.path[0] ?? '')
  const answer = await databaseAt(context, call, call.query).execute(target, name, call.body)
  // Other services answer with dates, which their own protocols write in the form that they have.
  return target in operationsByTarget ? answer : toWireInput(answer)
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

import { validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { startOperation } from '../deploy/start-operation.ts'
import { stackArn } from '../records/stack-record.ts'
import { findStack } from '../stacks/stack-book.ts'

interface DeleteStackInput {
  readonly StackName: string
  readonly RetainResources?: readonly string[]
  readonly ClientRequestToken?: string
}

const keptDeletedMs = 90 * 86_400_000

/** One that is not there is as good as deleted. */
export async function deleteStack(cf: CloudFormation, scope: Scope, input: DeleteStackInput) {
  const stack = await findStack(cf, scope, input.StackName)
  if (stack === undefined || stack.status === 'DELETE_COMPLETE' || stack.operation?.kind === 'delete')
    return undefined
  await startOperation(cf, scope, [stack.name, stack.uid], {
    operation: {
      kind: 'delete',
      token: input.ClientRequestToken,
      onFailure: 'DO_NOTHING',
      retain: input.RetainResources ?? [],
    },
    status: 'DELETE_IN_PROGRESS',
    decide: (current) => {
      if (current === undefined) throw validationException(`Stack [${stack.name}] does not exist`)
      if (current.terminationProtection)
        throw validationException(`Stack [${stack.name}] cannot be deleted while TerminationProtection is enabled`)
      if (current.operation !== undefined)
        throw validationException(
          `Stack:${stackArn(scope, current)} is in ${current.status} state and can not be deleted.`,
        )
      return current
    },
  })
  for (const one of await cf.changeSets.list(scope, [stack.name, stack.uid]))
    await cf.changeSets.change(scope, [one.stackName, one.stackUid, one.name], () => undefined)
  await forgetOld(cf, scope)
  return undefined
}

/** Deleted stacks are shown for 90 days. */
async function forgetOld(cf: CloudFormation, scope: Scope): Promise<void> {
  const beforeMs = cf.clock.now() - keptDeletedMs
  for (const { name, uid, status, deletedAtMs = 0 } of await cf.stacks.list(scope)) {
    if (status !== 'DELETE_COMPLETE' || deletedAtMs > beforeMs) continue
    for (const { order } of await cf.stackEvents.list(scope, [uid]))
      await cf.stackEvents.change(scope, [uid, order], () => undefined)
    await cf.stacks.change(scope, [name, uid], () => undefined)
  }
}

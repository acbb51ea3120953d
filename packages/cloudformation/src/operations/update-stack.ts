import { validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { SentStack } from '../api/inputs.ts'
import type { CloudFormation } from '../cloudformation.ts'
import { assertIdle, startOperation } from '../deploy/start-operation.ts'
import { stackArn, type StackOperation, type StackRecord, type StackVersion } from '../records/stack-record.ts'
import { assertDeployable } from '../stacks/assert-deployable.ts'
import { planChanges } from '../stacks/plan-changes.ts'
import { readVersion } from '../stacks/read-version.ts'
import { exportsOf, findStack } from '../stacks/stack-book.ts'

export async function updateStack(cf: CloudFormation, scope: Scope, input: SentStack) {
  const stack = await findStack(cf, scope, input.StackName)
  if (stack === undefined || stack.status === 'DELETE_COMPLETE')
    throw validationException(`Stack [${input.StackName.slice(0, 300)}] does not exist`)
  const token = input.ClientRequestToken
  if (token !== undefined && stack.tokens.includes(`update ${token}`)) return { StackId: stackArn(scope, stack) }
  assertIdle(scope, stack, 'updated')
  const version = await readVersion(cf, scope, input, { previous: stack.version })
  assertDeployable(scope, stack, version)
  if (!(await hasChanges(cf, scope, stack, version))) throw validationException('No updates are to be performed.')
  const onFailure = input.DisableRollback === true ? 'DO_NOTHING' : 'ROLLBACK'
  const begun = await beginUpdate(cf, scope, stack, { version, onFailure, token })
  return { StackId: stackArn(scope, begun) }
}

export function beginUpdate(
  cf: CloudFormation,
  scope: Scope,
  { name, uid }: StackRecord,
  asked: {
    readonly version: StackVersion
    readonly onFailure: StackOperation['onFailure']
    readonly token?: string | undefined
    readonly changeSetId?: string
  },
): Promise<StackRecord> {
  const { version, onFailure, token, changeSetId } = asked
  const updatedAtMs = cf.clock.now()
  return startOperation(cf, scope, [name, uid], {
    operation: { kind: 'update', token, onFailure, wanted: version, retain: [] },
    status: 'UPDATE_IN_PROGRESS',
    decide: (current) => {
      if (current === undefined) throw validationException(`Stack [${name}] does not exist`)
      assertIdle(scope, current, 'updated')
      return { ...current, updatedAtMs, ...(changeSetId !== undefined && { changeSetId }) }
    },
  })
}

export async function hasChanges(
  cf: CloudFormation,
  scope: Scope,
  stack: StackRecord,
  version: StackVersion,
): Promise<boolean> {
  const exports = new Map((await exportsOf(cf, scope)).map(({ Name, Value }) => [Name, Value]))
  if (planChanges(scope, stack, version, exports).length > 0 || stack.status === 'UPDATE_FAILED') return true
  const told = ({ template, parameters, tags }: StackVersion): string =>
    JSON.stringify([template, parameters, tags])
  return told(version) !== told(stack.version)
}

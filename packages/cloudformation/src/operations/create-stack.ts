import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { SentStack } from '../api/inputs.ts'
import type { CloudFormation } from '../cloudformation.ts'
import { startOperation } from '../deploy/start-operation.ts'
import { stackArn, type StackRecord, type StackVersion } from '../records/stack-record.ts'
import { assertDeployable } from '../stacks/assert-deployable.ts'
import { readVersion } from '../stacks/read-version.ts'
import { assertStackName, findStack } from '../stacks/stack-book.ts'

export async function createStack(cf: CloudFormation, scope: Scope, input: SentStack) {
  assertStackName(input.StackName)
  if (input.DisableRollback !== undefined && input.OnFailure !== undefined)
    throw validationException('You cannot specify both DisableRollback and OnFailure.')
  return alone(cf, scope, input.StackName, async () => {
    const existing = await findStack(cf, scope, input.StackName)
    const token = input.ClientRequestToken
    if (existing !== undefined) {
      if (token !== undefined && existing.tokens.includes(`create ${token}`))
        return { StackId: stackArn(scope, existing) }
      throw new ServiceError('AlreadyExistsException', `Stack [${input.StackName}] already exists`)
    }
    const version = await readVersion(cf, scope, input, {})
    const stack = newStack(cf, input.StackName, version)
    assertDeployable(scope, stack, version)
    const onFailure = input.OnFailure ?? (input.DisableRollback === true ? 'DO_NOTHING' : 'ROLLBACK')
    const begun = await startOperation(cf, scope, [stack.name, stack.uid], {
      operation: { kind: 'create', token, onFailure, wanted: version, retain: [] },
      status: 'CREATE_IN_PROGRESS',
      decide: () => ({
        ...stack,
        disableRollback: onFailure === 'DO_NOTHING',
        terminationProtection: input.EnableTerminationProtection === true,
      }),
    })
    return { StackId: stackArn(scope, begun) }
  })
}

export function newStack({ randomness, clock }: CloudFormation, name: string, version: StackVersion): StackRecord {
  return {
    name,
    uid: randomness.uuid(),
    status: 'REVIEW_IN_PROGRESS',
    createdAtMs: clock.now(),
    version,
    resources: {},
    replaced: [],
    outputs: [],
    imports: [],
    tokens: [],
    disableRollback: false,
    terminationProtection: false,
    events: 0,
  }
}

/** One creation of a name at a time, on all servers. */
export async function alone<T>(
  cf: CloudFormation,
  scope: Scope,
  name: string,
  create: () => Promise<T>,
): Promise<T> {
  const created: Promise<T>[] = []
  const lock = `stack-name/${scope.accountId}/${scope.region}/${name}`
  await cf.background.hold(lock, cf.background.stopping, async () => {
    const creation = create()
    created.push(creation)
    // Whoever asked gets the error below.
    await creation.catch(() => undefined)
  })
  const [answer] = created
  if (answer === undefined) throw validationException(`Stack [${name}] is being created by another request.`)
  return answer
}

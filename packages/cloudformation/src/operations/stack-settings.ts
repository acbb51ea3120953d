import { validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { stackArn, type StackRecord } from '../records/stack-record.ts'
import { requireStack } from '../stacks/stack-book.ts'

export async function updateTerminationProtection(
  cf: CloudFormation,
  scope: Scope,
  input: { readonly StackName: string; readonly EnableTerminationProtection: boolean },
) {
  const stack = await change(cf, scope, input.StackName, {
    terminationProtection: input.EnableTerminationProtection,
  })
  return { StackId: stackArn(scope, stack) }
}

/** Kept and shown; what it forbids is not looked at. */
export async function setStackPolicy(
  cf: CloudFormation,
  scope: Scope,
  input: { readonly StackName: string; readonly StackPolicyBody?: string },
) {
  await change(cf, scope, input.StackName, { policy: input.StackPolicyBody })
  return undefined
}

export async function getStackPolicy(
  cf: CloudFormation,
  scope: Scope,
  { StackName }: { readonly StackName: string },
) {
  return { StackPolicyBody: (await requireStack(cf, scope, StackName)).policy }
}

async function change(
  cf: CloudFormation,
  scope: Scope,
  named: string,
  changes: { readonly terminationProtection?: boolean; readonly policy?: string | undefined },
): Promise<StackRecord> {
  const { name, uid } = await requireStack(cf, scope, named)
  const changed = await cf.stacks.change(scope, [name, uid], (current) =>
    current === undefined ? undefined : { ...current, ...changes },
  )
  if (changed === undefined) throw validationException(`Stack with id ${name} does not exist`)
  return changed
}

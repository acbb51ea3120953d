import type { GetResourcePolicyInput } from '../api/table-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { heldPolicy, policyNotFound, readPolicyHolder, requirePolicyHolder } from '../tables/policy-holder.ts'

export interface GetResourcePolicyOutput {
  readonly Policy: string
  readonly RevisionId: string
}

export async function getResourcePolicy(
  engine: EngineParts,
  scope: Scope,
  input: GetResourcePolicyInput,
): Promise<GetResourcePolicyOutput> {
  const holder = readPolicyHolder(scope, input.ResourceArn)
  // A deleted table's streams cannot be named.
  if (holder.label !== undefined && engine.catalog.find(scope, holder.tableName) === undefined) {
    throw policyNotFound(input.ResourceArn)
  }
  const { definition } = requirePolicyHolder(engine.catalog, scope, holder)
  const held = heldPolicy(definition, holder.label)
  if (held === undefined) throw policyNotFound(input.ResourceArn)
  return { Policy: held.policy, RevisionId: held.revisionId }
}

import type { PutResourcePolicyInput } from '../api/table-inputs.ts'
import type { DefinitionChange } from '../catalog/definition-change.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import {
  assertExpectedRevision,
  heldPolicy,
  readPolicyHolder,
  requirePolicyHolder,
  withPolicy,
} from '../tables/policy-holder.ts'
import { readSizedPolicy } from '../tables/read-resource-policy.ts'

export interface PutResourcePolicyOutput {
  readonly RevisionId: string
}

/** Putting the same policy again changes nothing and keeps its revision. A revision is the time of the change, and
 *  each is later than the one before it. */
export async function putResourcePolicy(
  engine: EngineParts,
  scope: Scope,
  input: PutResourcePolicyInput,
): Promise<PutResourcePolicyOutput> {
  const holder = readPolicyHolder(scope, input.ResourceArn)
  const { label } = holder
  const policy = readSizedPolicy(engine, input.Policy, label === undefined ? 'table' : 'stream')
  const table = requirePolicyHolder(engine.catalog, scope, holder)
  const nowMs = engine.clock.now()
  const { answer } = await engine.catalog.changeWith(table, (definition): DefinitionChange<string> => {
    const held = heldPolicy(definition, label)
    assertExpectedRevision(definition.tableName, held, input.ExpectedRevisionId)
    if (held?.policy === policy) return { definition, answer: held.revisionId }
    const revisionId = String(Math.max(nowMs, Number(held?.revisionId ?? 0) + 1))
    return { definition: withPolicy(definition, label, { policy, revisionId }), answer: revisionId }
  })
  return { RevisionId: answer }
}

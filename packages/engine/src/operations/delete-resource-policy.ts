import type { DeleteResourcePolicyInput } from '../api/table-inputs.ts'
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

export interface DeleteResourcePolicyOutput {
  /** Of the deleted policy; undefined if there was none. */
  readonly RevisionId?: string
}

export async function deleteResourcePolicy(
  engine: EngineParts,
  scope: Scope,
  input: DeleteResourcePolicyInput,
): Promise<DeleteResourcePolicyOutput> {
  const holder = readPolicyHolder(scope, input.ResourceArn)
  const table = requirePolicyHolder(engine.catalog, scope, holder)
  const { answer } = await engine.catalog.changeWith(
    table,
    (definition): DefinitionChange<DeleteResourcePolicyOutput> => {
      const held = heldPolicy(definition, holder.label)
      assertExpectedRevision(definition.tableName, held, input.ExpectedRevisionId)
      if (held === undefined) return { definition, answer: {} }
      return {
        definition: withPolicy(definition, holder.label, undefined),
        answer: { RevisionId: held.revisionId },
      }
    },
  )
  return answer
}

import type { ListTagsForTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { requireTargetOfArn } from '../../scaling/target-tags.ts'
import type { Scope } from '../../scope.ts'

export async function listTagsForResource(
  engine: Engine,
  scope: Scope,
  input: ListTagsForTargetInput,
): Promise<unknown> {
  const { tags } = await requireTargetOfArn(engine, scope, input.ResourceARN)
  return { Tags: new Map(Object.entries(tags)) }
}

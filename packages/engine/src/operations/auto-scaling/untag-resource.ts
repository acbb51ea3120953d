import type { UntagTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { changeTags } from '../../scaling/target-tags.ts'
import type { Scope } from '../../scope.ts'

export async function untagResource(engine: Engine, scope: Scope, input: UntagTargetInput): Promise<object> {
  const removed = new Set(input.TagKeys)
  await changeTags(engine, scope, input.ResourceARN, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([key]) => !removed.has(key))),
  )
  return {}
}

import type { TagTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { changeTags, checkTags } from '../../scaling/target-tags.ts'
import type { Scope } from '../../scope.ts'

export async function tagResource(engine: Engine, scope: Scope, input: TagTargetInput): Promise<object> {
  const { ResourceARN: arn, Tags } = input
  await changeTags(engine, scope, arn, (tags) => checkTags(tags, Tags, arn))
  return {}
}

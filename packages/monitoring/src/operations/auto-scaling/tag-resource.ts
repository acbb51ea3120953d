import type { TagTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { changeTags, checkTags } from '../../scaling/target-tags.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function tagResource(monitoring: Monitoring, scope: Scope, input: TagTargetInput): Promise<object> {
  const { ResourceARN: arn, Tags } = input
  await changeTags(monitoring, scope, arn, (tags) => checkTags(tags, Tags, arn))
  return {}
}

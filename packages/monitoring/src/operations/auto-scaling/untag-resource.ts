import type { UntagTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { changeTags } from '../../scaling/target-tags.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function untagResource(
  monitoring: Monitoring,
  scope: Scope,
  input: UntagTargetInput,
): Promise<object> {
  const removed = new Set(input.TagKeys)
  await changeTags(monitoring, scope, input.ResourceARN, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([key]) => !removed.has(key))),
  )
  return {}
}

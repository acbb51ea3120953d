import type { ListTagsForTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { requireTargetOfArn } from '../../scaling/target-tags.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function listTagsForResource(
  monitoring: Monitoring,
  scope: Scope,
  input: ListTagsForTargetInput,
): Promise<unknown> {
  const { tags } = await requireTargetOfArn(monitoring, scope, input.ResourceARN)
  return { Tags: new Map(Object.entries(tags)) }
}

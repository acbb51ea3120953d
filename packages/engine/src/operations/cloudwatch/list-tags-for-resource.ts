import { requireAlarm } from '../../alarms/alarm-tags.ts'
import type { ListTagsInput } from '../../api/cloudwatch-inputs.ts'
import type { Engine } from '../../engine.ts'
import type { Scope } from '../../scope.ts'

export async function listTagsForResource(engine: Engine, scope: Scope, input: ListTagsInput): Promise<unknown> {
  const { tags } = await requireAlarm(engine, scope, input.ResourceARN)
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }
}

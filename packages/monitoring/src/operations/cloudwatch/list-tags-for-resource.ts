import { requireAlarm } from '../../alarms/alarm-tags.ts'
import type { ListTagsInput } from '../../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

export async function listTagsForResource(
  monitoring: Monitoring,
  scope: Scope,
  input: ListTagsInput,
): Promise<unknown> {
  const { tags } = await requireAlarm(monitoring, scope, input.ResourceARN)
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }
}

import { changeAlarmTags } from '../../alarms/alarm-tags.ts'
import type { UntagAlarmInput } from '../../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

export async function untagResource(monitoring: Monitoring, scope: Scope, input: UntagAlarmInput): Promise<object> {
  const removed = new Set(input.TagKeys)
  await changeAlarmTags(monitoring, scope, input.ResourceARN, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([key]) => !removed.has(key))),
  )
  return {}
}

import { changeAlarmTags } from '../../alarms/alarm-tags.ts'
import type { UntagAlarmInput } from '../../api/cloudwatch-inputs.ts'
import type { Engine } from '../../engine.ts'
import type { Scope } from '../../scope.ts'

export async function untagResource(engine: Engine, scope: Scope, input: UntagAlarmInput): Promise<object> {
  const removed = new Set(input.TagKeys)
  await changeAlarmTags(engine, scope, input.ResourceARN, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([key]) => !removed.has(key))),
  )
  return {}
}

import { changeAlarmTags, readAlarmTags } from '../../alarms/alarm-tags.ts'
import type { TagAlarmInput } from '../../api/cloudwatch-inputs.ts'
import type { Engine } from '../../engine.ts'
import type { Scope } from '../../scope.ts'

export async function tagResource(engine: Engine, scope: Scope, input: TagAlarmInput): Promise<object> {
  await changeAlarmTags(engine, scope, input.ResourceARN, (tags) => readAlarmTags(tags, input.Tags))
  return {}
}

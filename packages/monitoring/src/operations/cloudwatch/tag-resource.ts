import { changeAlarmTags, readAlarmTags } from '../../alarms/alarm-tags.ts'
import type { TagAlarmInput } from '../../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

export async function tagResource(monitoring: Monitoring, scope: Scope, input: TagAlarmInput): Promise<object> {
  await changeAlarmTags(monitoring, scope, input.ResourceARN, (tags) => readAlarmTags(tags, input.Tags))
  return {}
}

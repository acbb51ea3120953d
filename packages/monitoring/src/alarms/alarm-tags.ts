import { ServiceError, validationException } from '@hashrange/core'
import type { TagInput } from '../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { alarmArn, type Alarm } from '../records/alarm-records.ts'
import type { Monitoring } from '../monitoring.ts'

type Tags = Readonly<Record<string, string>>

const mostTags = 50

/** The tags after `added` have been added. */
export function readAlarmTags(present: Tags, added: readonly TagInput[]): Tags {
  const tags = new Map(Object.entries(present))
  for (const { Key, Value } of added) {
    if (Key.toLowerCase().startsWith('aws:')) {
      throw validationException('aws: prefixed tag key names are not allowed for external use.')
    }
    tags.set(Key, Value)
  }
  if (tags.size > mostTags) throw validationException(`An alarm can have at most ${mostTags} tags.`)
  return Object.fromEntries(tags)
}

/** The alarm of an ARN. */
export async function requireAlarm(monitoring: Monitoring, scope: Scope, arn: string): Promise<Alarm> {
  const name = nameInArn(scope, arn)
  const alarm = name === undefined ? undefined : await monitoring.alarms.alarms.get(scope, [name])
  if (alarm === undefined) throw notFound(arn)
  return alarm
}

export async function changeAlarmTags(
  monitoring: Monitoring,
  scope: Scope,
  arn: string,
  change: (tags: Tags) => Tags,
): Promise<void> {
  const { name } = await requireAlarm(monitoring, scope, arn)
  await monitoring.alarms.alarms.change(scope, [name], (current) => {
    if (current === undefined) throw notFound(arn)
    return { ...current, tags: change(current.tags) }
  })
}

function nameInArn(scope: Scope, arn: string): string | undefined {
  const start = alarmArn(scope, '')
  const name = arn.startsWith(start) ? arn.slice(start.length) : ''
  return name === '' || name.length > 255 || name.includes('\0') ? undefined : name
}

function notFound(arn: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', `${arn} not found`, {
    ResourceType: 'alarm',
    ResourceId: arn,
  })
}

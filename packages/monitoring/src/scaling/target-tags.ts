import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { targetArn, targetParts, type ScalableTarget } from '../records/scaling-records.ts'
import type { Monitoring } from '../monitoring.ts'

type Tags = Readonly<Record<string, string>>

const mostTags = 50

/** The tags after `added` have been added. */
export function checkTags(present: Tags, added: Tags, resourceArn?: string): Tags {
  for (const [key, value] of Object.entries(added)) {
    if (key === '' || key.length > 128) throw validationException(`Tag key must have 1 to 128 characters: ${key}`)
    if (key.toLowerCase().startsWith('aws:')) {
      throw validationException(`Tag keys starting with 'aws:' are reserved for system use: ${key}`)
    }
    if (value.length > 256) throw validationException(`Tag value must have at most 256 characters: ${key}`)
  }
  const tags = new Map([...Object.entries(present), ...Object.entries(added)])
  if (tags.size > mostTags) {
    throw new ServiceError('TooManyTagsException', `A scalable target can have at most ${mostTags} tags.`, {
      ...(resourceArn !== undefined && { ResourceName: resourceArn }),
    })
  }
  return Object.fromEntries(tags)
}

/** The target of an ARN; throws a ResourceNotFoundException if there is none. */
export async function requireTargetOfArn(
  monitoring: Monitoring,
  scope: Scope,
  arn: string,
): Promise<ScalableTarget> {
  const found = (await monitoring.scaling.targets.list(scope)).find((target) => targetArn(scope, target) === arn)
  if (found !== undefined) return found
  throw notFound(arn)
}

export async function changeTags(
  monitoring: Monitoring,
  scope: Scope,
  arn: string,
  change: (tags: Tags) => Tags,
): Promise<void> {
  const target = await requireTargetOfArn(monitoring, scope, arn)
  await monitoring.scaling.targets.change(scope, targetParts(target), (current) => {
    if (current === undefined) throw notFound(arn)
    return { ...current, tags: change(current.tags) }
  })
}

function notFound(arn: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', `No scalable target found for resource ARN: ${arn}`, {
    ResourceName: arn,
  })
}

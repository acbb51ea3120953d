import type { Scope } from '@hashrange/engine'
import { invalidParameter } from '../api/invalid-parameter.ts'
import type { TaggedInput } from '../api/inputs.ts'
import type { Lambda } from '../lambda.ts'
import { mappingNotFound, requireMapping, requireOwnMapping } from './mapping-book.ts'
import { changeFunction } from './change-function.ts'

type Tags = Readonly<Record<string, string>>

const mostTags = 50

export async function listTags(lambda: Lambda, scope: Scope, { Resource }: TaggedInput): Promise<object> {
  const uuid = mappingIn(Resource)
  if (uuid !== undefined) return { Tags: (await requireMapping(lambda, scope, uuid)).tags }
  const { code } = await lambda.functions.require(scope, Resource)
  return { Tags: code.kind === 'stored' ? code.record.tags : {} }
}

export async function tagResource(lambda: Lambda, scope: Scope, input: TaggedInput): Promise<undefined> {
  await change(lambda, scope, input.Resource, (tags) => {
    const after = { ...tags, ...input.Tags }
    if (Object.keys(after).length > mostTags)
      throw invalidParameter(`A resource can have at most ${mostTags} tags.`)
    return after
  })
}

export async function untagResource(lambda: Lambda, scope: Scope, input: TaggedInput): Promise<undefined> {
  const removed = new Set(input.TagKeys)
  await change(lambda, scope, input.Resource, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([name]) => !removed.has(name))),
  )
}

async function change(lambda: Lambda, scope: Scope, arn: string, decide: (tags: Tags) => Tags): Promise<void> {
  const uuid = mappingIn(arn)
  if (uuid === undefined) {
    await changeFunction(lambda, scope, arn, (current) => ({ ...current, tags: decide(current.tags) }))
    return
  }
  await requireOwnMapping(lambda, scope, uuid)
  const changed = await lambda.mappings.change(
    scope,
    [uuid],
    (current) => current && { ...current, tags: decide(current.tags) },
  )
  if (changed === undefined) throw mappingNotFound()
}

function mappingIn(arn: string): string | undefined {
  return /:event-source-mapping:([\w-]+)$/.exec(arn)?.[1]
}

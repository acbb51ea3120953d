import type { Scope } from '@hashrange/engine'
import type {
  AddTagsToStreamInput,
  ListTagsForStreamInput,
  RemoveTagsFromStreamInput,
  ResourceTagsInput,
} from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { consumerOfArn, requireConsumer } from './require-consumer.ts'
import { namedStream, streamOfArn } from '../streams/named-stream.ts'
import { checkTags, listTags, withoutTags } from '../streams/stream-tags.ts'

type Tags = Readonly<Record<string, string>>

/** The tags of streams, and through the newer operations also those of consumers. */

export async function addTagsToStream({ streamBook }: Kinesis, scope: Scope, input: AddTagsToStreamInput) {
  const name = namedStream(scope, input)
  await streamBook.change(scope, name, (stream) => ({
    ...stream,
    tags: checkTags(scope, name, stream.tags, input.Tags),
  }))
  return undefined
}

export async function removeTagsFromStream(
  { streamBook }: Kinesis,
  scope: Scope,
  input: RemoveTagsFromStreamInput,
) {
  await streamBook.change(scope, namedStream(scope, input), (stream) => ({
    ...stream,
    tags: withoutTags(stream.tags, input.TagKeys),
  }))
  return undefined
}

export async function listTagsForStream({ streamBook }: Kinesis, scope: Scope, input: ListTagsForStreamInput) {
  const stream = await streamBook.require(scope, namedStream(scope, input), true)
  const { ExclusiveStartTagKey: after = '', Limit = 50 } = input
  const rest = listTags(stream.tags).filter(({ Key }) => Key > after)
  return { Tags: rest.slice(0, Limit), HasMoreTags: rest.length > Limit }
}

export async function tagResource(kinesis: Kinesis, scope: Scope, { ResourceARN, Tags = {} }: ResourceTagsInput) {
  const name = streamOfArn(scope, ResourceARN)
  return changeTags(kinesis, scope, ResourceARN, (tags) => checkTags(scope, name, tags, Tags))
}

export async function untagResource(
  kinesis: Kinesis,
  scope: Scope,
  { ResourceARN, TagKeys = [] }: ResourceTagsInput,
) {
  return changeTags(kinesis, scope, ResourceARN, (tags) => withoutTags(tags, TagKeys))
}

export async function listTagsForResource(kinesis: Kinesis, scope: Scope, { ResourceARN }: ResourceTagsInput) {
  if (consumerOfArn(ResourceARN) !== undefined) {
    const { tags } = await requireConsumer(kinesis, scope, { ConsumerARN: ResourceARN })
    return { Tags: listTags(tags) }
  }
  const stream = await kinesis.streamBook.require(scope, streamOfArn(scope, ResourceARN), true)
  return { Tags: listTags(stream.tags) }
}

async function changeTags(
  kinesis: Kinesis,
  scope: Scope,
  arn: string,
  change: (tags: Tags) => Tags,
): Promise<undefined> {
  if (consumerOfArn(arn) === undefined) {
    await kinesis.streamBook.change(scope, streamOfArn(scope, arn), (stream) => ({
      ...stream,
      tags: change(stream.tags),
    }))
    return undefined
  }
  const { streamName, name } = await requireConsumer(kinesis, scope, { ConsumerARN: arn })
  await kinesis.consumers.records.change(
    scope,
    [streamName, name],
    (consumer) => consumer && { ...consumer, tags: change(consumer.tags) },
  )
  return undefined
}

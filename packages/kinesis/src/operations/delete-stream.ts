import { kinesisPurge, type Scope } from '@hashrange/engine'
import type { DeleteStreamInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { namedStream } from '../streams/named-stream.ts'
import { resourceInUse, streamNotFound } from '../streams/stream-errors.ts'

/** The stream is gone at once; its records are removed in the background. */
export async function deleteStream(kinesis: Kinesis, scope: Scope, input: DeleteStreamInput): Promise<undefined> {
  const name = namedStream(scope, input)
  await kinesis.streamBook.require(scope, name, true)
  const consumers = await kinesis.consumers.ofStream(scope, name)
  if (consumers.length > 0 && input.EnforceConsumerDeletion !== true) {
    throw resourceInUse(
      `Stream ${name} under account ${scope.accountId} can not be deleted since it has one or more consumers registered with it. Please deregister all consumers before deleting the stream, or use EnforceConsumerDeletion.`,
    )
  }
  await kinesis.streamBook.decide(scope, name, [], (current) => {
    if (current === undefined) throw streamNotFound(scope, name)
    return {
      definition: undefined,
      writes: [
        ...consumers.map((consumer) => kinesis.consumers.records.delete(scope, [name, consumer.name])),
        // The states of its shards go with the records; until then, whoever writes finds the stream missing.
        kinesisPurge(current.id),
      ],
      answer: undefined,
    }
  })
  kinesis.purge()
  return undefined
}

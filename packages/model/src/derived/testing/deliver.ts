import type { AnyStreamRecord } from '../../changes/stream-record.ts'
import type { StreamHandler } from '../../changes/on-change.ts'
import { shardOf } from '../../keys/shard-of.ts'
import type { Random } from '../../check/random.ts'

/** Delivers records as Lambda does on a bad day: to several consumers at once, in order for each item, in batches of any size,
 *  some of them more than once, long after they were done. */
export async function deliver(
  records: readonly AnyStreamRecord[],
  handlers: readonly StreamHandler[],
  random: Random,
  earlier: AnyStreamRecord[][],
): Promise<void> {
  await Promise.all(
    handlers.map(async (handler, i) => {
      let mine = records.filter((record) => shardOf(keyText(record), handlers.length) === i)
      for (let attempts = 0; mine.length > 0; attempts++) {
        if (attempts > 20 * records.length) throw new Error('The batches fail again and again')
        const batch = mine.slice(0, 1 + random.below(12))
        // Another consumer that was thought dead has the same batch, or had one long ago.
        const ghost =
          random.next() < 0.3 ? (random.next() < 0.5 ? batch : earlier[random.below(earlier.length)]) : undefined
        const [outcome] = await Promise.all([
          handler({ Records: batch }),
          ghost === undefined ? undefined : handlers[(i + 1) % handlers.length]?.({ Records: ghost }),
        ])
        earlier.push(batch)
        const failed = outcome.batchItemFailures[0]?.itemIdentifier
        const done = failed === undefined ? batch.length : batch.findIndex((each) => sequenceOf(each) === failed)
        // Sometimes nobody notices that a batch was done.
        if (random.next() > 0.15) mine = mine.slice(done)
      }
    }),
  )
}

function keyText({ dynamodb }: AnyStreamRecord): string {
  return JSON.stringify((dynamodb as { Keys: unknown }).Keys)
}

function sequenceOf({ dynamodb }: AnyStreamRecord): string {
  return (dynamodb as { SequenceNumber: string }).SequenceNumber
}

/** A client that fails now and then: before a request has arrived, or after it has. */
export function failing<C extends { send(command: never): Promise<unknown> }>(
  client: C,
  random: Random,
  share: number,
): C {
  return {
    async send(command: never): Promise<unknown> {
      if (random.next() < share) throw new Error('the network is down')
      const answer = await client.send(command)
      if (random.next() < share) throw new Error('the answer was lost')
      return answer
    },
  } as unknown as C
}

import { Engine, openLmdbStore, type RecordSpace } from '@hashrange/engine'
import type { KilledServer } from './killed-server.ts'
import { StreamReader, type StreamRecord } from '../support/stream-reader.ts'
import type { WrittenChanges } from './written-changes.ts'

/** How far a trigger had come in a shard, by its own account, when the server was killed. */
export interface Checkpoint {
  readonly shardId: string
  /** Everything up to this sequence is done. */
  readonly after: bigint
  /** How many lines the function had written down. */
  readonly lines: number
}

interface Progress {
  readonly shardId: string
  readonly after: string
}

/** Reads the checkpoints in a folder whose server is dead. */
export async function readCheckpoints(folder: string, lines: number): Promise<readonly Checkpoint[]> {
  let progress: RecordSpace<Progress> | undefined
  const store = await openLmdbStore({ path: folder })
  const engine = await Engine.open({
    store,
    services: [
      (host) => {
        progress = host.records<Progress>('shardProgress')
        return { operations: new Map() }
      },
    ],
  })
  try {
    const all = (await progress?.all()) ?? []
    return all.map(({ record: { shardId, after } }) => ({ shardId, after: BigInt(after), lines }))
  } finally {
    await engine.close()
  }
}

interface Image {
  readonly pk: { readonly S: string }
  readonly round: { readonly N: string }
}

/** Checkpoints that were ahead of what was done: they cover a change that had not been written down by then. */
export async function checkCheckpoints(
  server: KilledServer,
  streamArn: string,
  checkpoints: readonly Checkpoint[],
  written: WrittenChanges,
): Promise<readonly string[]> {
  const problems: string[] = []
  const check = ({ dynamodb }: StreamRecord<Image>, shardId: string): void => {
    const { NewImage, SequenceNumber } = dynamodb
    if (NewImage === undefined) return
    const sequence = BigInt(SequenceNumber) - 10n ** 20n
    const line = written.firstLineOf(NewImage.pk.S, Number(NewImage.round.N))
    for (const { shardId: other, after, lines } of checkpoints) {
      if (other !== shardId || sequence > after || line < lines) continue
      problems.push(`${shardId} was noted as done up to ${after}, but ${sequence} was delivered later`)
    }
  }
  const call = <Answer>(operation: string, input: object): Promise<Answer> =>
    server.call(operation, input, 'reader')
  await new StreamReader<Image>(call, streamArn, check).readAll()
  return problems
}

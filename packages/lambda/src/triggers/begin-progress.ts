import type { Mapping } from '../delivery/mapping.ts'
import type { ShardProgress } from '../mappings/mapping-record.ts'

/** Notes where a new mapping starts, so that it starts there whenever its consumer does. A mapping that starts at the
 *  horizon needs no note. */
export async function beginProgress({ uuid, source, startFrom, progress }: Mapping): Promise<void> {
  if (startFrom === 'TRIM_HORIZON' || (await progress.load(uuid)).size > 0) return
  const begun: ShardProgress[] = []
  for (const { id, isClosed } of await source.shards()) {
    const after = await source.start(id, startFrom)
    const isEnded = isClosed && startFrom === 'LATEST'
    begun.push({ mapping: uuid, shardId: id, after: after.toString(), ...(isEnded && { isEnded }) })
  }
  await progress.begin(begun)
}

import type { SourceRecord } from '../sources/shard-source.ts'

/** How many records of a batch are done, by the `batchItemFailures` that a function returned: those before the first
 *  that failed. A response that makes no sense means that none is. */
export function countDone(records: readonly SourceRecord[], response: unknown): number {
  if (response === null || response === undefined) return records.length
  if (typeof response !== 'object') return 0
  const failures = (response as Readonly<Record<string, unknown>>)['batchItemFailures']
  if (failures === undefined) return Object.keys(response).length === 0 ? records.length : 0
  if (failures === null) return records.length
  if (!Array.isArray(failures)) return 0
  let done = records.length
  for (const failure of failures as readonly unknown[]) {
    const identifier =
      typeof failure === 'object' && failure !== null
        ? (failure as Readonly<Record<string, unknown>>)['itemIdentifier']
        : undefined
    const index = records.findIndex(({ sequenceNumber }) => sequenceNumber === identifier)
    if (index < 0) return 0
    done = Math.min(done, index)
  }
  return done
}

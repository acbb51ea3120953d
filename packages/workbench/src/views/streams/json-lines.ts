import type { TailedRecord } from './stream-tail.ts'

/** Records as the service gave them, one in each line, the oldest first. */
export function toJsonLines(records: readonly TailedRecord[]): string {
  return records
    .toReversed()
    .map(({ record }) => `${JSON.stringify(record)}\n`)
    .join('')
}

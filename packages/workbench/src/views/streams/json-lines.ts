import type { TailedRecord } from './stream-tail.ts'

/** Records as the service gave them, one in each line, the oldest first. */
export function toJsonLines(records: readonly TailedRecord[]): string {
  return records
    .toReversed()
    .map(({ record }) => `${JSON.stringify(record)}\n`)
    .join('')
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

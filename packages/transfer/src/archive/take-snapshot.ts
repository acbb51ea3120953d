import type { Store } from '@hashrange/engine'
import type { ArchivePlace } from './archive-place.ts'
import { SnapshotSource } from './snapshot-source.ts'
import { writeSnapshot, type SnapshotFile } from './write-archive.ts'

export interface SnapshotOptions {
  readonly store: Store
  readonly to: ArchivePlace
  readonly now: () => number
  readonly onProgress?: ((bytes: number) => void) | undefined
  readonly isStopping?: (() => boolean) | undefined
}

/** Writes a snapshot of the whole store, which may be in use. */
export async function takeSnapshot({
  store,
  to,
  now,
  onProgress,
  isStopping,
}: SnapshotOptions): Promise<SnapshotFile> {
  const source = new SnapshotSource(store, now)
  async function* frames(): AsyncGenerator<Buffer> {
    for (let bytes = 0; ;) {
      if (isStopping?.() === true) throw new Error('The snapshot was stopped before it finished.')
      const next = await source.next()
      if (next === undefined) return
      bytes += next.length
      onProgress?.(bytes)
      yield next
      await requestsFirst()
    }
  }
  try {
    return await writeSnapshot(to, frames())
  } finally {
    source.stop()
  }
}

function requestsFirst(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

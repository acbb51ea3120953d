import type { CompactedStore } from '@hashrange/engine'
import type { CompactState } from '../compact/compact-job.ts'
import { compactionsPath } from '../compact/compact-route.ts'
import { askServer } from './ask-server.ts'

export interface CompactServerOptions {
  readonly endpoint: string
  readonly stopping: AbortSignal
  readonly onProgress: (entries: number, ofEntries: number) => void
}

/** Lets a running server compact its own data, and waits for the end. */
export async function compactServer({
  endpoint,
  stopping,
  onProgress,
}: CompactServerOptions): Promise<CompactedStore> {
  const { id } = await ask<{ readonly id: string }>(endpoint, 'POST', compactionsPath)
  const job = `${compactionsPath}/${id}`
  for (let hasStopped = false; ;) {
    if (stopping.aborted && !hasStopped) {
      hasStopped = true
      await ask(endpoint, 'DELETE', job)
    }
    const { entries, ofEntries, compacted, failure } = await ask<CompactState>(endpoint, 'GET', job)
    onProgress(entries, ofEntries)
    if (failure !== undefined) throw new Error(failure)
    if (compacted !== undefined) return compacted
  }
}

function ask<Answer>(endpoint: string, method: string, path: string): Promise<Answer> {
  return askServer<Answer>(endpoint, { url: new URL(`${endpoint}${path}`), method, what: 'compaction' })
}

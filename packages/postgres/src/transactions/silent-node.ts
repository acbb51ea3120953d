import type { StorageError } from '@hashrange/engine'
import type { Dialect } from '../reads/found.ts'

/** A node that a transaction needs does not answer. */
export class SilentNode extends Error {
  readonly refusal: StorageError

  constructor(refusal: StorageError) {
    super(refusal.message)
    this.name = 'SilentNode'
    this.refusal = refusal
  }
}

export function asSilent(error: unknown): SilentNode {
  if (error instanceof SilentNode) return error
  throw error
}

export function assertNoneSilent({ refusalOf }: Dialect, shards: Iterable<number>): void {
  if (refusalOf === undefined) return
  for (const shard of shards) {
    const refusal = refusalOf(shard)
    if (refusal !== undefined) throw new SilentNode(refusal)
  }
}

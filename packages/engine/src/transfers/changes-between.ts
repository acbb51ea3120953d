import type { Stopping } from '../work/background-work.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Store } from '../store/store.ts'
import type { RawJson } from '../wire/raw-json.ts'
import type { HashSegment } from './hash-segment.ts'
import { changedItems, recordsOf } from './logged-changes.ts'

/** Everything that happened to one item within a time. */
export interface NetChange {
  readonly keys: RawJson
  /** When it was last written. */
  readonly atMs: number
  readonly oldImage: RawJson | undefined
  readonly newImage: RawJson | undefined
  /** Of both images. */
  readonly sizeBytes: number
}

/** What happened to a segment's items from one sequence up to another. An item that was created and deleted in
 *  between is not included. */
export async function* changesBetween(
  store: Store,
  definition: TableDefinition,
  segment: HashSegment,
  between: { readonly from: bigint; readonly to: bigint },
  stopping: Stopping,
): AsyncGenerator<NetChange> {
  const changed = await changedItems(store, definition, segment, between, stopping)
  for await (const [before, after] of recordsOf(store, changed.values())) {
    if (stopping.aborted) throw new Error('stopping')
    const { oldImage, oldSizeBytes } = before
    const { keys, atMs, newImage, newSizeBytes } = after
    if (oldImage === undefined && newImage === undefined) continue
    yield { keys, atMs, oldImage, newImage, sizeBytes: oldSizeBytes + newSizeBytes }
  }
}

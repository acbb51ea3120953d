import { breathe, type Stopping } from '../background/background-work.ts'
import type { TableDefinition } from '../catalog/table-definition.ts'
import { storedJson, storedSizeBytes } from '../items/stored-item.ts'
import { following, keyText } from '../layout/key-bounds.ts'
import { sequenceAt } from '../store/sequence.ts'
import type { Key, Snapshot } from '../store/store.ts'
import type { RawJson } from '../wire/raw-json.ts'
import type { HashSegment } from './hash-segment.ts'
import { changedItems, recordAt } from './logged-changes.ts'

export interface ItemsPage {
  readonly items: readonly RawJson[]
  readonly sizeBytes: number
}

const itemsPerPage = 1_000

/** A segment's items as they were at a moment, page by page: what has been changed since is undone, by the first old
 *  image that the log has of it. The log must reach back to the moment. */
export async function* itemsAt(
  snapshot: Snapshot,
  definition: TableDefinition,
  segment: HashSegment,
  atMs: number,
  stopping: Stopping,
): AsyncGenerator<ItemsPage> {
  const since = { from: sequenceAt(atMs + 1), to: undefined }
  const changed = await changedItems(snapshot, definition, segment, since, stopping)
  let from: Key | undefined = segment.items.from
  while (from !== undefined) {
    if (stopping.aborted) throw new Error('stopping')
    const items: RawJson[] = []
    let sizeBytes = 0
    let count = 0
    let last: Key | undefined
    await snapshot.range({ from, to: segment.items.to, limit: itemsPerPage }, (key, value) => {
      last = key
      if (changed.size === 0 || !changed.has(keyText(key))) {
        items.push(storedJson(value))
        sizeBytes += storedSizeBytes(value)
      }
      return ++count < itemsPerPage
    })
    yield { items, sizeBytes }
    from = count < itemsPerPage || last === undefined ? undefined : following(last)
    await breathe()
  }
  for (const { first } of changed.values()) {
    const { oldImage, oldSizeBytes } = await recordAt(snapshot, first)
    if (oldImage !== undefined) yield { items: [oldImage], sizeBytes: oldSizeBytes }
  }
}

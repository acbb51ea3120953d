import { keySpace } from '../../layout/key-space.ts'
import type { Store } from '../../store/store.ts'

/** How many items are kept aside, by backups and by whatever undoes changes. */
export async function keptCount(store: Store): Promise<number> {
  let count = 0
  const range = { from: Buffer.of(keySpace.keptItem), to: Buffer.of(keySpace.keptItem + 1) }
  await store.view((snapshot) =>
    snapshot.range(range, () => {
      count++
      return true
    }),
  )
  return count
}

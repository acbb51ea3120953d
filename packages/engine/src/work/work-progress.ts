import { progressKey } from '../layout/key-space.ts'
import type { Store, Write } from '../store/store.ts'

/** The progress of work on what `id` names; undefined if it has not started. Written in one transaction with what was
 *  done, so that nothing is done twice and another server can continue from there. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function readProgress<Progress extends object>(
  store: Store,
  id: number,
): Promise<Progress | undefined> {
  const value = await store.view((snapshot) => snapshot.get(progressKey(id)))
  if (value === undefined) return undefined
  const progress: Progress = JSON.parse(value.toString('utf8'))
  return progress
}

/** ON DISK as JSON. */
export function progressWrite(id: number, progress: object): Write {
  return { kind: 'put', key: progressKey(id), value: Buffer.from(JSON.stringify(progress)) }
}

export function progressEnd(id: number): Write {
  return { kind: 'delete', key: progressKey(id) }
}

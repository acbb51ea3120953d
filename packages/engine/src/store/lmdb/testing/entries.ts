import type { Store, Write } from '../../store.ts'

/** Entries as texts, for tests that look at a store alone. */
export function put(store: Store, entries: Readonly<Record<string, string>>): Promise<void> {
  return write(store, Object.entries(entries))
}

export function write(store: Store, entries: readonly (readonly [string, string | undefined])[]): Promise<void> {
  const writes = entries.map(([name, value]): Write => {
    const key = Buffer.from(name)
    return value === undefined ? { kind: 'delete', key } : { kind: 'put', key, value: Buffer.from(value) }
  })
  return store.transact([], () => ({ writes, answer: undefined }))
}

export async function contentsOf(store: Store): Promise<[string, string][]> {
  const entries: [string, string][] = []
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.from(' '), to: Buffer.of(0xff) }, (key, value) => {
      entries.push([Buffer.from(key).toString(), value.toString()])
      return true
    }),
  )
  return entries
}

export function sorted(entries: ReadonlyMap<string, string>): [string, string][] {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

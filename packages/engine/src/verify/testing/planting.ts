import type { TestEngine } from '../../testing/test-engine.ts'
import type { Key, Value, Write } from '../../store/store.ts'

export interface StoredEntry {
  readonly key: Buffer
  readonly value: Value
}

/** The entries that begin with some bytes. */
export async function entriesIn(
  db: Pick<TestEngine, 'store'>,
  ...prefix: readonly number[]
): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = []
  const from = Buffer.from(prefix)
  const to = Buffer.concat([from, Buffer.alloc(64, 0xff)])
  await db.store.view((snapshot) =>
    snapshot.range(
      { from, to },
      (key, value) => entries.push({ key: Buffer.from(key), value: Buffer.from(value) }) > 0,
    ),
  )
  return entries
}

/** The first of them that suits. */
export async function entryIn(
  db: Pick<TestEngine, 'store'>,
  prefix: readonly number[],
  suits: (entry: StoredEntry) => boolean = () => true,
): Promise<StoredEntry> {
  const found = (await entriesIn(db, ...prefix)).find(suits)
  if (found === undefined) throw new Error('nothing to do harm to')
  return found
}

/** Does harm behind the engine's back. */
export async function plant(db: Pick<TestEngine, 'store'>, ...writes: readonly Write[]): Promise<void> {
  await db.store.transact([], () => ({ writes, answer: undefined }))
}

export function put(key: Key, value: string | Uint8Array): Write {
  return { kind: 'put', key, value: Buffer.from(value as Uint8Array) }
}

export function remove(key: Key): Write {
  return { kind: 'delete', key }
}

/** A copy with one byte changed, or with another length. */
export function changed(bytes: Uint8Array, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at < 0 ? copy.length + at : at] = byte
  return copy
}

export function replaced(bytes: Uint8Array, what: string, by: string): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  if (!text.includes(what)) throw new Error(`there is no ${what} to replace`)
  return Buffer.from(text.replace(what, by), 'latin1')
}

/** Does harm, looks at what comes of it, and takes it back. */
export async function harmed<T>(
  db: Pick<TestEngine, 'store'>,
  writes: readonly Write[],
  look: () => Promise<T>,
): Promise<T> {
  const before = new Map((await entriesIn(db)).map(({ key, value }) => [key.toString('latin1'), value]))
  await plant(db, ...writes)
  try {
    return await look()
  } finally {
    const after = new Map((await entriesIn(db)).map(({ key, value }) => [key.toString('latin1'), value]))
    const back: Write[] = []
    for (const [name, value] of before) {
      if (after.get(name)?.equals(value) !== true) back.push(put(Buffer.from(name, 'latin1'), value))
    }
    for (const name of after.keys()) if (!before.has(name)) back.push(remove(Buffer.from(name, 'latin1')))
    await plant(db, ...back)
  }
}

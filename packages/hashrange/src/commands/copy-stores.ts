import { copyStore, type Store } from '@hashrange/engine'
import { Progress } from '@hashrange/transfer'
import { openStore } from '../open-store.ts'
import { describePlace, isPostgresUrl, onlyRead, type StorePlace } from '../store-place.ts'
import { interruptible } from './interruption.ts'
import { withKey } from './key-of-data.ts'
import { Mistake } from '../mistake.ts'
import { requireData } from './require-data.ts'

/** The two places of a copy of whole stores: one of them is a PostgreSQL, or the copy gets another key, and neither
 *  is a server. */
export function storesToCopy(
  from: string,
  to: string,
  newKey?: Buffer | 'none',
): { readonly from: StorePlace; readonly to: StorePlace } | undefined {
  if (!isPostgresUrl(from) && !isPostgresUrl(to) && newKey === undefined) return undefined
  const source = placeOfWord(from)
  const target = placeOfWord(to)
  if (source === undefined || target === undefined) {
    if (newKey === undefined) return undefined
    throw new Mistake('--to-encryption-key-file is about data folders and PostgreSQL databases, not about servers.')
  }
  return { from: withKey(source), to: targetWithKey(target, newKey) }
}

/** Copies all tables, backups, streams and settings of one store to another. Returns the exit code. */
export async function copyStores(from: StorePlace, to: StorePlace): Promise<number> {
  const source = describePlace(from)
  const target = describePlace(to)
  const progress = new Progress(process.stderr)
  const labels = { copy: `Copying ${source} to ${target}`, verify: 'Comparing' }
  let begun = false
  const done = await interruptible((stopping) =>
    withStores(from, to, (fromStore, toStore) =>
      copyStore({
        from: fromStore,
        to: toStore,
        source,
        stopping,
        onStep: (step, before) => {
          if (begun) progress.end()
          begun = true
          progress.begin(labels[step], undefined, before)
        },
        onProgress: (entries, bytes) => progress.add(entries, bytes),
      }),
    ),
  )
  progress.end()
  if (!done.isComplete) {
    process.stderr.write(
      'Stopped. To continue, run the same command again: the target has recorded the progress.\n',
    )
    return 130
  }
  console.log(`Copied and compared ${done.entries} entries from ${source} to ${target}.`)
  return 0
}

/** By default, the copy has the key of the source. */
function targetWithKey(place: StorePlace, newKey: Buffer | 'none' | undefined): StorePlace {
  if (newKey === undefined) return withKey(place)
  return newKey === 'none' || place.kind === 'memory' ? place : { ...place, encryptionKey: newKey }
}

function placeOfWord(word: string): StorePlace | undefined {
  if (isPostgresUrl(word)) return { kind: 'postgres', url: word }
  if (word.startsWith('lmdb:') && word.length > 5) return { kind: 'lmdb', path: word.slice(5) }
  return undefined
}

async function withStores<T>(
  from: StorePlace,
  to: StorePlace,
  use: (from: Store, to: Store) => Promise<T>,
): Promise<T> {
  if (describePlace(from) === describePlace(to)) {
    throw new Mistake('The source and the target of the copy are the same.')
  }
  requireData(from)
  const source = await openStore(onlyRead(from))
  try {
    const target = await openStore(to)
    try {
      return await use(source, target)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

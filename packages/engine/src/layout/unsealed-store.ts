import { isSealed, ValueSeal } from '../store/sealed/value-seal.ts'
import { SealedStore } from '../store/sealed/sealed-store.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Key, Store } from '../store/store.ts'
import { keyPlacement } from './key-placement.ts'
import { copyMarkKey, formatKey, lastSequenceKey } from './key-space.ts'

/** The store as the engine may use it: its values are decrypted with `secret`, if they are encrypted or if the store
 *  is empty. Throws a StorageError, and changes nothing, if the secret is missing, is the wrong one, or is given for
 *  data that is not encrypted. */
export async function unsealedStore(store: Store, secret: Buffer | undefined): Promise<Store> {
  const keys = [formatKey(), copyMarkKey()]
  const found = await store.view((snapshot) => snapshot.getMany(keys))
  const present = keys.flatMap((key, index) => {
    const value = found[index]
    return value === undefined ? [] : [{ key, value }]
  })
  const isEncrypted = present.some(({ value }) => isSealed(value))
  if (secret === undefined) {
    if (!isEncrypted) return store
    throw refusal('The data is encrypted, and no key was given.', 'encryption-key-missing')
  }
  if (present.length > 0 && !isEncrypted) {
    throw refusal('A key was given, but the data is not encrypted.', 'not-encrypted')
  }
  const seal = new ValueSeal(secret)
  try {
    for (const { key, value } of present) seal.open(value, key)
  } catch (error) {
    throw refusal('The key is not the one that the data was encrypted with.', 'encryption-key-wrong', error)
  }
  return new SealedStore(store, seal, isPlain)
}

/** The store with its entries as they are on disk, for making copies of it. */
export function storeUnderneath(store: Store & { readonly underneath?: Store }): Store {
  return store.underneath === undefined ? store : storeUnderneath(store.underneath)
}

/** What the stores themselves read and write. */
function isPlain(key: Key): boolean {
  return keyPlacement.isCounter(key) || key[0] === lastSequenceKey[0]
}

function refusal(
  message: string,
  kind: 'encryption-key-missing' | 'encryption-key-wrong' | 'not-encrypted',
  cause?: unknown,
): StorageError {
  return new StorageError('incompatible', message, cause, { kind })
}

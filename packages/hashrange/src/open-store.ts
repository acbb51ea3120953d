import { openLmdbStore, unsealedStore, type Recovery, type StorageError, type Store } from '@hashrange/engine'
import type { StorePlace } from './store-place.ts'

export interface StoreListeners {
  readonly onRecovery?: ((recovery: Recovery) => void) | undefined
  /** Called when a newer server has changed a database so that this one may no longer write; and when it may again. */
  readonly onRefusal?: ((refusal: StorageError | undefined) => void) | undefined
}

/** Opens the store that holds the data, with its values decrypted if they are encrypted. */
export async function openStore(place: StorePlace, listeners: StoreListeners = {}): Promise<Store> {
  const store = await openAsItIs(place, listeners)
  if (place.kind === 'memory') return store
  try {
    return await unsealedStore(store, place.encryptionKey)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** What a PostgreSQL needs is only loaded if one is used. */
async function openAsItIs(place: StorePlace, listeners: StoreListeners): Promise<Store> {
  const { onRecovery, onRefusal } = listeners
  switch (place.kind) {
    case 'memory':
      return openLmdbStore({ memory: true })
    case 'lmdb':
      return openLmdbStore({
        path: place.path,
        acceptsLoss: place.acceptsLoss ?? false,
        ...(onRecovery !== undefined && { onRecovery }),
      })
    case 'postgres': {
      const { openPostgresStore } = await import('@hashrange/postgres')
      const { url, distribution = 'auto', onlyReads = false } = place
      return openPostgresStore({ url, distribution, onlyReads, ...(onRefusal !== undefined && { onRefusal }) })
    }
  }
}
